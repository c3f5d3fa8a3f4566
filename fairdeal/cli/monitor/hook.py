"""Runs the command that is told of an event: without a shell, for a bounded time."""

import os
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

TIMEOUT_S: Final = 60.0

Hook = Callable[[str, str, Path], str]
"""Takes event, summary and file; returns why it failed, or nothing."""


def no_hook(event: str, summary: str, file: Path) -> str:
    """Take an event that is only told on the output."""
    del event, summary, file
    return ""


def command_hook(command: str, timeout: float = TIMEOUT_S) -> Hook:
    """Return a hook that runs a command with EVENT, SUMMARY and FILE in its environment.

    Args:
        command: Split into words as a shell would do, and run by none.
        timeout: Seconds; then it is killed, and counts as failed.

    Raises:
        ValueError: It has no words, or an open quotation.
    """
    words = shlex.split(command)
    if not words:
        raise ValueError("the hook is empty")

    def run(event: str, summary: str, file: Path) -> str:
        said = {"EVENT": event, "SUMMARY": summary, "FILE": str(file)}
        try:
            ended = subprocess.run(  # noqa: S603  the caller's own command
                words,
                env={**os.environ, **said},
                stdin=subprocess.DEVNULL,
                timeout=timeout,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"it took more than {timeout:g} s"
        except OSError as failure:
            return str(failure)
        return "" if ended.returncode == 0 else f"it ended with status {ended.returncode}"

    return run
