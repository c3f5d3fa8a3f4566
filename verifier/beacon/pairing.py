"""Checks a round's signature, where the library of the extra ``beacon`` is installed (§2.6).

The only import from outside the standard library and this package. It is tried, never needed:
a copy of the folder runs without it, and then no signature is checked.
"""

from functools import lru_cache

from verifier.beacon.chains import Chain, round_message

try:
    import py_arkworks_bls12381 as curve
except ImportError:
    CAN_CHECK = False
else:
    CAN_CHECK = True

INFINITY = bytes([0xC0]) + bytes(47)


@lru_cache(maxsize=4096)
def is_signed(chain: Chain, number: int, signature: bytes) -> bool | None:
    """Return whether a chain's operators signed a round; None where no library can say.

    Args:
        chain: One of the table, so its key is a good one.
        number: The round's, from 1.
        signature: A compressed point of G1, 48 bytes. Another encoding than that of a point of
            the subgroup is no signature, nor is the point at infinity.
    """
    if signature == INFINITY:
        return False
    if not CAN_CHECK:
        return None
    try:
        point = curve.G1Point.from_compressed_bytes_unchecked(signature)
    except ValueError:
        return False
    if not point.is_in_subgroup() or point.to_compressed_bytes() != signature:
        return False
    hashed = curve.G1Point.hash_to_curve(round_message(number), chain.tag)
    key = curve.G2Point.from_compressed_bytes(chain.public_key)
    # e(signature, generator) = e(hashed, key)
    return curve.GT.pairing_check([point, -hashed], [curve.G2Point(), key])
