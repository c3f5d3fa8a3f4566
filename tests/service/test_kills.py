"""A killed server keeps its word; `python -m benchmarks.kills` shows it at length."""

import pytest

from benchmarks.kills import BrokenWord, _check, run_kills
from fairdeal.records.chain import make


@pytest.mark.slow
def test_a_killed_server_loses_nothing_it_acknowledged_and_deals_no_hand_twice():
    tally = run_kills(kills=4, seed=3)
    assert tally.kills == 4
    assert tally.games >= 1
    assert tally.records > 100


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
    told = dict(enumerate(lines)) | dict([lost] if lost else [])
    with pytest.raises(BrokenWord):
        _check(b"".join(lines), told)


def test_a_kept_word_is_none():
    lines = chain(("deal", {"hand": 1}), ("deal", {"hand": 2}), ("master", {}))
    _check(b"".join(lines), dict(enumerate(lines)))
