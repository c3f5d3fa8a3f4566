"""*My record*: what a player's program kept of a game, as one file (§6.5)."""

from dataclasses import dataclass
from typing import Final

from verifier import shapes
from verifier.held import MAX_SHOWN, HandCards, HeldFault, OwnSeed, encode_seed, read_hand_cards
from verifier.shapes import SchemaFault
from verifier.strictjson import Json, LineFault, parse_foreign

FORMAT: Final = "fairdeal-my-record-1"
_FIELDS: Final = frozenset(
    {
        "v",
        "game",
        "seat",
        "origin",
        "open_hash",
        "table_code",
        "receipt_keys",
        "receipts",
        "card_notes",
        "hand_cards",
        "seeds",
    }
)


@dataclass(frozen=True, slots=True)
class MyRecord:
    """What the file holds of use; the keys that it names are never trusted.

    Attributes:
        open_hash: What the user's program noted, 64 hex digits.
        notes: Receipts and card notes, unverified.
    """

    game: str
    open_hash: str
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
    seeds = shapes.items(record["seeds"], "seeds", _seed, high=MAX_SHOWN)
    if len({seed.epoch for seed in seeds}) < len(seeds):
        raise SchemaFault("seeds has one epoch twice")
    receipts = shapes.items(record["receipts"], "receipts", shapes.string)
    cards = shapes.items(record["card_notes"], "card_notes", shapes.string)
    shapes.items(record["receipt_keys"], "receipt_keys", shapes.string)
    for name in ("origin", "table_code"):
        shapes.string(record[name], name)
    return MyRecord(
        game=shapes.game(record["game"], "game"),
        open_hash=shapes.hash_of(record["open_hash"], "open_hash"),
        own_seed=OwnSeed(
            seat=seat,
            texts={seed.epoch: seed.text for seed in seeds if seed.text is not None},
            nonces={seed.epoch: seed.nonce for seed in seeds if seed.nonce is not None},
        ),
        hand_cards=shapes.items(
            record["hand_cards"], "hand_cards", read_hand_cards, high=MAX_SHOWN
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
