"""A version of a bot plays alike for good: its acts on fixed positions are written down."""

import pytest

from fairdeal.bots import greedy, levels
from tests.bots import frozen

KEPT = frozen.kept()


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(KEPT))
def test_a_version_plays_as_it_did_or_is_a_new_version(name):
    assert frozen.digests(name) == KEPT[name], frozen.ABOUT


def test_every_version_is_written_down():
    assert set(KEPT) == {*levels.LEVELS, greedy.NAME}


def test_the_fixed_positions_are_of_many_rulesets_and_kinds():
    known = [one for one, _, _ in frozen.fixed()]
    assert len(known) == frozen.POSITIONS
    assert len({one.rules for one in known}) > 20
    assert {one.phase for one in known} >= {"draw", "play", "asked"}
    assert {one.rules.players for one in known} == {2, 3, 4, 6}


def test_another_play_is_another_digest(monkeypatch):
    before = frozen.digests("random@1", blocks=1)
    assert before == KEPT["random@1"][:1]
    monkeypatch.setattr(levels, "choose", lambda _, *rest: greedy.choose(*rest[:2]))
    assert frozen.digests("random@1", blocks=1) != before


def test_what_is_written_down_cannot_be_written_anew(capsys):
    before = frozen.PLACE.read_bytes()
    assert frozen.main(["--write", min(KEPT)]) == 1
    assert "a change of play is a new version" in capsys.readouterr().out
    assert frozen.PLACE.read_bytes() == before
