"""Claims and tokens as they are kept: given out until some time, and ended before it."""

from collections.abc import Iterable, Mapping
from typing import Final

from fairdeal.errors import Unprocessable
from fairdeal.service.answers import Claim
from fairdeal.service.callers import digest
from fairdeal.store.ports import Grant, GrantChange, GrantState

DAY_MS: Final = 24 * 3600 * 1000
YEAR_MS: Final = 365 * DAY_MS


def check_until(until: int, now: int) -> None:
    """Refuse an end that is over or too far away (both ms since 1970).

    Raises:
        Unprocessable: `until_out_of_range`.
    """
    if not now < until <= now + YEAR_MS:
        raise Unprocessable(
            "until_out_of_range", "What is given out must end in the future, within a year."
        )


def claims_end(wanted: int | None, reveal_by: int, now: int) -> int:
    """Return when the claims of a game end, ms since 1970.

    Args:
        wanted: As was asked for; None for the game's last date, or a day where that is sooner.
        reveal_by: That date.
        now: The time.

    Raises:
        Unprocessable: `until_out_of_range`.
    """
    if wanted is None:
        return max(reveal_by, now + DAY_MS)
    check_until(wanted, now)
    return wanted


def claim_grant(claim: Claim, now: int, *, site: str, game: str = "", room: str = "") -> Grant:
    """Return what the store keeps of a claim that is given out now."""
    return Grant(
        digest=digest(claim.claim),
        role="claim",
        site=site,
        game=game,
        room=room,
        seat=claim.seat,
        made=now,
        until=claim.expires_at,
    )


def ended(
    given: Iterable[Grant], states: Mapping[int | None, GrantState]
) -> tuple[GrantChange, ...]:
    """Return the ends of claims and tokens.

    Args:
        given: Claims and tokens of seats, whatever their state.
        states: What becomes of those of a seat; of a seat that is not named, nothing.
    """
    return tuple(
        GrantChange(digest=one.digest, state=states[one.seat], until=one.until)
        for one in given
        if one.seat in states and one.state in ("open", "used")
    )
