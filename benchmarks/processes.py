"""What the system tells of processes that others than this one started: Linux's /proc."""

import contextlib
import os
from pathlib import Path
from typing import Final

_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PROC: Final = Path("/proc")


def children(pid: int) -> tuple[int, ...]:
    """Return the processes that a process has started and that are there."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        text = (_PROC / str(pid) / "task" / str(pid) / "children").read_text("ascii")
        return tuple(map(int, text.split()))
    return ()


def tree(pid: int) -> tuple[int, ...]:
    """Return a process and all below it."""
    return (pid, *(one for child in children(pid) for one in tree(child)))


def cpu_s(pids: tuple[int, ...]) -> float:
    """Return the seconds of processor time that processes have used until now.

    That of their children that have ended is theirs; a process that is gone counts nothing.
    """
    used = 0
    for pid in pids:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            fields = (_PROC / str(pid) / "stat").read_text("utf-8").rpartition(")")[2].split()
            used += sum(map(int, fields[11:15]))
    return used / _TICKS


def memory_mb(pids: tuple[int, ...]) -> float:
    """Return the resident memory of processes, MB; what they share is counted for each."""
    return (
        sum(
            int((_PROC / str(pid) / "status").read_text("utf-8").partition("VmRSS:")[2].split()[0])
            for pid in pids
        )
        / 1024
    )
