"""Ed25519 signatures, verification only (RFC 8032, 5.1).

Strict: points and scalars have one encoding each, S is below L, keys of small order are refused,
and R is compared as bytes, so every signature has one accepted form. Only public values pass
through here: nothing needs constant time.
"""

import hashlib
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64

P: Final = 2**255 - 19
L: Final = 2**252 + 27742317777372353535851937790883648493
D: Final = -121665 * pow(121666, -1, P) % P
_ROOT_OF_MINUS_ONE: Final = pow(2, (P - 1) // 4, P)
_WINDOW: Final = 4  # bits of a scalar taken at a time
_WINDOWS: Final = 64  # of a scalar below 2**256

# (X, Y, Z, T) with x = X/Z, y = Y/Z, xy = T/Z.
Point: TypeAlias = tuple[int, int, int, int]
# For every window of a scalar, the point's multiples by 0 to 15 times the window's weight.
Comb: TypeAlias = tuple[tuple[Point, ...], ...]

_NEUTRAL: Final[Point] = (0, 1, 1, 0)


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A key ready for use: its 32 bytes, and the multiples of minus its point."""

    raw: bytes
    negated: Comb

    def verify(self, message: bytes, signature: bytes) -> bool:
        """Return whether the 64 bytes are this key's signature over the message."""
        if len(signature) != SIGNATURE_BYTES:
            return False
        r, s = signature[:KEY_BYTES], int.from_bytes(signature[KEY_BYTES:], "little")
        if s >= L:
            return False
        digest = hashlib.sha512(r + self.raw + message).digest()
        k = int.from_bytes(digest, "little") % L
        return _encode(_add(_multiple(s, _base_comb()), _multiple(k, self.negated))) == r


def load_key(raw: bytes) -> PublicKey | None:
    """Return a public key, or None if the 32 bytes are none that may be used."""
    point = _decode(raw)
    if point is None or _is_neutral(_double(_double(_double(point)))):
        return None
    x, y, z, t = point
    return PublicKey(raw, _comb((P - x, y, z, P - t)))


def _add(a: Point, b: Point) -> Point:
    # RFC 8032, 5.1.4.
    ax, ay, az, at = a
    bx, by, bz, bt = b
    e = (ay - ax) * (by - bx) % P
    f = (ay + ax) * (by + bx) % P
    g = 2 * at * bt * D % P
    h = 2 * az * bz % P
    e, f, g, h = f - e, h - g, h + g, f + e
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def _double(a: Point) -> Point:
    x, y, z, _ = a
    xx, yy = x * x % P, y * y % P
    h = xx + yy
    e = h - (x + y) * (x + y) % P
    g = xx - yy
    f = 2 * z * z % P + g
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def _is_neutral(a: Point) -> bool:
    x, y, z, _ = a
    return x % P == 0 and (y - z) % P == 0


def _comb(point: Point) -> Comb:
    made = []
    for _ in range(_WINDOWS):
        multiples = [_NEUTRAL]
        for _ in range(2**_WINDOW - 1):
            multiples.append(_add(multiples[-1], point))
        made.append(tuple(multiples))
        point = _add(multiples[-1], point)
    return tuple(made)


def _multiple(scalar: int, comb: Comb) -> Point:
    total = _NEUTRAL
    for multiples in comb:
        total = _add(total, multiples[scalar & 2**_WINDOW - 1])
        scalar >>= _WINDOW
    return total


def _encode(point: Point) -> bytes:
    x, y, z, _ = point
    inverse = pow(z, -1, P)
    x, y = x * inverse % P, y * inverse % P
    return (y | (x & 1) << 255).to_bytes(KEY_BYTES, "little")


def _decode(raw: bytes) -> Point | None:
    # RFC 8032, 5.1.3.
    if len(raw) != KEY_BYTES:
        return None
    y = int.from_bytes(raw, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    if y >= P:
        return None
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if v * x * x % P != u:
        x = x * _ROOT_OF_MINUS_ONE % P
        if v * x * x % P != u:
            return None
    if x == 0 and sign:
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


@cache
def _base_comb() -> Comb:
    # RFC 8032, 5.1: the base point has y = 4/5 and an even x.
    point = _decode((4 * pow(5, -1, P) % P).to_bytes(KEY_BYTES, "little"))
    assert point is not None
    return _comb(point)
