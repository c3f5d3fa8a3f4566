"""The contract of a store: what a caller may rely on, whatever keeps the bytes.

A store keeps games as lines that are only ever appended, and beside them, in tables that no
reader of lines can reach, sealed secrets, the digests of tokens, and answers to be repeated.
It knows no rule of the game and reads no line.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from fairdeal.store.askport import Asked, AskedCount, Asks
from fairdeal.store.bell import Bell
from fairdeal.store.logport import LogStanding
from fairdeal.store.matchport import Matching, Matchings

Role = Literal["operator", "claim", "seat", "watch"]
GrantState = Literal["open", "used", "replaced", "revoked"]
SealedKind = Literal["secret", "answer"]
Post = Literal["first start", "rotation", "upkeep", "log"]
"""Work that one process at a time does."""

Where = Path | str
"""Where a database is: the path of a SQLite file, or the address of a PostgreSQL database."""

NEW_GAME = -1
"""``Write.after`` of a write that begins a game."""

MOST_FORGOTTEN = 4096
"""So many answers are dropped in one write, which others wait for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredLine:
    """One record of a game, as bytes, with what the unique keys need to know of it.

    Attributes:
        n: The record's number in its game, from 0.
        type: The record's type.
        hand: The hand it names, or None.
        text: The line with its LF, exactly as it is hashed and served.
        leaf: Its hash as a leaf of the public log; None where it is none (§6.6).
    """

    n: int
    type: str
    hand: int | None
    text: bytes
    leaf: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """What the holder of one token may do; the token itself is never stored.

    Attributes:
        digest: SHA-256 of the token, 32 bytes.
        role: `operator`, `claim` (may be exchanged once for a seat), `seat` or `watch`.
        site: Whose key it is, or whose game or room it belongs to.
        id: The public name by which a site speaks of the grant; unique where it is not empty.
        game: The game; empty for an operator and in a room.
        room: The room in whose games the holder has the seat; empty for an operator or a game.
        seat: The seat, from 0; None for an operator and a watcher.
        scope: What an operator may do; empty for the others.
        label: What its site calls it.
        state: `used` for a claim that was exchanged; `replaced` and `revoked` open nothing.
        successor: Of a used claim the digest of the seat token it was exchanged for.
        made: When it was given out, ms since 1970.
        until: From then on it opens nothing, ms since 1970; None for no end.
    """

    digest: bytes
    role: Role
    site: str = ""
    id: str = ""
    game: str = ""
    room: str = ""
    seat: int | None = None
    scope: str = ""
    label: str = ""
    state: GrantState = "open"
    successor: bytes | None = None
    made: int = 0
    until: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GrantChange:
    """Another state and another end for a grant that is there; one that is not open stays so."""

    digest: bytes
    state: GrantState
    until: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What is known of a game beside its records; written with record 0, never changed.

    Attributes:
        game: The game.
        site: Whose it is.
        room: The room it was started in, or empty.
        made: When, ms since 1970.
        settings: JSON: clocks, watching; what the records have no place for.
    """

    game: str
    site: str
    room: str = ""
    made: int = 0
    settings: bytes = b"{}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomState:
    """A room as it stands; written with the number after the one that the writer knew.

    Attributes:
        room: Its name.
        site: Whose it is.
        version: From 0, one more with each write.
        body: JSON.
    """

    room: str
    site: str
    version: int
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """When somebody on a seat was last there; the later of two stands.

    Attributes:
        place: The game or the room.
        seat: From 0; 16, which no game has, for when somebody came back to a game whose clock
            stood.
        at: ms since 1970.
    """

    place: str
    seat: int
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A claim to be used up for a seat token, both as digests; the rest passes on unchanged."""

    claim: bytes
    token: bytes
    made: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedSignature:
    """A player's own signature over a seat's line, kept outside the records (protocol 2.4).

    Attributes:
        epoch: From 1.
        seat: From 0.
        pk: The player's Ed25519 public key, 64 hex digits.
        signature: Over the line with its LF, 128 hex digits.
    """

    epoch: int
    seat: int
    pk: str
    signature: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAnswer:
    """An answer that a repeated request gets again.

    Attributes:
        key: SHA-256 of the caller and the caller's idempotency key; unique.
        request: SHA-256 of the request, so that another one under the same key shows.
        sealed: The answer, encrypted: it may hold tokens.
        game: The game it speaks of, or empty.
        made: When, ms since 1970.
    """

    key: bytes
    request: bytes
    sealed: bytes
    game: str = ""
    made: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed:
    """Something that was sealed, as it is kept.

    Attributes:
        kind: A game's master secret or a kept answer.
        name: The game in ASCII, or the answer's key; unique in its kind.
        text: What the vault made of it.
    """

    kind: SealedKind
    name: bytes
    text: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Reseal:
    """The same content under another key; nothing happens where ``was`` is no longer there."""

    was: Sealed
    text: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """All that one answer needs durable: everything of it is kept, or nothing.

    Attributes:
        game: The game; empty where no game is concerned.
        after: The number of the newest record that the writer knew, or NEW_GAME.
        lines: To append, numbered on from ``after``; may be empty, then ``after`` is not looked at
            unless ``stands``.
        stands: Whether ``after`` has to be the game's newest record, though nothing is appended.
        secret: The game's sealed master secret, to be kept.
        wipe: Whether the sealed master secret is to be removed for good.
        listing: What is known of a new game beside its records.
        grants: To be kept.
        changes: Of grants.
        exchange: A claim to be used up.
        room: A room's new state.
        matching: Of a room of quick match, with its new state; a new one with its first.
        seen: Who was there.
        asked: What a seat asked for; refused where it is there already.
        asked_before: What the writer knew to be asked for in hands; refused where it is more now.
        answer: An answer to be kept for repeats.
        forget: Answers made before then are no longer kept, ms since 1970, the oldest of them and
            at most MOST_FORGOTTEN; those of games that are not over stay.
        signature: A player's signature to be kept.
        reseals: Sealed texts to be replaced.
    """

    game: str = ""
    after: int = NEW_GAME
    lines: tuple[StoredLine, ...] = ()
    stands: bool = False
    secret: bytes | None = None
    wipe: bool = False
    listing: Listing | None = None
    grants: tuple[Grant, ...] = ()
    changes: tuple[GrantChange, ...] = ()
    exchange: Exchange | None = None
    room: RoomState | None = None
    matching: Matching | None = None
    seen: tuple[Seen, ...] = ()
    asked: Asked | None = None
    asked_before: tuple[AskedCount, ...] = ()
    answer: KeptAnswer | None = None
    forget: int | None = None
    signature: SeedSignature | None = None
    reseals: tuple[Reseal, ...] = ()


class Store(Asks, Matchings, Protocol):
    """What every store promises.

    1. *Durable before return.* When ``write`` returns, the whole write survives a killed process
       and a power cut.
    2. *Whole.* A write is kept entirely or not at all, also when it is one of many in a commit.
    3. *Append only.* A line, once kept, is never changed or removed; not even through the file's
       own language, as long as nobody takes the guards out.
    4. *Two ways to say no.* A ``Conflict`` means: refused, nothing was written. A
       ``StorageFailure`` means: the store said no, and it may or may not have written. Whoever
       gets one forgets what it knew and reads again; what a read returns is the truth, and the
       write may then be tried again, for the unique keys let it happen once only.
    5. *Numbers without gaps.* Of writers that know the same newest record one wins; the others
       get ``StaleVersion``. A hand is dealt once, a game opened once, a secret opened once.
    6. *Reads see every returned write*, never half a write, and hold nothing open afterwards: a
       reader that waits keeps no writer and no clean-up from its work.
    7. Safe to call from any number of threads.
    8. A line with a leaf waits for its place in the public log from the same commit on.
    9. After a returned write ``bell`` rings for its game and its room, in every process that
       reads this store.
    """

    @property
    def bell(self) -> Bell:
        """Rings when something was written."""

    @property
    def commits(self) -> int:
        """How many times this store has made something durable since it was opened."""

    def write(self, write: Write) -> None:
        """Keep the whole of it, and return when it is durable.

        Raises:
            StaleVersion: The game's newest record is not ``write.after``.
            Conflict: `claim_used`, `no_such_claim`, `answer_kept` (under this key there is an
                answer), `room_moved` (its version is not one less), `asked_meanwhile` (something
                was asked for of which ``asked_before`` does not know), `no_such_grant` (a change
                names none, or would open one that is not), or `key_taken` (another unique key
                was there before: of a hand, a game's secret, a listing, a token, a seed's
                signature, something asked). Nothing was written.
            MalformedInput: A name holds NUL or half a character, or a number needs more than 64
                bits: no database can keep that. A read finds nothing under such a name.
            StorageFailure: See 4 above.
        """

    def newest(self, game: str) -> int | None:
        """Return the number of the game's newest record, or None where there is no such game."""

    def lines(self, game: str, *, after: int = NEW_GAME, limit: int = 20_000) -> tuple[bytes, ...]:
        """Return the lines behind record ``after``, in order, at most ``limit``."""

    def lines_of_type(self, game: str, type_: str) -> tuple[bytes, ...]:
        """Return the game's lines of one type, in order; not meant for acts."""

    def last_of_type(self, game: str, type_: str) -> int | None:
        """Return the number of the game's last record of a type, or None; not meant for acts."""

    def first_of_type(self, game: str, type_: str) -> int | None:
        """Return the number of the game's first record of a type, or None; not meant for acts."""

    def unfinished(self) -> tuple[str, ...]:
        """Return the games that have no `master` record, in the order of their names."""

    def secret(self, game: str) -> bytes | None:
        """Return the game's sealed master secret, or None where it was wiped or never was."""

    def sealed(
        self, kind: SealedKind, *, after: bytes = b"", limit: int = 100
    ) -> tuple[Sealed, ...]:
        """Return what is sealed, by name, behind ``after``; each at most once in a walk."""

    def grant(self, digest: bytes) -> Grant | None:
        """Return what the token with this SHA-256 may do, or None for a token nobody gave out."""

    def operators(self) -> int:
        """Return how many operator tokens there are."""

    def grants(
        self, *, role: Role, site: str = "", game: str = "", room: str = ""
    ) -> tuple[Grant, ...]:
        """Return the grants of a role in one place, by time and digest; one place is named."""

    def listing(self, game: str) -> Listing | None:
        """Return what is known of a game beside its records; None for one of an older version."""

    def listings(
        self, *, site: str = "", room: str = "", before: tuple[int, str] | None = None, limit: int
    ) -> tuple[Listing, ...]:
        """Return games of a site or a room, newest first by (made, game), behind ``before``."""

    def room(self, room: str) -> RoomState | None:
        """Return a room as it stands, or None."""

    def rooms(self, site: str, *, after: str = "", limit: int) -> tuple[RoomState, ...]:
        """Return a site's rooms by name, behind ``after``."""

    def seen(self, place: str) -> tuple[Seen, ...]:
        """Return who was there and when last, by seat."""

    def answer(self, key: bytes) -> KeptAnswer | None:
        """Return the answer kept under this key, or None."""

    def signatures(self, game: str) -> tuple[SeedSignature, ...]:
        """Return the players' signatures of a game, by epoch and seat."""

    def log_standing(self) -> LogStanding:
        """Return how far the public log is."""

    def log_place(self, game: str, n: int) -> int | None:
        """Return the place of a record in the log; None where it has none yet, or is no leaf."""

    def lead(self, post: Post) -> bool:
        """Take a post where nobody holds it; say whether this store holds it now.

        A post is let go of by `resign`, by `close`, and within seconds of the end of its holder's
        process or connection: then the next who asks gets it. It is no lock around writes. Of a
        store that one process alone may use, that process holds every post.

        Raises:
            StorageFailure: The store does not answer; whoever held the post may hold it no more.
        """

    def resign(self, post: Post) -> None:
        """Let go of a post; nothing happens where it is not held."""

    def close(self) -> None:
        """Finish the writes that were accepted and let go of the file."""
