"""Turns what a site asks for into the configuration that record 0 is made from."""

from collections.abc import Mapping
from typing import Any, Final

from fairdeal.bots.levels import DEFAULT, is_known
from fairdeal.errors import Unprocessable
from fairdeal.game import DealtRules, GameConfig, SeatConfig
from fairdeal.game.table import GIVEN
from fairdeal.service import rulebook
from fairdeal.service.answers import NewGame, NewSeat

BOTS: Final = tuple(rulebook.BOTS)
"""The bots that may sit down, by name and version; `is_known` has more."""

REVEAL_WITHIN_MS: Final = 7 * 24 * 3600 * 1000
LONGEST_MS: Final = 366 * 24 * 3600 * 1000


def configure(wanted: NewGame, origin: str, now: int) -> GameConfig:
    """Return the configuration of a wanted game.

    Args:
        wanted: The game.
        origin: The name of the service.
        now: Milliseconds since 1970.

    Raises:
        Unprocessable: `no_such_bot`, `reveal_by_out_of_range`.
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
        seats=tuple(_seat(seat, dealt=wanted.dealt is not None) for seat in wanted.seats),
        preset=wanted.preset,
        overrides=wanted.overrides,
        seating=GIVEN if wanted.seating is None else {"how": "draw", **wanted.seating},
        dealt=None
        if wanted.dealt is None
        else DealtRules(name=wanted.dealt.name, deck=wanted.dealt.deck, steps=wanted.dealt.steps),
        profile=wanted.profile,
        beacon=wanted.beacon,
        epoch_hands=wanted.epoch_hands,
        missing_share=wanted.missing_share,
        hands=wanted.hands,
        first_seat=wanted.first_seat,
        reveal_by=reveal_by,
    )


def custody_of(opening: Mapping[str, Any]) -> list[str]:
    """Return who is told to hold each seat, of a body of record 0.

    The record of a dealt-only game has no place for it. As the site referees such a game and may
    hold any token, everybody is told that it does.
    """
    play = opening["rules"].get("play")
    if play is not None:
        return list(play["custody"])
    return ["site" if seat["kind"] == "player" else "site-bot" for seat in opening["seats"]]


def _seat(seat: NewSeat, *, dealt: bool) -> SeatConfig:
    if seat.kind == "human":
        return SeatConfig(kind="player", label=seat.label, custody=seat.custody)
    if dealt:
        # The site's own: this service plays no game that it does not referee.
        return SeatConfig(kind="bot", label=f"bot:{seat.bot}" if seat.bot else "")
    bot = seat.bot or DEFAULT
    if not is_known(bot):
        raise Unprocessable("no_such_bot", f"There is no bot {bot} here.", {"bots": list(BOTS)})
    return SeatConfig(kind="bot", label=f"bot:{bot}", custody="service-bot")
