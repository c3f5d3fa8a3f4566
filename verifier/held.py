"""What the user holds against a file: notes, keys, a seed, cards (§3.1)."""

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import BinaryIO, Final

from verifier import shapes
from verifier.ed25519 import SIGNATURE_BYTES, PublicKey, load_key
from verifier.notes import VerifierKey
from verifier.shapes import SchemaFault
from verifier.strictjson import Json, LineFault, parse_foreign

MAX_SEED_BYTES: Final = 1024
TABLE_CODE_LETTERS: Final = 26
MAX_SHOWN: Final = 8192  # entries of a file of cards: 512 hands of 16 seats
MAX_CARDS: Final = 1024  # of a deck, so of a hand
_TABLE_CODE: Final = re.compile(f"[A-Z2-7]{{{TABLE_CODE_LETTERS}}}")
_EPOCH_SEED: Final = re.compile("([1-9][0-9]*):(.*)", re.DOTALL)
_MAX_EPOCH_DIGITS: Final = 16


class HeldFault(Exception):
    """Something the user gave cannot be read: a usage error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandCards:
    """Cards a seat was shown; with ``salt`` they are in the order of the service (§3.1)."""

    hand: int
    seat: int
    cards: tuple[int, ...]
    salt: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnSeed:
    """The text one seat typed, as bytes.

    Attributes:
        texts: By epoch; the one under None serves every epoch without an own entry.
        nonces: By epoch, 64 hex digits, where the user kept them (*my record*).
    """

    seat: int
    texts: dict[int | None, bytes]
    nonces: Mapping[int, str] = field(default_factory=dict)

    def text_for(self, epoch: int) -> bytes | None:
        """Return what was typed for an epoch, or None where nothing is said."""
        return self.texts.get(epoch, self.texts.get(None))


@dataclass(frozen=True, slots=True)
class PlayerSignature:
    """A player's own signature of a seat's line (§2.4): key and signature in hex."""

    epoch: int
    seat: int
    key: str
    signature: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """All evidence outside the file.

    Attributes:
        commit: 64 lower-case hex digits that the user noted.
        table_code: 26 letters, without blanks, in capitals.
        game: The game that *my record* names.
        notes: Receipts and card notes as they were given, unverified.
        receipt_keys: The keys that these are verified with.
        now: A time that may be trusted, ms since 1970.
        log_keys: The keys that checkpoints are verified with.
        checkpoints: As they were given, unverified.
        log: The log's lines, seekable, where checkpoints were given.
        proofs: Texts of proof files, each of one record in the log.
        witnesses: The keys of those whose cosignatures count.
        quorum: How many of them must have signed a checkpoint.
        player_keys: By seat, the key that the player is known to have.
        player_signatures: What the service serves of them.
        seating: The record of the draw for seats, seekable.
    """

    commit: str | None = None
    table_code: str | None = None
    game: str | None = None
    notes: tuple[str, ...] = ()
    receipt_keys: tuple[VerifierKey, ...] = ()
    own_seed: OwnSeed | None = None
    hand_cards: tuple[HandCards, ...] = ()
    now: int | None = None
    log_keys: tuple[VerifierKey, ...] = ()
    checkpoints: tuple[str, ...] = ()
    log: BinaryIO | None = None
    proofs: tuple[str, ...] = ()
    witnesses: tuple[VerifierKey, ...] = ()
    quorum: int = 0
    player_keys: Mapping[int, PublicKey] = field(default_factory=dict)
    player_signatures: tuple[PlayerSignature, ...] = ()
    seating: BinaryIO | None = None


def parse_commit(text: str) -> str:
    """Return a hash in lower case; raises HeldFault."""
    if not re.fullmatch("[0-9a-fA-F]{64}", text):
        raise HeldFault("a commitment has 64 hex digits")
    return text.lower()


def parse_table_code(text: str) -> str:
    """Return the 26 letters of a table code; raises HeldFault."""
    letters = re.sub("[ \t\n-]", "", text)
    code = letters.upper()
    # ASCII first: a dotless i is I in upper case and still no letter of the alphabet here.
    if not letters.isascii() or not _TABLE_CODE.fullmatch(code):
        raise HeldFault("a table code has 26 characters of A-Z and 2-7")
    return code


def table_code(open_hash: str) -> str:
    """Return the table code of record 0's hash, without groups (§2.10)."""
    return base64.b32encode(bytes.fromhex(open_hash)).decode()[:TABLE_CODE_LETTERS]


def parse_seed(text: str) -> tuple[int | None, bytes]:
    """Return the epoch (None for all) and the bytes of ``[EPOCH:]TEXT``; raises HeldFault."""
    epoch: int | None = None
    match = _EPOCH_SEED.fullmatch(text)
    if match:
        if len(match[1]) > _MAX_EPOCH_DIGITS:
            raise HeldFault(
                "the epoch before the colon is too large; :TEXT means the text as it is"
            )
        epoch, text = int(match[1]), match[2]
    elif text.startswith(":"):
        text = text[1:]
    return epoch, encode_seed(text)


def encode_seed(text: str) -> bytes:
    """Return the bytes of a typed text, exactly as it is (§2.4); raises HeldFault."""
    try:
        typed = text.encode()
    except UnicodeEncodeError:
        raise HeldFault("the seed is no valid text") from None
    if len(typed) > MAX_SEED_BYTES:
        raise HeldFault(f"a seed has at most {MAX_SEED_BYTES} bytes, this one {len(typed)}")
    return typed


def parse_hand_cards(text: str) -> tuple[HandCards, ...]:
    """Return the entries of a hand-cards file; raises HeldFault."""
    try:
        return shapes.items(parse_foreign(text), "hand cards", read_hand_cards, high=MAX_SHOWN)
    except (LineFault, SchemaFault) as fault:
        raise HeldFault(str(fault)) from None


def parse_note_list(text: str) -> tuple[str, ...]:
    """Return the strings of a JSON list; raises HeldFault."""
    try:
        return shapes.items(parse_foreign(text), "receipts", shapes.string)
    except (LineFault, SchemaFault) as fault:
        raise HeldFault(str(fault)) from None


def read_hand_cards(value: Json, where: str) -> HandCards:
    """Return one entry of what a seat was shown; raises SchemaFault."""
    names = {"hand", "seat", "cards"}
    if isinstance(value, dict) and "salt" in value:
        names.add("salt")
    entry = shapes.closed(value, where, frozenset(names))
    salt = entry.get("salt")
    if isinstance(salt, str):
        salt = salt.lower()
    return HandCards(
        hand=shapes.integer(entry["hand"], f"{where}.hand"),
        seat=shapes.integer(entry["seat"], f"{where}.seat"),
        cards=shapes.items(entry["cards"], f"{where}.cards", shapes.integer, high=MAX_CARDS),
        salt=shapes.or_none(shapes.hash_of)(salt, f"{where}.salt"),
    )


def parse_player_key(text: str) -> tuple[int, PublicKey]:
    """Return seat and key of ``SEAT=HEX``; raises HeldFault."""
    match = re.fullmatch("(0|[1-9][0-9]?)=([0-9a-fA-F]{64})", text)
    key = match and load_key(bytes.fromhex(match[2]))
    if not match or not key:
        raise HeldFault("a player's key is SEAT=HEX, an Ed25519 key of 64 hex digits")
    return int(match[1]), key


def parse_player_signatures(text: str) -> tuple[PlayerSignature, ...]:
    """Return the entries of a file of seed signatures; raises HeldFault."""
    try:
        answer = shapes.closed(parse_foreign(text), "the file", frozenset({"game", "signatures"}))
        shapes.game(answer["game"], "game")
        return shapes.items(answer["signatures"], "signatures", _player_signature, high=MAX_SHOWN)
    except (LineFault, SchemaFault) as fault:
        raise HeldFault(str(fault)) from None


def _player_signature(value: Json, where: str) -> PlayerSignature:
    entry = shapes.closed(value, where, frozenset({"epoch", "seat", "pk", "signature"}))
    digits = 2 * SIGNATURE_BYTES
    return PlayerSignature(
        shapes.integer(entry["epoch"], f"{where}.epoch"),
        shapes.integer(entry["seat"], f"{where}.seat"),
        shapes.hash_of(entry["pk"], f"{where}.pk"),
        bytes.fromhex(shapes.hex_digits(entry["signature"], f"{where}.signature", digits)),
    )
