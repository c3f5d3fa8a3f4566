"""The public log: trees, checkpoints, witnesses and their times (2.11, 3.1 to 3.3)."""

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.verifier.forge import Forge, Signer, check, codes, honest, warned
from tests.verifier.logbook import LOG_KEY, W1, W2, Witness, body, checkpoint, held, root
from tests.verifier.test_beacon import COMES, drawn, locked
from verifier.checkpoints import read_checkpoint
from verifier.loglines import MAX_LEAF, scan_log
from verifier.merkle import Tree, is_extension, leaf_hash, root_by_path
from verifier.notes import COSIGNATURE_TYPE, parse_key

PUBLISHED = json.loads((Path(__file__).parents[1] / "vectors/pfd1-vectors.json").read_bytes())
MERKLE, COSIGNED = PUBLISHED["merkle"], PUBLISHED["cosignature"]
LEAVES = [leaf.encode() for leaf in MERKLE["leaves"]]

GAME = honest(2)
DATA = GAME.data()
LINES = DATA.splitlines(keepends=True)
STRANGE = b'{"v":"pfd1-log","t":1,"type":"notice","body":{}}\n'
LOG = [STRANGE, *LINES[:3], STRANGE, *LINES[3:], STRANGE]
SEEN = 2  # seconds; the game begins after one


# ------------------------------------------------------------------------------------- trees


@pytest.mark.parametrize("vector", MERKLE["roots"], ids=lambda vector: vector["size"])
def test_the_root_over_lines_is_the_published_one(vector):
    tree = Tree()
    for leaf in LEAVES[: vector["size"]]:
        tree.add(leaf)
    assert (tree.size, tree.root().hex()) == (vector["size"], vector["root"])


def test_the_root_is_that_of_the_definition_at_every_size():
    tree = Tree()
    for size in range(70):
        assert tree.root() == root([b"%d\n" % leaf for leaf in range(size)])
        tree.add(b"%d\n" % size)


def hashes(vector) -> list[bytes]:
    return [bytes.fromhex(text) for text in vector["path"]]


@pytest.mark.parametrize("vector", MERKLE["inclusion"], ids=lambda vector: vector["index"])
def test_a_published_inclusion_leads_to_the_root_and_no_other_does(vector):
    index, size, path = vector["index"], vector["size"], hashes(vector)
    leaf, due = leaf_hash(LEAVES[index]), root(LEAVES[:size])
    assert root_by_path(leaf, index, size, path) == due
    assert root_by_path(leaf_hash(b"other\n"), index, size, path) != due
    assert root_by_path(leaf, index, size, path[:-1]) is None
    assert root_by_path(leaf, index, size, [*path, path[-1]]) is None
    assert root_by_path(leaf, size, size, path) is None


@pytest.mark.parametrize("vector", MERKLE["consistency"], ids=lambda vector: vector["old"])
def test_a_published_consistency_holds_and_no_other_does(vector):
    old, new, path = vector["old"], vector["new"], hashes(vector)
    first, second = root(LEAVES[:old]), root(LEAVES[:new])
    assert is_extension(old, first, new, second, path)
    assert not is_extension(old, second, new, second, path)
    assert not is_extension(old, first, new, first, path)
    assert not is_extension(old, first, new, second, path[:-1])
    assert not is_extension(old, first, new, second, [*path, path[0]])
    assert not is_extension(0, first, new, second, path)
    assert is_extension(old, first, old, first, [])
    assert not is_extension(old, first, old, first, path)


# ------------------------------------------------------------------------------- checkpoints


def published_witnesses():
    return [parse_key(each["vkey"], COSIGNATURE_TYPE) for each in COSIGNED["witnesses"]]


def test_the_published_checkpoint_has_the_published_times():
    key = parse_key(PUBLISHED["signed_note"]["vkey"])
    read = read_checkpoint(COSIGNED["note"], [key], published_witnesses())
    assert read is not None
    for quorum, time in COSIGNED["time_of_quorum"].items():
        assert read.time(int(quorum)) == 1000 * time
    assert (read.time(0), read.time(3)) == (None, None)
    assert read.root == root(LEAVES)


def test_a_cosignature_signs_its_time_and_the_text():
    good = checkpoint(LOG, [(W1, SEEN)])
    late = good.replace(W1.line(body(LOG), SEEN), W1.line(body(LOG[:3]), SEEN))
    for note, times in ((good, (SEEN,)), (late, ())):
        read = read_checkpoint(note, [LOG_KEY.key], [W1.key, W2.key])
        assert read is not None
        assert read.times == times


def test_two_lines_of_one_key_spoil_the_note_whoever_it_is_of():
    for lines in ([(W1, 9), (W1, 7)], [(W1, 7), (W1, 7)]):
        assert read_checkpoint(checkpoint(LOG, lines), [LOG_KEY.key], [W2.key]) is None
    twice = checkpoint(LOG) + LOG_KEY.signature_line(body(LOG))
    assert read_checkpoint(twice, [LOG_KEY.key], []) is None


def test_a_witness_trusted_twice_counts_once():
    note = checkpoint(LOG, [(W1, 7), (W2, 8)])
    read = read_checkpoint(note, [LOG_KEY.key], [W1.key, W1.key, W2.key])
    assert read is not None
    assert read.times == (7, 8)


@pytest.mark.parametrize(("ahead", "counts"), [(300, True), (301, False)])
def test_a_cosignature_of_more_than_five_minutes_from_now_does_not_count(ahead, counts):
    note = checkpoint(LOG, [(W1, SEEN + ahead)])
    read = read_checkpoint(note, [LOG_KEY.key], [W1.key], SEEN * 1000)
    assert read is not None
    assert bool(read.times) is counts
    evidence = held(LOG, note, now=SEEN * 1000)
    assert codes(check(DATA, evidence)) == ([] if counts else ["E_WITNESS_QUORUM"])


@pytest.mark.parametrize(("time", "times"), [(2**63 - 1, (2**63 - 1,)), (2**63, ())])
def test_a_cosignature_has_a_time_of_63_bits(time, times):
    read = read_checkpoint(checkpoint(LOG, [(W1, time)]), [LOG_KEY.key], [W1.key])
    assert read is not None
    assert read.times == times


def test_a_line_that_names_the_log_and_does_not_verify_spoils_the_note():
    good = checkpoint(LOG)
    bad = LOG_KEY.signature_line(body(LOG[:2]))
    assert read_checkpoint(good + bad, [LOG_KEY.key], []) is None
    stranger = Signer(seed=9).signature_line(body(LOG))
    assert read_checkpoint(good + stranger, [LOG_KEY.key], []) is not None


@pytest.mark.parametrize(
    "text",
    [
        "deal.example/pfd1\n07\n" + "A" * 43 + "=\n",
        "deal.example/pfd1\n-7\n" + "A" * 43 + "=\n",
        "deal.example/pfd1\n7\n" + "A" * 40 + "\n",
        "deal.example/pfd1\n7\n" + "A" * 42 + "B=\n",
        "deal.example/pfd1\n7\n" + "A" * 43 + "=\nextension\n",
        "deal.example/pfd1\n7\n",
        "pfd1 receipt\ndeal.example/pfd1\nforged-game-1\n0\n" + "0" * 64 + "\n",
    ],
)
def test_a_text_of_another_form_is_no_checkpoint(text):
    assert read_checkpoint(LOG_KEY.note(text), [LOG_KEY.key], []) is None


# ---------------------------------------------------------------------------------- log lines


def test_a_log_is_read_to_the_largest_size_asked_for_and_no_further():
    scan = scan_log(io.BytesIO(b"".join(LOG)), GAME.game, [0, 4, 2])
    assert (scan.size, sorted(scan.roots)) == (4, [0, 2, 4])
    assert scan.roots[4] == root(LOG[:4])
    assert [(leaf.index, leaf.n, leaf.kind) for leaf in scan.leaves] == [
        (1, 0, "open"),
        (2, 1, "share"),
        (3, 2, "lock"),
    ]


@pytest.mark.parametrize(
    "line",
    [
        b'{"game":"forged-game-1","n":true,"type":"open","v":"pfd1"}\n',
        b'{"game":"forged-game-1","n":1,"type":7,"v":"pfd1"}\n',
        b'{"game":"forged-game-1","n":1,"type":"open","v":"pfd2"}\n',
        b'["game":"forged-game-1"]\n',
        b'"game":"forged-game-1"' + b"[" * 100_000 + b"\n",
        b'{"x":{"game":"forged-game-1"},"v":"pfd1"}\n',
    ],
)
def test_a_line_that_only_looks_like_the_game_is_none_of_its_records(line):
    assert scan_log(io.BytesIO(line), GAME.game, [1]).leaves == ()


def test_a_line_longer_than_any_record_ends_the_log():
    lines = b"a\n" + b"x" * (MAX_LEAF - 1) + b"\n" + b"x" * MAX_LEAF + b"\nb\n"
    assert scan_log(io.BytesIO(lines), GAME.game, [4]).size == 2


def test_a_last_line_without_its_end_is_none():
    assert scan_log(io.BytesIO(b"a\nb"), GAME.game, [2]).size == 1


# ------------------------------------------------------------------------------------ levels


def test_with_a_witnessed_checkpoint_of_record_0_and_lock_the_level_is_witnessed():
    report = check(DATA, held(LOG, checkpoint(LOG, [(W1, SEEN)])))
    assert (report.verdict, report.level, report.errors) == ("VALID", "witnessed", ())
    assert warned(report) == set()


def test_after_a_change_of_the_log_s_key_either_key_s_checkpoints_count():
    renewed = Signer(seed=2)
    for signer in (LOG_KEY, renewed):
        evidence = held(LOG, checkpoint(LOG, [(W1, SEEN)], signer=signer))
        both = replace(evidence, log_keys=(LOG_KEY.key, renewed.key))
        assert check(DATA, both).level == "witnessed"
    assert codes(check(DATA, evidence)) == ["E_CHECKPOINT_SIGNATURE"]


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_checkpoint_that_lacks_the_lock_witnesses_nothing(size):
    report = check(DATA, held(LOG, checkpoint(LOG, [(W1, SEEN)], size=size)))
    assert (report.verdict, report.level) == ("VALID", "consistent")


def test_two_checkpoints_witness_together_what_each_holds():
    notes = [checkpoint(LOG, [(W1, SEEN)], size=size) for size in (2, 4)]
    assert check(DATA, held(LOG, *notes)).level == "witnessed"


def test_without_witnesses_a_checkpoint_has_no_time_and_gives_no_level():
    for witnesses, quorum in (((), 0), ((W1,), 0)):
        note = checkpoint(LOG, [(W1, SEEN)])
        report = check(DATA, held(LOG, note, witnesses=witnesses, quorum=quorum))
        assert (report.verdict, report.level) == ("VALID", "consistent")


def test_the_level_of_a_log_for_tests_is_never_above_consistent():
    signer = Signer("deal.example/test")
    forge = Forge(origin=signer.name).share().lock().play().end()
    lines = forge.data().splitlines(keepends=True)
    note = checkpoint(lines, [(W1, SEEN)], signer=signer, origin=signer.name)
    evidence = held(lines, note, commit=forge.open_hash)
    report = check(forge, replace(evidence, log_keys=(signer.key,)))
    assert (report.verdict, report.level) == ("VALID", "consistent")
    assert warned(report) == {"W_TEST_LOG", "W_COMMIT_TIME_UNPROVEN"}


def beacon_game() -> list[bytes]:
    return drawn(locked()).play().end().data().splitlines(keepends=True)


@pytest.mark.parametrize(
    ("seen", "level", "warnings"),
    [
        (COMES // 1000 - 1, "beacon", set()),
        (COMES // 1000, "witnessed", {"W_LOCK_UNWITNESSED"}),
        (COMES // 1000 + 1, "witnessed", {"W_LOCK_UNWITNESSED"}),
    ],
)
def test_a_lock_is_fresh_only_if_it_was_seen_strictly_before_its_round(seen, level, warnings):
    lines = beacon_game()
    at_lock = 1 + next(at for at, line in enumerate(lines) if b'"type":"lock"' in line)
    note = checkpoint(lines, [(W1, seen)], size=at_lock)
    report = check(b"".join(lines), held(lines, note))
    assert (report.verdict, report.level, warned(report)) == ("VALID", level, warnings)


def test_a_fresh_lock_whose_round_is_not_in_the_file_yet_is_witnessed_only():
    lines = locked().data().splitlines(keepends=True)
    note = checkpoint(lines, [(W1, COMES // 1000 - 1)])
    report = check(b"".join(lines), held(lines, note))
    assert (report.verdict, report.level, warned(report)) == ("INCOMPLETE", "witnessed", set())


# ------------------------------------------------------------------------------------- errors


def test_every_fault_of_a_checkpoint_is_named_and_is_no_fraud():
    stranger = Signer(seed=9)
    elsewhere = Signer("other.example/pfd1")
    good = [(W1, SEEN)]
    faults = {
        "E_CHECKPOINT_SIGNATURE": (LOG, checkpoint(LOG, good, signer=stranger)),
        "E_ORIGIN": (LOG, checkpoint(LOG, good, origin=elsewhere.name)),
        "E_WITNESS_QUORUM": (LOG, checkpoint(LOG)),
        "E_LOG_TRUNCATED": (LOG[:-1], checkpoint(LOG, good)),
        "E_LOG_ROOT": ([*LOG[:-1], LINES[0]], checkpoint(LOG, good)),
    }
    receipt = LOG_KEY.receipt(DATA, len(LINES) - 1)
    for code, (lines, note) in faults.items():
        report = check(DATA, held(lines, note, notes=(receipt,)))
        assert (report.verdict, codes(report)) == ("INVALID", [code])


def test_a_quorum_asks_for_that_many_of_the_trusted_witnesses():
    stranger = Witness("witness.example/w3", 52)
    for seen, quorum, errors in (
        ([(W1, SEEN)], 2, ["E_WITNESS_QUORUM"]),
        ([(W1, SEEN), (stranger, SEEN)], 2, ["E_WITNESS_QUORUM"]),
        ([(W1, SEEN), (W1, SEEN + 1)], 2, ["E_CHECKPOINT_SIGNATURE"]),
        ([(W1, SEEN)], 1, []),
        ([(W2, SEEN), (W1, SEEN)], 2, []),
    ):
        evidence = held(LOG, checkpoint(LOG, seen), witnesses=(W1, W2), quorum=quorum)
        assert codes(check(DATA, evidence)) == errors


def twin(at: int = 4) -> list[bytes]:
    forge = honest(2)
    forge.records[at][1]["result"] = {"north": 11}
    return forge.data().splitlines(keepends=True)


def test_two_games_of_one_name_in_a_log_are_fraud_without_any_receipt():
    lines = [*LINES, *twin()[4:]]
    report = check(DATA, held(lines, checkpoint(lines, [(W1, SEEN)])))
    assert (report.verdict, codes(report)) == ("FRAUD", ["E_GAME_ID_REUSED"])


def test_a_record_that_stands_twice_in_a_log_is_nothing():
    lines = [*LINES, *LINES[:3]]
    assert check(DATA, held(lines, checkpoint(lines, [(W1, SEEN)]))).verdict == "VALID"


@pytest.mark.parametrize("receipt", [None, 3, len(LINES) - 1])
def test_another_record_in_the_log_is_fraud_if_the_file_s_end_is_signed(receipt):
    lines = twin()
    notes = () if receipt is None else (LOG_KEY.receipt(DATA, receipt),)
    report = check(DATA, held(lines, checkpoint(lines, [(W1, SEEN)]), notes=notes))
    assert codes(report) == ["E_NOT_IN_LOG"]
    assert report.verdict == ("FRAUD" if receipt == len(LINES) - 1 else "INVALID")


def test_a_record_left_out_of_the_log_is_named():
    lines = [*LINES[:4], *LINES[5:]]
    report = check(DATA, held(lines, checkpoint(lines, [(W1, SEEN)])))
    assert codes(report) == ["E_NOT_IN_LOG"]
    assert "not record 4" in report.errors[0].detail


def test_a_log_that_is_behind_the_file_is_nothing():
    assert check(DATA, held(LOG, checkpoint(LOG, [(W1, SEEN)], size=6))).verdict == "VALID"


@pytest.mark.parametrize(("seen", "errors"), [(61, []), (62, ["E_NOT_IN_LOG"])])
def test_a_game_must_be_in_its_log_within_a_minute(seen, errors):
    lines = [STRANGE]
    assert codes(check(DATA, held(lines, checkpoint(lines, [(W1, seen)])))) == errors


def test_a_file_that_was_cut_is_truncated_by_the_log():
    report = check(b"".join(LINES[:-2]), held(LOG, checkpoint(LOG, [(W1, SEEN)])))
    assert (report.verdict, codes(report)) == ("INVALID", ["E_TRUNCATED"])
    assert report.errors[0].at == len(LINES) - 2


def test_the_same_fault_in_two_checkpoints_is_said_once():
    lines = twin()
    notes = [checkpoint(lines, [(W1, SEEN)], size=size) for size in (6, 7)]
    assert codes(check(DATA, held(lines, *notes))) == ["E_NOT_IN_LOG"]


# --------------------------------------------------------------------------------- deadlines


OPEN_GAME = honest(1)
UNOPENED = OPEN_GAME.data().splitlines(keepends=True)[:-1]
DUE = OPEN_GAME.open_body["reveal_by"] // 1000


@pytest.mark.parametrize(("seen", "errors"), [(DUE, []), (DUE + 1, ["E_REVEAL_WITHHELD"])])
def test_a_master_withheld_past_the_time_of_a_checkpoint_is_fraud(seen, errors):
    note = checkpoint(UNOPENED, [(W1, seen)])
    report = check(b"".join(UNOPENED), held(UNOPENED, note))
    assert codes(report) == errors
    assert report.verdict == ("FRAUD" if errors else "INCOMPLETE")


@pytest.mark.parametrize(("logged", "verdict"), [(0, "INVALID"), (1, "FRAUD"), (2, "FRAUD")])
def test_a_log_shows_a_withheld_master_only_if_it_holds_the_game(logged, verdict):
    """The deadline of this game is within the minute in which it may be missing from its log."""
    lines = Forge(reveal_by=2000).share().lock().data().splitlines(keepends=True)
    log = [STRANGE, *lines[:logged]]
    report = check(b"".join(lines), held(log, checkpoint(log, [(W1, 3)])))
    assert (report.verdict, codes(report)) == (verdict, ["E_REVEAL_WITHHELD"])


def test_a_master_that_the_log_has_was_cut_from_the_file():
    lines = OPEN_GAME.data().splitlines(keepends=True)
    note = checkpoint(lines, [(W1, DUE + 1)])
    report = check(b"".join(UNOPENED), held(lines, note))
    assert (report.verdict, codes(report)) == ("INVALID", ["E_TRUNCATED"])


def test_a_deadline_by_the_user_s_own_clock_is_never_fraud():
    note = checkpoint(UNOPENED, [(W1, DUE)])
    report = check(b"".join(UNOPENED), held(UNOPENED, note, now=1000 * DUE + 1))
    assert (report.verdict, codes(report)) == ("INVALID", ["E_REVEAL_WITHHELD"])


def test_the_evidence_of_the_log_is_enough_for_a_third_party(tmp_path, capsysbinary):
    from verifier.cli import main

    files = {name: tmp_path / name for name in ("game", "log", "note", "proof")}
    files["game"].write_bytes(b"".join(UNOPENED))
    files["log"].write_bytes(b"".join(UNOPENED))
    files["note"].write_text(checkpoint(UNOPENED, [(W1, DUE + 1)]), "utf-8")
    keys = ["--log-key", LOG_KEY.vkey, "--witness", W1.vkey]
    given = ["--log", str(files["log"]), "--checkpoint", str(files["note"])]
    assert main([str(files["game"]), *given, *keys, "--evidence-out", str(files["proof"])]) == 1
    first = capsysbinary.readouterr().out
    for name in ("game", "log", "note"):
        files[name].unlink()
    assert main([str(files["proof"]), *keys]) == 1
    assert capsysbinary.readouterr().out == first
    assert first.startswith(b"FRAUD")
    assert main([str(files["proof"]), "--log-key", LOG_KEY.vkey]) == 3


def test_a_large_log_is_read_in_one_pass_and_little_memory():
    lines = b'{"v":"pfd1-log"}\n' * 200_000
    scan = scan_log(io.BytesIO(lines), GAME.game, [200_000])
    assert scan.size == 200_000
