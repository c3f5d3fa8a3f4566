"""Opens games and hands out their seats."""

from base64 import b32encode
from contextlib import suppress
from dataclasses import replace
from typing import Final

from fairdeal.errors import Conflict, Gone, NotFound, Unprocessable
from fairdeal.fairness.keys import SECRET_BYTES, Secret
from fairdeal.game import open_body, replay
from fairdeal.records.chain import make
from fairdeal.records.tablecode import table_code
from fairdeal.service import callers
from fairdeal.service.answers import Claim, Created, NewGame, Seating
from fairdeal.service.batch import Batch, check_leaf, stored
from fairdeal.service.clerk import Clerk, commitment
from fairdeal.service.configure import configure
from fairdeal.service.repeats import Repeat
from fairdeal.service.shelf import purpose
from fairdeal.store.ports import NEW_GAME, Exchange, Grant, Listing, Role, Write
from fairdeal.store.vault import Entropy, Vault

GAME_ID_BYTES: Final = 10


class Opener:
    """Commits to new games and exchanges claims for seats.

    Args:
        clerk: Keeps the books.
        vault: Seals master secrets and kept answers.
        entropy: Gives so many bytes that nobody can foresee.
        chains: The beacon's chains of which rounds can be had.
    """

    def __init__(
        self, clerk: Clerk, vault: Vault, entropy: Entropy, chains: frozenset[str]
    ) -> None:
        self._chains = chains
        self._clerk = clerk
        self._vault = vault
        self._entropy = entropy

    def create(
        self, operator: callers.Operator, wanted: NewGame, idempotency_key: str | None
    ) -> Created:
        """Commit to a game (contract: `Dealer.create_game`).

        Args:
            operator: Whose game it will be.
            wanted: The game.
            idempotency_key: As given by the caller.
        """
        store = self._clerk.store
        repeat = Repeat(self._vault, operator.digest, idempotency_key, wanted)
        if (before := repeat.earlier(store)) is not None:
            return before
        self._check(wanted)
        now = self._clerk.clock()
        config = configure(wanted, self._clerk.key.name, now)
        game_id = "g" + b32encode(self._entropy(GAME_ID_BYTES)).decode("ascii").lower()
        master = Secret(self._entropy(SECRET_BYTES))
        record = make(None, game_id, now, "open", open_body(config, game_id, master))
        check_leaf(record)
        batch = Batch(replay((record,), master), now)
        batch.follow()
        claims = tuple(
            Claim(seat=seat, claim=self._token("claim"))
            for seat, asked in enumerate(wanted.seats)
            # A site that referees plays its own bots, and draws for them.
            if asked.kind == "human" or wanted.dealt is not None
        )
        created = Created(
            id=game_id,
            version=batch.game.version,
            commitment=commitment(record),
            table_code=table_code(record.hash),
            receipts=self._clerk.receipts(record, *(made for made, _ in batch.made)),
            claims=claims,
        )
        write = batch.write()
        write = replace(
            write,
            after=NEW_GAME,
            lines=(stored(record), *write.lines),
            secret=self._vault.seal(purpose(game_id), master.raw),
            listing=Listing(game=game_id, site=operator.site, made=now),
            grants=tuple(_grant(game_id, claim) for claim in claims),
            answer=repeat.keep(created),
        )
        try:
            store.write(write)
        except Conflict:
            # The same request, sent twice at once: the other one made the game.
            if (before := repeat.earlier(store)) is None:
                raise
            return before
        self._clerk.settled(batch)
        return created

    def claim(self, claim: str, key: str | None) -> Seating:
        """Exchange a claim for a seat (contract: `Dealer.claim`)."""
        store = self._clerk.store
        self._clerk.callers.check_mode(claim)
        digest = callers.digest(claim)
        grant = store.grant(digest)
        if grant is None or grant.role != "claim" or grant.seat is None:
            raise NotFound("no_such_claim", "This claim is not known here.")
        mode = self._clerk.callers.mode
        token = self._token("seat") if key is None else callers.seat_token(claim, key, mode)
        if grant.successor != (mine := callers.digest(token)):
            try:
                store.write(Write(exchange=Exchange(claim=digest, token=mine)))
            except Conflict as refusal:
                used = store.grant(digest)
                if used is None or used.successor != mine:
                    raise Gone("claim_used", "This claim was used before.") from refusal
        game = self._clerk.game(grant.game)
        first = self._clerk.first(grant.game)
        return Seating(
            game=grant.game,
            seat=grant.seat,
            token=token,
            version=game.version,
            commitment=commitment(first),
            table_code=table_code(first.hash),
            receipts=self._clerk.receipts(first),
        )

    def _check(self, wanted: NewGame) -> None:
        """Refuse a game that would wait for a round forever, or for a draw that was not."""
        if wanted.beacon is not None and wanted.beacon["chain"] not in self._chains:
            raise Unprocessable(
                "no_such_chain",
                "This service has no rounds of this beacon's chain.",
                {"offered": sorted(self._chains)},
            )
        if wanted.seating is None:
            return
        with suppress(NotFound):
            drawn = self._clerk.game(wanted.seating["game"])
            fits = drawn.ruleset is None and drawn.seats == len(wanted.seats)
            if fits and drawn.finished and drawn.head.hash == wanted.seating["master_record"]:
                return
        raise Unprocessable(
            "seating_differs",
            "No dealt-only game of this name and of as many seats ended here with this record.",
        )

    def _token(self, role: Role) -> str:
        prefix = callers.prefix(role, self._clerk.callers.mode)
        return callers.token(prefix, self._entropy(callers.TOKEN_BYTES))


def _grant(game_id: str, claim: Claim) -> Grant:
    return Grant(digest=callers.digest(claim.claim), role="claim", game=game_id, seat=claim.seat)
