"""Games that are over, and a book of their records, for what makes bundles of them."""

from dataclasses import dataclass, field

from fairdeal.errors import StorageFailure
from fairdeal.records.chain import Record, make
from fairdeal.store.logport import LogEntry
from fairdeal.tlog.leaves import UNLOGGED
from fairdeal.tlog.merkle import leaf_hash
from tests.publiclog.membook import MemoryBook

DAY_MS = 24 * 3600 * 1000
T0 = 20_000 * DAY_MS
"""2024-10-04, at midnight of UTC."""


def game_lines(name: str, t: int = T0, acts: int = 3, text: str = "d1") -> list[Record]:
    """Return the records of a game; what they say is not a game of canasta."""
    said = [("open", {"text": text}), *[("act", {"text": text})] * acts, ("master", {})]
    records: list[Record] = []
    for type_, body in said:
        records.append(make(records[-1] if records else None, name, t, type_, body))
    return records


@dataclass
class GameBook(MemoryBook):
    """Has games, all of their leaves public at once."""

    records: dict[str, list[bytes]] = field(default_factory=dict)
    places: list[tuple[int, str]] = field(default_factory=list)
    unreadable: set[str] = field(default_factory=set)
    reads: list[str] = field(default_factory=list)

    def play(self, *records: Record) -> None:
        """Let records be written, and their leaves be placed."""
        for record in records:
            self.records.setdefault(record.game, []).append(record.line)
            if record.type == UNLOGGED:
                continue
            if record.type == "master":
                self.places.append((len(self.placed), record.game))
            self.placed.append(LogEntry(len(self.placed), record.line, leaf_hash(record.line)))

    def masters(self, after: int, limit: int) -> tuple[tuple[int, str], ...]:
        return tuple([one for one in self.places if one[0] >= after][:limit])

    def lines(self, game: str) -> tuple[bytes, ...]:
        self.reads.append(game)
        if game in self.unreadable:
            raise StorageFailure("store_failed", "The store failed.")
        return tuple(self.records[game])
