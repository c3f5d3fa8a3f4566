"""Random structural changes of honest games never pass (a sample of benchmarks.mutations)."""

from benchmarks.mutations import changes, run

SAMPLE = 400


def test_no_structural_change_passes_crashes_or_takes_a_second():
    tally = run(SAMPLE)
    assert tally.passed == []
    assert sum(tally.verdicts.values()) == SAMPLE
    assert set(tally.verdicts) <= {"INVALID", "MALFORMED"}
    assert tally.longest < 1
    assert len(tally.errors) > 5


def test_the_changes_are_of_every_kind_and_the_same_in_every_run():
    made = [(name, game.name, lines) for name, game, lines in changes(200)]
    assert made == [(name, game.name, lines) for name, game, lines in changes(200)]
    assert len({name for name, _, _ in made}) == 16
    assert len({game for _, game, _ in made}) == 6
