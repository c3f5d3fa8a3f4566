"""A sample of what ``python -m benchmarks.thousand`` runs at length."""

import pytest

from benchmarks.thousand import judged, played
from fairdeal.game import replay
from fairdeal.records.chain import read


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_a_bot_game_ends_keeps_its_cards_and_verifies(seed, tmp_path):
    game = played(seed)
    assert judged(game, tmp_path / "game.jsonl") == []
    assert game.reason == ("hands_used_up" if seed == 3 else "complete")


def test_a_seed_gives_the_same_game_again():
    assert played(3) == played(3)
    assert played(3).transcript != played(13).transcript


def test_a_changed_act_is_seen_by_the_judge(tmp_path):
    game = played(3)
    transcript = game.transcript.replace(b'"act":"draw"', b'"act":"ask"', 1)
    changed = type(game)(transcript, game.open_hash, game.reason, game.hands, game.acts)
    assert judged(changed, tmp_path / "game.jsonl")


def test_a_transcript_folds_back_to_the_finished_game():
    game = played(3)
    found = replay(read(game.transcript), None)
    assert (found.closed, found.finished) == (True, True)
    assert found.scored == game.hands
