"""A log's book in memory: what `fairdeal.store.logport.LogBook` promises, in few lines."""

from collections.abc import Callable
from dataclasses import dataclass, field

from fairdeal.store.logport import LogEntry, LogHead, SignedHead
from fairdeal.tlog.merkle import EMPTY_ROOT, leaf_hash

Sign = Callable[[LogHead, tuple[bytes, ...]], SignedHead]


@dataclass
class MemoryBook:
    """Durable whatever is cut; ``step`` is called before and behind each commit."""

    step: Callable[[str], None] = lambda _what: None
    waiting: list[tuple[bytes, bytes]] = field(default_factory=list)
    placed: list[LogEntry] = field(default_factory=list)
    signed: dict[int, SignedHead] = field(default_factory=dict)
    published: int = 0

    def head(self) -> LogHead:
        newest = self.signed.get(max(self.signed, default=0))
        if newest is None:
            return LogHead(0, EMPTY_ROOT, b"", 0)
        return LogHead(newest.size, newest.root, newest.edge, self.published)

    def advance(self, most: int, sign: Sign) -> SignedHead | None:
        if not self.waiting:
            return None
        self.step("advance")
        head, taken = self.head(), self.waiting[:most]
        signed = sign(head, tuple(leaf for _, leaf in taken))
        assert signed.size == head.size + len(taken)
        assert signed.size not in self.signed
        self.placed += [
            LogEntry(head.size + at, entry, leaf) for at, (entry, leaf) in enumerate(taken)
        ]
        del self.waiting[: len(taken)]
        self.signed[signed.size] = signed
        self.step("advanced")
        return signed

    def entries(self, begin: int, end: int) -> tuple[LogEntry, ...]:
        assert end - begin <= 10_000
        return tuple(self.placed[begin:end])

    def note(self, size: int) -> str | None:
        signed = self.signed.get(size)
        return None if signed is None else signed.note

    def latest(self, at_most: int) -> SignedHead | None:
        size = max((size for size in self.signed if size <= at_most), default=None)
        return None if size is None else self.signed[size]

    def publish(self, size: int, note: str) -> None:
        self.step("publish")
        was = self.signed[size]
        self.signed[size] = SignedHead(size, was.root, was.edge, note)
        self.published = max(self.published, size)
        self.step("published")

    def masters(self, after: int, limit: int) -> tuple[tuple[int, str], ...]:
        return ()

    def lines(self, game: str) -> tuple[bytes, ...]:
        return ()

    def add(self, entry: bytes, leaf: bytes | None = None) -> None:
        leaf = leaf_hash(entry) if leaf is None else leaf
        if all(one.leaf != leaf for one in self.placed) and (entry, leaf) not in self.waiting:
            self.waiting.append((entry, leaf))

    def put(self, *entries: bytes) -> None:
        """Let entries wait, without looking whether they are there."""
        self.waiting += [(entry, leaf_hash(entry)) for entry in entries]

    def close(self) -> None:
        pass

    def copy(self) -> "MemoryBook":
        """Return the database as it is now, to be put back later."""
        return MemoryBook(
            self.step, list(self.waiting), list(self.placed), dict(self.signed), self.published
        )
