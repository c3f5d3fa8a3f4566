"""An act in words, for people: what a button says (product §6.5)."""

from fairdeal.canasta import acts, cards
from fairdeal.canasta.position import Position

_RANKS = {
    "T": "tens",
    "J": "jacks",
    "Q": "queens",
    "K": "kings",
    "A": "aces",
    "W": "wild cards",
    "3": "black threes",
}
_SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_NAMES = {"T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}


def card_name(face: str) -> str:
    """Name a card: ``10 of hearts``, ``joker``."""
    if face == cards.JOKER_FACE:
        return "joker"
    return f"{_NAMES.get(face[0], face[0])} of {_SUITS[face[1]]}"


def rank_name(rank: str) -> str:
    """Name the rank of a meld in the plural."""
    return _RANKS.get(rank, f"{rank}s")


def describe(position: Position, act: acts.Act) -> str:
    """Say in one sentence what an act does."""
    match act:
        case acts.Draw():
            return f"Draw from the stock; {position.stock_left} cards are left."
        case acts.Take(rank, own, groups):
            using = " with " + _cards(own) if own else ""
            return f"Take the pile: {rank_name(rank)}{using}{_groups(groups, ', and lay ')}."
        case acts.Lay(groups, discard):
            tail = f", and discard the {card_name(discard)}" if discard else ""
            return f"Lay {_groups(groups)}{tail}."
        case acts.Discard(card):
            return f"Discard the {card_name(card)}."
        case acts.Show():
            return "Lay your red threes and draw for them."
        case acts.Ask():
            return "Ask your partner whether to go out."
        case acts.Answer(yes):
            return "Answer yes: go out." if yes else "Answer no: do not go out."
        case acts.End():
            return "End the hand: the stock is empty and you do not take the pile."


def _groups(groups: tuple[acts.Group, ...], lead: str = "") -> str:
    told = " and ".join(f"{rank_name(one.rank)} ({_cards(one.cards)})" for one in groups)
    return lead + told if told else ""


def _cards(faces: tuple[str, ...]) -> str:
    return ", ".join(card_name(face) for face in faces)
