"""What may differ between two worlds, field by field, and the comparison that allows no more.

Both worlds have the same entropy, clock and requests. So tokens, salts, commitments, names of
requests and times are *compared*; all that has to differ are the hashes of holdings which the
role does not hold, whatever hashes or signs a record that holds such a hash, and nothing else.
"""

import json
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from tests.secrecy.worlds import Reply

REPLACED: Final[Mapping[str, str]] = {
    "prev": "the hash of the record before, which covers the hashes of all holdings",
    "body.hands.[other]": "the salted hash of a holding that the role does not hold (deal)",
    "receipt: record hash": "the fifth line of a receipt's text",
    "receipt: signature": "the signature in its last line; not the name and the id of the key",
}
"""The written list: field -> why its bytes follow from hidden cards. Lengths are compared."""

_RECORDS: Final = ("events", "facts.events")
"""Where answers hold records."""
_RECEIPTS: Final = ("receipts",)
"""Where answers hold receipts."""

Pair = tuple[str, str]


class Differs(AssertionError):
    """Two worlds gave a role different bytes; says where they part."""


def compare(one: Reply, other: Reply, seat: int | None) -> int:
    """Compare what a role got in two worlds; return how many fields were replaced.

    Args:
        one: What the one world answered.
        other: What the other one answered.
        seat: The role's seat, the hash of whose own holding is compared too; None for none.

    Raises:
        Differs: Anything else than the listed fields differs, or the length of one of these.
    """
    if one == other:
        return 0
    if one.status != other.status:
        raise Differs(f"status: {one.status} {_cut(one.body)} / {other.status} {_cut(other.body)}")
    if one.headers != other.headers:
        raise Differs(f"headers: {set(one.headers) ^ set(other.headers)}")
    kind = dict(one.headers).get("Content-Type", "")
    mine, theirs = one.body.decode(), other.body.decode()
    differing = [
        (a, b)
        for a, b in _pairs(kind, mine, theirs, seat)
        if a != b and (len(a) == len(b) or _fail(f"lengths: {a!r} / {b!r}"))
    ]
    _check_rest(mine, theirs, differing)
    return len(differing)


def _check_rest(mine: str, theirs: str, differing: list[Pair]) -> None:
    """Check that outside of these values, in their order, both texts are the same."""
    at = to = 0
    for a, b in differing:
        found, there = mine.find(a, at), theirs.find(b, to)
        if found < 0 or there < 0 or mine[at:found] != theirs[to:there]:
            _fail(_parting(mine[at:], theirs[to:]))
        at, to = found + len(a), there + len(b)
    if mine[at:] != theirs[to:]:
        _fail(_parting(mine[at:], theirs[to:]))


def _pairs(kind: str, mine: str, theirs: str, seat: int | None) -> Iterator[Pair]:
    """Give the values of listed fields in both texts, in the order of the first."""
    for one, other in zip(_documents(kind, mine), _documents(kind, theirs), strict=False):
        yield from _walk((), one, other, seat)


def _documents(kind: str, text: str) -> Iterator[Any]:
    """Give the JSON of a body: the whole, a line each, or what an event stream carries."""
    if kind.startswith("application/jsonl"):
        yield _records(_read(line) for line in text.splitlines())
    elif kind.startswith(("application/json", "application/problem+json")):
        yield _read(text)
    elif kind.startswith("application/x-ndjson"):
        yield _records(dict(_read(line))["data"] for line in text.splitlines())
    elif kind.startswith("text/event-stream"):
        carried = (line[6:] for line in text.splitlines() if line.startswith("data: "))
        yield _records(map(_read, carried))


def _records(found: Iterable[Any]) -> "_Object":
    return _Object([("events", list(found))])


class _Object(list[tuple[str, Any]]):
    """A JSON object with its members in the order in which they stand."""


def _read(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_Object)


def _walk(path: tuple[str, ...], one: Any, other: Any, seat: int | None) -> Iterator[Pair]:
    """Give listed values in the order in which they stand; what does not fit is left alone."""
    if isinstance(one, _Object) and isinstance(other, _Object):
        where = ".".join(path)
        for (name, a), (_, b) in zip(one, other, strict=False):
            if name in {place.split(".")[-1] for place in (*_RECORDS, *_RECEIPTS)}:
                here = f"{where}.{name}".lstrip(".")
                if here in _RECORDS:
                    yield from _each(a, b, lambda x, y: _of_record(x, y, seat))
                elif here in _RECEIPTS:
                    yield from _each(a, b, _of_receipt)
            elif name == "facts":
                yield from _walk((*path, name), a, b, seat)


def _each(one: Any, other: Any, of: Callable[[Any, Any], Iterator[Pair]]) -> Iterator[Pair]:
    if isinstance(one, list) and isinstance(other, list):
        for a, b in zip(one, other, strict=False):
            yield from of(a, b)


def _of_record(one: Any, other: Any, seat: int | None) -> Iterator[Pair]:
    if not (isinstance(one, _Object) and isinstance(other, _Object)):
        return
    deals = dict(one).get("type") == "deal"
    for (name, a), (_, b) in zip(one, other, strict=False):
        if name == "prev":
            yield from _hash(a, b)
        elif name == "body" and deals and isinstance(a, _Object) and isinstance(b, _Object):
            pairs = zip(dict(a)["hands"], dict(b)["hands"], strict=True)
            for holder, (x, y) in enumerate(pairs):
                if holder != seat:
                    yield from _hash(x, y)


def _hash(one: Any, other: Any) -> Iterator[Pair]:
    """Give two values if both are hashes."""
    if all(isinstance(x, str) and len(x) == 64 and set(x) <= _HEX for x in (one, other)):
        yield one, other


_HEX: Final = set("0123456789abcdef")


def _of_receipt(one: Any, other: Any) -> Iterator[Pair]:
    """Give hash and signature of two receipts, the id of the key left in place."""
    if not (isinstance(one, str) and isinstance(other, str)):
        return
    lines = list(zip(one.split("\n"), other.split("\n"), strict=False))
    if one.startswith("pfd1 receipt\n") and len(lines) == 8:
        yield from _hash(*lines[4])
        ends = [line.split(" ")[-1] for line in lines[6]]
        if all(len(b64decode(end)) == 4 + 64 for end in ends):
            yield ends[0][5:], ends[1][5:]


def _parting(mine: str, theirs: str) -> str:
    at = next(
        (i for i, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b),
        min(len(mine), len(theirs)),
    )
    cut = slice(max(0, at - 80), at + 60)
    return f"{mine[cut]!r} / {theirs[cut]!r}"


def _cut(body: bytes) -> str:
    return body[:300].decode("utf-8", "replace")


def _fail(why: str) -> bool:
    raise Differs(why)
