"""Makes service logs, checkpoints and witnesses for tests (docs/protocol.md 2.11)."""

import base64
import hashlib
import io
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.verifier.forge import ORIGIN, Signer
from verifier.held import Held
from verifier.notes import COSIGNATURE_TYPE, VerifierKey, parse_key


def root(lines: Sequence[bytes]) -> bytes:
    """RFC 6962, 2.1, as it is written there: by halves."""
    if not lines:
        return hashlib.sha256().digest()
    if len(lines) == 1:
        return hashlib.sha256(b"\0" + lines[0]).digest()
    half = 1
    while half * 2 < len(lines):
        half *= 2
    return hashlib.sha256(b"\1" + root(lines[:half]) + root(lines[half:])).digest()


class Witness:
    """A witness that cosigns with a time."""

    def __init__(self, name: str = "witness.example/w1", seed: int = 50) -> None:
        self.name = name
        self.private = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
        typed = b"\x04" + self.private.public_key().public_bytes_raw()
        self.key_id = hashlib.sha256(name.encode() + b"\n" + typed).digest()[:4]
        self.vkey = f"{name}+{self.key_id.hex()}+{base64.b64encode(typed).decode()}"

    @cached_property
    def key(self) -> VerifierKey:
        return parse_key(self.vkey, COSIGNATURE_TYPE)

    def line(self, text: str, time: int) -> str:
        signature = self.private.sign(f"cosignature/v1\ntime {time}\n{text}".encode())
        data = self.key_id + time.to_bytes(8, "big") + signature
        return f"\u2014 {self.name} {base64.b64encode(data).decode()}\n"


LOG_KEY = Signer()
W1, W2 = Witness(), Witness("witness.example/w2", 51)


def body(lines: Sequence[bytes], size: int | None = None, origin: str = ORIGIN) -> str:
    first = lines[: len(lines) if size is None else size]
    return f"{origin}\n{len(first)}\n{base64.b64encode(root(first)).decode()}\n"


def checkpoint(
    lines: Sequence[bytes],
    seen: Iterable[tuple[Witness, int]] = (),
    size: int | None = None,
    signer: Signer = LOG_KEY,
    origin: str = ORIGIN,
) -> str:
    """A checkpoint of the first lines, cosigned at times in seconds."""
    text = body(lines, size, origin)
    return signer.note(text) + "".join(witness.line(text, time) for witness, time in seen)


def held(
    lines: Sequence[bytes],
    *checkpoints: str,
    witnesses: Sequence[Witness] = (W1,),
    quorum: int | None = None,
    **more: Any,
) -> Held:
    return Held(
        log=io.BytesIO(b"".join(lines)),
        log_keys=(LOG_KEY.key,),
        receipt_keys=(LOG_KEY.key,),
        checkpoints=checkpoints,
        witnesses=tuple(witness.key for witness in witnesses),
        quorum=len(witnesses) if quorum is None else quorum,
        **more,
    )
