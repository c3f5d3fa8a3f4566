"""The audit of a log from its mirror to its result (docs/decisions/0011, auditors)."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from pathlib import Path

from fairdeal.cli.audit.log.collecting import Found
from fairdeal.cli.audit.log.findings import Counts, LogAudit
from fairdeal.cli.audit.log.folding import Fold
from fairdeal.cli.audit.log.mirror import Mirror
from fairdeal.cli.audit.log.remembering import hold_against_seen, hold_consistent, remember
from fairdeal.cli.audit.log.scanning import Tree, scan_all
from fairdeal.cli.audit.log.signing import Head, own_policy, read_head
from fairdeal.cli.audit.log.transcripts import Transcripts
from fairdeal.cli.audit.log.trust import Trust
from fairdeal.cli.audit.opened import OpenedGame
from fairdeal.store.auditbook import AuditBook
from fairdeal.tlog.growth import Edge

Tell = Callable[[str, int, int], object]


@dataclass(frozen=True, slots=True)
class Statistics:
    """What the deals of many games show together.

    Attributes:
        lines: Those of `fairdeal stats`.
        abort_bias: What makes given-up hands differ from finished ones; empty for nothing.
    """

    lines: tuple[str, ...]
    abort_bias: str = ""


Look = Callable[[Sequence[OpenedGame]], Statistics]


def audit_log(
    source: Mirror,
    *,
    trust: Trust | None,
    book: Path | None,
    executor: Executor | None,
    clock_ms: int,
    is_fast: bool = False,
    sample_seed: str = "",
    now_ms: int | None = None,
    max_age_s: int | None = None,
    seen: Sequence[str] = (),
    look: Look | None = None,
    tell: Tell = lambda *_: None,
) -> LogAudit:
    """Audit a mirror of a log.

    Args:
        source: The files.
        trust: Whom to trust; None for the policy that the log publishes.
        book: Where what was found is kept between audits; None begins anew and keeps nothing.
        executor: What runs the parts: a process pool, or that of a Dask cluster; None for here.
        clock_ms: What the clock says, ms since 1970: how old cosignatures are.
        is_fast: Re-derive deals only; verify one game in a hundred.
        sample_seed: What those are drawn with.
        now_ms: A time that deadlines are judged by beside what the witnesses say.
        max_age_s: The checkpoint's quorum has to have signed within so many seconds.
        seen: Checkpoints that were seen elsewhere, whole notes.
        look: Makes lines of statistics of games whose deals are good; None for no statistics.
        tell: Called with a word for the pass, how much of it is done, and of how much.

    Raises:
        OSError: The book can be neither read nor written, or is none.
    """
    found = Found()
    trusted = trust or own_policy(source, found)
    if trusted is None:
        return _unread(found)
    head = read_head(source, trusted, clock_ms=clock_ms, max_age_s=max_age_s, found=found)
    if head is None:
        return _unread(found, is_pinned=trusted.is_pinned)
    with AuditBook(book) as kept:
        run = _Run(source, head, trusted, kept, found, executor, tell)
        how = _How(is_fast=is_fast, sample_seed=sample_seed, now_ms=now_ms, look=look)
        audit = run.audit(seen, how)
    return replace(audit, is_saved=audit.is_saved and book is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _How:
    """As in `audit_log`."""

    is_fast: bool
    sample_seed: str
    now_ms: int | None
    look: Look | None


class _Run:
    """One audit of a log that has a signed checkpoint."""

    def __init__(
        self,
        source: Mirror,
        head: Head,
        trust: Trust,
        book: AuditBook,
        found: Found,
        executor: Executor | None,
        tell: Tell,
    ) -> None:
        self._source, self._head, self._trust = source, head, trust
        self._book, self._found = book, found
        self._executor, self._tell = executor, tell
        self._size = head.checkpoint.size
        since = book.get("log", "size")
        self._since = None if since is None else int(since)

    def audit(self, seen: Sequence[str], how: _How) -> LogAudit:
        """Run the passes."""
        found, book = self._found, self._book
        counts, complete_to = Counts(), 0
        statistics: tuple[str, ...] = ()
        origin = book.get("log", "origin")
        if origin is not None and origin.decode() != self._head.checkpoint.origin:
            found.add("E_ORIGIN", f"The state is that of another log, {origin.decode()}.")
        elif hold_against_seen(self._head, self._trust, seen, book, found):
            fold = self._leaves(seen)
            if fold is not None:
                counts, complete_to, statistics = self._games(fold, how)
        is_saved = not found.is_wrong
        if is_saved:
            remember(book, self._head)
            book.save()
        return LogAudit(
            origin=self._head.checkpoint.origin,
            size=self._size,
            root=self._head.checkpoint.root.hex(),
            is_pinned=self._trust.is_pinned,
            quorum=self._trust.policy.quorum,
            cosigned=self._head.cosigned,
            complete_to_index=complete_to,
            since=self._since,
            findings=tuple(found.kept),
            found=found.count,
            counts=counts,
            statistics=statistics,
            is_fast=how.is_fast,
            sample_seed=how.sample_seed if how.is_fast else "",
            is_saved=is_saved,
        )

    def _leaves(self, seen: Sequence[str]) -> Fold | None:
        """Look at tiles and leaves; None where the tiles are wrong: then no leaf counts."""
        since, size, book = self._since or 0, self._size, self._book
        found, files = Found(), Found()
        keys = frozenset(key.text for key in self._trust.policy.logs)
        fold = Fold(book, self._head.checkpoint.origin, keys, found)
        edge = Edge.read(since // 256, book.get("log", "edge") or b"")
        tree = Tree(self._source, edge, files)
        for scanned in scan_all(self._source, size, since, self._executor):
            for one in scanned.files:
                files.take(one)
            tree.take(scanned)
            bad = iter(scanned.leaves)
            late = next(bad, None)
            for fact in scanned.facts:
                while late is not None and late.index is not None and late.index < fact.at:
                    found.take(late)
                    late = next(bad, None)
                fold.take(fact)
            while late is not None:
                found.take(late)
                late = next(bad, None)
            self._tell("leaves", min(size, tree.edge.size * 256), size)
        tree.finish(self._head.checkpoint)
        if not files.is_wrong:
            hold_consistent(self._source, self._head, self._trust, seen, book, since, files)
        self._found.merge(files)
        if files.is_wrong:
            return None
        fold.flush()
        self._found.merge(found)
        fold.tell_to(self._found)
        book.put("log", "edge", tree.edge.text)
        book.put("log", "size", str(size).encode())
        book.put("log", "origin", self._head.checkpoint.origin.encode())
        return fold

    def _games(self, fold: Fold, how: _How) -> tuple[Counts, int, tuple[str, ...]]:
        book, head = self._book, self._head
        witnessed = () if head.time is None else (head.time * 1000,)
        times = witnessed if how.now_ms is None else (*witnessed, how.now_ms)
        running = fold.finish(times)
        run = int(book.get("log", "run") or b"0") + 1
        book.put("log", "run", str(run).encode())
        transcripts = Transcripts(
            self._source,
            book,
            self._found,
            run=run,
            now_ms=max(times, default=None),
            is_fast=how.is_fast,
            sample_seed=how.sample_seed,
            is_counting=how.look is not None,
        )
        index = transcripts.index(self._size)
        since = int(book.get("log", "complete") or b"0")
        transcripts.check(index, self._size, since, self._executor)
        self._tell("transcripts", 1, 1)
        transcripts.finish(min(index.complete_to_index, self._size))
        book.put("log", "complete", str(min(index.complete_to_index, self._size)).encode())
        words = dict(sorted(transcripts.words.items()))
        looked = sum(words.values())
        counts = fold.totals(
            Counts(
                open=running,
                transcripts=looked,
                verified=looked - words.get("re-derived", 0),
                verdicts=words,
            )
        )
        opened = transcripts.opened
        if how.look is None or not opened:
            return counts, index.complete_to_index, ()
        statistics = how.look(opened)
        if statistics.abort_bias:
            self._found.add("W_ABORT_BIAS", statistics.abort_bias)
        return counts, index.complete_to_index, statistics.lines


def _unread(found: Found, *, is_pinned: bool = False) -> LogAudit:
    return LogAudit(
        origin="",
        size=0,
        root="",
        is_pinned=is_pinned,
        quorum=0,
        cosigned={},
        complete_to_index=0,
        since=None,
        findings=tuple(found.kept),
        found=found.count,
        counts=Counts(),
    )
