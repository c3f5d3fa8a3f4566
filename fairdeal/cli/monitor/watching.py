"""One look after another: what is new in each, whom it is told to, and whether all is well."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from fairdeal.cli.audit.log.findings import Finding
from fairdeal.cli.monitor.events import Event, event_of, finding_id
from fairdeal.cli.monitor.hook import Hook
from fairdeal.cli.monitor.memory import Memory, Pending, load, save, write_whole
from fairdeal.errors import FairdealError

MEMORY: Final = "monitor.json"
HEALTH: Final = "health.json"
EVENT_FILES: Final = "events"

_FAILURES: Final = 2
"""An outage is told at its second look, for a single answer that is lost is none."""
_AGAIN: Final = 6
"""And at each sixth look after that; likewise a log that is behind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """What one look at a log came to.

    Attributes:
        size: Of the mirror, all of it audited.
        newest: Of the newest checkpoint that was served.
        complete: Up to which place every game has its transcript.
        findings: Of the fetch and of the audit; old ones again and again.
        notes: Signed checkpoints that are the evidence of findings, by their path in the mirror.
    """

    size: int
    newest: int
    complete: int
    findings: Sequence[Finding] = ()
    notes: dict[str, str] | None = None


Look = Callable[[], Looked]
"""Fetches and audits. Raises FairdealError, OSError or others where that cannot be done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a log is watched.

    Attributes:
        folder: Of the monitor: its memory, its health, the files of events.
        known: Codes and ids of findings that are not told.
        canary: A planted fault is found at least once in so many seconds; None where there is none.
    """

    folder: Path
    known: frozenset[str] = frozenset()
    canary: int | None = None


class Watch:
    """A monitor between its looks.

    Args:
        settings: How.
        look: Looks once.
        hook: Is told of events.
        now: Seconds since 1970.
        say: Prints a line.
    """

    def __init__(
        self,
        settings: Settings,
        look: Look,
        hook: Hook,
        now: Callable[[], float],
        say: Callable[[str], object],
    ) -> None:
        self._settings = settings
        self._look = look
        self._hook = hook
        self._now = now
        self._say = say
        self.memory: Final[Memory] = load(settings.folder / MEMORY)

    def round(self) -> bool:
        """Look once, tell what is new, and print how it stands; say whether one could look."""
        memory = self.memory
        now = int(self._now())
        memory.begun = memory.begun or now
        memory.rounds += 1
        events: list[tuple[Event, str, tuple[Finding, ...], dict[str, str]]] = []
        try:
            looked = self._look()
        except (FairdealError, OSError, RuntimeError, ValueError) as failure:
            # Also what nobody thought of: a monitor that dies of it tells nobody anything.
            said = f"{type(failure).__name__}: {failure}"
            why = failure.sentence if isinstance(failure, FairdealError) else said
            events += self._failed(now, why)
        else:
            events += self._looked(now, looked)
        events += self._canary(now)
        for event, summary, findings, notes in events:
            memory.pending.append(self._write(now, event, summary, findings, notes))
        # From here on an event is told, if not now then after a start.
        self._save()
        self._tell()
        self._health(now)
        return not memory.failing

    def _failed(
        self, now: int, why: str
    ) -> list[tuple[Event, str, tuple[Finding, ...], dict[str, str]]]:
        memory = self.memory
        memory.failing += 1
        memory.failure = why
        if memory.failing == 1:
            memory.failing_since = now
        if memory.failing < _FAILURES or (memory.failing - _FAILURES) % _AGAIN:
            return []
        since = iso(memory.failing_since or now)
        summary = f"Cannot look since {since}; looked at up to index {memory.size}. {why}"
        return [("cannot_look", summary, (), {})]

    def _looked(
        self, now: int, looked: Looked
    ) -> list[tuple[Event, str, tuple[Finding, ...], dict[str, str]]]:
        memory = self.memory
        memory.failing, memory.failing_since, memory.failure = 0, None, ""
        memory.success = now
        memory.size, memory.complete = looked.size, looked.complete
        raised = {*memory.raised}
        new: dict[Event, list[Finding]] = {}
        behind: list[Finding] = []
        for finding in looked.findings:
            event, name = event_of(finding), finding_id(finding)
            if event is None or {finding.code, name} & self._settings.known:
                continue
            if event == "behind":
                behind.append(finding)
            elif name not in raised:
                raised.add(name)
                new.setdefault(event, []).append(finding)
        memory.raise_once([finding_id(one) for found in new.values() for one in found])
        if new:
            memory.wrong = now
        notes = looked.notes or {}
        told = [(event, _summary(found), tuple(found), notes) for event, found in new.items()]
        return told + self._behind(now, looked, tuple(behind))

    def _behind(
        self, now: int, looked: Looked, found: tuple[Finding, ...]
    ) -> list[tuple[Event, str, tuple[Finding, ...], dict[str, str]]]:
        memory = self.memory
        if not found:
            memory.behind_since, memory.behind_rounds = None, 0
            return []
        memory.behind_since = memory.behind_since or now
        memory.behind_rounds += 1
        if (memory.behind_rounds - 1) % _AGAIN:
            return []
        since = iso(memory.behind_since)
        summary = f"Behind since {since}, up to index {looked.size}. {_summary(list(found))}"
        return [("behind", summary, found, looked.notes or {})]

    def _canary(self, now: int) -> list[tuple[Event, str, tuple[Finding, ...], dict[str, str]]]:
        memory, due = self.memory, self._settings.canary
        if due is None:
            return []
        last = max(memory.begun, memory.wrong or 0, memory.missed or 0)
        if now - last < due:
            return []
        memory.missed = now
        since = iso(max(memory.begun, memory.wrong or 0))
        summary = f"No planted fault was found since {since}: this monitor, or the canary, is dead."
        return [("canary_missed", summary, (), {})]

    def _write(
        self,
        now: int,
        event: Event,
        summary: str,
        findings: tuple[Finding, ...],
        notes: dict[str, str],
    ) -> Pending:
        memory = self.memory
        memory.told += 1
        name = f"{EVENT_FILES}/{memory.told:06d}-{event}.json"
        said = {
            "kind": "fairdeal-monitor-event-1",
            "event": event,
            "at": iso(now),
            "summary": summary,
            "size": memory.size,
            "findings": [{"id": finding_id(one), **asdict(one)} for one in findings],
            "notes": notes,
        }
        write_whole(self._settings.folder / name, json.dumps(said, indent=1) + "\n")
        return Pending(event, summary, name)

    def _tell(self) -> None:
        """Run the hook for each event in order; what it does not take is kept for the next look."""
        left: list[Pending] = []
        for one in self.memory.pending:
            self._say(f"{one.event}: {one.summary}")
            file = self._settings.folder / one.file
            failure = self._hook(one.event, one.summary, file.resolve())
            if failure:
                self._say(f"hook failed for {one.event}, tried again at the next look: {failure}")
                left.append(one)
        if left != self.memory.pending:
            self.memory.pending = left
            self._save()

    def _health(self, now: int) -> None:
        memory = self.memory
        success = None if memory.success is None else iso(memory.success)
        is_ok = not memory.failing and memory.behind_since is None and not memory.pending
        backlog = max(0, memory.size - memory.complete)
        said = {
            "kind": "fairdeal-monitor-health-1",
            "ok": is_ok,
            "at": iso(now),
            "last_success": success,
            "failing_since": None if memory.failing_since is None else iso(memory.failing_since),
            "failure": memory.failure,
            "size": memory.size,
            "complete_to_index": memory.complete,
            "backlog": backlog,
            "events": memory.told,
            "hooks_pending": len(memory.pending),
            "rounds": memory.rounds,
        }
        write_whole(
            self._settings.folder / HEALTH, json.dumps(said, indent=1) + "\n", is_lasting=False
        )
        word = "ok" if is_ok else "NOT OK"
        why = f"; cannot look: {memory.failure}" if memory.failing else ""
        self._say(
            f"{iso(now)} {word}: up to index {memory.size}, transcripts up to {memory.complete}"
            f" (backlog {backlog}), last success {success or 'never'}, events {memory.told}{why}"
        )

    def _save(self) -> None:
        save(self._settings.folder / MEMORY, self.memory)


def iso(seconds: int) -> str:
    """Return a time as people write it, of UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _summary(findings: list[Finding]) -> str:
    first = findings[0]
    more = f" And {len(findings) - 1} more." if len(findings) > 1 else ""
    return f"{first.code}: {first.sentence}{more}"
