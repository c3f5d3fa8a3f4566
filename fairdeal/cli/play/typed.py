"""Reads what a player types: a number, several numbers, cards, or one of the single letters."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from fairdeal.canasta import acts, cards
from fairdeal.errors import MalformedInput

LETTERS: Final[Mapping[str, str]] = {
    "h": "hint",
    "w": "why",
    "c": "counts",
    "s": "scores",
    "t": "table",
    "m": "more",
    "+": "time",
    "?": "help",
    "q": "leave",
}
"""The single letters and what they ask for; the words work too."""
_WORDS: Final[Mapping[str, str]] = {**LETTERS, **{word: word for word in LETTERS.values()}}
_SUITS: Final = str.maketrans({"♣": "C", "♦": "D", "♥": "H", "♠": "S"})
_PLAIN: Final = {"draw": "draw", "ask": "ask", "yes": "yes", "y": "yes", "no": "no", "n": "no",
                 "end": "end", "show": "show"}  # fmt: skip
_RANKS: Final = cards.MELD_RANKS


@dataclass(frozen=True, slots=True)
class Ask:
    """A word that changes nothing: one of the values of ``LETTERS``."""

    what: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """An act; ``listed`` if it was chosen by its number alone."""

    act: str
    listed: bool


@dataclass(frozen=True, slots=True)
class Unclear:
    """Something that is no act; ``sentence`` says what is missing."""

    sentence: str


Typed = Ask | Wanted | Unclear


def read(line: str, choices: Sequence[str], top: str | None, hint: str | None = None) -> Typed:
    """Read a line.

    Args:
        line: What was typed.
        choices: The acts of the numbered lines, number 1 first.
        top: The top card of the pile, for ``take``.
        hint: The act of the hint that was given, which is number 0.
    """
    text = line.strip()
    if (word := _WORDS.get(text.lower())) is not None:
        return Ask(word)
    try:
        if re.fullmatch(r"[0-9][0-9\s,;+]*", text):
            numbers = [int(one) for one in re.split(r"[\s,;+]+", text) if one]
            chosen = [_numbered(number, choices, hint) for number in numbers]
            return Wanted(_together(chosen), listed=len(chosen) == 1)
        return Wanted(_spelt(text, top), listed=False)
    except MalformedInput as wrong:
        return Unclear(wrong.sentence)


def _numbered(number: int, choices: Sequence[str], hint: str | None) -> acts.Act:
    if number == 0:
        if hint is None:
            raise _bad("0 is the hint's move: ask for a hint with h first.")
        return acts.parse(hint)
    if number > len(choices):
        raise _bad(f"There is no line {number}: the last one is {len(choices)}.")
    return acts.parse(choices[number - 1])


def _together(chosen: Sequence[acts.Act]) -> str:
    """Make one act of several: melds of one rank are one meld, a discard comes last."""
    if len(chosen) == 1:
        return acts.format_act(chosen[0])
    taken, discards = None, []
    laid: dict[str, list[str]] = {}
    for act in chosen:
        match act:
            case acts.Take(rank, own, groups) if taken is None:
                taken = acts.Take(rank, own)
                _add(laid, groups)
            case acts.Lay(groups, discard):
                _add(laid, groups)
                discards += [] if discard is None else [discard]
            case acts.Discard(card):
                discards.append(card)
            case _:
                raise _bad("Only lays go together, after a take or before one discard.")
    return acts.format_act(_made(taken, laid, discards))


def _add(laid: dict[str, list[str]], groups: Sequence[acts.Group]) -> None:
    for one in groups:
        laid.setdefault(one.rank, []).extend(one.cards)


def _made(taken: acts.Take | None, laid: dict[str, list[str]], discards: list[str]) -> acts.Act:
    if len(discards) > 1:
        raise _bad("A turn has one discard.")
    discard = discards[0] if discards else None
    if taken is not None:
        if discard is not None:
            raise _bad("Take the pile first; discard when you have seen what you took.")
        own = (*taken.own, *laid.pop(taken.rank, ()))
        groups = tuple(acts.group(rank, faces) for rank, faces in laid.items())
        first = acts.group(taken.rank, own).cards
        return acts.Take(taken.rank, first, tuple(sorted(groups, key=acts.group_order)))
    if not laid:
        if discard is None:
            raise _bad("Say which cards.")
        return acts.Discard(discard)
    groups = tuple(acts.group(rank, faces) for rank, faces in laid.items())
    return acts.Lay(tuple(sorted(groups, key=acts.group_order)), discard)


def _spelt(text: str, top: str | None) -> str:
    """Read an act that is written out: ``lay 9H 9S 2H; discard 4C``."""
    laid: dict[str, list[str]] = {}
    taken: acts.Take | None = None
    discards: list[str] = []
    parts = [part for part in re.split(r"[;\n]|\bthen\b", text) if part.strip()]
    if not parts:
        raise _bad("Type a number, or ? for help.")
    for part in parts:
        word, _, rest = part.strip().partition(" ")
        word = word.lower()
        if word in _PLAIN:
            if len(parts) > 1 or rest.strip():
                raise _bad(f"`{word}` stands alone on its line.")
            return _PLAIN[word]
        if word in ("discard", "x"):
            discards += _cards(rest)
        elif word == "take":
            if taken is not None or top is None:
                raise _bad("There is one pile to take." if taken else "There is no pile to take.")
            taken = acts.Take(top[0], _cards(rest))
        else:
            lays = rest if word in ("lay", "meld", "add") else part
            for one in lays.split("/"):
                rank, faces = _group(one)
                laid.setdefault(rank, []).extend(faces)
    return acts.format_act(_made(taken, laid, discards))


def _group(part: str) -> tuple[str, tuple[str, ...]]:
    """Read cards that are laid together; ``2H on 9`` and ``9: 2H`` name the meld."""
    rank, mark, rest = part.partition(":")
    if not mark:
        rest, _, rank = (*part.partition(" on "),) if " on " in part else (part, "", "")
    faces = _cards(rest)
    if not faces:
        raise _bad("Say which cards, as in: lay 9H 9S 2H")
    named = rank.strip().upper().removesuffix("S") if mark or rank else ""
    named = "T" if named == "10" else named
    if named:
        if named not in acts.GROUP_RANKS:
            raise _bad(f"{rank.strip()!r} is no rank of a meld: 4 to 9, T, J, Q, K, A.")
        return named, faces
    naturals = [face[0] for face in faces if face[0] in _RANKS and face != cards.JOKER_FACE]
    if naturals:
        return naturals[0], faces
    return ("3" if faces[0][0] == "3" else acts.WILD_RANK), faces


def _cards(text: str) -> tuple[str, ...]:
    return tuple(_card(word) for word in re.split(r"[\s,]+", text.strip()) if word)


def _card(word: str) -> str:
    face = word.translate(_SUITS).upper().replace("10", "T")
    face = cards.JOKER_FACE if face in ("JOKER", "JO") else face
    if face not in cards.NUMBER:
        how = "say rank and suit, as 9H, TD for a ten, JK for a joker; ? is help"
        raise _bad(f"{word!r} is no card: {how}.")
    return face


def _bad(sentence: str) -> MalformedInput:
    return MalformedInput("bad_act", sentence)
