"""Proofs that one record is in the log: ``.tlog-proof`` files (C2SP tlog-proof; §2.11, §3.1).

The file says a place, a path and a signed checkpoint, and not which entry it is of: that is found
among the records at hand. ``extra`` is read past; nobody signed it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from verifier.held import HeldFault
from verifier.merkle import leaf_hash, root_by_path
from verifier.notes import decode_base64
from verifier.reading import Transcript

MAX_PROOF: Final = 2**20  # bytes of a file: 64 hashes and a note
UNLOGGED: Final = "act"  # covered by the next record's prev (§6.6)
_FORM: Final = re.compile(
    r"c2sp\.org/tlog-proof@v1\n(?:extra ([A-Za-z0-9+/]{0,8192}={0,2})\n)?"
    r"index (0|[1-9][0-9]{0,15})\n((?:[A-Za-z0-9+/]{43}=\n){0,63})\n(.+\n)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class ProofFile:
    """A proof as it stands in its file; nothing of it is verified.

    Attributes:
        index: The entry's place in the log, from 0.
        path: The neighbours' hashes, the leaf's own first.
        note: The signed checkpoint, cosignatures included.
    """

    index: int
    path: tuple[bytes, ...]
    note: str


def parse_proof(text: str) -> ProofFile:
    """Return the one proof that a file holds; raises HeldFault."""
    match = _FORM.fullmatch(text) if len(text) <= MAX_PROOF else None
    if match is None or (match[1] is not None and decode_base64(match[1]) is None):
        raise HeldFault("no proof of the form c2sp.org/tlog-proof@v1")
    path = tuple(map(decode_base64, match[3].split()))
    if None in path:
        raise HeldFault("a hash of the proof is no canonical Base64")
    return ProofFile(int(match[2]), tuple(filter(None, path)), match[4])


def leaves_of(transcript: Transcript) -> Mapping[int, bytes]:
    """Return the leaf hash of every record that belongs in the log, by number."""
    return {
        at: leaf_hash(transcript.line(at))
        for at, head in enumerate(transcript.heads)
        if head.fields.kind != UNLOGGED
    }


def find_proven(
    proof: ProofFile, size: int, root: bytes, leaves: Mapping[int, bytes]
) -> int | None:
    """Return the number of the record whose leaf the path leads from to the root, or None."""
    fitting = (
        number
        for number, leaf in leaves.items()
        if root_by_path(leaf, proof.index, size, proof.path) == root
    )
    return next(fitting, None)
