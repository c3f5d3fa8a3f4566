"""The small file that an audit is resumed from: verdicts by the digest of what was verified."""

import json
import os
from hashlib import sha256
from pathlib import Path
from typing import Final, TextIO

from fairdeal.cli.audit.judging import Judged, from_json

_KIND: Final = "fairdeal-audit-state-1"
_BEGINNING: Final = '{"kind": "fairdeal-audit-state-'


def default_place(folder: Path) -> Path:
    """Return where the verdicts on a folder are kept: with the user, never beside the files.

    Whoever hands over a folder could put a state into it that calls its files VALID.
    """
    home = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    name = sha256(str(folder.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return Path(home) / "fairdeal" / "audit" / f"{name}.jsonl"


class Keeper:
    """Reads what was kept under the same conditions, and adds to it line by line.

    Attributes:
        known: Results by digest.
    """

    def __init__(self, place: Path | None, conditions: str) -> None:
        """Open a state; one made under other conditions is begun anew.

        Args:
            place: The file; None keeps nothing.
            conditions: What a verdict depends on beside the file's bytes.

        Raises:
            OSError: The state can be neither read nor written, or the place holds a file that is
                no state: it is not overwritten.
        """
        self.known: dict[str, Judged] = {}
        self._file: TextIO | None = None
        if place is None:
            return
        head = json.dumps({"kind": _KIND, "conditions": conditions})
        place.parent.mkdir(parents=True, exist_ok=True)
        lines = place.read_text("utf-8", "replace").split("\n") if place.is_file() else []
        if lines not in ([], [""]) and not lines[0].startswith(_BEGINNING):
            raise FileExistsError(f"{place} holds no verdicts of an audit; it was left as it is")
        # The last piece is empty, or what a killed run left of a line.
        if len(lines) > 1 and lines[0] == head:
            self.known = _read(lines[1:-1])
        fresh = place.with_name(place.name + ".new")
        with fresh.open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in [head, *map(_line, self.known.values())])
        fresh.replace(place)
        self._file = place.open("a", encoding="utf-8")

    def add(self, judged: Judged) -> None:
        """Keep a verdict, at once, if it is the verifier's own and new."""
        if self._file is None or judged.how != "verified" or judged.digest is None:
            return
        self._file.write(f"{_line(judged)}\n")
        self._file.flush()

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            self._file.close()


def _line(judged: Judged) -> str:
    return json.dumps(judged.to_json())


def _read(lines: list[str]) -> dict[str, Judged]:
    known: dict[str, Judged] = {}
    for line in lines:
        try:
            judged = from_json(json.loads(line))
        except (ValueError, TypeError, AttributeError):
            continue  # that file is verified again
        if judged.digest is not None:
            known[judged.digest] = judged
    return known
