"""Long work in parts over processes, each part kept as it is done, so that a stop loses little."""

import fcntl
import json
import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import active_children, get_all_start_methods, get_context
from pathlib import Path
from typing import Any, TypeVar

from fairdeal.records.canonical import encode

_Part = TypeVar("_Part")


class Finished:
    """The parts of a piece of work that are done, one a line of a file.

    Attributes:
        known: What was found, by part.
    """

    def __init__(self, place: Path | None, heading: Mapping[str, Any]) -> None:
        """Go on where a run stopped, or begin.

        Args:
            place: The file; None keeps nothing.
            heading: What all parts have in common: its first line.

        Raises:
            OSError: It can be neither read nor written, or it is of a run with another heading:
                it is left as it is. Or another run has it.
        """
        self.known: dict[str, Any] = {}
        self._file: int | None = None
        if place is None:
            return
        place.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(place, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            self._begin(self._file, place, encode(heading) + b"\n")
        except BaseException:
            self.close()
            raise

    def _begin(self, file: int, place: Path, first: bytes) -> None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FileExistsError(f"another run is writing to {place}") from None
        # A line without its end is what a stop left of a part: that part is done again.
        lines = place.read_bytes().splitlines(keepends=True)
        whole = [line for line in lines if line.endswith(b"\n")]
        if whole and whole[0] != first:
            raise FileExistsError(
                f"{place} is of a run with other settings; say another --out, or remove it"
            )
        for line in whole[1:]:
            said = json.loads(line)
            self.known[said["part"]] = said["found"]
        os.ftruncate(file, sum(map(len, whole)))
        os.lseek(file, 0, os.SEEK_END)
        if not whole:
            os.write(file, first)

    def add(self, part: str, found: Any) -> None:  # noqa: ANN401  any JSON
        """Keep what was found of a part, at once."""
        self.known[part] = found
        if self._file is not None:
            os.write(self._file, encode({"part": part, "found": found}) + b"\n")

    @property
    def held(self) -> int | None:
        """The file that is held against other runs; forked processes close their copy."""
        return self._file

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


@contextmanager
def kept(place: Path | None, heading: Mapping[str, Any]) -> Iterator[Finished]:
    """Yield the finished parts of a run; the file is closed whatever happens."""
    finished = Finished(place, heading)
    try:
        yield finished
    finally:
        finished.close()


def spread(
    parts: Sequence[tuple[str, _Part]],
    work: Callable[[_Part], Any],
    finished: Finished,
    *,
    jobs: int,
    tell: Callable[[int], object] = lambda _: None,
) -> None:
    """Do the parts that are not done yet.

    Args:
        parts: Name and what ``work`` is handed; both pass between processes.
        work: A function of a module; what it gives is JSON.
        finished: Where it goes; at Ctrl-C the parts that are done stay and the others end.
        jobs: Processes.
        tell: Called with the number of parts that are newly done, those of earlier runs first.
    """
    tell(sum(name in finished.known for name, _ in parts))
    due = [(name, part) for name, part in parts if name not in finished.known]
    if jobs == 1 or len(due) < 2:
        for name, part in due:
            finished.add(name, work(part))
            tell(1)
        return
    before = set(active_children())
    # Forked where that can be, before there is a thread: all of them then play by the code that
    # was read when this process began, whatever is written meanwhile.
    forks = "fork" in get_all_start_methods()
    pool = ProcessPoolExecutor(
        min(jobs, len(due)),
        get_context("fork" if forks else None),
        initializer=_leave_to_parent,
        initargs=(finished.held if forks else None,),
    )
    try:
        waiting = {pool.submit(work, part): name for name, part in due}
        for future in as_completed(waiting):
            finished.add(waiting[future], future.result())
            tell(1)
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in set(active_children()) - before:
            child.terminate()
        raise
    pool.shutdown()


def _leave_to_parent(held: int | None) -> None:
    """Leave Ctrl-C and the file to the process that started this one: it ends us."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if held is not None:
        os.close(held)
