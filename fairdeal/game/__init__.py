"""A whole game: the fold over its records and what may be recorded next.

Pure; the only place where canasta, fairness and records meet.
"""

from fairdeal.game.dealt import decide_deal, decide_draw, decide_score
from fairdeal.game.decide import (
    RECORDS_LOST,
    HintCounts,
    check_in_turn,
    decide_abort,
    decide_act,
    decide_close,
    decide_next,
    no_hints,
)
from fairdeal.game.draft import Draft
from fairdeal.game.drawn import decide_seats, draw_due, draw_rules
from fairdeal.game.opening import DealtRules, GameConfig, SeatConfig, open_body
from fairdeal.game.order import Needed, needed_before
from fairdeal.game.replay import begin, fold, replay
from fairdeal.game.seats import (
    bot_turn,
    choices,
    counts,
    event,
    seat_in_turn,
    seat_knowledge,
    seat_view,
    would,
)
from fairdeal.game.seeding import (
    decide_beacon,
    decide_overdue,
    decide_seal,
    decide_seed,
    decide_start,
    round_awaited,
    start_due,
)
from fairdeal.game.state import BETWEEN_HANDS, CLOSED, PLAYING, SEEDING, Game

__all__ = [
    "BETWEEN_HANDS",
    "CLOSED",
    "PLAYING",
    "RECORDS_LOST",
    "SEEDING",
    "DealtRules",
    "Draft",
    "Game",
    "GameConfig",
    "HintCounts",
    "Needed",
    "SeatConfig",
    "begin",
    "bot_turn",
    "check_in_turn",
    "choices",
    "counts",
    "decide_abort",
    "decide_act",
    "decide_beacon",
    "decide_close",
    "decide_deal",
    "decide_draw",
    "decide_next",
    "decide_overdue",
    "decide_score",
    "decide_seal",
    "decide_seats",
    "decide_seed",
    "decide_start",
    "draw_due",
    "draw_rules",
    "event",
    "fold",
    "needed_before",
    "no_hints",
    "open_body",
    "replay",
    "round_awaited",
    "seat_in_turn",
    "seat_knowledge",
    "seat_view",
    "start_due",
    "would",
]
