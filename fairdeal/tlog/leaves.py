"""What is in the log: records of games, but acts, and the service's own words (decisions 22)."""

from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from fairdeal.errors import MalformedInput
from fairdeal.records.canonical import decode_canonical, encode
from fairdeal.tlog.tiles import MAX_ENTRY

SERVICE: Final = "pfd1-log"
"""The ``v`` of a leaf that is no record."""

UNLOGGED: Final = "act"
"""The one type of record that is no leaf: the next `score` covers it through `prev` (§6.6)."""

Kind = Literal["key", "closed", "dispute", "notice"]
Holder = Literal["log", "receipt"]

_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "key": ("action", "use", "vkey"),
    "closed": ("reason", "successor"),
    "dispute": ("game", "id", "outcome", "state"),
    "notice": ("text",),
}
_MAX_TEXT: Final = 200


@dataclass(frozen=True, slots=True)
class ServiceLeaf:
    """What a service says of itself.

    Attributes:
        t: ms since 1970.
        type: `key`: a key that it signs with from now on, or no longer; `closed`: this is the last
            leaf; `dispute`; `notice`.
        body: Closed: key {action (`add`, `retire`), use (`log`, `receipt`), vkey}; closed {reason,
            successor (an origin, or empty)}; dispute {game, id, state, outcome}; notice {text}.
            All are texts of at most 200 characters.
    """

    t: int
    type: Kind
    body: dict[str, str]

    @property
    def entry(self) -> bytes:
        """Its bytes in the log: canonical JSON and LF, so all entries make one file of lines."""
        said = {"v": SERVICE, "t": self.t, "type": self.type, "body": self.body}
        return encode(said) + b"\n"


def key_leaf(t: int, use: Holder, vkey: str, *, retired: bool = False) -> ServiceLeaf:
    """Return the leaf that announces a key, or its end."""
    action = "retire" if retired else "add"
    return ServiceLeaf(t, "key", {"action": action, "use": use, "vkey": vkey})


def read_service_leaf(entry: bytes) -> ServiceLeaf:
    """Read a leaf of the service; ``read_service_leaf(x).entry == x``.

    Raises:
        MalformedInput: Its form is another.
    """
    if not entry.endswith(b"\n"):
        raise MalformedInput("bad_leaf", "A leaf of the service is one line.")
    said: Any = decode_canonical(entry[:-1], max_bytes=MAX_ENTRY)
    if not isinstance(said, dict) or set(said) != {"v", "t", "type", "body"}:
        raise MalformedInput("bad_leaf", "A leaf of the service has v, t, type and body.")
    t, type_, body = said["t"], said["type"], said["body"]
    fields = _FIELDS.get(type_) if isinstance(type_, str) else None
    if said["v"] != SERVICE or type(t) is not int or t < 0 or fields is None:
        raise MalformedInput("bad_leaf", f"Its v is {SERVICE}, its type one of {get_args(Kind)}.")
    if not isinstance(body, dict) or tuple(sorted(body)) != fields:
        raise MalformedInput("bad_leaf", f"The body of a {type_} leaf has {', '.join(fields)}.")
    if not all(isinstance(text, str) and len(text) <= _MAX_TEXT for text in body.values()):
        raise MalformedInput("bad_leaf", "All of it are texts of at most 200 characters.")
    return ServiceLeaf(t, type_, body)
