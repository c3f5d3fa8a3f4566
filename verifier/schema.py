"""A parsed line to its head and its body: closed objects, closed lists of words (§2.10)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from verifier import shapes
from verifier.bodies import (
    Abort,
    Act,
    Beacon,
    Body,
    Close,
    Deal,
    Draw,
    Lock,
    Master,
    Reveal,
    Score,
    Seal,
    Sealed,
    Share,
    Void,
)
from verifier.schema_open import MAX_SEATS, read_open
from verifier.shapes import SchemaFault
from verifier.strictjson import Json, LineFault

PROTOCOL: Final = "pfd1"
MAX_ACT: Final = 400
BY: Final = {"seat": "seat", "stand-in": "stand-in", "clock": "clock"}

_RECORD: Final = frozenset({"v", "game", "n", "prev", "t", "type", "body"})
_SIGNATURE_DIGITS: Final = 96  # a compressed point of G1 (§2.6)
_SECRET_DIGITS: Final = 128


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of a record around its body.

    Attributes:
        n: The number the record gives itself.
        prev: What it says is the hash of the line before.
        t: Milliseconds since 1970, by the server's clock.
        kind: Its ``type``.
    """

    game: str
    n: int
    prev: str
    t: int
    kind: str


def read_record(value: Json) -> tuple[Fields, Body]:
    """Return a record's fields and body.

    Raises:
        LineFault: E_SCHEMA or E_VERSION, in the order of §3.2 stage 1.
    """
    if not isinstance(value, dict) or "v" not in value:
        raise LineFault("E_SCHEMA", "no object, or an object without v")
    if value["v"] != PROTOCOL:
        raise LineFault("E_VERSION", f"v is not {PROTOCOL}")
    try:
        record = shapes.closed(value, "the record", _RECORD)
        fields = Fields(
            game=shapes.game(record["game"], "game"),
            n=shapes.integer(record["n"], "n"),
            prev=shapes.hash_of(record["prev"], "prev"),
            t=shapes.integer(record["t"], "t"),
            kind=shapes.word(record["type"], "type", _KINDS),
        )
        return fields, read_body(fields.kind, record["body"])
    except SchemaFault as fault:
        raise LineFault("E_SCHEMA", str(fault)) from None


def read_body(kind: str, value: Json) -> Body:
    """Return the body of a record of a known type.

    Raises:
        SchemaFault: The body is not that of this type.
    """
    return _READERS[kind](value)


def _body(value: Json, *names: str) -> dict[str, Json]:
    return shapes.closed(value, "body", frozenset(names))


def _per_seat(value: Json, where: str) -> tuple[str | None, ...]:
    return shapes.items(value, where, shapes.or_none(shapes.hash_of), 1, MAX_SEATS)


def _integers(value: Json, where: str) -> tuple[int, ...]:
    return shapes.items(value, where, shapes.integer)


def _seal(value: Json) -> Seal:
    body = _body(value, "epoch", "seat", "seal")
    return Seal(
        shapes.integer(body["epoch"], "epoch"),
        shapes.integer(body["seat"], "seat"),
        shapes.hash_of(body["seal"], "seal"),
    )


def _sealed(value: Json) -> Sealed:
    body = _body(value, "epoch", "seals")
    return Sealed(shapes.integer(body["epoch"], "epoch"), _per_seat(body["seals"], "seals"))


def _share(value: Json) -> Share:
    body = _body(value, "epoch", "seat", "nonce", "seed_sha256")
    return Share(
        shapes.integer(body["epoch"], "epoch"),
        shapes.integer(body["seat"], "seat"),
        shapes.hash_of(body["nonce"], "nonce"),
        shapes.hash_of(body["seed_sha256"], "seed_sha256"),
    )


def _void(value: Json) -> Void:
    body = _body(value, "epoch", "reason", "seats")
    return Void(
        shapes.integer(body["epoch"], "epoch"),
        shapes.text(body["reason"], "reason"),
        _integers(body["seats"], "seats"),
    )


def _lock(value: Json) -> Lock:
    body = _body(value, "epoch", "first_hand", "shares", "round")
    return Lock(
        shapes.integer(body["epoch"], "epoch"),
        shapes.integer(body["first_hand"], "first_hand"),
        _per_seat(body["shares"], "shares"),
        shapes.or_none(shapes.integer)(body["round"], "round"),
    )


def _beacon(value: Json) -> Beacon:
    body = _body(value, "epoch", "round", "signature")
    return Beacon(
        shapes.integer(body["epoch"], "epoch"),
        shapes.integer(body["round"], "round"),
        shapes.hex_digits(body["signature"], "signature", _SIGNATURE_DIGITS),
    )


def _deal(value: Json) -> Deal:
    body = _body(value, "hand", "first_seat", "hands", "up", "laid", "stock")
    return Deal(
        shapes.integer(body["hand"], "hand"),
        shapes.integer(body["first_seat"], "first_seat"),
        shapes.items(body["hands"], "hands", shapes.hash_of, 1, MAX_SEATS),
        _integers(body["up"], "up"),
        shapes.items(body["laid"], "laid", _integers, 1, MAX_SEATS),
        shapes.integer(body["stock"], "stock"),
    )


def _draw(value: Json) -> Draw:
    body = _body(value, "hand", "seat", "pos")
    return Draw(
        shapes.integer(body["hand"], "hand"),
        shapes.integer(body["seat"], "seat"),
        shapes.integer(body["pos"], "pos"),
    )


def _act(value: Json) -> Act:
    body = _body(value, "hand", "seat", "by", "act", "took", "shown")
    shapes.integer(body["seat"], "seat")
    shapes.word(body["by"], "by", BY)
    act = shapes.string(body["act"], "act")
    if not 1 <= len(act) <= MAX_ACT or not act.isascii():
        raise SchemaFault(f"act is not 1 to {MAX_ACT} ASCII characters")
    _integers(body["took"], "took")
    shapes.items(body["shown"], "shown", shapes.face)
    return Act(shapes.integer(body["hand"], "hand"), body)


def _score(value: Json) -> Score:
    body = _body(value, "hand", "result")
    return Score(shapes.integer(body["hand"], "hand"), body)


def _abort(value: Json) -> Abort:
    body = _body(value, "hand", "reason")
    shapes.text(body["reason"], "reason")
    return Abort(shapes.integer(body["hand"], "hand"), body)


def _reveal(value: Json) -> Reveal:
    body = _body(value, "hand", "secret")
    return Reveal(
        shapes.integer(body["hand"], "hand"),
        shapes.hex_digits(body["secret"], "secret", _SECRET_DIGITS),
    )


def _close(value: Json) -> Close:
    body = _body(value, "reason", "hands")
    return Close(shapes.text(body["reason"], "reason"), shapes.integer(body["hands"], "hands"))


def _master(value: Json) -> Master:
    body = _body(value, "secret")
    return Master(shapes.hex_digits(body["secret"], "secret", _SECRET_DIGITS))


_READERS: Final[dict[str, Callable[[Json], Body]]] = {
    "open": read_open,
    "seal": _seal,
    "sealed": _sealed,
    "share": _share,
    "void": _void,
    "lock": _lock,
    "beacon": _beacon,
    "deal": _deal,
    "draw": _draw,
    "act": _act,
    "score": _score,
    "abort": _abort,
    "reveal": _reveal,
    "close": _close,
    "master": _master,
}
_KINDS: Final = {kind: kind for kind in _READERS}
