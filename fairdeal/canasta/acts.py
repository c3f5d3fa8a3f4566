"""Acts as values and as text: one canonical line each (protocol §6.2, §6.7).

``parse`` refuses whatever ``format_act`` would not write, so ``format_act(parse(x)) == x``.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

from fairdeal.canasta import cards
from fairdeal.errors import MalformedInput

WILD_RANK: Final = "W"
BLACK3_RANK: Final = "3"
GROUP_RANKS: Final = cards.MELD_RANKS + WILD_RANK + BLACK3_RANK
"""The ranks of groups in the order in which groups stand (protocol §6.2)."""
LONGEST: Final = 400
_PACK_ORDER: Final = "3456789TJQKA"


@dataclass(frozen=True, slots=True)
class Group:
    """Cards laid together: ``rank`` one of 4..A, W or 3; ``cards`` faces in canonical order."""

    rank: str
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw from the stock."""


@dataclass(frozen=True, slots=True)
class Take:
    """Take the pile: ``own`` cards join its top card in ``rank``; further ``groups`` as in Lay."""

    rank: str
    own: tuple[str, ...] = ()
    groups: tuple[Group, ...] = ()


@dataclass(frozen=True, slots=True)
class Lay:
    """Lay down groups, and discard in the same act or not."""

    groups: tuple[Group, ...]
    discard: str | None = None


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard one card, which ends the turn."""

    card: str


@dataclass(frozen=True, slots=True)
class Show:
    """Lay one's dealt red threes on the own first turn, where they wait for it (R-9)."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask the partner whether to go out."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer the partner's question."""

    yes: bool


@dataclass(frozen=True, slots=True)
class End:
    """End the hand where the stock is empty and the pile is not taken."""


Act: TypeAlias = Draw | Take | Lay | Discard | Show | Ask | Answer | End

_WORDS: Final[dict[str, Act]] = {
    "draw": Draw(),
    "show": Show(),
    "ask": Ask(),
    "yes": Answer(True),
    "no": Answer(False),
    "end": End(),
}
_WORD_OF: Final[dict[Act, str]] = {act: word for word, act in _WORDS.items()}


def face_order(face: str) -> tuple[int, int, int]:
    """Give the sort key of a face within a group: naturals by suit, deuces by suit, jokers."""
    if face == cards.JOKER_FACE:
        return (2, 0, 0)
    suit = cards.SUITS.index(face[1])
    if face[0] == "2":
        return (1, suit, 0)
    return (0, suit, _PACK_ORDER.index(face[0]))


def group(rank: str, faces: tuple[str, ...] | list[str]) -> Group:
    """Make a group with its cards in canonical order."""
    return Group(rank, tuple(sorted(faces, key=face_order)))


def group_order(one: Group) -> int:
    """Give the sort key of a group among the groups of an act."""
    return GROUP_RANKS.index(one.rank)


def format_act(act: Act) -> str:
    """Write an act as its one line of text."""
    match act:
        case Take(rank, own, groups):
            first = f"{rank}:{','.join(own)}" if own else rank
            return "take " + ";".join([first, *map(_format_group, groups)])
        case Lay(groups, discard):
            tail = f" x {discard}" if discard is not None else ""
            return "lay " + ";".join(map(_format_group, groups)) + tail
        case Discard(card):
            return f"discard {card}"
        case _:
            return _WORD_OF[act]


def parse(text: str) -> Act:
    """Read an act from its text.

    Raises:
        MalformedInput: ``bad_act``: not in the grammar, or not the canonical form.
    """
    if text in _WORDS:
        return _WORDS[text]
    if len(text) > LONGEST:
        raise _bad(text, f"it is longer than {LONGEST} characters")
    word, _, rest = text.partition(" ")
    match word:
        case "take":
            act: Act = _parse_take(text, rest)
        case "lay":
            head, mark, card = rest.partition(" x ")
            act = Lay(_parse_groups(text, head), _parse_card(text, card) if mark else None)
        case "discard":
            act = Discard(_parse_card(text, rest))
        case _:
            raise _bad(text, "it begins with no known word")
    if format_act(act) != text:
        raise _bad(text, "its cards or groups stand in another order than the canonical one")
    return act


def groups_of(act: Act) -> tuple[Group, ...]:
    """Give the groups of an act; those of a take without its first."""
    return act.groups if isinstance(act, Take | Lay) else ()


def cards_of(act: Act) -> tuple[str, ...]:
    """Give the faces that an act uses from the holding of its seat."""
    match act:
        case Take(_, own, groups):
            return own + tuple(face for one in groups for face in one.cards)
        case Lay(groups, discard):
            laid = tuple(face for one in groups for face in one.cards)
            return laid if discard is None else (*laid, discard)
        case Discard(card):
            return (card,)
        case _:
            return ()


def _format_group(one: Group) -> str:
    return f"{one.rank}:{','.join(one.cards)}"


def _parse_take(text: str, rest: str) -> Take:
    first, mark, others = rest.partition(";")
    groups = _parse_groups(text, others) if mark else ()
    if ":" in first:
        head = _parse_group(text, first)
        rank, own = head.rank, head.cards
    elif len(first) == 1 and first in cards.MELD_RANKS:
        rank, own = first, ()
    else:
        raise _bad(text, f"{first!r} is no rank from 4 to A")
    if any(one.rank == rank for one in groups):
        raise _bad(text, f"two groups of rank {rank}")
    return Take(rank, own, groups)


def _parse_groups(text: str, part: str) -> tuple[Group, ...]:
    groups = [_parse_group(text, one) for one in part.split(";")]
    ranks = [one.rank for one in groups]
    if len(set(ranks)) != len(ranks):
        raise _bad(text, "two groups of one rank")
    return tuple(sorted(groups, key=group_order))


def _parse_group(text: str, part: str) -> Group:
    rank, mark, faces = part.partition(":")
    if not mark or len(rank) != 1 or rank not in GROUP_RANKS:
        raise _bad(text, f"{part!r} is no group RANK:CARD,CARD")
    return group(rank, [_parse_card(text, face) for face in faces.split(",")])


def _parse_card(text: str, face: str) -> str:
    if face not in cards.NUMBER:
        raise _bad(text, f"{face!r} is no card")
    return face


def _bad(text: str, why: str) -> MalformedInput:
    shown = text if len(text) <= 80 else text[:77] + "..."
    return MalformedInput("bad_act", f"The act {shown!r} cannot be read: {why}.")
