"""A hand as readable text, one line a turn: for forums and for people who read over a game.

Only what the table saw is told: drawn cards have no face here.
"""

from collections.abc import Iterable, Iterator, Sequence

from fairdeal.canasta import acts, cards
from fairdeal.canasta.describe import counted, told_groups
from fairdeal.canasta.engine import apply
from fairdeal.canasta.notation import format_rules
from fairdeal.canasta.position import Position
from fairdeal.canasta.scoring import sheet
from fairdeal.canasta.sentences import ENGLISH
from fairdeal.canasta.wording import Card, Language, Many, Some, Value


def game_text(
    start: Position,
    played: Iterable[tuple[int, acts.Act]],
    *,
    names: Sequence[str] = (),
    language: Language = ENGLISH,
) -> Iterator[str]:
    """Tell a hand line by line.

    Args:
        start: The position after the deal.
        played: Seat and act, in order; each must be legal.
        names: What to call the seats; *Seat 0* and so on where absent.
        language: How cards and numbers are written; the words between them are English.

    Raises:
        RuleBroken: One of the acts is not legal.
    """
    called = [*names, *(f"Seat {seat}" for seat in range(len(names), start.rules.players))]
    yield f"Rules: {format_rules(start.rules)}. Totals: {_totals(start)}."
    up = language.listed([language.write(Card(cards.FACES[card])) for card in start.pile], ", ")
    yield f"Turned up: {up}. {called[start.turn]} begins."
    position, turn, told = start, start.turn, list[str]()
    number = 0
    for seat, act in played:
        if seat != turn and not isinstance(act, acts.Answer) and told:
            number += 1
            yield _line(number, called[turn], told)
            told = []
        if not isinstance(act, acts.Answer):
            turn = seat
        before = position
        position, effect = apply(position, seat, act)
        said = tell_act(before, act, language)
        told.append(f"{called[seat]} {said}" if isinstance(act, acts.Answer) else said)
        if effect.shown:
            told.append(f"shows {language.write(Some('red3', len(effect.shown)))}")
    if told:
        yield _line(number + 1, called[turn], told)
    if position.end:
        yield from _ending(position, called)


def _totals(position: Position) -> str:
    return " to ".join(f"{total:,}" for total in position.totals)


def _line(number: int, name: str, told: list[str]) -> str:
    return f"{number:>3}. {name}: {', '.join(told)}."


def tell_act(before: Position, act: acts.Act, language: Language = ENGLISH) -> str:
    """Say what a seat does, in the third person and without the cards that it draws.

    Args:
        before: The position before the act.
        act: A legal act.
        language: As in ``game_text``.
    """
    match act:
        case acts.Draw():
            wanted = min(before.rules.draw_count, before.stock_left)
            return "draws" if wanted == 1 else f"draws {language.write(Some('card', wanted))}"
        case acts.Take(rank, own, groups):
            top = language.write(Card(cards.FACES[before.pile[-1]]))
            size = language.write(Some("card", len(before.pile)))
            using: Value = counted(own) if own else Many(rank)
            how = f"{'with' if own else 'onto the'} {language.write(using)}"
            return f"takes the pile of {size} under the {top} {how}{_lays(groups, language)}"
        case acts.Lay(groups, discard):
            out = "" if discard is None else f", discards the {language.write(Card(discard))}"
            return _lays(groups, language).removeprefix(", ") + out
        case acts.Discard(card):
            return f"discards the {language.write(Card(card))}"
        case acts.Show():
            return "lays the red threes of the deal"
        case acts.Ask():
            return "asks to go out"
        case acts.Answer(yes):
            return f"says {'yes' if yes else 'no'}"
        case acts.End():
            return "ends the hand"


def _lays(groups: tuple[acts.Group, ...], language: Language) -> str:
    if not groups:
        return ""
    return f", lays {language.write(told_groups(groups))}"


def _ending(position: Position, called: Sequence[str]) -> Iterator[str]:
    how = {
        "WENT_OUT": "goes out",
        "STOCK_EXHAUSTED": "The stock is used up",
        "LAST_STOCK_RED3": "The last card of the stock was a red three",
        "NO_LEGAL_COMPLETION": "The turn has no legal end",
    }[position.end]
    if position.out >= 0:
        how = f"{called[position.out]} {how}" + (" concealed" if position.concealed else "")
    yield f"{how}."
    for side, score in enumerate(sheet(position)):
        seats = " and ".join(called[seat] for seat in position.rules.side_seats[side])
        lines = ", ".join(f"{code.lower().replace('_', ' ')} {n:+,}" for code, n in score.lines)
        total = position.totals[side] + score.hand
        yield f"{seats}: {score.hand:+,} ({lines or 'nothing'}), now {total:,}."
