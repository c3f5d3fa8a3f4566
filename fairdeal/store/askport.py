"""What is asked for beside the acts of a hand: hints and more time (decision 0012).

Counted, and so kept before it is given; no card is in it. It stays with its game for good: what a
hand's hints were is in its `score` record, and when its turns ended follows from its extensions.
"""

from dataclasses import dataclass
from typing import Literal, Protocol

AskKind = Literal["hint", "time"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Something that a seat asked for once; two that are equal are one.

    Attributes:
        game: The game.
        kind: A hint, or more time for the turn.
        hand: The hand in play, from 1.
        seat: Who asked, from 0.
        n: The number of the game's newest record then.
    """

    game: str
    kind: AskKind
    hand: int
    seat: int
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedCount:
    """How many things of a kind a writer found asked for in a hand.

    Who ends a hand states its hints, and who acts in place of a player knows that there was no
    more time.

    Attributes:
        kind: Of what.
        hand: Of the write's game.
        count: So many.
    """

    kind: AskKind
    hand: int
    count: int


class Asks(Protocol):
    """The part of a store (`ports.Store`) that keeps what was asked for."""

    def ask(self, asked: Asked, *, newest: bool = False) -> bool:
        """Keep it, and return when it is durable; say whether it is new.

        With ``newest`` record ``asked.n`` has to be the game's newest in the same commit: whoever
        writes the next one finds what was asked, or is refused (`Write.asked_before`).

        Where a `StorageFailure` left open whether it was kept, the next try may say that it is
        not new. ``bell`` rings for its game where it is new. With an answer that is to be kept in
        the same commit it goes by `write` instead (`Write.asked`).

        Raises:
            StaleVersion: With ``newest``: there is a newer record.
            MalformedInput, StorageFailure: As `Store.write`.
        """

    def asked(self, game: str, kind: AskKind, hand: int) -> tuple[Asked, ...]:
        """Return what was asked for in a hand, by the number of the record, then by seat."""
