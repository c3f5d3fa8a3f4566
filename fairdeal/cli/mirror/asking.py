"""Asks for the files below a log's prefix, over kept connections, within limits of time and size.

No redirect is followed, no proxy used and no cookie kept: a log is static files at one address.
"""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Final, TypeVar

from fairdeal.cli.mirror.answers import NOT_FOUND, PARTIAL, Again, CannotLook, judge
from fairdeal.cli.mirror.prefix import Prefix

_PIECE: Final = 2**16
_AGENT: Final = "fairdeal-audit"
_Got = TypeVar("_Got")


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long is waited, and how often asked.

    Attributes:
        tries: So often a file is asked for before it is given up.
        pause: Seconds before the second try; twice as many before each further one.
        longest: No pause is longer, also where the service asks for more.
        silence: Seconds without a byte.
        answer: Seconds for one file of a few kilobytes; a large one has more, by its pieces.
    """

    tries: int = 5
    pause: float = 0.5
    longest: float = 120.0
    silence: float = 20.0
    answer: float = 120.0


@dataclass(frozen=True, slots=True)
class Clock:
    """The time, and waiting for it; exchanged in tests.

    Attributes:
        now: Seconds since 1970.
        sleep: Waits for so many seconds; None waits, but no longer than until all is given up.
    """

    now: Callable[[], float] = time.time
    sleep: Callable[[float], None] | None = None


class Asker:
    """Asks one service; each thread has a connection of its own.

    Args:
        prefix: Of the log.
        patience: Within which limits.
        clock: What time it is.
    """

    def __init__(
        self, prefix: Prefix, patience: Patience | None = None, clock: Clock | None = None
    ) -> None:
        self.prefix: Final = prefix
        self.patience: Final = patience or Patience()
        self.clock: Final = clock or Clock()
        self._own = threading.local()
        self._all: list[HTTPConnection] = []
        self._lock = threading.Lock()
        self._stopped = threading.Event()

    def get(self, path: str, most: int) -> bytes | None:
        """Return a file, or None where there is none.

        Args:
            path: Below the prefix, without a slash at its beginning.
            most: Bytes; a longer one is refused.

        Raises:
            CannotLook: There is no answer, or one that is no file.
        """
        return self._patiently(lambda: self._whole(path, most))

    def stream(self, path: str, begin: int, end: int, keep: Callable[[bytes], object]) -> bool:
        """Hand over the bytes of a file from one place to another, piece by piece and in order.

        Only what is missing is asked for (Range), also after a connection broke off.

        Args:
            path: Below the prefix.
            begin: The first byte.
            end: The one after the last.
            keep: Takes each piece once.

        Returns:
            Whether there is such a file.

        Raises:
            CannotLook: As `get`; `cut_answer`: it is shorter.
        """
        at = begin

        def go_on() -> bool:
            nonlocal at
            pieces = self._part(path, at, end)
            if pieces is None:
                return False
            for piece in pieces:
                keep(piece)
                at += len(piece)
            if at < end:
                raise Again("cut_answer", f"{self._named(path)} ends after {at} of {end} bytes.")
            return True

        return begin >= end or self._patiently(go_on)

    def rest(self, seconds: float) -> None:
        """Wait, but not for longer than until all is given up."""
        if self.clock.sleep is None:
            self._stopped.wait(seconds)
        else:
            self.clock.sleep(seconds)

    def give_up(self) -> None:
        """Ask for nothing again, and end the pauses before that."""
        self._stopped.set()

    def close(self) -> None:
        """Close every connection."""
        self.give_up()
        with self._lock:
            for connection in self._all:
                connection.close()

    def _patiently(self, ask: Callable[[], _Got]) -> _Got:
        pause = self.patience.pause
        for _ in range(self.patience.tries - 1):
            try:
                return ask()
            except Again as wish:
                if self._stopped.is_set():
                    raise
                rest = min(max(pause, wish.pause), self.patience.longest)
                self.rest(rest)
                pause *= 2
        return ask()

    def _whole(self, path: str, most: int) -> bytes | None:
        response = self._ask(path)
        if response is None:
            return None
        data = bytearray()
        for piece in self._pieces(response, path):
            data += piece
            if len(data) > most:
                self._drop()
                raise Again(
                    "too_long", f"{self._named(path)} has more than the {most} bytes it may have."
                )
        return bytes(data)

    def _part(self, path: str, begin: int, end: int) -> Iterator[bytes] | None:
        response = self._ask(path, f"bytes={begin}-{end - 1}")
        if response is None:
            return None
        skipped = 0
        if response.status != PARTIAL:
            # A plain server of files: it sends all of it.
            skipped = begin
        elif not response.headers.get("Content-Range", "").startswith(f"bytes {begin}-"):
            self._drop()
            raise Again("cut_answer", f"{self._named(path)} came from another place on.")
        return self._between(response, path, skipped, end - begin)

    def _between(
        self, response: HTTPResponse, path: str, skipped: int, wanted: int
    ) -> Iterator[bytes]:
        for piece in self._pieces(response, path):
            kept = piece[skipped:]
            skipped = max(0, skipped - len(piece))
            kept, wanted = kept[:wanted], wanted - len(kept)
            if kept:
                yield kept
            if wanted <= 0:
                if wanted < 0 or not response.isclosed():
                    self._drop()
                return

    def _ask(self, path: str, wanted: str = "") -> HTTPResponse | None:
        """Return an answer that brings a file, its body unread; None where there is none."""
        headers = {"Accept": "*/*", "Accept-Encoding": "identity", "User-Agent": _AGENT}
        if wanted:
            headers["Range"] = wanted
        for attempt in range(2):
            connection, is_kept = self._connection()
            try:
                connection.request("GET", self.prefix.path + path, headers=headers)
                response = connection.getresponse()
                break
            except (OSError, HTTPException) as failure:
                self._drop()
                # A kept connection may have been closed meanwhile; that costs no patience.
                if not is_kept or attempt:
                    raise self._silent(path, failure) from failure
        if response.status in NOT_FOUND:
            self._finish(response)
            return None
        try:
            judge(response, self._named(path), self.clock.now())
        except CannotLook:
            self._drop()
            raise
        return response

    def _pieces(self, response: HTTPResponse, path: str) -> Iterator[bytes]:
        due = response.length
        until = time.monotonic() + self.patience.answer
        try:
            while piece := response.read1(_PIECE):
                if due is not None:
                    due -= len(piece)
                yield piece
                if time.monotonic() > until:
                    raise TimeoutError(f"not whole after {self.patience.answer:g} s")
            if not due:
                # Without this the response counts as unread, and the connection as in use.
                response.read()
        except (OSError, HTTPException) as failure:
            self._drop()
            raise self._silent(path, failure) from failure
        if due:
            self._drop()
            raise Again(
                "cut_answer", f"{self._named(path)} breaks off, {due} bytes before its end."
            )

    def _connection(self) -> tuple[HTTPConnection, bool]:
        kept: HTTPConnection | None = getattr(self._own, "connection", None)
        if kept is not None:
            return kept, True
        kind = HTTPSConnection if self.prefix.scheme == "https" else HTTPConnection
        host = self.prefix.host.strip("[]")
        made = kind(host, self.prefix.port, timeout=self.patience.silence)
        self._own.connection = made
        with self._lock:
            self._all.append(made)
        return made, False

    def _drop(self) -> None:
        kept: HTTPConnection | None = getattr(self._own, "connection", None)
        if kept is not None:
            kept.close()
            self._own.connection = None
            with self._lock:
                self._all.remove(kept)

    def _finish(self, response: HTTPResponse) -> None:
        """Read what is left of a short answer, so that the connection can be kept."""
        try:
            response.read(_PIECE)
        except (OSError, HTTPException):
            self._drop()
            return
        if not response.isclosed():
            self._drop()

    def _named(self, path: str) -> str:
        return self.prefix.text + path

    def _silent(self, path: str, failure: Exception) -> Again:
        why = str(failure) or type(failure).__name__
        return Again("no_answer", f"{self._named(path)} gave no whole answer: {why}.")
