"""What the sequencer asks of the witnesses, and of the bundles of transcripts."""

from collections.abc import Callable
from typing import Final, Protocol

from fairdeal.errors import Busy, NotAllowed
from fairdeal.tlog.checkpoint import Checkpoint

Prove = Callable[[int], tuple[bytes, ...]]
"""Returns the proof that the tree of a checkpoint begins with the one of so many leaves."""


class RefusesToSign(NotAllowed):
    """Something speaks of another tree than ours: nothing is signed until a person acts."""


class StopSigning(RefusesToSign):
    """A witness saw another tree under our name, or a larger one: nothing is signed any more."""


class QuorumUnmet(Busy):
    """Too few witnesses cosigned, and without them nothing is to be public; ask again."""


class Witnesses(Protocol):
    """Those who cosign checkpoints, as the sequencer sees them."""

    def cosign(self, note: str, checkpoint: Checkpoint, proof: Prove) -> str:
        """Return the note with the witnesses' lines, as many as there are in time.

        Args:
            note: Signed by the log; may have lines already, which a newer one of its key replaces.
            checkpoint: What it says.
            proof: Gives the consistency proof from an older size.

        Raises:
            StopSigning: A witness' answer means that.
            QuorumUnmet: A quorum is required and not there.
        """

    def probe(self) -> tuple[int, ...]:
        """Return the sizes that the witnesses have last seen; of those that answer."""


class Bundler(Protocol):
    """Who publishes the transcripts of games that are over."""

    def catch_up(self, published: int) -> None:
        """Add the transcripts of the games whose end is among so many public leaves.

        Raises:
            StorageFailure: What was written may be durable or not.
        """


class _NoWitnesses:
    def cosign(self, note: str, checkpoint: Checkpoint, proof: Prove) -> str:  # noqa: ARG002  asks nobody
        return note

    def probe(self) -> tuple[int, ...]:
        return ()


class _NoBundles:
    def catch_up(self, published: int) -> None:
        pass


NO_WITNESSES: Final[Witnesses] = _NoWitnesses()
NO_BUNDLES: Final[Bundler] = _NoBundles()
