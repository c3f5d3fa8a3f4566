"""What only many games, or the service's own leaves, show of a log (protocol §3.2, stage 6)."""

from fairdeal.cli.audit.log import folding
from fairdeal.cli.audit.log.auditing import Statistics
from fairdeal.cli.audit.log.folding import DANGLING_MS
from fairdeal.records.notes import SigningKey
from fairdeal.tlog.leaves import ServiceLeaf, key_leaf
from tests.audit.log.made import KEY, Made, audit, honest, leaves_of, lines_of, rechained

T = 1_700_000_000_000


def codes(found):
    return [one.code for one in found.findings]


def unending(record):
    record["body"]["reveal_by"] = 2**52


def test_a_game_of_which_nothing_comes_any_more_is_told_as_dangling(tmp_path):
    lines = rechained(lines_of(1), 0, unending)
    log = Made(leaves_of(lines)[:2], {}).write(tmp_path / "log")
    last = 100 * DANGLING_MS + T
    found = audit(log, witnesses=(), now_ms=last)
    assert codes(found) == ["W_GAME_DANGLING"]
    assert found.exit_status == 0
    assert audit(log, witnesses=()).findings == ()


def test_hands_given_up_for_their_cards_are_told(tmp_path):
    log = honest(4).write(tmp_path / "log")
    found = audit(log, look=lambda _: Statistics(("a line",), "They differ."))
    assert codes(found) == ["W_ABORT_BIAS"]
    assert found.statistics == ("a line",)
    assert found.exit_status == 0
    assert audit(log, look=lambda _: Statistics(("a line",))).findings == ()


def given_up(record):
    record["type"] = "abort"
    record["body"] = {"hand": record["body"]["hand"], "reason": "no luck"}


def test_too_many_hands_given_up_are_told(tmp_path, monkeypatch):
    monkeypatch.setattr(folding, "ABORTS_OF", 1)
    lines = lines_of(1)
    scored = Made(leaves_of(lines), {}, complete_to=0).write(tmp_path / "scored")
    assert "W_ABORT_RATE" not in codes(audit(scored, witnesses=()))
    at = next(at for at, line in enumerate(lines) if b'"type":"score"' in line)
    aborted = leaves_of(rechained(lines, at, given_up))
    found = audit(Made(aborted, {}, complete_to=0).write(tmp_path / "log"), witnesses=())
    assert "W_ABORT_RATE" in codes(found)


def test_a_key_that_is_announced_later_is_told_as_a_change(tmp_path):
    made = honest(2)
    made.entries = [key_leaf(T, "log", KEY.vkey).entry, *made.entries]
    assert audit(made.write(tmp_path / "log")).findings == ()
    other = SigningKey(KEY.name, bytes([7]) * 32)
    made.entries = [*made.entries, key_leaf(T + 1, "log", other.vkey).entry]
    assert codes(audit(made.write(tmp_path / "more"))) == ["W_KEY_CHANGE"]


def test_nothing_may_follow_the_leaf_that_closes_a_log(tmp_path):
    closing = ServiceLeaf(T, "closed", {"reason": "a new key", "successor": ""}).entry
    made = honest(2)
    made.entries = [*made.entries, closing]
    found = audit(made.write(tmp_path / "log"))
    assert codes(found) == ["W_CLOSED"]
    made.entries = [*made.entries, key_leaf(T, "log", KEY.vkey).entry]
    found = audit(made.write(tmp_path / "more"))
    assert "E_AFTER_CLOSED" in codes(found)
