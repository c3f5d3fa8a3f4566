"""Which record has to be public before another may be made (log.md §4, docs/decisions/0011).

A commitment binds once it lies under a published checkpoint: so nobody's seed is taken, and no
secret opened, before record 0 does, and no hand is dealt before the lock of its seeds does.
"""

from typing import Final, Literal

Needed = Literal["open", "lock"]

_NEEDED: Final[dict[str, Needed]] = {
    "seal": "open",
    "share": "open",
    "close": "open",
    "master": "open",
    "deal": "lock",
}


def needed_before(type_: str) -> Needed | None:
    """Return the type of the record that has to be public before one of this type, or None.

    Of locks the newest is meant: that of the epoch from which the hand is dealt.
    """
    return _NEEDED.get(type_)
