"""Prints and asks: pictures in a terminal, plain lines everywhere else."""

import os
import select
import signal
import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.console import RenderableType

NARROWEST: Final = 40


def wants_plain() -> bool:
    """Say whether the output is to be plain: no terminal, ``NO_COLOR``, or a dumb one."""
    return (
        not sys.stdout.isatty()
        or bool(os.environ.get("NO_COLOR"))
        or os.environ.get("TERM", "dumb") in ("dumb", "unknown")
    )


def visible(text: str) -> str:
    """Give a text of somebody else's without what a terminal would obey."""
    return "".join(char if char.isprintable() or char == "\n" else "?" for char in text)


class Screen:
    """A terminal, or what stands in for one.

    Args:
        plain: Without colours, frames and suit signs.
    """

    def __init__(self, *, plain: bool) -> None:
        from rich.console import Console  # noqa: PLC0415  late: start-up time

        self.plain = plain
        self.has_signs = not plain and (sys.stdout.encoding or "").lower().startswith("utf")
        if plain:
            self._console = Console(
                color_system=None, force_terminal=False, highlight=False, markup=False, emoji=False
            )
        else:
            self._console = Console(highlight=False, markup=False, emoji=False)

    @property
    def width(self) -> int:
        """The columns there are."""
        return max(self._console.width, NARROWEST)

    def say(self, text: str = "", style: str = "") -> None:
        """Print text, wrapped."""
        from rich.text import Text  # noqa: PLC0415  late: start-up time

        self._console.print(Text(visible(text), style="" if self.plain else style))

    def show(self, picture: "RenderableType") -> None:
        """Print a picture."""
        self._console.print(picture)

    def copyable(self, text: str) -> None:
        """Print a line unwrapped, so that it can be copied."""
        self._console.print(visible(text), soft_wrap=True)

    def ask(self, prompt: str) -> str:
        """Ask for a line.

        Raises:
            EOFError: There are no more (Ctrl-D).
            KeyboardInterrupt: Ctrl-C.
        """
        if not sys.stdin.isatty():
            return input(prompt)
        sys.stdout.write(prompt)
        sys.stdout.flush()
        _await_line()
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.rstrip("\n")


def _await_line() -> None:
    """Wait until a line is typed, or a signal comes, and let its handler run.

    Reading at once would miss a signal that comes between the prompt and the read until the next
    key: whoever closes the program would leave it, and the service beside it, behind.
    """
    woken, wake = os.pipe()
    try:
        os.set_blocking(wake, False)
        before = signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        try:
            while not select.select([sys.stdin, woken], [], [])[0].count(sys.stdin):
                os.read(woken, 64)
        finally:
            signal.set_wakeup_fd(before)
    finally:
        os.close(woken)
        os.close(wake)
