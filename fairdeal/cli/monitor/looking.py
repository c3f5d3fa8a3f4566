"""One look of a monitor: fetch what is new, compare, audit with the same book."""

from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fairdeal.cli.audit.log.auditing import audit_log
from fairdeal.cli.audit.log.mirror import FolderMirror
from fairdeal.cli.audit.log.trust import Trust
from fairdeal.cli.mirror.answers import CannotLook
from fairdeal.cli.mirror.asking import Clock, Patience
from fairdeal.cli.mirror.fetching import fetch, kept_checkpoint
from fairdeal.cli.mirror.folder import MirrorFolder
from fairdeal.cli.mirror.otherview import ask_also, compare_also
from fairdeal.cli.monitor.watching import Looked

BOOK: Final = "book.sqlite"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What is looked at, and how.

    Attributes:
        prefix: Of the log.
        mirror: Where it is mirrored.
        folder: Of the monitor; the audit's book is in it.
        trust: Whom to trust; None for the log's own policy.
        also: A second address of the log, or nothing.
        max_age_s: So old the witnesses' word may be.
        is_fast: Whether deals are re-derived only.
        jobs: Processes; 1 for none beside this one.
        patience: How long is waited for an answer.
        clock: What time it is.
    """

    prefix: str
    mirror: Path
    folder: Path
    trust: Trust | None = None
    also: str = ""
    max_age_s: int | None = None
    is_fast: bool = False
    jobs: int = 1
    patience: Patience | None = None
    clock: Clock | None = None


def look_once(target: Target) -> Looked:
    """Fetch, compare and audit.

    Raises:
        CannotLook: Something is not to be had; or the mirror cannot be read as a log.
        OSError: The disk.
    """
    clock = target.clock or Clock()
    if target.also and kept_checkpoint(target.mirror) is not None:
        # Before the log itself, which then is not behind it.
        ask_also(target.also, target.mirror, target.trust, patience=target.patience, clock=clock)
    fetched = fetch(
        target.prefix, target.mirror, target.trust, patience=target.patience, clock=clock
    )
    found = [*fetched.findings, *compare_also(target.mirror)]
    mirror = MirrorFolder(target.mirror)
    with _executor(target.jobs) as executor:
        audit = audit_log(
            FolderMirror(target.mirror),
            trust=target.trust,
            book=target.folder / BOOK,
            executor=executor,
            clock_ms=int(clock.now() * 1000),
            # A withheld secret is only seen to be one by whoever knows what time it is.
            now_ms=int(clock.now() * 1000),
            is_fast=target.is_fast,
            max_age_s=target.max_age_s,
            seen=[note for _, note in mirror.seen()],
        )
    if audit.exit_status == 4 and not found:
        raise CannotLook("not_there", audit.findings[0].sentence)
    paths = sorted({path for one in found for path in one.evidence if "seen/" in path})
    notes = {path: (mirror.read(path) or b"").decode("utf-8", "replace") for path in paths}
    return Looked(
        size=audit.size,
        newest=fetched.size if fetched.checkpoint is None else fetched.checkpoint.size,
        complete=audit.complete_to_index,
        findings=(*(one.finding for one in found), *audit.findings),
        notes=notes,
    )


def _executor(jobs: int) -> AbstractContextManager[Executor | None]:
    return nullcontext() if jobs == 1 else ProcessPoolExecutor(jobs)
