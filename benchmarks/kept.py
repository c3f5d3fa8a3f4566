"""What a service told its players of one game, and whether its transcript keeps that word."""

import json
import threading
from collections import Counter
from typing import Any

from fairdeal.records.canonical import encode


class BrokenWord(Exception):
    """Something that was acknowledged is not there, or is there otherwise, or twice."""


class Told:
    """Every record of a game that any client was told, and every receipt; for any thread.

    Attributes:
        lines: By number, each record as its line.
        notes: The signed notes.
        acts: By seat, how many acts were acknowledged to it.
    """

    def __init__(self) -> None:
        self.lines: dict[int, bytes] = {}
        self.notes: list[str] = []
        self.acts: Counter[int] = Counter()
        self._lock = threading.Lock()

    def answer(self, answer: dict[str, Any]) -> None:
        """Note what an answer to a write told.

        Raises:
            BrokenWord: A record was told in two ways.
        """
        with self._lock:
            self.notes.extend(answer.get("receipts", ()))
        for event in answer.get("events", ()):
            self.event(event)

    def event(self, event: dict[str, Any]) -> None:
        """Note one record as a seat is told it (raises as `answer`)."""
        line = encode({key: event[key] for key in event if key != "private"}) + b"\n"
        with self._lock:
            if self.lines.setdefault(event["n"], line) != line:
                raise BrokenWord(f"record {event['n']} was told in two ways")

    def check(self, transcript: bytes) -> None:
        """Hold a finished game's transcript to what was told.

        Raises:
            BrokenWord: It does not keep it.
        """
        lines = transcript.splitlines(keepends=True)
        for n, line in self.lines.items():
            if n >= len(lines) or lines[n] != line:
                raise BrokenWord(f"record {n} was acknowledged and is not in the transcript")
        records = [json.loads(line) for line in lines]
        if records[-1]["type"] != "master":
            raise BrokenWord("the game has no end")
        hands = [record["body"]["hand"] for record in records if record["type"] == "deal"]
        if hands != list(range(1, len(hands) + 1)):
            raise BrokenWord(f"hands were dealt as {hands}")
        # Those of bots too; they are told to nobody as the answer to an act of theirs.
        every = Counter(record["body"]["seat"] for record in records if record["type"] == "act")
        made = {seat: every[seat] for seat in self.acts}
        if made != self.acts:
            raise BrokenWord(f"acts by seat: {dict(self.acts)} acknowledged, {dict(made)} recorded")
