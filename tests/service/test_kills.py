"""A killed server keeps its word; `python -m benchmarks.kills` shows it at length."""

import pytest

from benchmarks.kept import BrokenWord, Told
from benchmarks.kills import run_kills
from fairdeal.records.chain import make


@pytest.mark.slow
def test_a_killed_server_loses_nothing_it_acknowledged_and_deals_no_hand_twice():
    tally = run_kills(kills=4, seed=3, target=1500)
    assert tally.kills == 4
    assert tally.games >= 1
    assert tally.streamed == tally.records > 50


def chain(*bodies):
    record, lines = None, []
    for type_, body in bodies:
        record = make(record, "gaaaaaaaa", 0, type_, body)
        lines.append(record.line)
    return lines


@pytest.mark.parametrize(
    ("bodies", "lost"),
    [
        ([("deal", {"hand": 1}), ("deal", {"hand": 1}), ("master", {})], None),
        ([("deal", {"hand": 2}), ("master", {})], None),
        ([("deal", {"hand": 1})], None),
        ([("deal", {"hand": 1}), ("master", {})], (1, b"another line\n")),
        ([("deal", {"hand": 1}), ("master", {})], (2, b"a line that is not there\n")),
    ],
)
def test_a_broken_word_is_noticed(bodies, lost):
    lines = chain(*bodies)
    told = Told()
    told.lines.update(dict(enumerate(lines)) | dict([lost] if lost else []))
    with pytest.raises(BrokenWord):
        told.check(b"".join(lines))


def test_a_kept_word_is_none():
    lines = chain(("deal", {"hand": 1}), ("deal", {"hand": 2}), ("master", {}))
    told = Told()
    told.lines.update(enumerate(lines))
    told.check(b"".join(lines))


def test_an_act_that_is_there_twice_or_not_at_all_is_noticed():
    act = ("act", {"seat": 0, "by": "seat"})
    for acts in (0, 2):
        told = Told()
        told.acts[0] = 1
        with pytest.raises(BrokenWord):
            told.check(b"".join(chain(*[act] * acts, ("master", {}))))


def test_a_record_that_is_told_in_two_ways_is_noticed():
    told = Told()
    told.event({"n": 0, "type": "act"})
    told.event({"n": 0, "type": "act", "private": {"cards": []}})
    with pytest.raises(BrokenWord):
        told.event({"n": 0, "type": "deal"})
