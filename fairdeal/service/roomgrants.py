"""What a step in a room gives out, and what it ends: claims and tokens of its seats."""

from typing import Final

from fairdeal.rooms import Room, Seat
from fairdeal.service.answers import Claim
from fairdeal.service.clerk import Clerk
from fairdeal.service.founding import Founder
from fairdeal.service.grants import DAY_MS, claim_grant, ended
from fairdeal.store.ports import Grant, GrantChange, GrantState

CLAIM_MS: Final = 7 * DAY_MS
"""A claim of a room ends after so long where nobody said."""


class RoomGrants:
    """Draws up what changes with a step; keeps nothing.

    Args:
        clerk: Tells the time, and what was given out before.
        founder: Draws claims.
    """

    def __init__(self, clerk: Clerk, founder: Founder) -> None:
        self._clerk = clerk
        self._founder = founder

    def claims(
        self, before: tuple[Seat, ...], after: tuple[Seat, ...], until: int | None
    ) -> tuple[Claim, ...]:
        """Return a new claim for each seat for which a step gives one out.

        Args:
            before: The seats before it, by number.
            after: Those after it.
            until: When the claims end, ms since 1970; None for seven days.
        """
        if until is None:
            until = self._clerk.clock() + CLAIM_MS
        return tuple(
            self._founder.claim(number, until)
            for number, (was, now) in enumerate(zip(before, after, strict=True))
            if now.issued != was.issued
        )

    def kept(self, room: Room, given: tuple[Claim, ...]) -> tuple[Grant, ...]:
        """Return what the store keeps of claims that are given out now."""
        now = self._clerk.clock()
        return tuple(claim_grant(claim, now, site=room.site, room=room.id) for claim in given)

    def ends(self, before: Room, after: Room) -> tuple[GrantChange, ...]:
        """Return the ends of claims and tokens of seats that changed hands."""
        states: dict[int | None, GrantState] = {}
        for number, (was, now) in enumerate(zip(before.seats, after.seats, strict=True)):
            if now.issued != was.issued:
                states[number] = "replaced"
            elif (was.readable and not now.readable) or (
                was.state == "invited" and now.state in ("open", "bot")
            ):
                states[number] = "revoked"
        if not states:
            return ()
        grants = self._clerk.store.grants
        given = (*grants(role="claim", room=after.id), *grants(role="seat", room=after.id))
        return ended(given, states)
