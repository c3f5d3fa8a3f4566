"""A scripted player: claims a seat, types a seed, plays a whole game over HTTP.

It knows what a player's client knows and keeps what a careful player keeps: the commitment that
was noted before the seed, every receipt, the seed text and its nonce.
"""

import secrets
from dataclasses import dataclass, field
from typing import Any, Final

from fairdeal.cli.client import ApiError, Client
from fairdeal.fairness.lines import seed_sha256

_EPOCH: Final = 1


@dataclass(slots=True)
class Player:
    """One human seat, played by a script.

    Attributes:
        client: Speaks with this seat's token.
        game: The game.
        seat: The seat.
        open_hash: The commitment, noted before the seed was given.
        receipts: Every signed note that was received.
        version: The version of the game that is known.
        acts: Acts made so far.
        news: The records that were told so far, in order.
    """

    client: Client
    game: str
    seat: int
    open_hash: str
    receipts: list[str]
    version: int
    acts: int = 0
    news: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def sit_down(cls, host: str, port: int, claim: str) -> "Player":
        """Exchange a claim for a seat."""
        public = Client(host, port)
        seating = public.send(
            "POST", "/v1/claims", {"claim": claim, "key": secrets.token_urlsafe(24)}
        )
        public.close()
        return cls(
            client=Client(host, port, seating["token"]),
            game=seating["game"],
            seat=seating["seat"],
            open_hash=seating["commitment"]["open_hash"],
            receipts=list(seating["receipts"]),
            version=seating["version"],
        )

    def give_seed(self, text: str) -> None:
        """Contribute a typed text with a fresh nonce; the text stays here (protocol §2.4)."""
        body = {
            "epoch": _EPOCH,
            "open_hash": self.open_hash,
            "nonce": secrets.token_hex(32),
            "seed_sha256": seed_sha256(text),
        }
        self._take(self.client.send("PUT", f"{self._path}/seats/{self.seat}/seed", body))

    def play_on(self) -> bool:
        """Make one act, if it is this seat's turn; say whether it was."""
        offered = self.client.get(f"{self._path}/choices")
        if not offered["can"]:
            return False
        act = choose([choice["act"] for choice in offered["can"]])
        body = {"expect": offered["version"], "act": act}
        try:
            answer = self.client.send("POST", f"{self._path}/actions", body)
        except ApiError as refusal:
            if refusal.code != "stale_version":
                raise
            return True
        self.acts += 1
        self._take(answer)
        return True

    def catch_up(self) -> None:
        """Fetch what happened since the last answer."""
        while True:
            page = self.client.get(f"{self._path}/events?after={self.version}")
            for event in page["events"]:
                self._note(event)
            if not page["has_more"]:
                return

    @property
    def _path(self) -> str:
        return f"/v1/games/{self.game}"

    def _take(self, answer: dict[str, Any]) -> None:
        self.receipts += answer["receipts"]
        for event in answer["events"]:
            self._note(event)

    def _note(self, event: dict[str, Any]) -> None:
        if event["n"] > self.version:
            self.version = event["n"]
            self.news.append(event)


def choose(acts: list[str]) -> str:
    """Choose greedily among the texts of legal acts: take, lay, else the cheapest discard."""
    return min(acts, key=_preference)


def _preference(act: str) -> tuple[int, int, int, str]:
    word, _, rest = act.partition(" ")
    cards = [face for group in rest.split(";") for face in group.rpartition(":")[2].split(",")]
    wilds = sum(face == "JK" or face.startswith("2") for face in cards)
    match word:
        case "yes" | "show":
            return (0, 0, 0, act)
        case "take":
            return (1, wilds, len(cards), act)
        case "lay" if wilds <= 1:
            return (2, wilds, -len(cards), act)
        case "draw":
            return (3, 0, 0, act)
        case "discard":
            return (4, wilds, _KEEP.find(rest[0]), act)
        case "lay":
            return (5, wilds, -len(cards), act)
        case _:
            return (6, 0, 0, act)


_KEEP: Final = "3456789TJQKA2"
"""Ranks in the order in which the script gives them away."""
