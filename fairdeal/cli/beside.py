"""Starts a sequencer beside a service, which ends when the service does."""

import os
import sys
from pathlib import Path


def command(folder: Path, origin: str, *, log_folder: Path, pipe: int) -> list[str]:
    """Return the command of a sequencer that ends once the pipe has no writer.

    Args:
        folder: That of the service; its database is told by the environment.
        origin: Its name.
        log_folder: That of the log.
        pipe: The descriptor that it reads.
    """
    test = ["--test"] if origin.endswith("/test") else []
    return [
        sys.executable, "-m", "fairdeal.cli", "log", "--folder", str(folder), "--origin", origin,
        "--log-folder", str(log_folder), "--while-open", str(pipe), *test,
    ]  # fmt: skip


def start(folder: Path, origin: str, log_folder: Path) -> None:
    """Start a sequencer that ends with this process and those that it becomes and makes."""
    read, write = os.pipe()
    os.set_inheritable(read, True)
    os.set_inheritable(write, True)
    child = os.fork()
    if child == 0:
        # Twice: gunicorn takes the end of any child of its own for that of a worker.
        if os.fork() == 0:
            os.close(write)
            os.setsid()
            arguments = command(folder, origin, log_folder=log_folder, pipe=read)
            os.execv(arguments[0], arguments)  # noqa: S606  our own interpreter
        os._exit(0)
    os.waitpid(child, 0)
    os.close(read)
