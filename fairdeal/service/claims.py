"""Seats that are taken with a claim, given out anew, and taken back.

A claim is a secret that goes to a player in a link, and is exchanged, once, for the token of the
seat. In a link it stands behind the `#`: no server and no preview is ever sent it.
"""

from dataclasses import dataclass, replace
from typing import Final

from fairdeal.errors import Conflict, Gone, NotFound
from fairdeal.records.tablecode import table_code
from fairdeal.rooms import Room
from fairdeal.service import callers
from fairdeal.service.answers import Claim, Seating
from fairdeal.service.callers import Caller, check_state
from fairdeal.service.clerk import Clerk, commitment
from fairdeal.service.configure import custody_of
from fairdeal.service.founding import Founder
from fairdeal.service.grants import claim_grant, claims_end, ended
from fairdeal.service.repeats import Once
from fairdeal.service.roombook import RoomBook
from fairdeal.store.ports import Exchange, Grant, GrantState, Write

_TAKEN_BACK: Final = "The seat of this claim was taken back."


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTold:
    """A seat as its site is told of it after a change.

    Attributes:
        game: The game.
        seat: From 0.
        claimed: Whether somebody holds its token.
    """

    game: str
    seat: int
    claimed: bool


class Claims:
    """Exchanges claims for seats, and gives out others.

    Args:
        clerk: Keeps the books.
        founder: Draws claims and tokens.
        book: Keeps the rooms.
    """

    def __init__(self, clerk: Clerk, founder: Founder, book: RoomBook) -> None:
        self._clerk = clerk
        self._founder = founder
        self._book = book

    def exchange(self, claim: str, key: str | None, *, once: Once | None = None) -> Seating:
        """Exchange a claim for the token of its seat.

        Args:
            claim: The secret that the game's creator handed on.
            key: A random text of the claimer's own; with it a lost answer can be asked for again.
            once: The request, where its answer is to be kept.

        Raises:
            NotAllowed: `mode_mismatch`.
            NotFound: `no_such_claim`.
            Gone: `claim_used`, `claim_expired`, `token_replaced`; of a room `room_closed`.
            Conflict: `bot_plays`: in the running game of the room a bot has the seat.
        """
        grant = self._grant_of(claim)
        mode = self._clerk.callers.mode
        token = self._founder.token("seat") if key is None else callers.seat_token(claim, key, mode)
        mine = callers.digest(token)
        repeated = grant.successor == mine
        if grant.state == "used" and not repeated:
            raise _used()
        if grant.state == "open" and self._clerk.callers.expired(grant):
            raise Gone("claim_expired", "This claim has ended.", {"until": grant.until})
        if grant.room:
            return self._in_room(claim, grant, token, once)
        seating = self._seating(grant.game, grant, token)
        kept = self._clerk.repeats.kept(once, seating, grant.game)
        now = self._clerk.clock()
        exchange = None if repeated else Exchange(claim=grant.digest, token=mine, made=now)
        if exchange is None and kept is None:
            return seating
        try:
            self._clerk.store.write(Write(game=grant.game, exchange=exchange, answer=kept))
        except Conflict as refusal:
            # Somebody was faster: with this very request, with another key, or to reissue it.
            if self._grant_of(claim).successor != mine:
                raise _used() from refusal
            if refusal.code == "answer_kept":
                raise
        return seating

    def invite(
        self,
        caller: Caller,
        game: str,
        seat: int,
        until: int | None = None,
        *,
        once: Once | None = None,
    ) -> Claim:
        """Give out a claim for a seat that nobody holds; an earlier one dies.

        Args:
            caller: An operator of the game's site.
            game: The game.
            seat: From 0.
            until: When the claim ends, ms since 1970; None for the end of the game's last date.
            once: The request, where its answer is to be kept.

        Raises:
            NotIdentified, NotAllowed: The caller is no operator of this game, or may only look.
            NotFound: `no_such_game`, `no_such_seat`.
            Conflict: `seat_taken`.
            Unprocessable: `until_out_of_range`.
        """
        self._check(caller, game, seat)
        if any(one.role == "seat" and one.state == "open" for one in self._given(game, seat)):
            raise Conflict(
                "seat_taken", "Somebody holds this seat; reissue it, or release it first."
            )
        return self._anew(game, seat, until, once)

    def reissue(
        self,
        caller: Caller,
        game: str,
        seat: int,
        until: int | None = None,
        *,
        once: Once | None = None,
    ) -> Claim:
        """Give out a claim for a seat; what was given out for it before opens nothing any more.

        Raises:
            NotIdentified, NotAllowed, NotFound, Unprocessable: As `invite`.
        """
        self._check(caller, game, seat)
        return self._anew(game, seat, until, once)

    def release(
        self, caller: Caller, game: str, seat: int, *, once: Once | None = None
    ) -> SeatTold:
        """Take a seat back; it waits for a new claim.

        Raises:
            NotIdentified, NotAllowed, NotFound: As `invite`.
        """
        self._check(caller, game, seat)
        told = SeatTold(game=game, seat=seat, claimed=False)
        answer = self._clerk.repeats.kept(once, told, game)
        given = self._given(game, seat)
        changes = ended(given, {seat: "revoked"})
        self._clerk.store.write(Write(game=game, changes=changes, answer=answer))
        self._end_strays(game, seat, "revoked", None)
        return told

    def held(self, game: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the seats of a game that are held, and, once each time, those taken away.

        Args:
            game: The game, which is there.
        """
        grants = self._clerk.store.grants
        place = self._clerk.callers.places.game(game)
        if place.room:
            # Its tokens are older and newer than the game.
            is_player = self._clerk.game(game).is_player
            seats = [
                place.seat_of(one.seat)
                for one in grants(role="seat", room=place.room)
                if one.state == "open" and one.seat is not None
            ]
            lost = self._book.lost(place.room, game)
            return tuple(filter(is_player, seats)), tuple(map(place.seat_of, lost))
        tokens = grants(role="seat", game=game)
        return (
            tuple(one.seat for one in tokens if one.seat is not None and one.state == "open"),
            tuple(one.seat for one in tokens if one.seat is not None and one.state != "open"),
        )

    def _anew(self, game: str, seat: int, until: int | None, once: Once | None) -> Claim:
        now = self._clerk.clock()
        until = claims_end(until, self._clerk.first(game).body["reveal_by"], now)
        claim = self._founder.claim(seat, until)
        site = self._clerk.callers.places.game(game).site
        grant = claim_grant(claim, now, site=site, game=game)
        self._clerk.store.write(
            Write(
                game=game,
                grants=(grant,),
                changes=ended(self._given(game, seat), {seat: "replaced"}),
                answer=self._clerk.repeats.kept(once, claim, game),
            )
        )
        self._end_strays(game, seat, "replaced", grant.digest)
        return claim

    def _end_strays(self, game: str, seat: int, state: GrantState, fresh: bytes | None) -> None:
        """End the token of a claim that was exchanged just before the claim itself was ended."""
        given = self._given(game, seat)
        alive = {fresh, *(one.successor for one in given if one.digest == fresh)}
        strays = ended((one for one in given if one.digest not in alive), {seat: state})
        if strays:
            self._clerk.store.write(Write(game=game, changes=strays))

    def _given(self, game: str, seat: int) -> tuple[Grant, ...]:
        """Return the claims and tokens of a seat that ever were."""
        grants = self._clerk.store.grants
        both = (*grants(role="claim", game=game), *grants(role="seat", game=game))
        return tuple(one for one in both if one.seat == seat)

    def _check(self, caller: Caller, game_id: str, seat: int) -> None:
        self._clerk.callers.check_operator(caller, game_id)
        # A site that referees plays its own bots, and draws for them.
        custody = custody_of(self._clerk.first(game_id).body)
        taken = seat < len(custody) and custody[seat] != "service-bot"
        if not taken or self._clerk.callers.places.game(game_id).room:
            raise NotFound("no_such_seat", "The game has no seat of this number to be claimed.")

    def _grant_of(self, claim: str) -> Grant:
        """Return what a claim may be exchanged for (raises as `exchange`)."""
        self._clerk.callers.check_mode(claim)
        grant = self._clerk.store.grant(callers.digest(claim))
        if grant is None or grant.role != "claim" or grant.seat is None:
            raise NotFound("no_such_claim", "This claim is not known here.")
        check_state(grant.state)
        if grant.state == "revoked":
            raise NotFound("no_such_claim", _TAKEN_BACK)
        return grant

    def _in_room(self, claim: str, grant: Grant, token: str, once: Once | None) -> Seating:
        """Exchange a claim of a room; the seat of the room is taken in the same write."""
        mine = callers.digest(token)

        def exchange() -> Exchange | None:
            now = self._grant_of(claim)
            if now.state == "used" and now.successor != mine:
                raise _used()
            due = Exchange(claim=now.digest, token=mine, made=self._clerk.clock())
            return due if now.state == "open" else None

        def answer(room: Room) -> Seating:
            game = None if room.running is None else room.running.game
            return self._seating(game, grant, token)

        assert grant.seat is not None
        return self._book.seat(grant.room, grant.seat, exchange, answer, once)

    def _seating(self, game: str | None, grant: Grant, token: str) -> Seating:
        assert grant.seat is not None
        seating = Seating(game=game, room=grant.room or None, seat=grant.seat, token=token)
        if game is None:
            return seating
        first = self._clerk.first(game)
        return replace(
            seating,
            game_seat=self._clerk.callers.places.game(game).seat_of(grant.seat),
            version=self._clerk.game(game).version,
            commitment=commitment(first),
            table_code=table_code(first.hash),
            receipts=self._clerk.receipts(first),
        )


def _used() -> Gone:
    return Gone("claim_used", "This claim was used before.")
