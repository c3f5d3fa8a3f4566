"""Frames byte strings by their length, so that no two lists look alike (protocol §2.1)."""


def u32(number: int) -> bytes:
    """Return a number as four bytes, big-endian (protocol §2.1)."""
    return number.to_bytes(4, "big")


def u64(number: int) -> bytes:
    """Return a number as eight bytes, big-endian (protocol §2.1)."""
    return number.to_bytes(8, "big")


def lp(field: bytes) -> bytes:
    """Return a field behind its length, ``u32(len(x)) || x`` (protocol §2.1)."""
    return u32(len(field)) + field


def tup(label: str, *fields: bytes) -> bytes:
    """Return the injective framing of a label and its fields (protocol §2.1).

    Args:
        label: ASCII; what the bytes are for.
        fields: Raw bytes, none of them in hex; any number, any may be empty.

    Raises:
        UnicodeEncodeError: The label is not ASCII.
    """
    framed = [lp(label.encode("ascii")), u32(len(fields))]
    framed += [lp(field) for field in fields]
    return b"".join(framed)
