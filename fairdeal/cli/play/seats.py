"""Takes part in the draw for the seats of a room, before its game."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any, Final

from fairdeal.cli.client import ApiError
from fairdeal.cli.play import cut
from fairdeal.cli.play.kept import Seat
from fairdeal.cli.play.remote import Remote
from fairdeal.cli.play.screen import Screen
from fairdeal.records.tablecode import grouped, table_code

_DRAWN: Final = (
    "The seats are drawn first: 52 cards, one for each seat; those alike draw again. The highest"
    " plays first."
)


def give(
    mine: Remote, seat: Seat, draw: Mapping[str, Any], screen: Screen, keep: Callable[[Seat], None]
) -> Seat:
    """Give what the draw waits for from this seat now, if anything; give the seat with its cuts.

    Args:
        mine: Speaks with the seat's token.
        seat: Whose; in a draw it has its number of the room.
        draw: The room's word for it.
        screen: Asks for the cut.
        keep: Keeps the seat: a cut is kept before it is sent, for it may have to be sent again.

    Raises:
        ApiError: The service refused.
        EOFError, KeyboardInterrupt: The player leaves.
    """
    game, noted = draw["id"], draw["commitment"]["open_hash"]
    view = mine.get(f"/v1/games/{game}/view")
    owed = cut.owed(view, seat.seat, is_sealed=draw["profile"] == "sealed")
    if owed is None:
        return seat
    epoch, seal = owed
    if seat.game_drawn != game:
        screen.say(_DRAWN)
        screen.say(f"  Its table code: {grouped(table_code(noted))}", "bold")
        seat = replace(seat, game_drawn=game, cuts_drawn=())
    own = next((one for one in seat.cuts_drawn if one.epoch == epoch), None)
    if own is None:
        own = cut.ask(screen, epoch)
        seat = replace(seat, cuts_drawn=(*seat.cuts_drawn, own))
        keep(seat)
    path = f"/v1/games/{game}/seats/{seat.seat}/seed"
    try:
        mine.send("PUT", path, cut.body(own, game, seat.seat, noted, seal=seal))
    except ApiError as refusal:
        # The draw went on without this seat, or was given up, just now.
        if refusal.status != HTTPStatus.CONFLICT:
            raise
    return seat


def told(mine: Remote, room: Mapping[str, Any], seat: int) -> str:
    """Say what a seat of the room drew; empty where the game that runs follows no draw of its own.

    Raises:
        ApiError: The service refused.
    """
    before = room["games"][-2:-1]
    if not before or before[0]["kind"] != "draw":
        return ""
    events = mine.get(f"/v1/games/{before[0]['game']}/events?limit=100")["events"]
    drew = next(one["body"]["result"]["drew"] for one in events if one["type"] == "score")
    cards = [", then ".join(faces) for faces in drew]
    others = ", ".join(cards[:seat] + cards[seat + 1 :])
    return f"You drew {cards[seat]}; the others {others}."
