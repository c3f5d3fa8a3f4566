"""Why a move: reasons in sentences, each true of the hand as its seat sees it.

A reason is computed from what the seat sees and the move alone, so it can be given for any legal
move, and tells nothing that the seat could not see itself. That it speaks for the move is the
judgement of whoever chose it; two of them (``partner_may_lose``, ``feeds_them``) say what it costs.

- ``ORDER`` names the codes in the order in which they are given; ``ending``, ``laying``,
  ``drawing`` and ``throwing`` say of each when it holds, ``texts`` how it is said.
- ``advice`` has a paragraph and a position for each, ``strategy`` the page made of them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from fairdeal.bots.reasons import drawing, ending, laying, throwing
from fairdeal.bots.reasons.case import Case, Told
from fairdeal.bots.reasons.texts import WORDS
from fairdeal.bots.seen import Seen
from fairdeal.canasta.moves import Move
from fairdeal.canasta.wording import Language, plain

Test = Callable[[Case], Told | None]

_TESTS: Final[tuple[Test, ...]] = (
    ending.only_move,
    ending.must,
    ending.goes_out,
    ending.concealed,
    ending.partner_may_lose,
    ending.asks_partner,
    ending.answers_partner,
    laying.opens_now,
    laying.opens_cheaply,
    laying.natural_canasta,
    laying.completes_canasta,
    ending.way_out,
    laying.nearly_canasta,
    drawing.fat_pile,
    laying.saves_wild,
    ending.they_may_go_out,
    ending.stock_runs_out,
    laying.lays_points,
    drawing.pile_too_small,
    drawing.pile_costs_wild,
    drawing.pile_blocked,
    drawing.frozen_needs_pair,
    throwing.black_three_safe,
    throwing.freeze_pile,
    throwing.feeds_them,
    throwing.all_copies_seen,
    throwing.few_unseen,
    throwing.frozen_shields,
    throwing.not_their_meld,
    throwing.left_before,
    throwing.thrown_before,
    throwing.keeps_pair,
)
_LAST: Final[tuple[Test, ...]] = (drawing.new_card, throwing.sheds_points)
"""Said only where there is nothing else to say."""

_BY_CODE: Final[Mapping[str, Test]] = {one.__name__: one for one in (*_TESTS, *_LAST)}
ORDER: Final = tuple(_BY_CODE)
"""All codes, in the order in which the reasons of a move are given."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Something that speaks for a move, or has to be minded with it.

    Attributes:
        code: Which of ``ORDER``.
        sentence: At most 140 characters, to the player.
        facts: What it rests on, as JSON: numbers as integers, ranks as letters.
    """

    code: str
    sentence: str
    facts: Mapping[str, object]


def reasons(seen: Seen, move: Move, language: Language = WORDS) -> tuple[Reason, ...]:
    """Give the reasons of a legal move, at least one.

    Args:
        seen: What the seat sees; it is in turn, or asked.
        move: A legal move.
        language: The language of the sentences.
    """
    case = Case(seen, move)
    found = [(test.__name__, told) for test in _TESTS if (told := test(case)) is not None]
    if not found:
        found = [(test.__name__, told) for test in _LAST if (told := test(case)) is not None]
    return tuple(_reason(code, told, language) for code, told in found)


def _reason(code: str, told: Told, language: Language) -> Reason:
    facts = {name: plain(value) for name, value in told.facts.items()}
    return Reason(code, language.say(code, told.variant, told.facts), facts)
