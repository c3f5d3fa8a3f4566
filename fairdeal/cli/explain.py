"""``fairdeal explain``: what a seat can and cannot do in a position written as one line."""

from collections.abc import Iterator

from fairdeal.canasta import acts, explain
from fairdeal.canasta.notation import parse_position
from fairdeal.errors import MalformedInput


def answer(line: str, seat: int | None, act: str | None) -> Iterator[str]:
    """Tell what a seat can and cannot do, or every rule that one act breaks.

    Args:
        line: A position in its notation.
        seat: The seat that asks; None for the one in turn.
        act: The text of an act to be judged; None for all choices.

    Raises:
        MalformedInput: The line or the act cannot be read; ``no_such_seat``.
    """
    position = parse_position(line)
    players = position.rules.players
    if seat is not None and seat >= players:
        raise MalformedInput("no_such_seat", f"The seats here are 0 to {players - 1}.")
    asks = position.turn if seat is None else seat
    if act is not None:
        yield from _judged(explain.judge_cards(position, asks, acts.parse(act)))
        return
    found = explain.choices(position, asks)
    yield found.headline
    for can in found.can:
        warned = "".join(f" Mind: {one.sentence}" for one in can.warnings)
        yield f"  can     {can.act:<28} {can.sentence}{warned}"
    for one in found.cannot:
        name = f"{one.kind} ({one.door})" if one.door else one.kind
        remedy = f" First: {one.remedy}." if one.remedy else ""
        yield f"  cannot  {name:<28} {one.refusal.sentence} [{one.refusal.rule}]{remedy}"


def _judged(found: tuple[explain.Refusal, ...]) -> Iterator[str]:
    if not found:
        yield "That is allowed."
    for one in found:
        yield f"{one.code}: {one.sentence} [{one.rule}]"
