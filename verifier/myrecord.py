"""*My record*: what a player's program kept of a game, as one file (§6.5)."""

from dataclasses import dataclass
from typing import Final

from verifier import shapes
from verifier.held import HandCards, HeldFault, OwnSeed, encode_seed
from verifier.shapes import SchemaFault
from verifier.strictjson import Json, LineFault, parse_foreign

FORMAT: Final = "pfd1-my-record"
_FIELDS: Final = frozenset({"v", "game", "seat", "seeds", "hands", "receipts", "cards"})


@dataclass(frozen=True, slots=True)
class MyRecord:
    """What the file holds; ``notes`` are receipts and card notes, unverified."""

    game: str
    own_seed: OwnSeed
    hand_cards: tuple[HandCards, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Seed:
    epoch: int
    text: bytes | None
    nonce: str | None


def parse_my_record(text: str) -> MyRecord:
    """Return what *my record* holds; raises HeldFault."""
    try:
        return _read(parse_foreign(text))
    except (LineFault, SchemaFault) as fault:
        raise HeldFault(f"my record: {fault}") from None


def _read(value: Json) -> MyRecord:
    record = shapes.closed(value, "the object", _FIELDS)
    shapes.word(record["v"], "v", {FORMAT: None})
    seat = shapes.integer(record["seat"], "seat")
    seeds = shapes.items(record["seeds"], "seeds", _seed)
    if len({seed.epoch for seed in seeds}) < len(seeds):
        raise SchemaFault("seeds has one epoch twice")
    receipts = shapes.items(record["receipts"], "receipts", shapes.string)
    cards = shapes.items(record["cards"], "cards", shapes.string)
    hands = shapes.items(record["hands"], "hands", _hand)
    return MyRecord(
        game=shapes.game(record["game"], "game"),
        own_seed=OwnSeed(
            seat=seat,
            texts={seed.epoch: seed.text for seed in seeds if seed.text is not None},
            nonces={seed.epoch: seed.nonce for seed in seeds if seed.nonce is not None},
        ),
        hand_cards=tuple(
            HandCards(hand=hand, seat=seat, cards=shown, salt=salt) for hand, shown, salt in hands
        ),
        notes=receipts + cards,
    )


def _seed(value: Json, where: str) -> _Seed:
    entry = shapes.closed(value, where, frozenset({"epoch", "text", "nonce"}))
    text = shapes.or_none(shapes.string)(entry["text"], f"{where}.text")
    return _Seed(
        shapes.integer(entry["epoch"], f"{where}.epoch", 1),
        None if text is None else encode_seed(text),
        shapes.or_none(shapes.hash_of)(entry["nonce"], f"{where}.nonce"),
    )


def _hand(value: Json, where: str) -> tuple[int, tuple[int, ...], str | None]:
    entry = shapes.closed(value, where, frozenset({"hand", "cards", "salt"}))
    return (
        shapes.integer(entry["hand"], f"{where}.hand", 1),
        shapes.items(entry["cards"], f"{where}.cards", shapes.integer),
        shapes.or_none(shapes.hash_of)(entry["salt"], f"{where}.salt"),
    )
