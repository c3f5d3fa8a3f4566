"""The suites that need a program, and what happens where it is absent.

A suite is a set of tests marked ``suite("name")``. Where its program is absent, ``make test``
skips it and names it in the very last line; ``make ci`` (FAIRDEAL_ALL_SUITES=1) fails instead.
"""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

# Suite name -> the program it needs, as `find_program` finds it; the empty string needs none. What
# follows " with " is a library in Debian's folder for Go, without which the program is of no use.
SUITES: Final[Mapping[str, str]] = {
    "makefile": "make",
    "tracked-files": "git",
    "postgres": "postgres",
    "sqlite": "",
    "curl": "curl",
    "python-client": "",
    "typescript-client": "npm",
    "go": "go with golang.org/x/mod",
}

ALL_SUITES: Final = "FAIRDEAL_ALL_SUITES"
"""The environment variable that obliges every suite to run; any text but "" and "0" is a yes."""


SERVERS: Final = Path("/usr/lib/postgresql")
"""Where Debian keeps the programs of a PostgreSQL server, one folder a version, off PATH."""


GO_PATH: Final = Path("/usr/share/gocode")
"""Where Debian keeps libraries of Go."""


def find_program(name: str, servers: Path = SERVERS) -> str | None:
    """Return where a program is: on PATH, or with the newest PostgreSQL; None where nowhere."""
    name, _, library = name.partition(" with ")
    if library and not (GO_PATH / "src" / library).is_dir():
        return None
    found = shutil.which(name)
    if found is not None:
        return found
    versions = sorted(servers.glob("[0-9]*/bin"), key=lambda path: -float(path.parent.name))
    return next((hit for path in versions if (hit := shutil.which(name, path=path))), None)


def absent_programs(
    suites: Mapping[str, str] = SUITES, which: Callable[[str], str | None] = find_program
) -> dict[str, str]:
    """Return suite name -> program for the suites whose program is not on this machine."""
    return {name: program for name, program in suites.items() if program and which(program) is None}


def closing_line(absent: Mapping[str, str]) -> str:
    """Return the last line of a test run: which suites did not run, and why."""
    listed = ", ".join(f"{name} ({program} absent)" for name, program in sorted(absent.items()))
    return f"suites not run: {listed or 'none'}"
