"""Makes whole games of the profile open, so that a test can bend one thing and see it named.

The cards come from the verifier's own derivation; the published vectors show that it is right.
"""

import base64
import copy
import hashlib
import io
import json
from functools import cached_property
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from verifier.dealing import Table, deal_out
from verifier.derive import (
    cards_hasher,
    cards_salt,
    hand_line,
    hand_secret,
    hash_line,
    master_line,
    mix,
    seat_line,
    shuffle,
    words,
)
from verifier.held import Held
from verifier.notes import VerifierKey, parse_key
from verifier.schema_open import read_open
from verifier.verdict import Report
from verifier.verify import verify

ORIGIN: Final = "deal.example/pfd1"
MASTER: Final = bytes(range(64))
DECK: Final = ["AC", "3H", "4C", "5C", "2C", "7C", "3D", "9C", "TC", "JC", "KC", "JK"]
STEPS: Final[list[dict[str, Any]]] = [
    {"op": "deal", "count": 2, "packet": 1},
    {"op": "turn", "until_not": ["2C", "3D", "3H", "JK"]},
    {"op": "replace", "faces": ["3D", "3H"]},
]


class Forge:
    """A game under construction: `records` are (type, body) pairs, chained only by `data`."""

    def __init__(
        self,
        kinds: str = "pbb",
        hands: int = 4,
        game: str = "forged-game-1",
        **overrides: Any,
    ) -> None:
        self.game = game
        seats = [{"kind": {"p": "player", "b": "bot"}[kind], "label": ""} for kind in kinds]
        self.open_body: dict[str, Any] = {
            "origin": ORIGIN,
            "profile": "open",
            "beacon": None,
            "seats": seats,
            "rules": {
                "deck": DECK,
                "name": "small",
                "seats": len(seats),
                "steps": STEPS,
                "v": "pfd1-rules",
            },
            "first_seat": 1,
            "master_commit": hash_line(master_line(game, MASTER)),
            "hand_commits": [
                hash_line(hand_line(game, hand, self.secret(hand))) for hand in range(1, hands + 1)
            ],
            "epoch_hands": 0,
            "missing_share": "void",
            "reveal_by": 10_000_000,
            **overrides,
        }
        self.records: list[tuple[str, dict[str, Any]]] = [("open", self.open_body)]
        self.times: dict[int, int] = {}
        self.lines: dict[int, str] = {}
        self.hands_dealt = 0
        self.epoch = 1
        self.mixed_in = b""  # B of docs/protocol.md 2.6
        self.clock: int | None = None  # from here on each record is a millisecond later

    @property
    def open_hash(self) -> str:
        return hashlib.sha256(self.data().split(b"\n")[0] + b"\n").hexdigest()

    def secret(self, hand: int) -> bytes:
        return hand_secret(self.game, MASTER, hand)

    def add(self, kind: str, **body: Any) -> "Forge":
        if self.clock is not None:
            self.times[len(self.records)] = self.clock
            self.clock += 1
        self.records.append((kind, body))
        return self

    def at(self, time: int) -> "Forge":
        """Let the next record be made at a time."""
        self.clock = time
        return self

    def line(self, seat: int, text: str = "hello", nonce: str | None = None) -> str:
        """Make a seat's line, for its seal and its share."""
        nonce = nonce or hashlib.sha256(f"{self.epoch}/{seat}".encode()).hexdigest()
        seed = hashlib.sha256(text.encode()).hexdigest()
        self.lines[seat] = seat_line(self.game, self.epoch, seat, self.open_hash, nonce, seed)
        return self.lines[seat]

    def seal(self, seat: int = 0, text: str = "hello", nonce: str | None = None) -> "Forge":
        seal = hash_line(self.line(seat, text, nonce))
        return self.add("seal", epoch=self.epoch, seat=seat, seal=seal)

    def sealed(self) -> "Forge":
        seals = [
            hash_line(self.lines[seat]) if seat in self.lines else None
            for seat in range(len(self.open_body["seats"]))
        ]
        return self.add("sealed", epoch=self.epoch, seals=seals)

    def share(self, seat: int = 0, text: str = "hello", nonce: str | None = None) -> "Forge":
        *_, made_nonce, seed = self.line(seat, text, nonce).split(":")
        return self.add("share", epoch=self.epoch, seat=seat, nonce=made_nonce, seed_sha256=seed)

    def lock(self, **changes: Any) -> "Forge":
        shares = [
            hash_line(self.lines[seat]) if seat in self.lines else None
            for seat in range(len(self.open_body["seats"]))
        ]
        body = {
            "epoch": self.epoch,
            "first_hand": self.hands_dealt + 1,
            "shares": shares,
            "round": None,
        }
        return self.add("lock", **{**body, **changes})

    def next_epoch(self) -> "Forge":
        self.epoch += 1
        self.lines = {}
        return self

    def table(self, hand: int) -> Table:
        terms = read_open(copy.deepcopy(self.open_body))
        seats = len(terms.seats)
        first_seat = (terms.first_seat + hand - 1) % seats
        mixed = mix(
            game=self.game,
            open_hash=self.open_hash,
            epoch=self.epoch,
            hand=hand,
            first_seat=first_seat,
            beacon=self.mixed_in,
            lines=[self.lines.get(seat) for seat in range(seats)],
        )
        order = shuffle(len(terms.deck), words(self.secret(hand), mixed))
        return deal_out(order, terms.deck, terms.steps, seats, first_seat)

    def deal(self, hand: int | None = None, **changes: Any) -> "Forge":
        hand = self.hands_dealt + 1 if hand is None else hand
        table = self.table(hand)
        seats = len(table.hands)
        body = {
            "hand": hand,
            "first_seat": (self.open_body["first_seat"] + hand - 1) % seats,
            "hands": [self.hash_cards(hand, seat, table.hands[seat]) for seat in range(seats)],
            "up": table.up,
            "laid": table.laid,
            "stock": len(table.stock),
        }
        self.hands_dealt += 1
        return self.add("deal", **{**body, **changes})

    def hash_cards(self, hand: int, seat: int, cards: list[int]) -> str:
        salt = cards_salt(self.secret(hand), seat)
        return cards_hasher(self.game, hand, seat, salt)(cards)

    def score(self, hand: int | None = None) -> "Forge":
        return self.add("score", hand=hand or self.hands_dealt, result={"north": 10})

    def abort(self, hand: int | None = None) -> "Forge":
        return self.add("abort", hand=hand or self.hands_dealt, reason="server restarted")

    def reveal(self, hand: int | None = None) -> "Forge":
        hand = hand or self.hands_dealt
        return self.add("reveal", hand=hand, secret=self.secret(hand).hex())

    def play(self, hands: int = 1) -> "Forge":
        for _ in range(hands):
            self.deal().score().reveal()
        return self

    def close(self, reason: str = "complete") -> "Forge":
        return self.add("close", reason=reason, hands=self.hands_dealt)

    def master(self) -> "Forge":
        return self.add("master", secret=MASTER.hex())

    def end(self) -> "Forge":
        return self.close().master()

    def data(self) -> bytes:
        prev, lines = "0" * 64, []
        for n, (kind, body) in enumerate(self.records):
            record = {"v": "pfd1", "game": self.game, "n": n, "prev": prev, "type": kind}
            record |= {"t": self.times.get(n, 1000 + n), "body": body}
            lines.append(canonical(record))
            prev = hashlib.sha256(lines[-1]).hexdigest()
        return b"".join(lines)


def honest(hands: int = 1) -> Forge:
    """A whole game of one player and two bots."""
    return Forge().share().lock().play(hands).end()


def canonical(value: object) -> bytes:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode() + b"\n"


def check(data: bytes | Forge, held: Held | None = None) -> Report:
    raw = data if isinstance(data, bytes) else data.data()
    return verify(io.BytesIO(raw), held or Held())


def codes(report: Report) -> list[str]:
    return [error.code for error in report.errors]


def warned(report: Report) -> set[str]:
    return {warning.code for warning in report.warnings}


class Signer:
    """A named test key that signs notes and receipts."""

    def __init__(self, name: str = ORIGIN, seed: int = 1) -> None:
        self.name = name
        self.private = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
        typed = b"\x01" + self.private.public_key().public_bytes_raw()
        self.key_id = hashlib.sha256(name.encode() + b"\n" + typed).digest()[:4]
        self.vkey = f"{name}+{self.key_id.hex()}+{base64.b64encode(typed).decode()}"

    @cached_property
    def key(self) -> VerifierKey:
        return parse_key(self.vkey)

    def signature_line(self, text: str) -> str:
        signature = self.key_id + self.private.sign(text.encode())
        return f"\u2014 {self.name} {base64.b64encode(signature).decode()}\n"

    def note(self, text: str) -> str:
        return f"{text}\n{self.signature_line(text)}"

    def receipt(
        self, data: bytes, n: int, game: str = "forged-game-1", origin: str | None = None
    ) -> str:
        line = data.split(b"\n")[n] + b"\n"
        digest = hashlib.sha256(line).hexdigest()
        return self.note(f"pfd1 receipt\n{origin or self.name}\n{game}\n{n}\n{digest}\n")

    def held(self, *notes: str, **more: Any) -> Held:
        return Held(notes=notes, receipt_keys=(self.key,), **more)
