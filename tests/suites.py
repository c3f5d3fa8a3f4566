"""The suites that need a program, and what happens where it is absent.

A suite is a set of tests marked ``suite("name")``. Where its program is absent, ``make test``
skips it and names it in the very last line; ``make ci`` (FAIRDEAL_ALL_SUITES=1) fails instead.
"""

import shutil
from collections.abc import Callable, Mapping
from typing import Final

# Suite name -> the program it needs, as found on PATH; the empty string needs none.
SUITES: Final[Mapping[str, str]] = {
    "makefile": "make",
    "tracked-files": "git",
    "sqlite": "",
}

ALL_SUITES: Final = "FAIRDEAL_ALL_SUITES"
"""The environment variable that obliges every suite to run; any text but "" and "0" is a yes."""


def absent_programs(
    suites: Mapping[str, str] = SUITES, which: Callable[[str], str | None] = shutil.which
) -> dict[str, str]:
    """Return suite name -> program for the suites whose program is not on this machine."""
    return {name: program for name, program in suites.items() if program and which(program) is None}


def closing_line(absent: Mapping[str, str]) -> str:
    """Return the last line of a test run: which suites did not run, and why."""
    listed = ", ".join(f"{name} ({program} absent)" for name, program in sorted(absent.items()))
    return f"suites not run: {listed or 'none'}"
