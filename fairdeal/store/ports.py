"""The contract of a store: what a caller may rely on, whatever keeps the bytes.

A store keeps games as lines that are only ever appended, and beside them, in tables that no
reader of lines can reach, sealed secrets, the digests of tokens, and answers to be repeated.
It knows no rule of the game and reads no line.
"""

from dataclasses import dataclass
from typing import Literal, Protocol

Role = Literal["operator", "claim", "seat"]
GrantState = Literal["open", "used"]

NEW_GAME = -1
"""``Write.after`` of a write that begins a game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredLine:
    """One record of a game, as bytes, with what the unique keys need to know of it.

    Attributes:
        n: The record's number in its game, from 0.
        type: The record's type.
        hand: The hand it names, or None.
        text: The line with its LF, exactly as it is hashed and served.
    """

    n: int
    type: str
    hand: int | None
    text: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """What the holder of one token may do; the token itself is never stored.

    Attributes:
        digest: SHA-256 of the token, 32 bytes.
        role: `operator`, `claim` (may be exchanged once for a seat) or `seat`.
        game: The game; empty for an operator.
        seat: The seat, from 0; None for an operator.
        state: `used` for a claim that was exchanged, else `open`.
        successor: Of a used claim the digest of the seat token it was exchanged for.
    """

    digest: bytes
    role: Role
    game: str = ""
    seat: int | None = None
    state: GrantState = "open"
    successor: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A claim to be used up for a seat token, both as digests."""

    claim: bytes
    token: bytes


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
    """

    key: bytes
    request: bytes
    sealed: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """All that one answer needs durable: everything of it is kept, or nothing.

    Attributes:
        game: The game; empty where no game is concerned.
        after: The number of the newest record that the writer knew, or NEW_GAME.
        lines: To append, numbered on from ``after``; may be empty, then ``after`` is not looked at.
        secret: The game's sealed master secret, to be kept.
        wipe: Whether the sealed master secret is to be removed for good.
        grants: To be kept.
        exchange: A claim to be used up.
        answer: An answer to be kept for repeats.
        signature: A player's signature to be kept.
    """

    game: str = ""
    after: int = NEW_GAME
    lines: tuple[StoredLine, ...] = ()
    secret: bytes | None = None
    wipe: bool = False
    grants: tuple[Grant, ...] = ()
    exchange: Exchange | None = None
    answer: KeptAnswer | None = None
    signature: SeedSignature | None = None


class Store(Protocol):
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
    """

    @property
    def commits(self) -> int:
        """How many times this store has made something durable since it was opened."""

    def write(self, write: Write) -> None:
        """Keep the whole of it, and return when it is durable.

        Raises:
            StaleVersion: The game's newest record is not ``write.after``.
            Conflict: `claim_used`, `no_such_claim`, or `key_taken` (a unique key was there before:
                of a hand, a game's secret, a token, an answer, a seed's signature). Nothing was
                written.
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

    def grant(self, digest: bytes) -> Grant | None:
        """Return what the token with this SHA-256 may do, or None for a token nobody gave out."""

    def operators(self) -> int:
        """Return how many operator tokens there are."""

    def answer(self, key: bytes) -> KeptAnswer | None:
        """Return the answer kept under this key, or None."""

    def signatures(self, game: str) -> tuple[SeedSignature, ...]:
        """Return the players' signatures of a game, by epoch and seat."""

    def close(self) -> None:
        """Finish the writes that were accepted and let go of the file."""
