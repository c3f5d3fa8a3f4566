"""When the discard pile may be taken, and when it must be (R-35 to R-50, R-65, R-X2, R-X8)."""

from verifier.canasta.faces import is_red_three, is_wild, kind, rank
from verifier.canasta.finish import can_go_out
from verifier.canasta.grammar import Group
from verifier.canasta.melds import NONE, Count, Melds, incomplete, is_canasta, shape_fault
from verifier.canasta.turn import Play

TOP_CODES = {"wild": "TOP_WILD", "black3": "TOP_BLACK3", "red3": "TOP_RED3"}
ONE = Count(1, 0)


def blocked(play: Play) -> tuple[str, str] | None:
    """The rule by which nobody, or this seat not, may take the pile whatever it lays."""
    top = play.position.top()
    if top is None:
        return "PILE_EMPTY", "the pile is empty"
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
    wilds = sum(map(is_wild, group.cards))
    fits = {
        "pair": naturals >= 2,
        "natural_wild": naturals >= 1 and wilds >= 1,
        "lay_on_meld": _has_meld(play, group.rank, melds),
    }
    allowed, code = doors(play)
    if any(fits[door] for door in allowed):
        return None
    if "lay_on_meld" in allowed and group.rank in melds:
        return "CANASTA_CLOSED", f"the canasta of rank {group.rank} takes no card of the pile"
    return code, f"the pile can be taken only by: {', '.join(allowed)}"


def _has_meld(play: Play, meld_rank: str, melds: Melds) -> bool:
    if meld_rank not in melds:
        return False
    closed = not play.rules.lay_on_completed_canasta
    return not (closed and is_canasta(meld_rank, melds[meld_rank]))


def buried(play: Play) -> list[str]:
    """The faces that would join the holding with a take, red threes left out."""
    position = play.position
    faces = [position.deck[card] for card in position.pile[:-1]]
    return [face for face in faces if not is_red_three(face)]


def must_take(play: Play) -> bool:
    """Whether a take is compulsory, so that the hand may not be ended (`must_if_fits_meld`).

    It is enough to look at the bare take: own cards laid with it can be laid after it too, or
    are not needed (R-X8).
    """
    top = play.position.top()
    if play.rules.stock_empty != "must_if_fits_meld" or top is None or blocked(play):
        return False
    melds, meld_rank = play.melds(), rank(top)
    allowed, _ = doors(play)
    if "lay_on_meld" not in allowed or not _has_meld(play, meld_rank, melds):
        return False
    if shape_fault(play.rules, meld_rank, melds[meld_rank], ONE):
        return False
    after = {**melds, meld_rank: melds.get(meld_rank, NONE).plus(ONE)}
    limit = play.rules.incomplete_meld_limit
    if limit is not None and incomplete(after) > limit:
        return False
    left = play.held()
    left.update(buried(play))
    if left.total() >= 2:
        return True
    return can_go_out(play.rules, left, after, minimum=None, drew_stock=False)
