"""Whether a seat can still go out in this turn: an exact search (R-X4, R-X5, R-X7).

One act may lay any number of groups and discard, and every sequence of legal acts that goes out
can be laid as one such act: melds are judged merged, and an opening counts all its cards. So the
question is whether the holding, less one discard, can be spread over melds.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from verifier.canasta.faces import is_red_three, sort, value
from verifier.canasta.melds import Melds, reaches
from verifier.canasta.ruleset import Ruleset
from verifier.canasta.spread import can_spread


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """What a going out has to heed besides the cards.

    Attributes:
        minimum: What the side's first melds must count; None once it has opened.
        exempt: The canastas with which a concealed going out is spared the minimum; None: never.
        may_discard: Whether the turn may end with a discard.
        waiting: How many cards of each sort may be discarded and not laid (R-49).
    """

    minimum: int | None = None
    exempt: int | None = None
    may_discard: bool = True
    waiting: Counter[str] = field(default_factory=Counter)


def can_go_out(rules: Ruleset, holding: Counter[str], melds: Melds, way: Way) -> bool:
    """Whether some legal acts of this turn leave the seat no card.

    Args:
        rules: The ruleset.
        holding: The cards held, by face.
        melds: The side's melds on the table.
        way: What else holds in this turn.
    """
    if any(map(is_red_three, holding)):
        return False
    for laid in _layings(rules, holding, way):
        needed = canastas_needed(rules, laid, way)
        if needed is not None and can_spread(rules, laid, melds, needed):
            return True
    return False


def _layings(rules: Ruleset, holding: Counter[str], way: Way) -> Iterator[Counter[str]]:
    """The holding without each card that may be the discard, or whole where none is needed."""
    discards: list[str | None] = [None] if rules.go_out_discard == "optional" else []
    alike = {sort(face): face for face in holding}
    for discard in (*discards, *(alike.values() if way.may_discard else ())):
        laid = holding.copy()
        if discard is not None:
            laid[discard] -= 1
        if not way.waiting or fits_sorts(laid, sorts(holding) - way.waiting):
            yield +laid


def sorts(cards: Counter[str]) -> Counter[str]:
    """How many cards there are of each sort."""
    return Counter(map(sort, cards.elements()))


def fits_sorts(laid: Counter[str], free: Counter[str]) -> bool:
    """Whether no more cards of a sort are laid than are free to be laid."""
    return sorts(laid) <= free


def canastas_needed(rules: Ruleset, laid: Counter[str], way: Way) -> int | None:
    """How many canastas a side needs that lays these cards in going out; None: it may not.

    Args:
        rules: The ruleset.
        laid: Every card that the act lays, by face, the pile's top card included.
        way: As in ``can_go_out``.
    """
    opening = opening_canastas(rules, laid, way)
    return None if opening is None else max(rules.canastas_to_go_out, opening)


def opening_canastas(rules: Ruleset, laid: Counter[str], way: Way) -> int | None:
    """How many canastas first melds must hold that go out and count too little (R-31, R-33).

    Returns:
        0 also where nothing is asked of them; None where they may not be laid at all.
    """
    points = sum(value(face) * number for face, number in laid.items())
    if way.minimum is None or not laid or reaches(rules, points, way.minimum):
        return 0
    if way.exempt is not None:
        return way.exempt
    return 1 if rules.opening_canasta_satisfies else None
