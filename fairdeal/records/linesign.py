"""A player's own signature over a seat's line, Ed25519, outside the records (protocol §2.4)."""

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def signs(pk: str, signature: str, line: bytes) -> bool:
    """Say whether a signature over a line verifies.

    Args:
        pk: The Ed25519 public key, 64 hex digits.
        signature: 128 hex digits.
        line: The S line with its LF.
    """
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(pk)).verify(bytes.fromhex(signature), line)
    except (InvalidSignature, ValueError):
        return False
    return True
