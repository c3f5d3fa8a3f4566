"""Runs the service as a process of its own on a loopback port, for the demo and for tests.

The listening socket is made here and handed down, so the port is free for certain and stays the
same when the process is killed and started again.
"""

import os
import socket
import subprocess
import sys
import time
from http.client import HTTPConnection
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

from api.config import DATABASE, FOLDER, LOG, LOG_FOLDER, ORIGIN
from api.wsgi import GUNICORN
from fairdeal.cli import beside

LOOPBACK: Final = "127.0.0.1"
_PATIENCE_S: Final = 30.0
_BACKLOG: Final = 128


class Server:
    """A service on a free loopback port.

    Args:
        folder: Where it keeps its database and keys.
        origin: Its name.
        log: Where its output goes; None drops it.
        database: The address of its database; empty for a file in the folder.
        workers: How many processes answer; several need a database that can be shared.
        has_log: Whether a sequencer runs beside it, and the order of the public log is kept.
    """

    def __init__(
        self,
        folder: Path,
        origin: str,
        log: IO[bytes] | None = None,
        *,
        database: str = "",
        workers: int = 1,
        has_log: bool = False,
    ) -> None:
        self.folder = folder
        self._log = log
        self._workers = workers
        self._environment = {
            **os.environ, FOLDER: str(folder), ORIGIN: origin, DATABASE: database,
            LOG: "1" if has_log else "", LOG_FOLDER: str(folder / "log"),
        }  # fmt: skip
        self._origin = origin
        self._has_log = has_log
        self._socket = socket.create_server((LOOPBACK, 0), backlog=_BACKLOG)
        self.port: int = self._socket.getsockname()[1]
        self.process: subprocess.Popen[bytes] | None = None
        self.sequencer: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The base address."""
        return f"http://{LOOPBACK}:{self.port}"

    def start(self) -> None:
        """Start the process and wait until it answers.

        Raises:
            RuntimeError: It ended, or did not answer in time.
        """
        descriptor = self._socket.fileno()
        kept = (descriptor, *self._start_sequencer())
        self.process = subprocess.Popen(  # noqa: S603  our own server
            [sys.executable, "-m", "gunicorn", "--bind", f"fd://{descriptor}", "--log-level",
             "warning", *self._arguments()],
            pass_fds=kept,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=self._log or subprocess.DEVNULL,
            stderr=self._log or subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        for pipe in kept[1:]:
            os.close(pipe)
        deadline = time.monotonic() + _PATIENCE_S
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise RuntimeError(f"the service ended with status {self.process.returncode}")
            if self._answers():
                return
        raise RuntimeError(f"the service did not answer within {_PATIENCE_S:.0f} s")

    def _arguments(self) -> tuple[str, ...]:
        return (*GUNICORN, "--workers", str(self._workers), "api.wsgi:app()")

    def _start_sequencer(self) -> tuple[int, ...]:
        """Start what signs the log; return the descriptor that, open, keeps it running."""
        if not self._has_log:
            return ()
        read, write = os.pipe()
        self.sequencer = subprocess.Popen(  # noqa: S603  our own sequencer
            beside.command(self.folder, self._origin, log_folder=self.folder / "log", pipe=read),
            pass_fds=(read,),
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=self._log or subprocess.DEVNULL,
            stderr=self._log or subprocess.DEVNULL,
        )
        os.close(read)
        return (write,)

    def _end_sequencer(self) -> None:
        """Wait for the sequencer: it ends by itself, after its turn."""
        if self.sequencer is not None:
            self.sequencer.wait(15)
            self.sequencer = None

    def stop(self) -> None:
        """End the process in good order."""
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.kill()
            self.process = None
            self._end_sequencer()

    def mend(self) -> None:
        """Start the process again where it has ended by itself, on the same port.

        Raises:
            RuntimeError: It ended again, or did not answer in time.
        """
        if self.process is not None and self.process.poll() is not None:
            self._end_sequencer()
            self.start()

    def close(self) -> None:
        """Stop, and give the port back."""
        self.stop()
        self._socket.close()

    def kill(self) -> None:
        """End the process and its workers as a power cut would: at once."""
        if self.process is not None:
            os.killpg(self.process.pid, 9)
            self.process.wait()
            self.process = None
            self._end_sequencer()

    def __enter__(self) -> Self:
        """Start."""
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop, and give the port back."""
        self.close()

    def _ready_path(self) -> str:
        """Return what answers once everything runs: a log has a checkpoint from its start on."""
        return f"/{self._origin.partition('/')[2]}/checkpoint" if self._has_log else "/healthz"

    def _answers(self) -> bool:
        connection = HTTPConnection(LOOPBACK, self.port, timeout=1.0)
        try:
            connection.request("GET", self._ready_path())
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()


class StreamServer(Server):
    """The process of streams of a service that was started before."""

    def _arguments(self) -> tuple[str, ...]:
        from api import streams  # noqa: PLC0415  late: start-up time

        return (*streams.GUNICORN, "api.streams:app()")
