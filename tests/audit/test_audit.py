"""An audit gives the verifier's verdicts, names what is bad, resumes, and looks across games."""

import io
import json
import shutil

import pytest

from fairdeal.cli.audit import command, judging
from fairdeal.cli.audit.across import look_across
from tests.audit.games import (
    changed,
    transcript,
    with_false_score,
    with_false_upcard,
    with_master_of_another,
    with_name_of_another,
)
from tests.published import VECTORS
from verifier.held import Held
from verifier.verdict import EXITS
from verifier.verify import verify


def audited(fairdeal, folder, *options):
    run = fairdeal("audit", folder, "--json", "--jobs", 1, *options)
    return json.loads(run.stdout), run.exit_code


def words(report):
    return {file["path"]: file["verdict"] or file["how"] for file in report["files"]}


def codes(report):
    return [one["code"] for one in report["across"]]


@pytest.mark.slow
@pytest.mark.parametrize("options", [["--jobs", "2"], ["--fast", "--jobs", "1"]])
def test_verdicts_and_first_errors_are_the_verifiers_one_by_one(fairdeal, folder, options):
    for kind in ("cases", "refereed", "ours"):
        shutil.copytree(VECTORS / kind, folder / kind)
    report = json.loads(fairdeal("audit", folder, "--json", "--no-state", *options).stdout)
    assert len(report["files"]) > 180
    for file in report["files"]:
        with (folder / file["path"]).open("rb") as opened:
            due = verify(opened, Held())
        first = due.errors[0].code if due.errors else None
        if file["how"] == "re-derived":
            assert file["verdict"] is None
            # Nothing that concerns a commitment, a seed or a deal may pass a fast audit.
            assert first is None or first.startswith(UNSEEN_BY_FAST), file["path"]
        else:
            assert file["verdict"] == due.verdict, file["path"]
            assert (file["fault"] or {"code": None})["code"] == first, file["path"]
            assert file["level"] == due.level


# Faults in acts, draws and scores, and in how these records are written.
UNSEEN_BY_FAST = (
    *("E_ACT_", "E_DRAW_ORDER", "E_SCORE_", "E_HAND_END", "E_GAME_END"),
    *("E_ORDER", "E_SCHEMA"),
)


def test_a_bad_file_is_named_with_its_first_error_and_gives_the_status(fairdeal, folder):
    (folder / "deep").mkdir()
    (folder / "good.jsonl").write_bytes(transcript(1))
    (folder / "deep" / "bad.jsonl").write_bytes(with_false_upcard(transcript(1)))
    (folder / "no-game.txt").write_text("not looked at")
    run = fairdeal("audit", folder, "--jobs", 1)
    assert run.exit_code == 1
    head, bad, *_ = run.stdout.splitlines()
    assert head == "INVALID is the worst of 2 files: 1 INVALID, 1 VALID"
    assert bad.startswith("INVALID deep/bad.jsonl: E_DEAL_UPCARD at record 3, hand 1: ")


@pytest.mark.parametrize(
    ("spoil", "worst", "status"),
    [
        (lambda data: data, "VALID", 0),
        (lambda data: data[: data.rindex(b"\n", 0, -1) + 1], "INCOMPLETE", 3),
        (lambda data: data[:-1], "MALFORMED", 4),
        (with_false_score, "INVALID", 1),
    ],
)
def test_the_status_is_that_of_the_worst_verdict(fairdeal, folder, spoil, worst, status):
    (folder / "a.jsonl").write_bytes(transcript(2))
    (folder / "b.jsonl").write_bytes(spoil(transcript(3)))
    report, found = audited(fairdeal, folder)
    assert (report["verdict"], report["exit"], found) == (worst, status, status)
    assert status == EXITS[worst]


def test_invalid_is_worse_than_malformed(fairdeal, folder):
    (folder / "a.jsonl").write_bytes(transcript(2)[:-1])
    (folder / "b.jsonl").write_bytes(with_false_score(transcript(3)))
    assert audited(fairdeal, folder)[1] == 1


def test_a_file_that_cannot_be_read_is_named_and_not_passed_over(fairdeal, folder, monkeypatch):
    (folder / "a.jsonl").write_bytes(transcript(2))

    def fail(*_):
        raise RecursionError("too deep")

    monkeypatch.setattr(judging, "verify", fail)
    report, status = audited(fairdeal, folder)
    assert (status, words(report)) == (2, {"a.jsonl": "unreadable"})
    assert report["files"][0]["fault"]["detail"] == "the verifier failed: RecursionError: too deep"


def test_a_folder_without_games_is_a_usage_error_and_no_clean_bill(fairdeal, folder):
    assert fairdeal("audit", folder).exit_code == 2


def test_a_deadline_is_judged_by_the_time_that_is_given(fairdeal, folder):
    data = transcript(2)
    (folder / "a.jsonl").write_bytes(data[: data.rindex(b"\n", 0, -1) + 1])
    due = json.loads(data.splitlines()[0])["body"]["reveal_by"]
    assert audited(fairdeal, folder, "--now", due)[1] == 3
    report, status = audited(fairdeal, folder, "--now", due + 1)
    assert (status, report["files"][0]["fault"]["code"]) == (1, "E_REVEAL_WITHHELD")


class TestResuming:
    def test_what_was_verified_before_is_not_verified_again(self, fairdeal, folder, monkeypatch):
        (folder / "a.jsonl").write_bytes(transcript(1))
        (folder / "b.jsonl").write_bytes(with_false_score(transcript(1)))
        first, status = audited(fairdeal, folder)
        monkeypatch.setattr(judging, "verify", None)
        second, again = audited(fairdeal, folder)
        assert {file["how"] for file in second["files"]} == {"kept"}
        assert status == again == 1
        for one in (*first["files"], *second["files"]):
            del one["how"]
        assert first["files"] == second["files"]

    def test_a_changed_file_is_verified_again_whatever_its_name_and_time(self, fairdeal, folder):
        (folder / "a.jsonl").write_bytes(transcript(1))
        assert audited(fairdeal, folder)[1] == 0
        (folder / "a.jsonl").write_bytes(with_false_score(transcript(1)))
        assert audited(fairdeal, folder)[1] == 1

    def test_another_verifier_begins_anew(self, fairdeal, folder, monkeypatch):
        (folder / "a.jsonl").write_bytes(transcript(1))
        audited(fairdeal, folder)
        monkeypatch.setattr(judging, "self_hash", lambda: "another")
        assert audited(fairdeal, folder)[0]["files"][0]["how"] == "verified"

    def test_a_torn_or_strange_line_of_the_state_costs_only_its_file(
        self, fairdeal, folder, tmp_path
    ):
        (folder / "a.jsonl").write_bytes(transcript(1))
        (folder / "b.jsonl").write_bytes(transcript(2))
        state = tmp_path / "kept"
        audited(fairdeal, folder, "--state", state)
        lines = state.read_text().splitlines(keepends=True)
        state.write_text(lines[0] + '{"strange": 1}\n' + lines[1] + lines[2][:40])
        report, _ = audited(fairdeal, folder, "--state", state)
        assert sorted(file["how"] for file in report["files"]) == ["kept", "verified"]
        report, _ = audited(fairdeal, folder, "--state", state)
        assert {file["how"] for file in report["files"]} == {"kept"}

    def test_lines_of_the_state_that_are_no_object_cost_nothing(self, fairdeal, folder, tmp_path):
        (folder / "a.jsonl").write_bytes(transcript(1))
        state = tmp_path / "kept"
        audited(fairdeal, folder, "--state", state)
        state.write_bytes(state.read_bytes() + b'[1]\n"x"\n\xff\n')
        report, status = audited(fairdeal, folder, "--state", state)
        assert (report["files"][0]["how"], status) == ("kept", 0)

    def test_a_file_that_is_no_state_is_not_overwritten(self, folder, tmp_path):
        (folder / "a.jsonl").write_bytes(transcript(1))
        state = tmp_path / "precious.jsonl"
        state.write_bytes(transcript(2))
        with pytest.raises(FileExistsError, match="left as it is"):
            command.audited(
                folder,
                state=state,
                no_state=False,
                now=None,
                is_fast=False,
                sample_seed="",
                jobs=1,
                is_silent=True,
            )
        assert state.read_bytes() == transcript(2)

    def test_a_state_folder_inside_the_files_is_refused(self, fairdeal, folder, monkeypatch):
        (folder / "a.jsonl").write_bytes(transcript(1))
        monkeypatch.setenv("XDG_STATE_HOME", str(folder / "state"))
        run = fairdeal("audit", folder)
        assert run.exit_code == 2
        assert "inside FOLDER" in run.output
        assert [path.name for path in folder.iterdir()] == ["a.jsonl"]

    def test_a_state_beside_the_files_is_refused(self, fairdeal, folder):
        (folder / "a.jsonl").write_bytes(transcript(1))
        run = fairdeal("audit", folder, "--state", folder / "state")
        assert run.exit_code == 2
        assert "inside FOLDER" in run.output

    def test_nothing_is_written_into_the_folder(self, fairdeal, folder):
        (folder / "a.jsonl").write_bytes(transcript(1))
        audited(fairdeal, folder)
        assert [path.name for path in folder.iterdir()] == ["a.jsonl"]


class TestAcrossGames:
    def test_a_master_of_two_games_is_named(self, fairdeal, folder, monkeypatch):
        (folder / "a.jsonl").write_bytes(with_master_of_another(1, monkeypatch))
        (folder / "b.jsonl").write_bytes(with_master_of_another(2, monkeypatch))
        (folder / "c.jsonl").write_bytes(transcript(4))
        report, status = audited(fairdeal, folder)
        assert set(words(report).values()) == {"VALID"}
        assert (status, codes(report)) == (1, ["E_MASTER_REUSED"])
        assert report["across"][0]["files"] == ["a.jsonl", "b.jsonl"]
        assert codes(audited(fairdeal, folder, "--fast")[0]) == ["E_MASTER_REUSED"]

    def test_a_name_of_two_games_is_named(self, fairdeal, folder, monkeypatch):
        (folder / "a.jsonl").write_bytes(with_name_of_another(1, monkeypatch))
        (folder / "b.jsonl").write_bytes(with_name_of_another(2, monkeypatch))
        report, status = audited(fairdeal, folder)
        assert (status, codes(report)) == (1, ["E_GAME_ID_REUSED"])

    def test_two_versions_of_one_game_are_named_with_the_record(self, fairdeal, folder):
        data = transcript(1)

        def later(record):
            record["t"] += 1

        (folder / "a.jsonl").write_bytes(data)
        (folder / "b.jsonl").write_bytes(changed(data, "master", later))
        report, status = audited(fairdeal, folder)
        assert (status, codes(report)) == (1, ["E_EQUIVOCATION"])
        last = len(data.splitlines()) - 1
        assert f"from record {last} on" in report["across"][0]["detail"]

    def test_copies_and_earlier_states_of_a_game_are_no_fault(self, fairdeal, folder):
        data = transcript(1)
        (folder / "a.jsonl").write_bytes(data)
        (folder / "b.jsonl").write_bytes(data)
        (folder / "c.jsonl").write_bytes(data[: data.rindex(b"\n", 0, -1) + 1])
        report, status = audited(fairdeal, folder)
        assert (status, codes(report)) == (3, [])

    def test_a_forgery_accuses_no_honest_game(self, fairdeal, folder, monkeypatch):
        data = with_name_of_another(1, monkeypatch)
        (folder / "a.jsonl").write_bytes(data)
        (folder / "b.jsonl").write_bytes(with_false_score(data))
        assert codes(audited(fairdeal, folder)[0]) == []

    def test_many_aborted_hands_of_a_service_are_a_warning(self, folder):
        def one(path, hands, aborted):
            return judging.Judged(
                path=path, how="verified", verdict="VALID", game=path, open_hash=path,
                origin="here", digest=path, hands=hands, aborted=aborted,
            )  # fmt: skip

        assert look_across(folder, [one("a", 999, 999)]) == ()
        assert look_across(folder, [one("a", 600, 2), one("b", 400, 3)]) == ()
        (warning,) = look_across(folder, [one("a", 600, 3), one("b", 400, 3)])
        assert (warning.code, warning.is_error) == ("W_ABORT_RATE", False)


class TestFast:
    def test_it_says_what_it_did_and_verifies_a_sample(self, fairdeal, folder):
        for seed in range(3):
            (folder / f"{seed}.jsonl").write_bytes(transcript(seed))
        run = fairdeal("audit", folder, "--fast", "--jobs", 1)
        assert run.exit_code == 0
        assert run.stdout.startswith("re-derived is the worst of 3 files: 2 re-derived, 1 VALID\n")
        assert "no act, score or signature was judged" in run.stdout
        assert "a sample of 1 in 3 files was verified fully" in run.stdout
        assert "in bulk, with numpy" in run.stdout

    def test_the_sample_follows_its_seed(self, fairdeal, folder):
        for game in range(8):
            (folder / f"{game}.jsonl").write_bytes(transcript(game))
        full: set[str] = set()
        for seed in "abcdef":
            again = [
                words(audited(fairdeal, folder, "--fast", "--no-state", "--sample-seed", seed)[0])
                for _ in range(2)
            ]
            assert again[0] == again[1]
            full |= {path for path, word in again[0].items() if word == "VALID"}
        assert len(full) > 1

    def test_a_false_deal_gets_the_verifiers_verdict(self, fairdeal, folder):
        data = with_false_upcard(transcript(1))
        (folder / "bad.jsonl").write_bytes(data)
        for other in range(2, 5):
            (folder / f"{other}.jsonl").write_bytes(transcript(other))
        report, status = audited(fairdeal, folder, "--fast", "--sample-seed", "x")
        (bad,) = [file for file in report["files"] if file["path"] == "bad.jsonl"]
        due = verify(io.BytesIO(data), Held())
        assert (bad["verdict"], bad["fault"]["detail"]) == (due.verdict, due.errors[0].detail)
        assert status == 1

    def test_a_false_score_is_not_seen_outside_the_sample(self, fairdeal, folder):
        # What the docs say of --fast: if this fails, they understate it.
        (folder / "a.jsonl").write_bytes(with_false_score(transcript(1)))
        (folder / "b.jsonl").write_bytes(transcript(2))
        seen = set()
        for seed in "abcdefgh":
            report, _ = audited(fairdeal, folder, "--fast", "--no-state", "--sample-seed", seed)
            seen.add(words(report)["a.jsonl"])
        assert seen == {"re-derived", "INVALID"}
