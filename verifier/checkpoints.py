"""Checkpoints of the service log: the log's signature, and the times of witnesses (§2.11)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from verifier.ed25519 import SIGNATURE_BYTES
from verifier.notes import (
    KEY_ID_BYTES,
    Signature,
    VerifierKey,
    decode_base64,
    split_note,
    verifies,
)

_BODY: Final = re.compile("([^\n]+)\n(0|[1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n")
_TIME_BYTES: Final = 8
_MAX_TIME: Final = 2**63 - 1
MAX_AHEAD: Final = 300_000  # ms that a witness' clock may be ahead of the reader's


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """What a log signed: its first ``size`` lines have this root.

    Attributes:
        key_name: The name of the log key that verified the note.
        signer: ``NAME+KEYID`` of that key.
        times: When each trusted witness cosigned it, seconds since 1970, in rising order;
            one of each witness.
        note: The whole note, for the evidence file.
    """

    origin: str
    size: int
    root: bytes
    key_name: str
    signer: str
    times: tuple[int, ...]
    note: str

    def time(self, quorum: int) -> int | None:
        """Return when ``quorum`` witnesses had seen it, ms; None without a quorum (§2.11)."""
        return 1000 * self.times[quorum - 1] if 0 < quorum <= len(self.times) else None


def read_checkpoint(
    note: str,
    log_keys: Sequence[VerifierKey],
    witnesses: Sequence[VerifierKey],
    now: int | None = None,
) -> Checkpoint | None:
    """Return the checkpoint that a note holds, or None where no log key signed it.

    A line that names a log key and does not verify spoils the note, whatever else stands in it;
    so do two lines of one name and key id. Where ``now`` is given, ms, a cosignature of more than
    MAX_AHEAD after it does not count.
    """
    parts = split_note(note)
    body = parts and _BODY.fullmatch(parts[0])
    if not parts or not body:
        return None
    text, signatures = parts
    if len({(line.name, line.data[:KEY_ID_BYTES]) for line in signatures}) < len(signatures):
        return None
    root = decode_base64(body[3])
    by_log = [(key, line) for line in signatures for key in log_keys if line.is_by(key)]
    if root is None or not by_log:
        return None
    if not all(verifies(key, text, line.data[KEY_ID_BYTES:]) for key, line in by_log):
        return None
    trusted = {witness.key.raw: witness for witness in witnesses}.values()
    latest = _MAX_TIME if now is None else min(_MAX_TIME, (now + MAX_AHEAD) // 1000)
    times = (_seen(text, signatures, witness) for witness in trusted)
    return Checkpoint(
        origin=body[1],
        size=int(body[2]),
        root=root,
        key_name=by_log[0][0].name,
        signer=by_log[0][0].label,
        times=tuple(sorted(time for time in times if time is not None and time <= latest)),
        note=note,
    )


def _seen(text: str, signatures: Sequence[Signature], witness: VerifierKey) -> int | None:
    """Return the time of a witness' only line, or None where it has none that verifies."""
    lines = (line for line in signatures if line.is_by(witness))
    return next((_cosigned(text, line.data, witness) for line in lines), None)


def _cosigned(text: str, data: bytes, witness: VerifierKey) -> int | None:
    """Return the time of a witness' cosignature, or None where it is none."""
    stamp, signature = data[KEY_ID_BYTES:][:_TIME_BYTES], data[KEY_ID_BYTES + _TIME_BYTES :]
    time = int.from_bytes(stamp, "big")
    if len(signature) != SIGNATURE_BYTES or time > _MAX_TIME:
        return None
    if not verifies(witness, f"cosignature/v1\ntime {time}\n{text}", signature):
        return None
    return time
