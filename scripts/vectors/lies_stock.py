"""Cards taken from the stock and red threes shown, said otherwise (protocol §6.4)."""

from collections.abc import Callable, Iterator
from typing import Final

from fairdeal.canasta.position import Position
from scripts.vectors.lies import Lie
from scripts.vectors.lies_acts import Fits, begins
from scripts.vectors.script import Body, Script


def _took(change: Callable[[list[int]], list[int]], fits: Fits) -> Callable[[Script], int]:
    def tell(script: Script) -> int:
        place = script.first_act(fits)
        body = script.entries[place].body
        body["took"] = change(body["took"])
        return place

    return tell


def _second_draw(position: Position, body: Body) -> bool:
    return body["act"] == "draw" and position.drawn > 0


def _meets_red_three(_position: Position, body: Body) -> bool:
    return body["act"] == "draw" and bool(body["shown"])


def _shows(shown: list[str], fits: Fits) -> Callable[[Script], int]:
    def tell(script: Script) -> int:
        place = script.first_act(fits)
        script.entries[place].body["shown"] = shown
        return place

    return tell


def _in_open_hand(script: Script) -> None:
    """Let the wrong seat make the last act."""
    body = script.entries[-1].body
    body["seat"] = (body["seat"] + 1) % 4


def _stock() -> Iterator[Lie]:
    yield Lie(
        of="V02a",
        slug="position-skipped",
        title="a draw skips a card of the stock",
        error="E_DRAW_ORDER",
        tell=_took(lambda took: [took[0] + 1, *took[1:]], begins("draw")),
    )
    yield Lie(
        of="V03a",
        slug="position-again",
        title="a draw names the card drawn before",
        error="E_DRAW_ORDER",
        tell=_took(lambda took: [took[0] - 1], _second_draw),
    )
    yield Lie(
        of="V04a",
        slug="position-kept-back",
        title="a draw says that it took nothing",
        error="E_DRAW_ORDER",
        tell=_took(lambda _took: [], begins("draw")),
    )
    yield Lie(
        of="V05a",
        slug="take-from-stock",
        title="a take also uses the stock",
        error="E_DRAW_ORDER",
        tell=_took(lambda _took: [0], begins("take")),
    )
    yield Lie(
        of="V06a",
        slug="red-three-not-shown",
        title="a drawn red three is not shown",
        error="E_ACT_RED_THREE",
        tell=_shows([], _meets_red_three),
    )
    yield Lie(
        of="V07a",
        slug="red-three-made-up",
        title="a red three is shown that nobody drew",
        error="E_ACT_RED_THREE",
        tell=_shows(["3D"], lambda _p, body: body["act"] == "draw" and not body["shown"]),
    )


def _unopened() -> Iterator[Lie]:
    yield Lie(
        of="V11a",
        slug="position-skipped",
        title="a draw of the opened hand skips a card, while another hand is in play",
        error="E_DRAW_ORDER",
        tell=_took(lambda took: [took[0] + 1], begins("draw")),
    )
    yield Lie(
        of="V11a",
        slug="not-yet-seen",
        title="an act out of turn in the hand that is not open yet: nobody can judge it",
        error=None,
        verdict="INCOMPLETE",
        tell=_in_open_hand,
    )


LIES: Final = (*_stock(), *_unopened())
