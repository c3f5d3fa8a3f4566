"""Every transcript is held to the log and to the verifier; what comes late or not is named."""

import json

import pytest

from tests.audit.games import with_false_score, with_false_upcard
from tests.audit.log.made import (
    NOW_S,
    WITNESS,
    Made,
    audit,
    honest,
    leaves_of,
    lines_of,
    rechained,
    woven,
)

DAY = "2026-11-30"


def spoilt(spoil, seed=1):
    return tuple(spoil(b"".join(lines_of(seed))).splitlines(keepends=True))


def codes(found):
    return {(one.code, one.game) for one in found.findings}


def name_of(lines):
    return json.loads(lines[0])["game"]


def made_of(*games, entries=None, **more):
    entries = woven(*games) if entries is None else entries
    ordered = sorted(games, key=lambda lines: entries.index(lines[-1]))
    return Made(entries, {DAY: ordered}, (WITNESS,), times=[NOW_S], **more)


@pytest.mark.parametrize("is_fast", [False, True])
def test_a_false_deal_that_is_logged_as_dealt_is_named_by_the_verifier(tmp_path, is_fast):
    bad = spoilt(with_false_upcard)
    log = made_of(lines_of(2), bad, lines_of(3)).write(tmp_path / "log")
    found = audit(log, is_fast=is_fast, sample_seed="s")
    assert codes(found) == {("E_DEAL_UPCARD", name_of(bad))}
    assert (found.exit_status, found.is_saved) == (1, False)


def test_a_false_score_is_named(tmp_path):
    bad = spoilt(with_false_score)
    found = audit(made_of(bad).write(tmp_path / "log"))
    assert [one.code[:8] for one in found.findings] == ["E_SCORE_"]


def test_a_transcript_of_another_history_than_the_log_is_named(tmp_path):
    lines = lines_of(1, 2)
    share = next(at for at, one in enumerate(lines) if b'"type":"share"' in one)
    other = rechained(lines, share, lambda record: record.update(t=record["t"] + 1))
    log = made_of(lines)
    log.days[DAY] = [other]
    log.place = lambda _: log.entries.index(lines[-1])
    found = audit(log.write(tmp_path / "log"))
    assert codes(found) == {("E_TRANSCRIPT_DIFFERS", name_of(lines))}


def test_a_transcript_that_the_log_does_not_have_is_named(tmp_path):
    one, other = lines_of(1), lines_of(2)
    log = made_of(one, other, entries=[*leaves_of(one), *leaves_of(other)])
    log.entries = log.entries[: -len(leaves_of(other))]
    log.place = lambda lines: log.entries.index(one[-1]) - (lines is other) * 0
    log.days[DAY] = [one]
    honest_log = log.write(tmp_path / "log")
    assert audit(honest_log).exit_status == 0
    log.days[DAY] = [one, other]
    log.complete_to = len(log.entries)
    log.place = lambda lines: log.entries.index(one[-1]) - (lines is one)
    found = audit(log.write(tmp_path / "other"))
    assert ("E_NOT_IN_LOG", name_of(other)) in codes(found)


def test_a_transcript_that_is_missing_is_named_with_the_place_of_its_master(tmp_path):
    one, other = lines_of(1), lines_of(2)
    log = made_of(one, other)
    log.days[DAY] = log.days[DAY][1:]
    found = audit(log.write(tmp_path / "log"))
    (missing,) = found.findings
    assert missing.code == "E_TRANSCRIPT_MISSING"
    assert missing.index == min(log.entries.index(lines[-1]) for lines in (one, other))


def test_a_transcript_twice_is_named(tmp_path):
    log = made_of(lines_of(1), lines_of(2), lines_of(3))
    log.days[DAY][1] = log.days[DAY][0]
    found = audit(log.write(tmp_path / "log"))
    assert "E_TRANSCRIPT_TWICE" in {one.code for one in found.findings}


def test_what_is_not_in_a_bundle_yet_is_incomplete_and_not_wrong(tmp_path):
    one, other = lines_of(1), lines_of(2)
    entries = [*leaves_of(one), *leaves_of(other)]
    log = Made(entries, {DAY: [one]}, (WITNESS,), times=[NOW_S])
    log.complete_to = len(leaves_of(one))
    book = tmp_path / "book"
    found = audit(log.write(tmp_path / "log"), book=book)
    assert ([one.code for one in found.findings], found.exit_status) == (["I_TRANSCRIPTS"], 3)
    log.days[DAY], log.complete_to = [one, other], None
    found = audit(log.write(tmp_path / "log"), book=book)
    assert (found.exit_status, found.counts.transcripts) == (0, 1)


def test_a_master_that_is_withheld_is_named_by_the_witnesses_time(tmp_path):
    lines = lines_of(1)
    due = json.loads(lines[0])["body"]["reveal_by"] // 1000
    entries = leaves_of(lines)[:-1]
    for time, wanted in ((due, set()), (due + 1, {("E_REVEAL_WITHHELD", name_of(lines))})):
        log = Made(entries, {}, (WITNESS,), times=[time]).write(tmp_path / str(time))
        assert codes(audit(log, clock_s=time)) == wanted


def test_without_witnesses_a_deadline_is_judged_by_the_callers_time_alone(tmp_path):
    lines = lines_of(1)
    due = json.loads(lines[0])["body"]["reveal_by"]
    log = Made(leaves_of(lines)[:-1], {}).write(tmp_path / "log")
    assert audit(log, witnesses=(), clock_s=due // 1000 + 9).exit_status == 0
    assert audit(log, witnesses=(), now_ms=due + 1).exit_status == 1


def test_a_secret_that_came_late_is_told_and_counted(tmp_path):
    lines = lines_of(1)
    at = next(at for at, one in enumerate(lines) if b'"type":"reveal"' in one)

    def later(record):
        record["t"] += 5_001

    late = lines
    for number in range(at, len(lines)):
        late = rechained(late, number, later)
    found = audit(made_of(late).write(tmp_path / "log"))
    assert codes(found) == {("W_LATE_REVEAL", name_of(lines))}
    assert (found.exit_status, found.counts.reveals_late) == (0, 1)
    assert found.counts.longest_reveal_ms == 5_002


class TestHonest:
    @pytest.mark.parametrize("count", [1, 2, 5, 24])
    @pytest.mark.parametrize("hands", [1, 3])
    @pytest.mark.parametrize("is_fast", [False, True])
    def test_a_log_of_finished_games_is_good(self, tmp_path, count, hands, is_fast):
        log = honest(count, hands, sizes=[1, 7, 255, 256, 257]).write(tmp_path / "log")
        found = audit(log, is_fast=is_fast, max_age_s=60)
        assert (found.findings, found.exit_status) == ((), 0)
        assert found.counts.closed == found.counts.opened == count
        assert found.counts.hands == count * hands
        assert sum(found.counts.verdicts.values()) == count

    def test_a_log_without_witnesses_or_of_its_own_policy_is_good(self, tmp_path):
        log = honest(3, witnesses=()).write(tmp_path / "log")
        assert audit(log, witnesses=()).findings == ()
        assert audit(log, pinned=False).findings == ()

    @pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 5, 8, 12, 16, 21, 30, 43])
    def test_a_log_whose_games_are_not_over_is_good(self, tmp_path, size):
        made = honest(4)
        made.entries, made.days, made.complete_to = made.entries[:size], {}, 0
        found = audit(made.write(tmp_path / "log"))
        wanted = {"I_TRANSCRIPTS"} if found.counts.closed else set()
        assert {one.code for one in found.findings} == wanted
