"""An act as one line of text, strict both ways (protocol.md 6.2, 6.7 points 1 to 3).

``parse_act`` refuses whatever ``format_act`` would not write, so that an act has one text only.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from verifier.canasta.faces import FACES, GROUP_RANKS, JOKER, MELD_RANKS, NATURAL_RANKS, SUITS


class Verb(StrEnum):
    """The first word of an act."""

    DRAW = "draw"
    TAKE = "take"
    LAY = "lay"
    DISCARD = "discard"
    SHOW = "show"
    ASK = "ask"
    YES = "yes"
    NO = "no"
    END = "end"


PLAIN_VERBS: Final = frozenset(Verb) - {Verb.TAKE, Verb.LAY, Verb.DISCARD}


class ActFormError(ValueError):
    """The text is not an act, or not the one way to write it; says so as a predicate of it."""


@dataclass(frozen=True, slots=True)
class Group:
    """Own cards that an act lays as one meld, or onto it; none with the bare rank of a take."""

    rank: str
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Act:
    """What a seat does: a verb, the groups it lays and the card it discards.

    Attributes:
        verb: Its first word.
        groups: Of take and lay, no two of one rank; a take's first is of the top card's rank.
        card: The face discarded, by discard or by a lay with ``x``.
    """

    verb: Verb
    groups: tuple[Group, ...] = ()
    card: str | None = None

    def cards(self) -> list[str]:
        """All own cards that the act names, the discard last."""
        named = [face for group in self.groups for face in group.cards]
        return named if self.card is None else [*named, self.card]


def _card_place(face: str) -> tuple[int, int, int]:
    if face == JOKER:
        return (2, 0, 0)
    suit = SUITS.index(face[1])
    return (1, suit, 0) if face[0] == "2" else (0, suit, NATURAL_RANKS.index(face[0]))


def format_group(group: Group) -> str:
    """Write a group with its cards in their order, or the bare rank where it has none."""
    if not group.cards:
        return group.rank
    return f"{group.rank}:{','.join(sorted(group.cards, key=_card_place))}"


def format_act(act: Act) -> str:
    """Write an act in its one text: cards, and the groups that may be sorted, in their order."""
    fixed = act.groups[:1] if act.verb is Verb.TAKE else ()
    free = sorted(act.groups[len(fixed) :], key=lambda group: GROUP_RANKS.index(group.rank))
    words: list[str] = [act.verb]
    if act.groups:
        words.append(";".join(format_group(group) for group in (*fixed, *free)))
    if act.card is not None:
        words.append(act.card if act.verb is Verb.DISCARD else f"x {act.card}")
    return " ".join(words)


def parse_act(text: str) -> Act:
    """Read an act.

    Raises:
        ActFormError: The text is none, or another text is due for it.
    """
    act = _read_act(text)
    due = format_act(act)
    if due != text:
        raise ActFormError(f"must be written {due!r}")
    return act


def _read_act(text: str) -> Act:
    if text in PLAIN_VERBS:
        return Act(Verb(text))
    verb, blank, rest = text.partition(" ")
    if blank and verb == Verb.DISCARD:
        return Act(Verb.DISCARD, card=_read_card(rest))
    if blank and verb == Verb.TAKE:
        return Act(Verb.TAKE, _read_groups(rest, bare_first=True))
    if blank and verb == Verb.LAY:
        groups, cross, card = rest.partition(" x ")
        discard = _read_card(card) if cross else None
        return Act(Verb.LAY, _read_groups(groups), discard)
    raise ActFormError("is not an act")


def _read_groups(words: str, *, bare_first: bool = False) -> tuple[Group, ...]:
    groups: list[Group] = []
    for word in words.split(";"):
        rank, colon, cards = word.partition(":")
        if not colon and bare_first and not groups and _is_one_of(rank, MELD_RANKS):
            groups.append(Group(rank, ()))
            continue
        if not colon or not _is_one_of(rank, GROUP_RANKS):
            raise ActFormError(f"has {word!r} where a group is due")
        if any(group.rank == rank for group in groups):
            raise ActFormError(f"has two groups of rank {rank}")
        groups.append(Group(rank, tuple(_read_card(card) for card in cards.split(","))))
    return tuple(groups)


def _is_one_of(letter: str, letters: str) -> bool:
    return len(letter) == 1 and letter in letters


def _read_card(face: str) -> str:
    if face not in FACES:
        raise ActFormError(f"has {face!r} where a card is due")
    return face
