"""Stage 2: one game, numbered from 0, linked by hashes, with times that never fall (§2.10)."""

from collections.abc import Sequence
from typing import Final

from verifier.findings import Finding
from verifier.reading import Head

NO_PREVIOUS: Final = "0" * 64


def find_chain_fault(heads: Sequence[Head]) -> Finding | None:
    """Return the first fault of the chain; the records before it can be replayed."""
    before: Head | None = None
    game = heads[0].fields.game
    for at, head in enumerate(heads):
        fields = head.fields
        if fields.game != game:
            return _fault("E_GAME_MIXED", at, f"game is {fields.game}, record 0 says {game}")
        if fields.n != at:
            return _fault("E_SEQUENCE", at, f"n is {fields.n}, due is {at}")
        due = before.digest if before else NO_PREVIOUS
        if fields.prev != due:
            return _fault("E_CHAIN_BROKEN", at, _unlinked(at, fields.prev, due))
        if before and fields.t < before.fields.t:
            return _fault("E_TIME_REVERSED", at, f"t is {fields.t}, before {before.fields.t}")
        before = head
    return None


def count_linked(heads: Sequence[Head]) -> int:
    """Return how many records from 0 on are joined by their ``prev`` links alone (§3.3)."""
    due = NO_PREVIOUS
    for at, head in enumerate(heads):
        if head.fields.prev != due:
            return at
        due = head.digest
    return len(heads)


def _unlinked(at: int, prev: str, due: str) -> str:
    if at == 0:
        return f"the first record names one before it (prev {prev}, due {due})"
    return (
        f"record {at} does not follow from record {at - 1}: one of the two was changed"
        f" (prev {prev}, due {due})"
    )


def _fault(code: str, at: int, detail: str) -> Finding:
    return Finding(code=code, at=at, detail=detail)
