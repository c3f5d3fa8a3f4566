"""The table code: the start of the first record's hash, short enough to read aloud (§2.10)."""

import re
from base64 import b32encode
from typing import Final

from fairdeal.errors import MalformedInput

CODE_LETTERS: Final = 26
GROUP_LETTERS: Final = 4

_CODE: Final = re.compile(r"[A-Z2-7]{26}")


def table_code(open_hash: str) -> str:
    """Return the first 130 bits of the hash of record 0 as 26 letters (§2.10).

    Args:
        open_hash: 64 hex digits.

    Raises:
        ValueError: It is not 32 bytes in hex.
    """
    digest = bytes.fromhex(open_hash)
    if len(digest) != 32:
        raise ValueError("open_hash has 64 hex digits")
    return b32encode(digest).decode("ascii")[:CODE_LETTERS]


def grouped(code: str) -> str:
    """Return a table code in groups of four letters, the last of two, with blanks between."""
    return " ".join(code[i : i + GROUP_LETTERS] for i in range(0, len(code), GROUP_LETTERS))


def parse_table_code(text: str) -> str:
    """Read a table code as a person gives it: any case, with blanks and hyphens (§2.10).

    Returns:
        The 26 letters, upper case.

    Raises:
        MalformedInput: Code `bad_table_code`: something else than 26 letters A-Z and 2-7.
    """
    letters = text.replace(" ", "").replace("-", "")
    # ASCII first: a dotless i is I in upper case and still no letter of the alphabet here.
    if not letters.isascii() or _CODE.fullmatch(letters.upper()) is None:
        raise MalformedInput(
            "bad_table_code", f"A table code has {CODE_LETTERS} letters, A to Z and 2 to 7."
        )
    return letters.upper()
