"""What a monitor remembers from one look to the next, in one small file."""

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

_KIND: Final = "fairdeal-monitor-1"
_MOST_RAISED: Final = 20_000


@dataclass(frozen=True, slots=True)
class Pending:
    """An event that the hook has not taken yet.

    Attributes:
        event: Its name.
        summary: A sentence.
        file: Its details, relative to the monitor's folder.
    """

    event: str
    summary: str
    file: str


@dataclass(slots=True)
class Memory:
    """All that is remembered; times in seconds since 1970.

    Attributes:
        begun: When the monitor first looked.
        rounds: How many looks there were.
        told: How many events there were; numbers their files.
        raised: Ids of findings that were made an event.
        pending: Events in order, of which the hook did not succeed yet.
        success: When a look last came to its end; None for never.
        failing: So many looks in a row came to none.
        failing_since: When the first of them was.
        failure: Why the newest of them failed.
        behind_since: When the log was first seen to be behind, if it is.
        behind_rounds: So many looks in a row it was.
        wrong: When something new was last found to be wrong; for the canary.
        missed: When a missed canary was last told.
        size: Of the mirror at the last success.
        complete: Up to which place every game has its transcript.
    """

    begun: int = 0
    rounds: int = 0
    told: int = 0
    raised: list[str] = field(default_factory=list)
    pending: list[Pending] = field(default_factory=list)
    success: int | None = None
    failing: int = 0
    failing_since: int | None = None
    failure: str = ""
    behind_since: int | None = None
    behind_rounds: int = 0
    wrong: int | None = None
    missed: int | None = None
    size: int = 0
    complete: int = 0

    def raise_once(self, ids: list[str]) -> None:
        """Remember findings; the oldest are forgotten where there are too many."""
        self.raised = [*self.raised, *ids][-_MOST_RAISED:]


def load(file: Path) -> Memory:
    """Return what was saved, or a new memory.

    Raises:
        FileExistsError: The file is none of these; it is left as it is.
    """
    try:
        said: Any = json.loads(file.read_text("utf-8"))
        kind = said.pop("kind")
        said["pending"] = [Pending(**one) for one in said["pending"]]
        read = Memory(**said)
    except FileNotFoundError:
        return Memory()
    except (ValueError, KeyError, TypeError, AttributeError) as fault:
        raise FileExistsError(f"{file} is no memory of a monitor; it was left as it is") from fault
    if kind != _KIND:
        raise FileExistsError(f"{file} is the memory of another monitor; it was left as it is")
    return read


def save(file: Path, memory: Memory) -> None:
    """Put a memory in the place of the older one, durably."""
    write_whole(file, json.dumps({"kind": _KIND, **asdict(memory)}) + "\n")


def write_whole(file: Path, text: str, *, is_lasting: bool = True) -> None:
    """Write a file that has its old text or its new one at any moment.

    Args:
        file: Its folder is made where it is not there.
        text: All of it.
        is_lasting: Whether a power cut may not take it back.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f".{file.name}.new")
    with draft.open("w", encoding="utf-8") as opened:
        opened.write(text)
        if is_lasting:
            opened.flush()
            os.fsync(opened.fileno())
    draft.replace(file)
