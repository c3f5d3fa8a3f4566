"""An audit from its folder to its result: which files, which processes, which of them how."""

import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from fairdeal.cli.audit.across import Across, look_across
from fairdeal.cli.audit.judging import Fault, Judged, conditions, judge
from fairdeal.cli.audit.keeping import Keeper
from fairdeal.cli.audit.rederiving import judge_fast
from verifier.verdict import EXITS, USAGE_EXIT

ENDING: Final = ".jsonl"
_SAMPLE_OF: Final = 100
_FAST_BATCH: Final = 64  # files that one process re-derives at once
# The worst first; a file that could not be read was not judged: worse than INCOMPLETE.
WORST_FIRST: Final = (
    *("FRAUD", "INVALID", "MALFORMED", "unreadable"),
    *("INCOMPLETE", "re-derived", "VALID"),
)
BAD: Final = frozenset(WORST_FIRST[:4])


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """The result of an audit.

    Attributes:
        files: In the order of their paths.
        across: What they show together.
        sample_seed: What the sample of a fast run was drawn with.
        sample: How many files of a fast run were verified because they were drawn.
    """

    files: tuple[Judged, ...]
    across: tuple[Across, ...]
    is_fast: bool
    sample_seed: str
    sample: int
    conditions: str

    @property
    def worst(self) -> str:
        """The worst verdict, errors across games counted as INVALID."""
        words = {word_of(one) for one in self.files}
        if any(one.is_error for one in self.across):
            words.add("INVALID")
        return min(words, key=WORST_FIRST.index)

    @property
    def exit_status(self) -> int:
        """The verifier's exit status for the worst verdict (protocol §3.3)."""
        statuses = {str(verdict): status for verdict, status in EXITS.items()}
        return (statuses | {"unreadable": USAGE_EXIT, "re-derived": 0})[self.worst]


def word_of(one: Judged) -> str:
    """Return a file's verdict, or what else was done with it."""
    return one.verdict or one.how


def transcripts(folder: Path) -> list[str]:
    """Return the paths of all transcripts under a folder, sorted."""
    return sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob(f"*{ENDING}") if path.is_file()
    )


def run_audit(
    folder: Path,
    paths: Sequence[str],
    *,
    state: Path | None,
    now: int | None = None,
    is_fast: bool = False,
    sample_seed: str = "",
    jobs: int | None = None,
    tell: Callable[[int], object] = lambda _: None,
) -> Audit:
    """Audit some transcripts.

    Args:
        folder: Where the paths begin.
        paths: From `transcripts`.
        state: Where verdicts are kept; None keeps none.
        now: A time that may be trusted, ms since 1970.
        is_fast: Re-derive the deals only, but of a sample.
        sample_seed: What the sample is drawn with; fresh entropy each time, or one can prepare
            for it.
        jobs: Processes; None for one a core.
        tell: Called with the number of files that are newly done.

    Raises:
        OSError: The state can be neither read nor written.
    """
    keeper = Keeper(state, conditions(now))
    sample = _sample(paths, sample_seed) if is_fast else frozenset()
    batches: list[tuple[list[str], bool]] = [
        ([path], False) for path in paths if not is_fast or path in sample
    ]
    if is_fast:
        rest = [path for path in paths if path not in sample]
        batches += [(rest[at : at + _FAST_BATCH], True) for at in range(0, len(rest), _FAST_BATCH)]
    found: dict[str, Judged] = {}
    try:
        for judged in _spread(folder, batches, now, keeper.known, jobs or cores()):
            for one in judged:
                keeper.add(one)
                found[one.path] = one
            tell(len(judged))
    finally:
        keeper.close()
    files = tuple(found[path] for path in paths)
    return Audit(
        files=files,
        across=look_across(folder, files),
        is_fast=is_fast,
        sample_seed=sample_seed if is_fast else "",
        sample=len(sample),
        conditions=conditions(now),
    )


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _sample(paths: Sequence[str], seed: str) -> frozenset[str]:
    """Draw one file in a hundred, at least one."""
    ranked = sorted(
        paths, key=lambda path: sha256(f"{seed}\n{path}".encode(errors="surrogateescape")).digest()
    )
    return frozenset(ranked[: math.ceil(len(ranked) / _SAMPLE_OF)])


def _spread(
    folder: Path,
    batches: Sequence[tuple[list[str], bool]],
    now: int | None,
    kept: dict[str, Judged],
    jobs: int,
) -> Iterator[list[Judged]]:
    if jobs == 1 or len(batches) < 2:
        _start(folder, now, kept)
        yield from map(_work, batches)
        return
    with ProcessPoolExecutor(
        min(jobs, len(batches)), initializer=_start, initargs=(folder, now, kept)
    ) as pool:
        waiting = {pool.submit(_work, batch): batch for batch in batches}
        try:
            yield from (_result(future, waiting[future][0]) for future in as_completed(waiting))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _result(future: Future[list[Judged]], paths: Iterable[str]) -> list[Judged]:
    try:
        return future.result()
    except BrokenProcessPool:
        fault = Fault(code="unreadable", detail="the process that judged it, or another, died")
        return [Judged(path=path, how="unreadable", fault=fault) for path in paths]


class _Given:
    """What every batch of a process needs; set once by `_start`."""

    folder: Path
    now: int | None
    kept: dict[str, Judged]


def _start(folder: Path, now: int | None, kept: dict[str, Judged]) -> None:
    _Given.folder, _Given.now, _Given.kept = folder, now, kept


def _work(batch: tuple[list[str], bool]) -> list[Judged]:
    paths, is_fast = batch
    if is_fast:
        return judge_fast(_Given.folder, paths, _Given.now, _Given.kept)
    return [judge(_Given.folder, path, _Given.now, _Given.kept) for path in paths]
