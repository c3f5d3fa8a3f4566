"""Pass 4, in the processes: a leaf becomes the little that the order of a game is judged by."""

import json
import re
from hashlib import sha256
from typing import Any, Final, NamedTuple, NoReturn

from fairdeal.errors import MalformedInput
from fairdeal.fairness.keys import Secret
from fairdeal.fairness.lines import commit, hand_line, master_line
from fairdeal.records.canonical import MAX_DEPTH, decode_canonical
from fairdeal.records.chain import PROTOCOL, RECORD_TYPES
from fairdeal.tlog.leaves import SERVICE, UNLOGGED, read_service_leaf
from fairdeal.tlog.tiles import MAX_ENTRY

_EPOCHS: Final = frozenset({"seal", "sealed", "share", "void", "beacon"})
_HANDS: Final = frozenset({"deal", "draw", "score", "abort"})
_FIELDS: Final = frozenset({"v", "game", "n", "prev", "t", "type", "body"})
_GAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{7,63}")
_HASH: Final = re.compile(r"[0-9a-f]{64}")
# A number so long is beyond 2^53-1; within a text it only costs the quick way.
_LONG_NUMBER: Final = re.compile(rb"[:,\[-][0-9]{16}")
_SHORT: Final = 16  # bytes of a hash that are kept: nobody finds two that share them


class Fact(NamedTuple):
    """A leaf.

    Attributes:
        game: None for a leaf of the service.
        n: Its number in the game.
        kind: Its type.
        prev: The hash of the game's record before, its first 16 bytes.
        hash: Of its line, the first 16 bytes.
        leaf: Its hash in the tree.
        said: By kind: an epoch, a hand, what record 0 promises, what a secret opens.
    """

    at: int
    game: str | None
    n: int
    kind: str
    t: int
    prev: bytes
    hash: bytes
    leaf: bytes
    said: Any


class BadLeaf(Exception):
    """A leaf that may not be in the log.

    Args:
        code: Of the finding.
        sentence: Of the finding.
    """

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


def read_leaf(at: int, entry: bytes, leaf: bytes) -> Fact:
    """Read a leaf.

    Args:
        at: Its place, from 0.
        entry: Its bytes.
        leaf: Its hash.

    Raises:
        BadLeaf: It is neither a record that may be in the log nor a leaf of the service.
    """
    said = _decoded(entry)
    if not isinstance(said, dict) or said.get("v") not in {PROTOCOL, SERVICE}:
        raise BadLeaf("E_LEAF_FORM", "The leaf is neither a record of pfd1 nor of the service.")
    digest = sha256(entry).digest()[:_SHORT]
    if said["v"] == SERVICE:
        try:
            one = read_service_leaf(entry)
        except MalformedInput as error:
            raise BadLeaf("E_LEAF_FORM", error.sentence) from None
        return Fact(at, None, 0, one.type, one.t, b"", digest, leaf, one.body)
    if said.get("type") == UNLOGGED:
        raise BadLeaf("E_LEAF_TYPE", "An act is no leaf of the log.")
    try:
        game, n, t, kind, prev = (said[field] for field in ("game", "n", "t", "type", "prev"))
        fits = said.keys() == _FIELDS and _GAME.fullmatch(game) and _HASH.fullmatch(prev)
        if not fits or type(n) is not int or type(t) is not int or min(n, t) < 0:
            _bad("The leaf has not the fields of a record.")
        if kind not in RECORD_TYPES:
            raise BadLeaf("E_LEAF_TYPE", f"There is no record of the type {str(kind)[:20]!r}.")
        what = _said(game, kind, said["body"])
    except (KeyError, TypeError, ValueError, AttributeError, MalformedInput):
        _bad("The leaf is no record of pfd1: a field has another form.")
    return Fact(at, game, n, kind, t, bytes.fromhex(prev)[:_SHORT], digest, leaf, what)


def _decoded(entry: bytes) -> Any:  # noqa: ANN401  any JSON
    """Return what a canonical line says; the quick way gives up where it could be wrong."""
    if not entry.endswith(b"\n"):
        _bad("The leaf does not end with a line feed.")
    line = entry[:-1]
    is_plain = (
        line.isascii()
        and b"\\" not in line
        and line.count(b"[") + line.count(b"{") <= MAX_DEPTH
        and not _LONG_NUMBER.search(line)
    )
    try:
        if not is_plain:
            return decode_canonical(line, max_bytes=MAX_ENTRY)
        text = line.decode()
        said = _READ(text)
    except (MalformedInput, ValueError):
        _bad("The leaf is not canonical JSON.")
    if _WRITE(said) != text:
        _bad("The leaf is not canonical JSON.")
    return said


def _said(game: str, kind: str, body: dict[str, Any]) -> object:
    if kind == "open":
        return _promises(body)
    if kind == "lock":
        return _number(body["epoch"]), _number(body["first_hand"])
    if kind in _EPOCHS:
        return _number(body["epoch"])
    if kind in _HANDS:
        return _number(body["hand"])
    if kind == "reveal":
        hand = _number(body["hand"])
        secret = Secret.from_hex(body["secret"])
        return hand, bytes.fromhex(commit(hand_line(game, hand, secret)))[:_SHORT]
    if kind == "close":
        return _number(body["hands"])
    secret = Secret.from_hex(body["secret"])
    return bytes.fromhex(commit(master_line(game, secret)))[:_SHORT], sha256(secret.raw).hexdigest()


def _promises(body: dict[str, Any]) -> tuple[Any, ...]:
    commits = b"".join(_hash(one)[:_SHORT] for one in body["hand_commits"])
    return (
        str(body["origin"]),
        _number(body["reveal_by"]),
        _hash(body["master_commit"]),
        commits,
        "play" in body["rules"],
    )


def _hash(text: str) -> bytes:
    if _HASH.fullmatch(text) is None:
        raise ValueError(text)
    return bytes.fromhex(text)


def _number(value: object) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(value)
    return value


def _no_number(token: str) -> NoReturn:
    raise ValueError(token)


def _bad(sentence: str) -> NoReturn:
    raise BadLeaf("E_LEAF_FORM", sentence)


_READ: Final = json.JSONDecoder(parse_float=_no_number, parse_constant=_no_number).decode
_WRITE: Final = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, check_circular=False
).encode
