"""Writes a picture of z-scores as PNG: blue below, white at, orange above the mean.

The pixels are stored and not packed, so the same counts give the same bytes under every zlib.
"""

import struct
import zlib
from base64 import b64encode
from typing import Final

import numpy as np
from numpy.typing import NDArray

FAR: Final = 6.0  # standard deviations at which the colours end
_LOW, _MIDDLE, _HIGH = (20, 70, 160), (255, 255, 255), (215, 100, 0)
_MOST_STORED: Final = 65_535


def data_address(z: NDArray[np.float64]) -> str:
    """Return the picture as a data address, a pixel a cell.

    Args:
        z: Rows from the top.
    """
    return "data:image/png;base64," + b64encode(png(z)).decode()


def png(z: NDArray[np.float64]) -> bytes:
    """Return the picture's bytes."""
    levels = np.clip(np.rint(z / FAR * 127) + 127, 0, 254).astype(np.uint8)
    rows = b"".join(b"\0" + row.tobytes() for row in levels)
    height, width = levels.shape
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    colours = b"".join(bytes(_colour(level)) for level in range(255))
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", head)
        + _chunk(b"PLTE", colours)
        + _chunk(b"IDAT", _stored(rows))
        + _chunk(b"IEND", b"")
    )


def _colour(level: int) -> tuple[int, int, int]:
    end, share = (_HIGH, (level - 127) / 127) if level > 127 else (_LOW, (127 - level) / 127)
    red, green, blue = (
        round(middle + (far - middle) * share) for middle, far in zip(_MIDDLE, end, strict=True)
    )
    return red, green, blue


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _stored(data: bytes) -> bytes:
    """Return a zlib stream of stored blocks (RFC 1951, 3.2.4)."""
    blocks = []
    for at in range(0, len(data), _MOST_STORED):
        part = data[at : at + _MOST_STORED]
        is_last = at + _MOST_STORED >= len(data)
        blocks.append(struct.pack("<BHH", is_last, len(part), len(part) ^ 0xFFFF) + part)
    return b"\x78\x01" + b"".join(blocks) + struct.pack(">I", zlib.adler32(data))
