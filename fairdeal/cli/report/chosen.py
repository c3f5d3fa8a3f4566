"""The one game, and the one hand of it, that the report pictures: drawn with the root."""

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256

from fairdeal.cli.audit.opened import OpenedGame, read_opened
from fairdeal.cli.audit.plain import NotPlain
from verifier.held import Held
from verifier.reading import MalformedFault, Transcript, read_transcript
from verifier.replay import replay
from verifier.replay.state import Hand, State
from verifier.story.follow import Story, follow


@dataclass(frozen=True, slots=True)
class Chosen:
    """A finished game as the verifier reads it.

    Attributes:
        hand: One that was revealed.
        story: How its cards went.
    """

    transcript: Transcript
    state: State
    hand: Hand
    story: Story

    @property
    def game(self) -> str:
        """The game's name."""
        return self.state.game


@dataclass(slots=True)
class Choice:
    """Takes transcripts one by one and keeps the one that the draw falls on.

    Attributes:
        games: How many were taken.
        left_out: How many were not plain finished games, or were there before.
    """

    root: str
    games: int = 0
    left_out: int = 0
    _best: tuple[bool, bytes] | None = None
    _data: bytes = b""
    _seen: set[bytes] = field(default_factory=set)

    def take(self, transcripts: Iterable[bytes]) -> Iterator[OpenedGame]:
        """Yield each game that is finished and plain."""
        for data in transcripts:
            try:
                game = read_opened(data)
            except NotPlain:
                self.left_out += 1
                continue
            # 8 bytes a game: what the memory grows by.
            key = bytes.fromhex(game.open_hash)[:8]
            if key in self._seen:
                self.left_out += 1
                continue
            self._seen.add(key)
            self.games += 1
            self._keep(game, data)
            yield game

    def _keep(self, game: OpenedGame, data: bytes) -> None:
        if not game.hands:
            return
        draw = sha256(f"{self.root} {game.open_hash}".encode()).digest()
        rank = (not game.is_canasta, draw)
        if self._best is None or rank < self._best:
            self._best, self._data = rank, data

    def chosen(self) -> Chosen | None:
        """Return the game drawn; None where there was none, or the verifier is not content."""
        if not self._data:
            return None
        try:
            transcript = read_transcript(io.BytesIO(self._data))
        except MalformedFault:
            return None
        if transcript.open is None:
            return None
        state = replay(transcript, transcript.open, Held(), len(transcript.heads))
        hands = [hand for hand in state.hands if hand.table and not hand.is_wrong]
        if state.errors or not hands:
            return None
        hand = min(hands, key=lambda one: sha256(f"{self.root} {one.number}".encode()).digest())
        return Chosen(transcript, state, hand, follow(state, hand))
