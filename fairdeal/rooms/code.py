"""The code of a room: a short text that people read to each other to know they mean the same.

No two of its signs look alike. It opens nothing: seats are taken with claims.
"""

import re
from typing import Final

SIGNS: Final = "ACDEFHJKMNPRTX47"
"""16 signs, four bits each; without I, L, O, S, Z, B, G, Q, U, V, W, Y and the digits like them."""

CODE_BYTES: Final = 4
_CODE: Final = re.compile(f"[{SIGNS}]{{4}}-[{SIGNS}]{{4}}")


def room_code(random: bytes) -> str:
    """Return the code that these four bytes make: eight signs with a hyphen in the middle.

    Raises:
        ValueError: There are not four bytes.
    """
    if len(random) != CODE_BYTES:
        raise ValueError("a room's code is made of four bytes")
    signs = "".join(SIGNS[byte >> 4] + SIGNS[byte & 15] for byte in random)
    return f"{signs[:4]}-{signs[4:]}"


def is_code(value: object) -> bool:
    """Say whether a value is the code of a room in its one form."""
    return type(value) is str and _CODE.fullmatch(value) is not None
