"""A whole position as one line of text, exact both ways.

``parse_position`` refuses whatever ``format_position`` would not write. The line has nine words,
then what is not ordinary as ``name=value`` words:

    cp1 RULES TURN HOLDINGS MELDS RED3 PILE STOCK TOTALS [name=value ...]

- RULES: the preset from which fewest fields differ (the first of them), then each differing
  field: ``classic@1;hand_size=13``.
- TURN: seat and phase: ``0.draw``.
- HOLDINGS: one for each seat, cards in the order of a pack: ``4C4CKDJK/...``; ``?11`` stands for
  11 cards that nobody named.
- MELDS: for each side its groups, cards as they were laid: ``K:KHKS2C,A:ASADAC/``.
- RED3: the red threes on each side's table: ``3D/``.
- PILE: bottom to top, the cards turned at the deal before the bar: ``KH|5S9D``.
- STOCK: how many are gone, then the rest, next first: ``12+4C9H``; ``12+?30`` where unknown.
- TOTALS: game total of each side: ``1640/-35``.

A position as one seat knows it is written with ``?`` for all that the seat cannot see.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from typing import Final

from fairdeal.canasta import cards
from fairdeal.canasta.acts import GROUP_RANKS
from fairdeal.canasta.endings import ENDS
from fairdeal.canasta.position import ASKED, DRAW, OVER, PLAY, SHOW, Position
from fairdeal.canasta.presets import PRESETS, build
from fairdeal.canasta.ruleset import Ruleset, to_json
from fairdeal.errors import FairdealError, MalformedInput

VERSION: Final = "cp1"
LONGEST: Final = 20_000
"""The most characters of a line; the largest deck needs about 5,000."""
_PHASES: Final = (SHOW, DRAW, PLAY, ASKED, OVER)
_HIDDEN: Final = "?"
_SIGNED: Final = re.compile(r"-?(0|[1-9][0-9]{0,15})")


def format_position(position: Position) -> str:
    """Write a position as its one line."""
    hidden = is_partial(position)
    rest = position.stock[position.drawn :]
    stock = f"{_HIDDEN}{len(rest)}" if hidden else _faces(rest)
    words = [
        VERSION,
        format_rules(position.rules),
        f"{position.turn}.{position.phase}",
        "/".join(_holding(position, seat) for seat in range(position.rules.players)),
        "/".join(_melds(row) for row in position.laid),
        "/".join(map(_faces, position.red3)),
        f"{_faces(position.pile[: position.upcards])}|{_faces(position.pile[position.upcards :])}",
        f"{position.drawn}+{stock}",
        "/".join(map(str, position.totals)),
        *_extras(position),
    ]
    return " ".join(words)


def parse_position(text: str) -> Position:
    """Read a position from its line.

    Raises:
        MalformedInput: ``bad_position``: not in this form, or not as ``format_position`` writes
            it; the sentence names the word.
    """
    if len(text) > LONGEST:
        raise _bad(f"it is longer than {LONGEST} characters")
    words = text.split(" ")
    if len(words) < 9 or words[0] != VERSION:
        raise _bad(f"it does not begin with {VERSION} and eight more words")
    _, rules, turn, holdings, melds, red3, pile, stock, totals = words[:9]
    try:
        position = Position(parse_rules(rules), [_signed(one) for one in totals.split("/")])
        _read_turn(position, turn)
        _read_holdings(position, holdings.split("/"))
        _read_melds(position, melds.split("/"))
        position.red3 = [tuple(_cards(one)) for one in _parts(red3, len(position.naturals))]
        before, bar, after = pile.partition("|")
        _need(bool(bar), "the pile has no bar")
        position.pile, position.upcards = _cards(before + after), len(before) // 2
        _read_stock(position, stock)
        _need(
            len(position.totals) == len(position.naturals), "there are not as many totals as sides"
        )
        for word in words[9:]:
            _read_extra(position, word)
    except (KeyError, ValueError, IndexError) as wrong:
        if isinstance(wrong, MalformedInput):
            raise
        raise _bad(f"one of its words cannot be read ({wrong})") from wrong
    written = format_position(position).split(" ")
    if written != words:
        pairs = zip_longest(words, written, fillvalue="")
        given, wanted = next(pair for pair in pairs if pair[0] != pair[1])
        raise _bad(f"{given[:80]!r} is written {wanted[:80]!r}")
    return position


def is_partial(position: Position) -> bool:
    """Say whether a position is only what a seat knows: some cards have no face."""
    return any(size != sum(held) for size, held in zip(position.sizes, position.held, strict=True))


def format_rules(rules: Ruleset) -> str:
    """Write a ruleset as the nearest preset and what differs from it."""
    whole = to_json(rules)
    best: list[str] = []
    for number, (name, preset) in enumerate(PRESETS.items()):
        differs = [field for field in preset if preset[field] != whole[field]]
        parts = [f"{field}={json.dumps(whole[field], separators=(',', ':'))}" for field in differs]
        if number == 0 or len(parts) + 1 < len(best):
            best = [name, *parts]
    return ";".join(best)


def parse_rules(text: str) -> Ruleset:
    """Read a ruleset from a preset and what differs from it.

    Raises:
        MalformedInput: ``bad_position``: no such preset or field, or a value it may not have.
    """
    name, *parts = text.split(";")
    changes: dict[str, object] = {}
    for part in parts:
        field, mark, value = part.partition("=")
        _need(bool(mark), f"{part!r} is no field=value")
        try:
            changes[field] = json.loads(value)
        except (ValueError, RecursionError) as wrong:
            raise _bad(f"in {part[:80]!r}, {value[:40]!r} is no JSON value") from wrong
    try:
        return build(name, changes)
    except FairdealError as wrong:
        blamed = [part for part in parts if _fails_alone(name, part, wrong)]
        where = f"in {';'.join(blamed)[:80]!r}: " if blamed else ""
        raise _bad(where + wrong.sentence.rstrip(".")) from wrong


def _fails_alone(name: str, part: str, wrong: FairdealError) -> bool:
    """Say whether one ``field=value`` is refused so by itself; a clash is of several."""
    if wrong.code == "rules_conflict":
        return False
    field, _, value = part.partition("=")
    try:
        build(name, {field: json.loads(value)})
    except FairdealError as alone:
        return alone.code == wrong.code
    return False


def _faces(numbers: Iterable[int]) -> str:
    return "".join(cards.FACES[card] for card in numbers)


def _cards(text: str) -> list[int]:
    return [cards.NUMBER[text[place : place + 2]] for place in range(0, len(text), 2)]


def _holding(position: Position, seat: int) -> str:
    holding = position.holding(seat)
    if len(holding) != position.sizes[seat]:
        return f"{_HIDDEN}{position.sizes[seat]}"
    return _faces(holding)


def _melds(row: Sequence[tuple[int, ...]]) -> str:
    return ",".join(f"{GROUP_RANKS[slot]}:{_faces(meld)}" for slot, meld in enumerate(row) if meld)


def _read_turn(position: Position, word: str) -> None:
    seat, _, phase = word.partition(".")
    position.turn, position.phase = _small(seat), phase
    _need(position.turn < position.rules.players, "no such seat is in turn")
    _need(phase in _PHASES, f"{phase!r} is no phase")


def _read_holdings(position: Position, parts: list[str]) -> None:
    _need(len(parts) == position.rules.players, "there are not as many holdings as seats")
    for seat, part in enumerate(parts):
        if part.startswith(_HIDDEN):
            position.sizes[seat] = _small(part[1:])
            continue
        for card in _cards(part):
            position.held[seat][card] += 1
            position.counts[seat][cards.CLASS_OF[card]] += 1
            position.sizes[seat] += 1


def _read_melds(position: Position, parts: list[str]) -> None:
    _need(len(parts) == len(position.naturals), "there are not as many sets of melds as sides")
    for side, part in enumerate(parts):
        for group in part.split(",") if part else ():
            rank, _, faces = group.partition(":")
            slot, meld = GROUP_RANKS.index(rank), _cards(faces)
            wilds = sum(cards.is_wild(cards.CLASS_OF[card]) for card in meld)
            position.laid[side][slot] = tuple(meld)
            position.naturals[side][slot] = len(meld) - wilds
            position.wilds[side][slot] = wilds


def _read_stock(position: Position, word: str) -> None:
    gone, mark, rest = word.partition("+")
    _need(bool(mark), "the stock has no +")
    position.drawn = _small(gone)
    hidden = rest.startswith(_HIDDEN)
    left = [0] * _small(rest[1:]) if hidden else _cards(rest)
    position.stock = (0,) * position.drawn + tuple(left)
    _need(hidden == is_partial(position), "stock and holdings must be known or unknown together")


def _parts(word: str, wanted: int) -> list[str]:
    parts = word.split("/")
    _need(len(parts) == wanted, f"{word!r} has not {wanted} parts")
    return parts


# ------------------------------------------------------------------- what is not ordinary


def _slots(slots: Iterable[int]) -> str:
    return "".join(GROUP_RANKS[slot] for slot in sorted(slots))


def _seats(marks: Sequence[bool]) -> str:
    return "".join(str(seat) for seat, mark in enumerate(marks) if mark)


def _classes(counts: Sequence[int] | None) -> str:
    return "" if counts is None else ",".join(map(str, counts))


def _extras(position: Position) -> list[str]:
    told = {
        "asker": str(position.asker) if position.asker >= 0 else "",
        "drew": position.drew,
        "began": _slots(position.began),
        "marks": _marks(position),
        "answer": position.answer,
        "locked": _classes(position.locked),
        "melded": _seats(position.melded),
        "shown": _seats(position.shown),
        "penalties": _numbers(position.penalties),
        "whole": _numbers(position.whole),
        "end": position.end,
        "out": str(position.out) if position.out >= 0 else "",
    }
    return [f"{name}={value}" for name, value in told.items() if value]


_MARKS: Final = ("touched", "laid_now", "last_red3", "asked", "concealed")


def _marks(position: Position) -> str:
    return ",".join(name for name in _MARKS if getattr(position, name))


def _numbers(values: Sequence[int]) -> str:
    return "/".join(map(str, values)) if any(values) else ""


def _read_marks(position: Position, value: str) -> None:
    for name in value.split(","):
        _need(name in _MARKS, f"{name!r} is no mark")
        setattr(position, name, True)


def _read_list(values: list[int], value: str) -> None:
    read = [_small(one) for one in value.split("/")]
    _need(len(read) == len(values), f"{value!r} has not {len(values)} parts")
    values[:] = read


def _read_seats(marks: list[bool], value: str) -> None:
    for seat in value:
        marks[int(seat)] = True


def _read_word(name: str, allowed: tuple[str, ...]) -> Callable[[Position, str], None]:
    def read(position: Position, value: str) -> None:
        _need(value in allowed, f"{name} may not be {value!r}")
        setattr(position, name, value)

    return read


def _read_seat(name: str) -> Callable[[Position, str], None]:
    def read(position: Position, value: str) -> None:
        _need(_small(value) < position.rules.players, f"{name} is no seat")
        setattr(position, name, _small(value))

    return read


def _read_began(position: Position, value: str) -> None:
    position.began = frozenset(GROUP_RANKS.index(rank) for rank in value)


def _read_locked(position: Position, value: str) -> None:
    position.locked = [_small(one) for one in value.split(",")]
    _need(len(position.locked) == cards.CLASSES, f"locked has not {cards.CLASSES} numbers")


_READERS: Final[dict[str, Callable[[Position, str], None]]] = {
    "asker": _read_seat("asker"),
    "drew": _read_word("drew", ("stock", "pile")),
    "began": _read_began,
    "marks": _read_marks,
    "answer": _read_word("answer", ("yes", "no")),
    "locked": _read_locked,
    "melded": lambda position, value: _read_seats(position.melded, value),
    "shown": lambda position, value: _read_seats(position.shown, value),
    "penalties": lambda position, value: _read_list(position.penalties, value),
    "whole": lambda position, value: _read_list(position.whole, value),
    "end": _read_word("end", ENDS),
    "out": _read_seat("out"),
}


def _read_extra(position: Position, word: str) -> None:
    name, _, value = word.partition("=")
    _need(name in _READERS, f"{name!r} is not known")
    _READERS[name](position, value)


# ----------------------------------------------------------------------------- strictness


def _small(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 6:
        raise _bad(f"{text[:20]!r} is no small number")
    return int(text)


def _signed(text: str) -> int:
    if not _SIGNED.fullmatch(text):
        raise _bad(f"{text[:20]!r} is no number")
    return int(text)


def _need(held: bool, why: str) -> None:
    if not held:
        raise _bad(why)


def _bad(why: str) -> MalformedInput:
    return MalformedInput("bad_position", f"The line cannot be read: {why}.")
