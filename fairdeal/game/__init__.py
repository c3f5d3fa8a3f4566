"""A whole game: the fold over its records and what may be recorded next.

Pure; the only place where canasta, fairness and records meet.
"""

from fairdeal.game.decide import (
    Draft,
    decide_abort,
    decide_act,
    decide_close,
    decide_seed,
    decide_start,
)
from fairdeal.game.opening import GameConfig, SeatConfig, open_body
from fairdeal.game.replay import begin, fold, replay
from fairdeal.game.seats import bot_turn, choices, event, seat_in_turn, seat_knowledge, seat_view
from fairdeal.game.state import CLOSED, PLAYING, SEEDING, Game

__all__ = [
    "CLOSED",
    "PLAYING",
    "SEEDING",
    "Draft",
    "Game",
    "GameConfig",
    "SeatConfig",
    "begin",
    "bot_turn",
    "choices",
    "decide_abort",
    "decide_act",
    "decide_close",
    "decide_seed",
    "decide_start",
    "event",
    "fold",
    "open_body",
    "replay",
    "seat_in_turn",
    "seat_knowledge",
    "seat_view",
]
