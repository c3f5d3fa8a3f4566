"""Builds the body of each type of record, with exactly its fields (protocol §2.10).

Each function takes the fields of its type by name, checks their types and bounds, and returns a
new dict. All raise `MalformedInput`, code `bad_field`, with the field's name in its facts. What
the records before say is not looked at: that is for `fairdeal.game` to decide.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from fairdeal.errors import MalformedInput
from fairdeal.records import fields
from fairdeal.records.canonical import encode
from fairdeal.records.opening import open_body

__all__ = [
    "BODIES",
    "abort_body",
    "act_body",
    "beacon_body",
    "check_body",
    "close_body",
    "deal_body",
    "draw_body",
    "lock_body",
    "master_body",
    "open_body",
    "reveal_body",
    "score_body",
    "seal_body",
    "sealed_body",
    "share_body",
    "void_body",
]

MAX_ACT: Final = 400
ACTED_BY: Final = ("seat", "stand-in", "clock")

_epoch = partial(fields.integer, field="epoch", least=1)
_hand = partial(fields.integer, field="hand", least=1)
_seat = partial(fields.integer, field="seat", most=fields.MAX_SEATS - 1)
_card = partial(fields.integer, most=fields.MAX_CARDS - 1)
_cards = partial(fields.items, check=_card, most=fields.MAX_CARDS)
_per_seat = partial(fields.items, least=1, most=fields.MAX_SEATS)


def seal_body(*, epoch: int, seat: int, seal: str) -> dict[str, Any]:
    """Return the body of a `seal`: a player's line is fixed, not yet shown (§2.5)."""
    return {"epoch": _epoch(epoch), "seat": _seat(seat), "seal": fields.hash_hex(seal, "seal")}


def sealed_body(*, epoch: int, seals: Sequence[str | None]) -> dict[str, Any]:
    """Return the body of a `sealed`: all seals, one a seat, None where none is due (§2.5)."""
    return {"epoch": _epoch(epoch), "seals": _per_seat(seals, "seals", fields.hash_or_null)}


def share_body(*, epoch: int, seat: int, nonce: str, seed_sha256: str) -> dict[str, Any]:
    """Return the body of a `share`: what a player contributes to the epoch (§2.4)."""
    return {
        "epoch": _epoch(epoch),
        "seat": _seat(seat),
        "nonce": fields.hash_hex(nonce, "nonce"),
        "seed_sha256": fields.hash_hex(seed_sha256, "seed_sha256"),
    }


def void_body(*, epoch: int, reason: str, seats: Sequence[int]) -> dict[str, Any]:
    """Return the body of a `void`: the epoch is given up, these seats are missing (§2.5)."""
    return {
        "epoch": _epoch(epoch),
        "reason": fields.text(reason, "reason"),
        "seats": fields.items(
            seats, "seats", partial(fields.integer, most=fields.MAX_SEATS - 1), 1, fields.MAX_SEATS
        ),
    }


def lock_body(
    *,
    epoch: int,
    first_hand: int,
    shares: Sequence[str | None],
    round: int | None,  # noqa: A002  the field's name
) -> dict[str, Any]:
    """Return the body of a `lock`: the lines the epoch's hands are dealt from (§2.5).

    Args:
        epoch: From 1.
        first_hand: The epoch's first, from 1.
        shares: The hash of each seat's S line, None for a seat without one.
        round: The beacon's; None without a beacon.
    """
    return {
        "epoch": _epoch(epoch),
        "first_hand": fields.integer(first_hand, "first_hand", 1),
        "shares": _per_seat(shares, "shares", fields.hash_or_null),
        "round": None if round is None else fields.integer(round, "round"),
    }


def beacon_body(
    *,
    epoch: int,
    round: int,  # noqa: A002  the field's name
    signature: str,
) -> dict[str, Any]:
    """Return the body of a `beacon`: the round that the lock fixed is out (§2.6)."""
    return {
        "epoch": _epoch(epoch),
        "round": fields.integer(round, "round"),
        "signature": fields.signature_hex(signature, "signature"),
    }


def deal_body(
    *,
    hand: int,
    first_seat: int,
    hands: Sequence[str],
    up: Sequence[int],
    laid: Sequence[Sequence[int]],
    stock: int,
) -> dict[str, Any]:
    """Return the body of a `deal` (§2.7).

    Args:
        hand: From 1.
        first_seat: Who is dealt first in this hand.
        hands: One hash a seat (`fairdeal.fairness.deal.card_hashes`).
        up: Positions in the deck, the last one on top.
        laid: Positions in the deck, one list a seat.
        stock: How many cards are left.
    """
    return {
        "hand": _hand(hand),
        "first_seat": fields.integer(first_seat, "first_seat", 0, fields.MAX_SEATS - 1),
        "hands": _per_seat(hands, "hands", fields.hash_hex),
        "up": _cards(up, "up"),
        "laid": _per_seat(laid, "laid", _cards),
        "stock": fields.integer(stock, "stock", 0, fields.MAX_CARDS),
    }


def draw_body(*, hand: int, seat: int, pos: int) -> dict[str, Any]:
    """Return the body of a `draw` in a dealt-only game; `pos` counts within the stock (§2.7)."""
    return {"hand": _hand(hand), "seat": _seat(seat), "pos": fields.integer(pos, "pos")}


def act_body(
    *, hand: int, seat: int, by: str, act: str, took: Sequence[int], shown: Sequence[str]
) -> dict[str, Any]:
    """Return the body of an `act` in a refereed game (§6.2).

    Args:
        hand: From 1.
        seat: Whose act it is.
        by: `seat`, `stand-in` or `clock`.
        act: Its canonical text.
        took: The stock positions that it used up, in order.
        shown: The faces of the red threes that it laid on the table, in order.
    """
    return {
        "hand": _hand(hand),
        "seat": _seat(seat),
        "by": fields.one_of(by, "by", ACTED_BY),
        "act": fields.ascii_line(act, "act", MAX_ACT),
        "took": fields.items(took, "took", fields.integer, 0, fields.MAX_CARDS),
        "shown": fields.items(shown, "shown", fields.face, 0, fields.MAX_CARDS),
    }


def score_body(*, hand: int, result: object) -> dict[str, Any]:
    """Return the body of a `score`; the result is any canonical JSON value (§6.3)."""
    try:
        encode([[result]])  # as deep as it will lie in its record
    except MalformedInput as error:
        raise fields.bad("result", f"has no canonical form ({error.code})") from error
    return {"hand": _hand(hand), "result": result}


def abort_body(*, hand: int, reason: str) -> dict[str, Any]:
    """Return the body of an `abort`: the hand ends without a score (§2.9)."""
    return {"hand": _hand(hand), "reason": fields.text(reason, "reason")}


def reveal_body(*, hand: int, secret: str) -> dict[str, Any]:
    """Return the body of a `reveal`; the secret is the hand's, 128 hex digits (§2.8)."""
    return {"hand": _hand(hand), "secret": fields.secret_hex(secret, "secret")}


def close_body(*, reason: str, hands: int) -> dict[str, Any]:
    """Return the body of a `close`; `hands` is the number dealt, aborted ones too (§2.8)."""
    return {
        "reason": fields.text(reason, "reason"),
        "hands": fields.integer(hands, "hands", 0, fields.MAX_HANDS),
    }


def master_body(*, secret: str) -> dict[str, Any]:
    """Return the body of a `master`, the last record; 128 hex digits (§2.8)."""
    return {"secret": fields.secret_hex(secret, "secret")}


BODIES: Final[Mapping[str, Callable[..., dict[str, Any]]]] = {
    "open": open_body,
    "seal": seal_body,
    "sealed": sealed_body,
    "share": share_body,
    "void": void_body,
    "lock": lock_body,
    "beacon": beacon_body,
    "deal": deal_body,
    "draw": draw_body,
    "act": act_body,
    "score": score_body,
    "abort": abort_body,
    "reveal": reveal_body,
    "close": close_body,
    "master": master_body,
}


def check_body(kind: str, body: Mapping[str, object]) -> None:
    """Check a body that was read, by building it again.

    Args:
        kind: The record's type.
        body: The record's body.

    Raises:
        MalformedInput: Code `bad_field`: unknown type, other fields, or a field out of bounds.
    """
    build = BODIES.get(kind)
    if build is None:
        raise fields.bad("type", "is no type of record")
    fields.members(body, "body", tuple(inspect.signature(build).parameters))
    build(**body)
