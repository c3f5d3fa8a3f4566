"""The command line: flags, exit status, what is printed (docs/protocol.md 3.1, 3.3, 3.4)."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.verifier.forge import Forge, Signer, honest
from tests.verifier.logbook import W1, Witness
from verifier.cli import main
from verifier.selfhash import self_hash
from verifier.verdict import SENTENCES

ROOT = Path(__file__).parents[2]
ME = Signer()
GAME = honest(2)
OPEN_HASH = GAME.open_hash
WITNESS = "witness.example/w1+c3d972da+BHF0EX7rX6f80GrWBkc1KoJiP2jEOzDHgzpZNG/xh+vk"


@pytest.fixture
def game(tmp_path):
    path = tmp_path / "game.jsonl"
    path.write_bytes(GAME.data())
    return str(path)


def run(capsysbinary, *arguments: str) -> tuple[int, str, str]:
    try:
        status = main(arguments)
    except SystemExit as left:  # argparse
        status = int(left.code or 0)
    out, err = capsysbinary.readouterr()
    return status, out.decode("ascii"), err.decode("ascii")


def report_of(capsysbinary, *arguments: str):
    status, out, err = run(capsysbinary, *arguments, "--json")
    assert err == ""
    assert out.count("\n") == 1
    return status, json.loads(out)


def test_the_first_line_is_verdict_level_and_sentence(game, capsysbinary):
    status, out, err = run(capsysbinary, game, "--commit", OPEN_HASH)
    assert (status, err) == (0, "")
    assert out.splitlines()[0] == f"VALID [pinned] {SENTENCES['VALID']}"


def test_a_verdict_without_a_level_has_no_brackets(game, capsysbinary):
    status, out, _ = run(capsysbinary, game, "--commit", "0" * 64)
    assert status == 1
    assert out.splitlines()[0] == f"INVALID {SENTENCES['INVALID']}"
    assert out.splitlines()[1].startswith("E_PINNED_COMMIT at record 0: you noted 000")


def test_the_fault_is_named_with_hand_and_card(tmp_path, capsysbinary):
    forge = honest(2)
    deal = forge.records[6][1]
    due = GAME.table(2).up[0]
    deal["up"] = [(due + 1) % 12, *deal["up"][1:]]
    path = tmp_path / "game.jsonl"
    path.write_bytes(forge.data())
    _, out, _ = run(capsysbinary, str(path))
    deck = forge.open_body["rules"]["deck"]
    assert "E_DEAL_UPCARD at record 6, hand 2: the up pile, position 0:" in out
    assert f"due is {deck[due]} (card {due})" in out


def test_a_warning_that_matters_most_is_in_capitals(game, capsysbinary):
    _, out, _ = run(capsysbinary, game)
    line = next(line for line in out.splitlines() if line.startswith("W_COMMIT_TIME_UNPROVEN"))
    assert line.split(": ")[1].startswith("NOTHING HERE PROVES")


def test_the_json_object_has_its_fields_and_no_others(game, capsysbinary):
    status, report = report_of(capsysbinary, game)
    assert status == 0
    assert list(report) == [
        "verdict",
        "level",
        "error",
        "errors",
        "warnings",
        "checks",
        "game",
        "hands",
    ]
    assert (report["verdict"], report["level"], report["error"]) == ("VALID", "consistent", None)
    assert report["game"] == "forged-game-1"
    assert [list(warning) for warning in report["warnings"]] == [["code", "at", "detail"]]
    for check in report["checks"]:
        assert list(check) == ["name", "status", "detail"]
        assert check["status"] in {"ok", "wrong", "not-run", "not-applicable"}
    status, report = report_of(capsysbinary, game, "--commit", "0" * 64)
    assert (status, report["error"], report["level"]) == (1, "E_PINNED_COMMIT", None)
    assert [list(error) for error in report["errors"]] == [["code", "at", "hand", "detail", "rule"]]


def test_a_malformed_file_has_no_game_and_status_4(tmp_path, capsysbinary):
    path = tmp_path / "game.jsonl"
    path.write_bytes(b"nothing\n")
    status, report = report_of(capsysbinary, str(path))
    assert status == 4
    assert (report["verdict"], report["game"], report["level"]) == ("MALFORMED", None, None)


@pytest.mark.parametrize(
    ("level", "status"), [("consistent", 0), ("pinned", 0), ("witnessed", 3), ("beacon", 3)]
)
def test_a_level_below_the_one_required_is_status_3_and_still_valid(
    game, capsysbinary, level, status
):
    found, report = report_of(capsysbinary, game, "--commit", OPEN_HASH, "--require", level)
    assert (found, report["verdict"]) == (status, "VALID")


def test_require_changes_no_other_verdict(game, capsysbinary, tmp_path):
    assert run(capsysbinary, game, "--commit", "0" * 64, "--require", "beacon")[0] == 1
    path = tmp_path / "short.jsonl"
    path.write_bytes(Forge().data())
    assert run(capsysbinary, str(path), "--require", "consistent")[0] == 3


def test_receipts_come_as_files_of_notes_or_as_a_json_list(game, capsysbinary, tmp_path):
    notes = [ME.receipt(GAME.data(), n) for n in range(3)]
    forms = {
        "one": notes[0],
        "several": "".join(notes),
        "spaced": "\n\n".join(notes),
        "list": json.dumps(notes),
        "pretty": json.dumps(notes, indent=2, ensure_ascii=False),
    }
    for name, text in forms.items():
        path = tmp_path / name
        path.write_bytes(text.encode())
        _, report = report_of(capsysbinary, game, "--receipts", str(path), "--log-key", ME.vkey)
        assert (report["level"], report["warnings"]) == ("pinned", []), name


def test_receipt_files_are_taken_together(game, capsysbinary, tmp_path):
    (tmp_path / "a").write_bytes(ME.receipt(GAME.data(), 5).encode())
    (tmp_path / "b").write_bytes(ME.receipt(GAME.data(), 0).encode())
    arguments = ["--receipts", str(tmp_path / "a"), "--receipts", str(tmp_path / "b")]
    _, report = report_of(capsysbinary, game, *arguments, f"--receipt-key={ME.vkey}")
    assert report["level"] == "pinned"


def test_a_receipt_key_takes_the_place_of_the_log_key(game, capsysbinary, tmp_path):
    (tmp_path / "a").write_bytes(ME.receipt(GAME.data(), 0).encode())
    other = Signer(seed=2)
    arguments = [game, "--receipts", str(tmp_path / "a"), "--log-key", ME.vkey]
    _, report = report_of(capsysbinary, *arguments, "--receipt-key", other.vkey)
    assert report["level"] == "consistent"
    both = ["--receipt-key", other.vkey, "--receipt-key", ME.vkey]
    _, report = report_of(capsysbinary, *arguments, *both)
    assert report["level"] == "pinned"


@pytest.mark.parametrize(
    ("text", "seed"),
    [
        ("hello", "hello"),
        ("hello", ":hello"),
        ("hello", "1:hello"),
        ("7:30", ":7:30"),
        ("7:30", "1:7:30"),
        ("0:x", "0:x"),
        ("01:x", "01:x"),
        ("::", ":::"),
        ("", ""),
        ("", ":"),
        ("-- -x", "-- -x"),
        ("h\u00f6lle \U0001f0cf\n", "h\u00f6lle \U0001f0cf\n"),
    ],
)
def test_a_seed_is_taken_exactly_as_typed(text, seed, capsysbinary, tmp_path):
    path = tmp_path / "game.jsonl"
    path.write_bytes(Forge().share(text=text).lock().play().end().data())
    status, report = report_of(capsysbinary, str(path), f"--seed={seed}", "--seat=0")
    assert (status, report["errors"]) == (0, [])
    status, report = report_of(capsysbinary, str(path), f"--seed={seed}.", "--seat=0")
    assert (status, report["error"]) == (1, "E_OWN_SEED")


def test_a_seed_of_its_own_for_each_epoch(capsysbinary, tmp_path):
    forge = Forge(epoch_hands=1).share(text="one").lock().play().next_epoch().share(text="two")
    path = tmp_path / "game.jsonl"
    path.write_bytes(forge.lock().play().end().data())
    base = [str(path), "--seat", "0", "--seed", "1:one", "--seed"]
    assert run(capsysbinary, *base, "2:two")[0] == 0
    assert run(capsysbinary, *base, "two")[0] == 0
    assert run(capsysbinary, *base, "2:three")[0] == 1
    assert run(capsysbinary, *base, "1:three")[0] == 2


def test_hand_cards_are_read_from_a_file(game, capsysbinary, tmp_path):
    path = tmp_path / "cards"
    cards = GAME.table(2).hands[0]
    path.write_text(json.dumps([{"hand": 2, "seat": 0, "cards": cards}]))
    assert run(capsysbinary, game, "--hand-cards", str(path))[0] == 0
    path.write_text(json.dumps([{"hand": 2, "seat": 1, "cards": cards}]))
    _, report = report_of(capsysbinary, game, "--hand-cards", str(path))
    assert (report["error"], report["errors"][0]["hand"]) == ("E_OWN_HAND", 2)


def test_a_table_code_is_read_in_either_case_with_blanks_and_hyphens(game, capsysbinary):
    from verifier.held import table_code

    code = table_code(OPEN_HASH)
    for text in (code, code.lower(), f" {code[:4]}-{code[4:]} ", "-".join(code)):
        _, report = report_of(capsysbinary, game, "--table-code", text)
        assert report["level"] == "pinned"


USAGE = {
    "no file": [],
    "an unknown flag": ["GAME", "--fast"],
    "a flag cut short": ["GAME", "--comm", "0" * 64],
    "a short commitment": ["GAME", "--commit", "00"],
    "an empty commitment": ["GAME", "--commit", ""],
    "a short table code": ["GAME", "--table-code", "AAAA"],
    "a table code with a digit it has not": ["GAME", "--table-code", "1" * 26],
    "a table code with a dotless i": ["GAME", "--table-code", "\u0131" * 26],
    "a table code with a ligature": ["GAME", "--table-code", "\ufb01" * 13],
    "an empty table code": ["GAME", "--table-code", ""],
    "a key of another form": ["GAME", "--log-key", "name"],
    "a receipt key of another form": ["GAME", "--receipt-key", "name"],
    "an absent file of receipts": ["GAME", "--receipts", "/nonexistent"],
    "a folder of receipts": ["GAME", "--receipts", "/"],
    "a seed without a seat": ["GAME", "--seed", "x"],
    "a seat without a seed": ["GAME", "--seat", "0"],
    "a seat that is no number": ["GAME", "--seed", "x", "--seat", "-1"],
    "a seed of 1,025 bytes": ["GAME", "--seed", "x" * 1025, "--seat", "0"],
    "a seed that is no text": ["GAME", "--seed", "\udcff", "--seat", "0"],
    "an epoch beyond all bounds": ["GAME", "--seed", "9" * 5000 + ":x", "--seat", "0"],
    "a time that is none": ["GAME", "--now", "today"],
    "a time beyond all bounds": ["GAME", "--now", "9" * 5000],
    "a level that is none": ["GAME", "--require", "certain"],
    "an absent checkpoint": ["GAME", "--checkpoint", "/nonexistent"],
    "a witness of another form": ["GAME", "--witness", "name"],
    "hand cards that are none": ["GAME", "--hand-cards", "GAME"],
}


@pytest.mark.parametrize("name", USAGE)
def test_wrong_arguments_are_status_2_and_nothing_is_judged(name, game, capsysbinary):
    status, out, err = run(capsysbinary, *(game if a == "GAME" else a for a in USAGE[name]))
    assert (status, out) == (2, "")
    assert err


def test_an_unreadable_game_is_status_2(tmp_path, capsysbinary):
    assert run(capsysbinary, str(tmp_path / "absent"))[0] == 2
    assert run(capsysbinary, str(tmp_path))[0] == 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[1]",
        '[{"hand":1,"seat":0}]',
        '[{"hand":1,"seat":0,"cards":[true]}]',
        '[{"hand":1,"seat":0,"cards":[1.5]}]',
        '[{"hand":1,"hand":1,"seat":0,"cards":[]}]',
        '[{"hand":1,"seat":0,"cards":[],"salt":"00"}]',
        "[" * 100_000,
        "[" + "9" * 5000 + "]",
        '[{"hand":1,"seat":0,"cards":[' + "1," * 1024 + "1]}]",
        "[" + '{"hand":1,"seat":0,"cards":[]},' * 8192 + '{"hand":1,"seat":0,"cards":[]}]',
    ],
)
def test_hand_cards_of_another_form_are_status_2(text, game, capsysbinary, tmp_path):
    path = tmp_path / "cards"
    path.write_text(text)
    status, out, err = run(capsysbinary, game, "--hand-cards", str(path))
    assert (status, out) == (2, "")
    assert "Traceback" not in err


LOG = ["--checkpoint", "GAME", "--log", "GAME", "--log-key", ME.vkey]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--checkpoint", "GAME"], "--checkpoint needs --log"),
        (["--checkpoint", "GAME", "--log", "GAME"], "--checkpoint needs --log and --log-key"),
        (["--log", "GAME"], "--log needs --checkpoint"),
        (["--quorum", "0"], "--witness and --quorum need --checkpoint"),
        (["--witness", WITNESS], "--witness and --quorum need --checkpoint"),
        ([*LOG, "--witness", ME.vkey], "--witness: no Ed25519 key of the type 4"),
        (["--log-key", WITNESS], "--log-key: no Ed25519 key of the type 1"),
        ([*LOG, "--quorum", "1"], "--quorum asks for more witnesses"),
        (
            [*LOG, "--witness", W1.vkey, "--witness", Witness("witness.example/alias").vkey],
            "one key under two names",
        ),
        (["--player-key", f"0={'0' * 63}1"], "--player-key and --player-signatures"),
        (["--player-key", "0=00", "--player-signatures", "GAME"], "SEAT=HEX"),
    ],
)
def test_evidence_that_lacks_its_other_half_is_status_2(arguments, said, game, capsysbinary):
    given = [game if argument == "GAME" else argument for argument in arguments]
    status, out, err = run(capsysbinary, game, *given)
    assert (status, out) == (2, "")
    assert said in err


def test_a_fraud_is_written_down_and_a_third_party_sees_it_with_the_key_alone(
    capsysbinary, tmp_path
):
    forge = honest()
    forge.records[3][1]["stock"] += 1
    game, notes, proof = tmp_path / "game", tmp_path / "notes", tmp_path / "proof"
    game.write_bytes(forge.data())
    notes.write_bytes(ME.receipt(forge.data(), 4).encode())
    arguments = [str(game), "--receipts", str(notes), "--log-key", ME.vkey]
    status, out, _ = run(capsysbinary, *arguments, "--evidence-out", str(proof))
    assert (status, out.split()[0]) == (1, "FRAUD")
    game.unlink()
    notes.unlink()
    assert run(capsysbinary, str(proof), "--log-key", ME.vkey)[:2] == (1, out)
    stranger = Signer(seed=9)
    assert run(capsysbinary, str(proof), "--log-key", stranger.vkey)[1].startswith("INVALID")
    assert run(capsysbinary, str(proof))[1].startswith("INVALID")


def test_no_evidence_file_is_written_without_fraud(capsysbinary, tmp_path, game):
    proof = tmp_path / "proof"
    assert run(capsysbinary, game, "--evidence-out", str(proof))[0] == 0
    assert not proof.exists()


@pytest.mark.parametrize(
    "item", [b"note {}\n", b'note "\n', b"strange x\n", b"record {", b"note " + b"9" * 500_000]
)
def test_a_broken_evidence_file_is_status_2(item, capsysbinary, tmp_path):
    proof = tmp_path / "proof"
    proof.write_bytes(b"pfd1-evidence 1\n" + item)
    status, out, err = run(capsysbinary, str(proof))
    assert (status, out) == (2, "")
    assert "evidence file" in err


def test_explain_shows_every_check_and_the_cards_of_every_hand(game, capsysbinary):
    _, out, _ = run(capsysbinary, game, "--explain")
    deck = GAME.open_body["rules"]["deck"]
    for seat, cards in enumerate(GAME.table(1).hands):
        assert f"seat {seat}: {' '.join(deck[card] for card in cards)}" in out
    assert "ok: chain" in out
    assert self_hash() in out


def test_an_aborted_hand_is_shown_without_being_asked(capsysbinary, tmp_path):
    forge = Forge().share().lock().deal().abort().reveal().end()
    path = tmp_path / "game.jsonl"
    path.write_bytes(forge.data())
    _, out, _ = run(capsysbinary, str(path))
    assert "hand 1 (record 3): aborted" in out
    assert "seat 2: " in out


def test_a_record_s_text_cannot_steer_a_terminal(capsysbinary, tmp_path):
    forge = Forge(kinds="ppb").share(0)
    forge.add("void", epoch=1, reason="\u202e\u2028\u00e9", seats=[1])
    path = tmp_path / "game.jsonl"
    path.write_bytes(forge.data())
    _, out, _ = run(capsysbinary, str(path))
    assert "\\u202e\\u2028\\xe9" in out


def test_version_and_help_need_no_file(capsysbinary):
    status, out, _ = run(capsysbinary, "--version")
    assert status == 0
    assert self_hash() in out
    status, out, _ = run(capsysbinary, "--help")
    assert status == 0
    assert "examples:" in out
    assert "signed notes one after another" in out


# ----------------------------------------------------------------------- as a program


@pytest.fixture(scope="module")
def bare_copy(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bare")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "verifier", folder / "verifier", ignore=ignored)
    return folder


def program(folder: Path, *arguments: str, data: bytes = b"", **environment: str):
    return subprocess.run(
        [sys.executable, "-S", "-E", "-m", "verifier", *arguments],
        cwd=folder,
        input=data,
        capture_output=True,
        timeout=60,
        env={**os.environ, **environment},
    )


@pytest.mark.slow
def test_a_bare_copy_of_the_folder_runs_alone(bare_copy, game):
    done = program(bare_copy, game, f"--commit={OPEN_HASH}")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"VALID [pinned] ")


@pytest.mark.slow
def test_standard_input_is_a_file_too(bare_copy):
    done = program(bare_copy, "-", data=GAME.data())
    assert (done.returncode, done.stdout.split()[0]) == (0, b"VALID")
    assert program(bare_copy, "-").returncode == 4


@pytest.mark.slow
def test_any_locale_prints_the_same(bare_copy, game):
    outputs = {
        program(bare_copy, game, "--explain", LC_ALL=name, PYTHONUTF8=mode).stdout
        for name, mode in (("C", "0"), ("C.UTF-8", "1"), ("POSIX", "0"))
    }
    assert len(outputs) == 1


@pytest.mark.slow
def test_the_hash_of_the_sources_can_be_made_by_hand(bare_copy):
    script = "find . -name '*.py' -o -name '*.json' | LC_ALL=C sort | xargs sha256sum | sha256sum"
    by_hand = subprocess.run(
        ["sh", "-c", script], cwd=bare_copy / "verifier", capture_output=True, text=True
    )
    assert program(bare_copy, "--version").stdout.split()[-1].decode() == by_hand.stdout.split()[0]
