"""When the discard pile may be taken, and what it brings (R-35 to R-50, R-X2)."""

from verifier.canasta.faces import is_red_three, is_wild, kind, rank
from verifier.canasta.grammar import Group
from verifier.canasta.melds import Count, Melds
from verifier.canasta.spread import Top, takes_top
from verifier.canasta.turn import Play

TOP_CODES = {"wild": "TOP_WILD", "black3": "TOP_BLACK3", "red3": "TOP_RED3"}


def blocked(play: Play) -> tuple[str, str] | None:
    """The rule by which nobody, or this seat not, may take the pile whatever it lays."""
    top = play.position.top()
    if top is None:
        return "PILE_EMPTY", "the pile is empty"
    if play.rules.stock_empty == "end" and not play.position.stock_left:
        return "STOCK_EMPTY", "the hand ends when the stock is empty"
    top_kind = kind(top)
    if top_kind is not None and top_kind in play.rules.top_blocks:
        return TOP_CODES[top_kind], f"the top card {top} cannot be taken"
    forbidden = play.rules.one_card_hand_one_card_pile == "forbidden"
    one_card = len(play.position.holdings[play.turn.seat]) == 1
    if forbidden and one_card and len(play.position.pile) == 1:
        return "ONE_CARD_HAND_ONE_CARD_PILE", "a seat with one card may not take one card"
    return None


def is_frozen(play: Play) -> bool:
    """Whether the pile is frozen for everybody (R-37, R-39, R-40, R-50)."""
    freezing: set[str | None] = set(play.rules.frozen_by_contents)
    if play.rules.black3_effect == "freeze":
        freezing.add("black3")
    position = play.position
    return (
        play.rules.always_frozen
        or position.upcard_freezes
        or bool(freezing & position.kinds_in_pile())
    )


def doors(play: Play) -> tuple[tuple[str, ...], str]:
    """The ways of taking that are open to the side in turn, and the rule that shuts the others."""
    if is_frozen(play):
        return play.rules.take_frozen, "FROZEN"
    if play.rules.frozen_before_opening and play.minimum() is not None:
        return play.rules.take_frozen, "FROZEN_UNOPENED"
    return play.rules.take_unfrozen, "TAKE_MODE_NOT_ALLOWED"


def door_fault(play: Play, group: Group, melds: Melds) -> tuple[str, str] | None:
    """The rule that shuts every door for a take with this first group (R-42 to R-46, R-X2)."""
    naturals = sum(not is_wild(face) and rank(face) == group.rank for face in group.cards)
    own = Count(naturals, sum(map(is_wild, group.cards)))
    allowed, code = doors(play)
    top = Top(str(play.position.top()), frozenset(allowed))
    if top.fits(own, has_meld=takes_top(play.rules, group.rank, melds.get(group.rank))):
        return None
    if "lay_on_meld" in allowed and group.rank in melds:
        return "CANASTA_CLOSED", f"the canasta of rank {group.rank} takes no card of the pile"
    return code, f"the pile can be taken only by: {', '.join(allowed)}"


def buried(play: Play) -> list[str]:
    """The faces that would join the holding with a take, red threes left out."""
    position = play.position
    faces = [position.deck[card] for card in position.pile[:-1]]
    return [face for face in faces if not is_red_three(face)]


def replacements(play: Play) -> int:
    """How many stock cards a take would bring for the pile's red threes (R-11).

    Whether a replacement is a red three itself nobody knows beforehand: each counts as a card
    to keep as long as there is one in the stock.
    """
    if not play.rules.red3_from_pile_replaced:
        return 0
    position = play.position
    red_threes = sum(is_red_three(position.deck[card]) for card in position.pile)
    return min(red_threes, position.stock_left)
