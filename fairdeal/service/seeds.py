"""What players contribute to the deck, and what follows where somebody does not (protocol 2.5)."""

from collections.abc import Callable
from dataclasses import dataclass

from fairdeal.errors import Conflict, StaleVersion, Unprocessable
from fairdeal.fairness.lines import seat_line
from fairdeal.game import Draft, Game, decide_overdue, decide_seal, decide_seed
from fairdeal.records.chain import Record, reread
from fairdeal.records.linesign import signs
from fairdeal.service.answers import Answer, SignedSeed
from fairdeal.service.callers import Caller
from fairdeal.service.clerk import Clerk
from fairdeal.service.repeats import Once
from fairdeal.store.ports import SeedSignature, Write


@dataclass(frozen=True, slots=True, kw_only=True)
class Seed:
    """A seat's share as it is sent.

    Attributes:
        epoch: From 1.
        open_hash: The hash of record 0, as the player noted it.
        nonce: 64 hex digits that the player's program made.
        seed_sha256: The hash of the typed text.
        signed: The player's own signature over the line, or None.
    """

    epoch: int
    open_hash: str
    nonce: str
    seed_sha256: str
    signed: SignedSeed | None = None


class Seeds:
    """Takes seals and shares, and goes on where they are overdue.

    Args:
        clerk: Keeps the books.
    """

    def __init__(self, clerk: Clerk) -> None:
        self._clerk = clerk

    def seal(
        self,
        caller: Caller,
        game_id: str,
        seat: int,
        *,
        epoch: int,
        open_hash: str,
        seal: str,
        once: Once | None = None,
    ) -> Answer:
        """Record a seat's seal; a repeat gets its records and receipts again.

        Raises:
            NotIdentified, NotAllowed: The caller does not hold this seat.
            NotFound, Conflict, MalformedInput: As `fairdeal.game.decide_seal`.
        """
        self._clerk.callers.check_seated(caller, game_id, seat)

        def decide(game: Game, _: int) -> tuple[Draft, ...]:
            return decide_seal(game, seat, epoch, open_hash, seal)

        return self._give(game_id, seat, "seal", epoch, decide, None, once)

    def share(
        self,
        caller: Caller,
        game_id: str,
        seat: int,
        seed: Seed,
        *,
        once: Once | None = None,
    ) -> Answer:
        """Record what a player contributes; the last of them locks the seeds, and a hand follows.

        A repeat gets the same records and receipts again (protocol 2.5).

        Raises:
            NotIdentified, NotAllowed: The caller does not hold this seat.
            NotFound, Conflict, MalformedInput: As `fairdeal.game.decide_seed`; `seed_given` too
                where a repeat comes with another signature.
            Busy: `log_behind`: record 0 is not public, or the public log does not keep up.
            Unprocessable: `signature_wrong`: it does not verify under the key sent with it.
        """
        self._clerk.callers.check_seated(caller, game_id, seat)

        def decide(game: Game, t: int) -> tuple[Draft, ...]:
            return decide_seed(
                game, seat, seed.epoch, seed.open_hash, seed.nonce, seed.seed_sha256, t
            )

        return self._give(
            game_id, seat, "share", seed.epoch, decide, _signature(game_id, seat, seed), once
        )

    def overdue(
        self, caller: Caller, game_id: str, expect: int, *, once: Once | None = None
    ) -> Answer:
        """Go on without the seeds that are missing: void, drop, or the end of the game.

        The operator alone says when it is time; when the seats were asked and when it was given
        up stands in the records' times.

        Raises:
            NotIdentified, NotAllowed: The caller is no operator of this game.
            NotFound: `no_such_game`.
            StaleVersion: A seed came in between.
            Conflict: `no_seeds_awaited`.
        """
        self._clerk.callers.check_operator(caller, game_id)
        game = self._clerk.game(game_id)
        if expect == game.version:
            self._clerk.await_order(game, decide_overdue(game, self._clerk.clock()))
            t = self._clerk.clock()
            drafts = decide_overdue(game, t)
            try:
                return self._clerk.append(game, drafts, None, t=t, once=once)
            except StaleVersion:
                game = self._clerk.game(game_id)
        before = self._clerk.standing(game, expect)
        # The last share makes the lock that follows it; one that stands alone was dropped to.
        if before is None or before.type not in ("void", "lock"):
            if game.in_play:
                # Refused on every version alike, or trying would tell how far a hand has got.
                decide_overdue(game, self._clerk.clock())
            raise self._clerk.stale(game, expect, None)
        return self._clerk.again(game, before, None, once)

    def signatures(self, game_id: str) -> tuple[SeedSignature, ...]:
        """Return the players' signatures of a game, of the seeds that are public (`NotFound`).

        A later seed tells that the hand before it is over, also where that is not told yet.
        """
        game = self._clerk.game(game_id)
        end = self._clerk.public_end(game)
        shares = map(reread, self._clerk.store.lines_of_type(game_id, "share"))
        public = {(one.body["epoch"], one.body["seat"]) for one in shares if one.n <= end}
        kept = self._clerk.store.signatures(game_id)
        return tuple(one for one in kept if (one.epoch, one.seat) in public)

    def _give(
        self,
        game_id: str,
        seat: int,
        type_: str,
        epoch: int,
        decide: Callable[[Game, int], tuple[Draft, ...]],
        signature: SeedSignature | None,
        once: Once | None,
    ) -> Answer:
        if self._clerk.order.is_kept:
            game = self._clerk.game(game_id)
            # Before the time is taken: a round of a beacon is fixed by the time of the lock.
            self._clerk.await_order(game, decide(game, game.head.t))
        while True:
            game, t = self._clerk.game(game_id), self._clerk.clock()
            drafts = decide(game, t)
            if not drafts:
                self._sign_again(game_id, epoch, seat, signature)
                given = self._given(game_id, type_, epoch, seat)
                return self._clerk.again(game, given, seat, once)
            try:
                return self._clerk.append(game, drafts, seat, t=t, signature=signature, once=once)
            except StaleVersion:
                continue  # Another seat was faster; with what it gave, decide again.

    def _given(self, game_id: str, type_: str, epoch: int, seat: int) -> Record:
        records = map(reread, self._clerk.store.lines_of_type(game_id, type_))
        return next(r for r in records if (r.body["epoch"], r.body["seat"]) == (epoch, seat))

    def _sign_again(
        self, game_id: str, epoch: int, seat: int, signature: SeedSignature | None
    ) -> None:
        """Keep a signature that comes with a repeat, where the first request brought none."""
        if signature is None:
            return
        kept = {(one.epoch, one.seat): one for one in self._clerk.store.signatures(game_id)}
        before = kept.get((epoch, seat))
        if before is None:
            self._clerk.store.write(Write(game=game_id, signature=signature))
        elif before != signature:
            raise Conflict("seed_given", "This seat has signed its seed otherwise already.")


def _signature(game_id: str, seat: int, seed: Seed) -> SeedSignature | None:
    if seed.signed is None:
        return None
    line = seat_line(game_id, seed.epoch, seat, seed.open_hash, seed.nonce, seed.seed_sha256)
    if not signs(seed.signed.pk, seed.signed.signature, line):
        raise Unprocessable(
            "signature_wrong", "The signature does not verify under the key sent with it."
        )
    return SeedSignature(
        epoch=seed.epoch, seat=seat, pk=seed.signed.pk, signature=seed.signed.signature
    )
