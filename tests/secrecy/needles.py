"""Finds pieces of secrets in bytes, whatever they were written as.

A run of 16 bytes of a secret holds a block of 8 that begins at a multiple of 8, and, however
base64 groups it, a block of 6 that begins where a group does. So these blocks are looked for: raw,
in hex of either case, and in base64 of either alphabet. Of cards, rows are looked for: some that
lie beside each other, written with commas, whatever quotes and spaces stand between them.
"""

import base64
import re

_HEX = re.compile(rb"[0-9a-f]{16,}")
_BASE64 = re.compile(rb"[A-Za-z0-9+/]{8,}")
_DRESS = re.compile(rb"[\s\"'\\]+")

_RUN = re.compile(rb"(?:[0-9A-Z]{1,4},){5,}[0-9A-Z]{1,4}")

ROW = 6
"""So many cards beside each other are a piece of a secret."""


class Needles:
    """The blocks of many secrets, each secret with a name."""

    def __init__(self):
        self._raw = {}
        self._text = {}
        self._hex = {}
        self._base64 = {}
        self._rows = {}

    def add(self, name, secret):
        for at in range(0, len(secret) - 7, 8):
            block = secret[at : at + 8]
            self._raw[block] = name
            self._hex[block.hex().encode()] = name
        for at in range(len(secret) - 5):
            self._base64[base64.b64encode(secret[at : at + 6])] = name

    def add_text(self, name, text):
        """Add a text that is a secret as it stands, such as a token."""
        block = text.encode()[-24:]
        for at in range(0, len(block) - 7, 8):
            self._text[block[at : at + 8]] = name

    def add_row(self, name, cards):
        """Add cards in the order in which they lie, as faces or as positions in the deck.

        A row of one rank is none: it may be a meld that all see.
        """
        for at in range(len(cards) - ROW + 1):
            row = [str(card) for card in cards[at : at + ROW]]
            if len({card[0] for card in row}) > 1:
                self._rows[",".join(row).encode()] = name

    def found_in(self, sink):
        """Return the names of the secrets of which a piece is there."""
        names = set()
        # In a text of ASCII only such blocks can stand raw as are ASCII themselves.
        raw = [sink] if not sink.isascii() or any(map(bytes.isascii, self._raw)) else []
        standard = sink.replace(b"-", b"+").replace(b"_", b"/")
        for blocks, size, runs in (
            (self._raw, 8, raw),
            (self._hex, 16, _HEX.findall(sink.lower())),
            (self._base64, 8, _BASE64.findall(standard)),
        ):
            # Equal runs, such as the hash that each record and each next one names, count once.
            windows = {
                run[at : at + size] for run in set(runs) for at in range(len(run) - size + 1)
            }
            names |= {blocks[block] for block in windows & blocks.keys()}
        for run in set(_RUN.findall(_DRESS.sub(b"", sink))) if self._rows else ():
            row = run.split(b",")
            windows = {b",".join(row[at : at + ROW]) for at in range(len(row) - ROW + 1)}
            names |= {self._rows[window] for window in windows & self._rows.keys()}
        return names | {name for block, name in self._text.items() if block in sink}
