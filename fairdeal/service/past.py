"""Records read back one at a time from the store, for telling, not for deciding."""

from hashlib import sha256
from typing import Any, cast

from fairdeal.records.canonical import decode
from fairdeal.records.chain import Record


def past_record(line: bytes) -> Record:
    """Return a stored line as a record; that it follows was checked when the game was folded."""
    fields = cast(dict[str, Any], decode(line))
    return Record(
        game=fields["game"],
        n=fields["n"],
        prev=fields["prev"],
        t=fields["t"],
        type=fields["type"],
        body=fields["body"],
        line=line,
        hash=sha256(line).hexdigest(),
    )
