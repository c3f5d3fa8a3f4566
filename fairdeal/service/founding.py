"""New games: drawn up with record 0, its secret and what follows, and kept in one write."""

from base64 import b32encode
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from fairdeal.errors import NotFound, Unprocessable
from fairdeal.fairness.keys import SECRET_BYTES, Secret
from fairdeal.game import open_body, replay
from fairdeal.records.chain import Record, make
from fairdeal.records.tablecode import table_code
from fairdeal.service import callers
from fairdeal.service.answers import Claim, Created, NewGame
from fairdeal.service.batch import Batch, check_leaf, stored
from fairdeal.service.clerk import Clerk, commitment
from fairdeal.service.configure import configure
from fairdeal.service.grants import claim_grant, claims_end
from fairdeal.service.repeats import Once
from fairdeal.service.settings import to_bytes
from fairdeal.service.shelf import purpose
from fairdeal.store.ports import NEW_GAME, Listing, Role, Write
from fairdeal.store.vault import Entropy, Vault

NAME_BYTES: Final = 10
"""Random bytes in the name of a game or a room: 16 letters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Founded:
    """A game that is drawn up and not kept yet.

    Attributes:
        id: Its name.
        first: Record 0.
        batch: What follows from it; `Clerk.settled` is due once the write is durable.
        write: The lines, the sealed secret and the listing; whoever keeps it may add the rest of
            what has to be durable at once.
    """

    id: str
    first: Record
    batch: Batch
    write: Write

    @property
    def records(self) -> tuple[Record, ...]:
        """Record 0 and those that follow from it."""
        return (self.first, *(made for made, _ in self.batch.made))


class Founder:
    """Draws up games, for whoever keeps them, and creates those of no room.

    Args:
        clerk: Tells the time, and games that were drawn for; keeps what is created.
        vault: Seals master secrets.
        entropy: Gives so many bytes that nobody can foresee.
        chains: The beacon's chains of which rounds can be had.
        public_url: What stands before the path of a link; empty gives paths alone.
    """

    def __init__(
        self,
        clerk: Clerk,
        vault: Vault,
        entropy: Entropy,
        chains: frozenset[str],
        public_url: str = "",
    ) -> None:
        self._chains = chains
        self._public_url = public_url
        self._clerk = clerk
        self._vault = vault
        self._entropy = entropy

    def create(self, site: str, wanted: NewGame, once: Once | None) -> Created:
        """Commit to a game (contract: `Dealer.create_game`).

        Args:
            site: Whose game it will be.
            wanted: The game.
            once: The request, where its answer is to be kept.
        """
        founded = self.found(wanted, site)
        first, id_ = founded.first, founded.id
        claims = self.claims(
            wanted, claims_end(wanted.claims_until, first.body["reveal_by"], first.t)
        )
        created = Created(
            id=id_,
            version=founded.batch.game.version,
            commitment=commitment(first),
            table_code=table_code(first.hash),
            receipts=self._clerk.receipts(*founded.records),
            claims=claims,
        )
        write = replace(
            founded.write,
            grants=tuple(claim_grant(claim, first.t, site=site, game=id_) for claim in claims),
            answer=self._clerk.repeats.kept(once, created, id_),
        )
        self._clerk.store.write(write)
        self._clerk.settled(founded.batch)
        return created

    def found(self, wanted: NewGame, site: str, room: str = "") -> Founded:
        """Draw up a game.

        Args:
            wanted: The game.
            site: Whose it will be.
            room: The room in which it is started, or empty.

        Raises:
            MalformedInput, Unprocessable: There cannot be such a game.
            Busy: `log_behind`.
        """
        self._clerk.order.check_pace()
        now = self._clerk.clock()
        game_id = self.name("g")
        master = Secret(self._entropy(SECRET_BYTES))
        first = self._first(wanted, game_id, master, now)
        between_ms = 1000 * wanted.settings.between_hands_s
        draws = bool(room) and wanted.dealt is not None
        batch = Batch(
            replay((first,), master), first.t, between_ms, self._clerk.order, draws_seats=draws
        )
        batch.follow()
        write = batch.write()
        write = replace(
            write,
            after=NEW_GAME,
            lines=(stored(first), *write.lines),
            secret=self._vault.seal(purpose(game_id), master.raw),
            listing=Listing(
                game=game_id,
                site=site,
                room=room,
                made=first.t,
                settings=to_bytes(wanted.settings),
            ),
        )
        return Founded(id=game_id, first=first, batch=batch, write=write)

    def rehearse(self, wanted: NewGame) -> None:
        """Refuse a game that could not be founded now (raises as `found`); nothing is drawn."""
        self._first(wanted, "g" + "a" * 16, Secret(bytes(SECRET_BYTES)), self._clerk.clock())

    def claims(self, wanted: NewGame, until: int) -> tuple[Claim, ...]:
        """Return a new claim for each seat of a game that somebody has to take."""
        return tuple(
            self.claim(seat, until)
            for seat, asked in enumerate(wanted.seats)
            # A site that referees plays its own bots, and draws for them.
            if asked.kind == "human" or wanted.dealt is not None
        )

    def claim(self, seat: int, until: int) -> Claim:
        """Return a new claim for a seat, that ends then (ms since 1970)."""
        secret = self.token("claim")
        # Behind the `#`: what a browser sends, and a preview fetches, ends before it.
        link = f"{self._public_url}/claim#{secret}"
        return Claim(seat=seat, claim=secret, url=link, expires_at=until)

    def token(self, role: Role) -> str:
        """Return a new token of a role."""
        prefix = callers.prefix(role, self._clerk.callers.mode)
        return callers.token(prefix, self._entropy(callers.TOKEN_BYTES))

    def name(self, kind: str) -> str:
        """Return a new name: a letter for the kind, and 16 of base32 in lower case."""
        return kind + b32encode(self._entropy(NAME_BYTES)).decode("ascii").lower()

    def _first(self, wanted: NewGame, game_id: str, master: Secret, now: int) -> Record:
        # Processes' clocks differ: no game is older than the draw that it names (protocol 6.1).
        now = max(now, self._check(wanted))
        config = configure(wanted, self._clerk.key.name, now)
        record = make(None, game_id, now, "open", open_body(config, game_id, master))
        check_leaf(record)
        return record

    def _check(self, wanted: NewGame) -> int:
        """Refuse a game that would wait for a round forever, or for a draw that was not.

        Returns:
            The end of the draw that it names, ms since 1970; else 0.
        """
        if wanted.beacon is not None and wanted.beacon["chain"] not in self._chains:
            raise Unprocessable(
                "no_such_chain",
                "This service has no rounds of this beacon's chain.",
                {"offered": sorted(self._chains)},
            )
        if wanted.seating is None:
            return 0
        with suppress(NotFound):
            drawn = self._clerk.game(wanted.seating["game"])
            fits = drawn.ruleset is None and drawn.seats == len(wanted.seats)
            if fits and drawn.finished and drawn.head.hash == wanted.seating["master_record"]:
                return drawn.head.t
        raise Unprocessable(
            "seating_differs",
            "No dealt-only game of this name and of as many seats ended here with this record.",
        )
