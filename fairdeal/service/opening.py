"""Opens games and hands out their seats."""

from dataclasses import replace

from fairdeal.errors import Conflict, Gone, NotFound
from fairdeal.records.tablecode import table_code
from fairdeal.service import callers
from fairdeal.service.answers import Claim, Created, NewGame, Seating
from fairdeal.service.clerk import Clerk, commitment
from fairdeal.service.founding import Founder
from fairdeal.service.repeats import Once
from fairdeal.store.ports import Exchange, Grant, Write


class Opener:
    """Commits to new games and exchanges claims for seats.

    Args:
        clerk: Keeps the books.
        founder: Draws up games, claims and tokens.
    """

    def __init__(self, clerk: Clerk, founder: Founder) -> None:
        self._clerk = clerk
        self._founder = founder

    def create(self, operator: callers.Operator, wanted: NewGame, once: Once | None) -> Created:
        """Commit to a game (contract: `Dealer.create_game`).

        Args:
            operator: Whose game it will be.
            wanted: The game.
            once: The request, where its answer is to be kept.
        """
        founded = self._founder.found(wanted, operator.site)
        claims = self._founder.claims(wanted)
        created = Created(
            id=founded.id,
            version=founded.batch.game.version,
            commitment=commitment(founded.first),
            table_code=table_code(founded.first.hash),
            receipts=self._clerk.receipts(*founded.records),
            claims=claims,
        )
        write = replace(
            founded.write,
            grants=tuple(_grant(founded.id, claim) for claim in claims),
            answer=self._clerk.repeats.kept(once, created, founded.id),
        )
        self._clerk.store.write(write)
        self._clerk.settled(founded.batch)
        return created

    def claim(self, claim: str, key: str | None, once: Once | None) -> Seating:
        """Exchange a claim for a seat (contract: `Dealer.claim`)."""
        store = self._clerk.store
        self._clerk.callers.check_mode(claim)
        digest = callers.digest(claim)
        grant = store.grant(digest)
        if grant is None or grant.role != "claim" or grant.seat is None:
            raise NotFound("no_such_claim", "This claim is not known here.")
        mode = self._clerk.callers.mode
        token = self._founder.token("seat") if key is None else callers.seat_token(claim, key, mode)
        first = self._clerk.first(grant.game)
        seating = Seating(
            game=grant.game,
            seat=grant.seat,
            token=token,
            version=self._clerk.game(grant.game).version,
            commitment=commitment(first),
            table_code=table_code(first.hash),
            receipts=self._clerk.receipts(first),
        )
        if grant.successor == (mine := callers.digest(token)):
            self._clerk.repeats.keep(once, seating, grant.game)
            return seating
        kept = self._clerk.repeats.kept(once, seating, grant.game)
        try:
            store.write(Write(exchange=Exchange(claim=digest, token=mine), answer=kept))
        except Conflict as refusal:
            used = store.grant(digest)
            if used is None or used.successor != mine:
                raise Gone("claim_used", "This claim was used before.") from refusal
        return seating


def _grant(game_id: str, claim: Claim) -> Grant:
    return Grant(digest=callers.digest(claim.claim), role="claim", game=game_id, seat=claim.seat)
