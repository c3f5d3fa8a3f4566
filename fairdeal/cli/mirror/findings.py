"""What a fetch may find to be wrong, before any auditor has looked at an entry."""

from dataclasses import dataclass
from typing import Final

from fairdeal.cli.audit.log.findings import Finding

TILE_CHANGED: Final = "E_TILE_CHANGED"
"""A full tile that the mirror has is not the one that the new checkpoint signs."""
TILE_WRONG: Final = "E_TILE_WRONG"
"""The log serves a tile or a bundle that is not the one that its checkpoint signs."""
ROLLED_BACK: Final = "E_ROLLBACK"
"""The newest checkpoint is smaller than one that was seen before."""
FORKED: Final = "E_LOG_FORK"
"""Two signed checkpoints, of which neither tree begins with the other."""
SPLIT: Final = "E_SPLIT_VIEW"
"""Two signed checkpoints of one size."""
BUNDLE_CHANGED: Final = "E_BUNDLE_CHANGED"
"""A bundle of transcripts is not what its index says, or not only appended to."""
UNTRUSTED: Final = "E_UNTRUSTED"
"""The newest checkpoint is signed, but by no key of the log that is trusted."""
KEY_CHANGED: Final = "W_KEY_CHANGED"
"""The policy that the log publishes names other keys than before."""


@dataclass(frozen=True, slots=True)
class Found:
    """Something that a fetch found.

    Attributes:
        code: Of those above.
        where: A path below the prefix, or sizes of checkpoints.
        sentence: What a person reads.
        evidence: Paths in the mirror that show it.
    """

    code: str
    where: str
    sentence: str
    evidence: tuple[str, ...] = ()

    @property
    def finding(self) -> Finding:
        """The same, as an audit tells it."""
        return Finding(self.code, self.sentence, path=self.where)


class Wrong(Exception):
    """Something is wrong that a fetch cannot go on with.

    Args:
        found: What and where.
    """

    def __init__(self, found: Found) -> None:
        super().__init__(found.sentence)
        self.found: Final = found
