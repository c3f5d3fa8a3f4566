"""Turns what a site asks for into the configuration that record 0 is made from."""

from typing import Final

from fairdeal.bots import greedy
from fairdeal.errors import Unprocessable
from fairdeal.game import GameConfig, SeatConfig
from fairdeal.service.answers import NewGame, NewSeat

BOTS: Final = (greedy.NAME,)
"""The bots that may sit down, by name and version."""

REVEAL_WITHIN_MS: Final = 7 * 24 * 3600 * 1000
LONGEST_MS: Final = 366 * 24 * 3600 * 1000


def configure(wanted: NewGame, origin: str, now: int) -> GameConfig:
    """Return the configuration of a wanted game.

    Args:
        wanted: The game.
        origin: The name of the service.
        now: Milliseconds since 1970.

    Raises:
        Unprocessable: `no_such_bot`, `reveal_by_out_of_range`, or as `GameConfig`.
    """
    reveal_by = now + REVEAL_WITHIN_MS if wanted.reveal_by is None else wanted.reveal_by
    if not now < reveal_by <= now + LONGEST_MS:
        raise Unprocessable(
            "reveal_by_out_of_range",
            "The master secret must be due in the future, within a year.",
            {"reveal_by": reveal_by},
        )
    return GameConfig(
        origin=origin,
        seats=tuple(_seat(seat) for seat in wanted.seats),
        preset=wanted.preset,
        overrides=wanted.overrides,
        hands=wanted.hands,
        first_seat=wanted.first_seat,
        reveal_by=reveal_by,
    )


def _seat(seat: NewSeat) -> SeatConfig:
    if seat.kind == "human":
        return SeatConfig(kind="player", label=seat.label, custody=seat.custody)
    bot = seat.bot or BOTS[0]
    if bot not in BOTS:
        raise Unprocessable("no_such_bot", f"There is no bot {bot} here.", {"bots": list(BOTS)})
    return SeatConfig(kind="bot", label=f"bot:{bot}", custody="service-bot")
