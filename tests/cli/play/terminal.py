"""A terminal that a test types into: the program runs at a pseudo-terminal of its own."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time

PROGRAM = (
    "import fcntl, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
    "from fairdeal.cli.main import main; sys.exit(main())"
)
PATIENCE_S = 60
_ESCAPES = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|[()=>].?)")


class Terminal:
    """``fairdeal play`` with a keyboard and a screen."""

    def __init__(self, *words, cwd, columns=80, **environment):
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        clean = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "LINES")}
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, "play", *words],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=cwd,
            env=clean | {"TERM": "xterm-256color", "PYTHONUTF8": "1"} | environment,
            start_new_session=True,
        )
        os.close(theirs)
        self._terminal = ours
        self._unread = ""
        self.raw = ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            # In good order: what runs beside the game ends with it.
            self.process.terminate()
            self.process.wait(PATIENCE_S)
        os.close(self._terminal)

    @property
    def text(self):
        """All that was printed, without colours."""
        return shown(self.raw)

    def type(self, line):
        """Type a line, and Enter."""
        self.press(f"{line}\n")

    def press(self, keys):
        """Press keys."""
        os.write(self._terminal, keys.encode())

    def until(self, *wanted):
        """Wait for one of these texts; return what was printed up to and with it."""
        pattern = re.compile("|".join(wanted))
        deadline = time.monotonic() + PATIENCE_S
        while True:
            if found := pattern.search(self._unread):
                seen, self._unread = self._unread[: found.end()], self._unread[found.end() :]
                return seen
            if time.monotonic() > deadline or not self._read():
                raise AssertionError(f"{wanted} did not come; there was:\n{self.text[-3000:]}")

    def end(self):
        """Wait until the program has ended; return its status and what it still printed."""
        deadline = time.monotonic() + PATIENCE_S
        while self._read() and time.monotonic() < deadline:
            pass
        rest, self._unread = self._unread, ""
        return self.process.wait(PATIENCE_S), rest

    def _read(self):
        """Read what is there, or wait a little; say whether more may come."""
        try:
            if not select.select([self._terminal], [], [], 1)[0]:
                return True
            data = os.read(self._terminal, 65_536).decode("utf-8", "replace")
        except OSError:  # nobody holds the other end any more
            return False
        self.raw += data
        self._unread += shown(data)
        return bool(data)


def shown(raw):
    """Give what a person reads of what was sent to a terminal."""
    return _ESCAPES.sub("", raw).replace("\r", "")
