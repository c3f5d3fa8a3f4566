"""A game at its table: dealt, played and recorded by ``fairdeal`` from fixed texts."""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256, sha512
from typing import Any, Final, TypeAlias

from fairdeal.canasta import acts
from fairdeal.canasta.position import Position
from fairdeal.fairness.deal import Deal
from fairdeal.fairness.keys import Secret, card_salt
from fairdeal.fairness.lines import seed_sha256
from fairdeal.game import (
    Draft,
    Game,
    GameConfig,
    SeatConfig,
    decide_abort,
    decide_act,
    decide_close,
    decide_seed,
    decide_start,
    fold,
    open_body,
    replay,
)
from fairdeal.game.dealing import secret_of
from fairdeal.records.chain import Record, make
from fairdeal.records.notes import SigningKey

ORIGIN: Final = "deal.example/ours"
KEY: Final = SigningKey(ORIGIN, sha256(b"fairdeal vectors: the service's receipt key").digest())
OTHER_KEY: Final = SigningKey(ORIGIN, sha256(b"fairdeal vectors: a stranger's key").digest())
START_MS: Final = 1_800_000_000_000
REVEAL_BY: Final = START_MS + 86_400_000
TEXT_ONLY: Final = "00" * 32

Style: TypeAlias = Callable[[Position, int], acts.Act]
"""Chooses an act for the seat in turn. It sees the whole position: a script may peek."""
By: TypeAlias = Callable[[int, int], str]
"""Says who acts, given the number of the record to be and the seat: seat, stand-in or clock."""


def by_seat(_n: int, _seat: int) -> str:
    """Let every seat act for itself."""
    return "seat"


class Sitting:
    """One game, from record 0 to wherever its script leaves it.

    Args:
        name: Of the vector; with ``number`` it gives the game's name and all its secrets.
        number: Which of many games of this name; a search tries them in turn.
        seats: A letter a seat: p a player, b a bot.
        hands: How many hand commitments.
        texts: What each player seat typed, by seat.
        text_only: Player seats whose nonce is all zero.
        bend: Changes the body of record 0 before it is published.

    Attributes:
        hands: How many hand commitments.
        records: All records so far.
        game: What they come to.
        positions: The hand before each act, by the number of its record.
    """

    def __init__(
        self,
        name: str,
        number: int,
        *,
        seats: str,
        hands: int,
        texts: Mapping[int, str],
        text_only: Sequence[int] = (),
        bend: Callable[[dict[str, Any]], None] | None = None,
    ) -> None:
        self._label = f"{name} {number}"
        self.hands = hands
        self._texts = texts
        self._text_only = text_only
        game_id = f"ours-{name.lower()}-{number:05}"
        master = Secret(sha512(f"fairdeal vectors: master of {self._label}".encode()).digest())
        config = GameConfig(
            origin=ORIGIN,
            seats=tuple(_SEATS[letter] for letter in seats),
            hands=hands,
            reveal_by=REVEAL_BY,
        )
        body = open_body(config, game_id, master)
        if bend is not None:
            bend(body)
        self.records = [make(None, game_id, START_MS, "open", body)]
        self.game: Game = replay(self.records, master)
        self.positions: dict[int, Position] = {}

    def seed(self) -> None:
        """Let every player seat share its seed; the last one locks and deals hand 1."""
        for seat, text in sorted(self._texts.items()):
            drafts = decide_seed(
                self.game, seat, 1, self.game.open_hash, self.nonce(seat), seed_sha256(text)
            )
            self.record(drafts)
        self.record(decide_start(self.game))

    def nonce(self, seat: int) -> str:
        """Give the nonce of a player seat."""
        if seat in self._text_only:
            return TEXT_ONLY
        return sha256(f"fairdeal vectors: nonce of {self._label} {seat}".encode()).hexdigest()

    def record(self, drafts: Sequence[Draft]) -> None:
        """Number, link and take in records that were decided together."""
        if not drafts:
            return
        last = self.records[-1]
        now = last.t + 700 + 10 * (last.n % 37)
        for kind, body in drafts:
            self.records.append(make(self.records[-1], self.game.id, now, kind, body))
            self.game = fold(self.game, self.records[-1])

    def act(self, act: acts.Act, by: str = "seat", *, deal_on: bool = True) -> None:
        """Let the seat in turn act; ``deal_on`` false holds back a deal that would follow."""
        self.positions[len(self.records)] = self.position
        drafts = decide_act(self.game, self.position.turn, acts.format_act(act), by)
        self.record([one for one in drafts if deal_on or one[0] != "deal"])

    def play(
        self, style: Style, by: By = by_seat, *, most: int = 10_000, deal_on: bool = True
    ) -> None:
        """Play the hand on to its end, or for so many acts."""
        hand = self.game.hand
        while self.game.position is not None and self.game.hand == hand and most:
            position = self.game.position
            who = by(self.records[-1].n + 1, position.turn)
            self.act(style(position, position.turn), who, deal_on=deal_on)
            most -= 1

    def play_all(self, style: Style, by: By = by_seat) -> None:
        """Play hand after hand until the game closes."""
        while not self.game.closed:
            self.play(style, by)

    def abort(self, reason: str) -> None:
        """Stop the hand in play and go on with the next."""
        self.record(decide_abort(self.game, reason))

    def close(self, reason: str) -> None:
        """Give the game up."""
        self.record(decide_close(self.game, reason))

    @property
    def position(self) -> Position:
        """The hand in play."""
        if self.game.position is None:
            raise LookupError("no hand is in play")
        return self.game.position

    def text(self, seat: int) -> str:
        """Give what a player seat typed."""
        return self._texts[seat]

    def dealt(self, hand: int) -> Deal:
        """Give where the cards of a hand lay once it was dealt."""
        found = self.game.deals[hand - 1]
        if found is None:
            raise LookupError(f"the deal of hand {hand} is not at hand")
        return found

    def shown(self, hand: int, seat: int) -> dict[str, object]:
        """Give an entry of ``hand_cards``: what the seat was shown when the hand was dealt."""
        return {
            "hand": hand,
            "seat": seat,
            "cards": list(self.dealt(hand).hands[seat]),
            "salt": card_salt(secret_of(self.game, hand), seat),
        }


_SEATS: Final = {
    "p": SeatConfig(kind="player", label="player"),
    "b": SeatConfig(kind="bot", label="bot:scripted@1"),
}


def of_type(records: Sequence[Record], kind: str) -> list[Record]:
    """Give the records of one type."""
    return [record for record in records if record.type == kind]
