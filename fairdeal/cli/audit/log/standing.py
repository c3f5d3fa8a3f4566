"""Where a game stands in the log, and which leaf of it may come next (protocol 2.5, 2.8)."""

import json
from dataclasses import dataclass
from typing import Final

from fairdeal.cli.audit.log.leaffacts import Fact

SEEDS: Final = frozenset({"seal", "sealed", "share", "void", "lock"})
_SHORT: Final = 16


@dataclass(slots=True)
class Standing:
    """A game as its leaves tell it so far.

    Attributes:
        n: Of the last leaf.
        t: Of the last leaf.
        hash: Of the last leaf's line.
        opened: The hash of record 0.
        digest: Over the hashes of all its leaves, in order.
        leaves: How many.
        promises: Of record 0: reveal_by, master_commit and hand_commits, hexadecimal.
        is_refereed: Whether acts, which are no leaves, lie between its draws and scores.
        epoch: The newest.
        locked: The newest locked epoch.
        hand: The newest hand.
        phase: `seeds`, `hand`, `ended` (its secret is due), `closed`, `over`.
        ended: When the hand ended whose secret is due.
        master: The place of its master.
        verified: The run in which its transcript was verified; 0 for none.
        is_wrong: Whether an error was found: what follows of it is not told.
    """

    n: int
    t: int
    hash: str
    opened: str
    digest: str
    leaves: int
    reveal_by: int
    master_commit: str
    hand_commits: str
    is_refereed: bool
    epoch: int = 0
    locked: int = 0
    hand: int = 0
    phase: str = "seeds"
    ended: int = 0
    master: int = -1
    verified: int = 0
    is_wrong: bool = False

    def to_bytes(self) -> bytes:
        """Return it as the book keeps it."""
        return json.dumps([getattr(self, name) for name in self.__slots__]).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> "Standing":
        """Read what `to_bytes` gave."""
        return cls(*json.loads(data))


def fault(game: Standing, fact: Fact) -> tuple[str, str] | None:
    """Return why a leaf may not come next in its game, as a code and a sentence; None if it may."""
    if fact.n <= game.n:
        if fact.hash.hex() in {game.hash, game.opened}:
            return "E_LEAF_TWICE", f"Record {fact.n} is in the log twice."
        return "E_LEAF_ORDER", f"Record {fact.n} comes after record {game.n}."
    if game.phase == "over":
        return "E_AFTER_MASTER", f"Record {fact.n} comes after the game's master."
    if fact.t < game.t:
        return "E_TIME", f"The time of record {fact.n} is before that of record {game.n}."
    if fact.n == game.n + 1:
        if fact.prev.hex() != game.hash:
            return "E_CHAIN", f"Record {fact.n} does not follow the record {game.n} of the log."
    elif not game.is_refereed or game.phase != "hand":
        return "E_LEAF_DROPPED", f"Between the records {game.n} and {fact.n} some are not there."
    return _out_of_place(game, fact)


def _out_of_place(game: Standing, fact: Fact) -> tuple[str, str] | None:
    kind, said = fact.kind, fact.said
    if kind == "open":
        return "E_GAME_ID_REUSED", "The game has a second first record."
    if kind == "reveal":
        return _reveal(game, said[0], said[1])
    if game.phase == "ended":
        return (
            "E_REVEAL_SKIPPED",
            f"Hand {game.hand} is over; a {kind} comes where its secret has to be revealed.",
        )
    if kind == "master":
        if game.phase != "closed":
            return "E_MASTER_EARLY", "The master is out before the game is closed."
        if said[0].hex() != game.master_commit:
            return "E_MASTER_COMMIT", "The master does not open the commitment of record 0."
        return None
    if game.phase == "closed":
        return "E_MASTER_SKIPPED", f"The game is closed; a {kind} comes where its master has to."
    if kind in SEEDS:
        return _seeds(game, fact)
    if kind == "beacon":
        fits = game.phase == "seeds" and game.locked == said == game.epoch
        return None if fits else ("E_ORDER", "A beacon comes where no lock waits for one.")
    if kind == "deal":
        return _deal(game, said)
    if kind == "close":
        if game.phase == "hand":
            return "E_ORDER", f"The game is closed while hand {game.hand} is in play."
        return None if said == game.hand else ("E_ORDER", f"It was closed after {game.hand} hands.")
    if game.phase != "hand" or said != game.hand:
        return "E_ORDER", f"A {kind} of hand {said} comes where that hand is not in play."
    return None


def _reveal(game: Standing, hand: int, opens: bytes) -> tuple[str, str] | None:
    if game.phase != "ended":
        return "E_REVEAL_EARLY", f"The secret of hand {hand} is out while none is due."
    if hand != game.hand:
        return "E_REVEAL_WRONG_HAND", f"The secret of hand {hand} comes where {game.hand} is due."
    at = (hand - 1) * 2 * _SHORT
    if game.hand_commits[at : at + 2 * _SHORT] != opens.hex():
        return "E_HAND_COMMIT", f"The secret of hand {hand} does not open its commitment."
    return None


def _seeds(game: Standing, fact: Fact) -> tuple[str, str] | None:
    epoch = fact.said[0] if fact.kind == "lock" else fact.said
    if game.phase == "hand":
        return "E_SEEDS_DURING_HAND", f"Seeds come while hand {game.hand} is in play."
    if epoch <= game.locked:
        return "E_SEED_AFTER_LOCK", f"A {fact.kind} of epoch {epoch} comes after its lock."
    if epoch not in {game.epoch, game.epoch + 1}:
        return "E_EPOCH_ORDER", f"Epoch {epoch} comes after epoch {game.epoch}."
    if fact.kind == "lock" and fact.said[1] != game.hand + 1:
        return "E_ORDER", f"The lock names hand {fact.said[1]}, the next is {game.hand + 1}."
    return None


def _deal(game: Standing, hand: int) -> tuple[str, str] | None:
    if game.phase != "seeds":
        return "E_ORDER", f"Hand {hand} is dealt while hand {game.hand} is in play."
    if not game.locked or game.locked != game.epoch:
        return "E_DEAL_BEFORE_LOCK", f"Hand {hand} is dealt before its seeds are locked."
    if hand != game.hand + 1:
        return "E_ORDER", f"Hand {hand} is dealt after hand {game.hand}."
    if len(game.hand_commits) < hand * 2 * _SHORT:
        return "E_ORDER", f"Hand {hand} has no commitment in record 0."
    return None


def advance(game: Standing, fact: Fact) -> None:
    """Take a leaf."""
    kind = fact.kind
    if kind in SEEDS:
        game.epoch = fact.said[0] if kind == "lock" else fact.said
        if kind == "lock":
            game.locked = game.epoch
        game.phase = "seeds"
    elif kind == "deal":
        game.hand, game.phase = fact.said, "hand"
    elif kind in {"score", "abort"}:
        game.phase, game.ended = "ended", fact.t
    elif kind == "reveal":
        game.phase = "seeds"
    elif kind == "close":
        game.phase = "closed"
    elif kind == "master":
        game.phase, game.master, game.hand_commits = "over", fact.at, ""
