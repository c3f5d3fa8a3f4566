"""The sequencer at work in its folder: what it opens, and its turns until it is told to end.

One sequencer at a time works on a database; the others wait for their turn to come. Where two do
work at once all the same, the book lets a size have one root only.
"""

import contextlib
import logging
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fairdeal.errors import MalformedInput, StorageFailure
from fairdeal.records.canonical import encode
from fairdeal.records.notes import SigningKey
from fairdeal.service import folder as place
from fairdeal.service.database import FILE, Database
from fairdeal.service.publiclog.bundles import Bundles
from fairdeal.service.publiclog.logkey import Announcer, check_prefix, log_key
from fairdeal.service.publiclog.ports import NO_WITNESSES, RefusesToSign, Witnesses
from fairdeal.service.publiclog.sequencer import Sequencer
from fairdeal.service.publiclog.stopmark import StopMark
from fairdeal.service.publiclog.witnesses import PolicyWitnesses
from fairdeal.service.publiclog.witnessmember import Pace
from fairdeal.service.signing import RECEIPT_VKEY, told_keys
from fairdeal.store.files import DiskFiles
from fairdeal.store.logport import LogBook
from fairdeal.store.vault import Entropy
from fairdeal.tlog.checkpoint import Checkpoint
from fairdeal.tlog.merkle import EMPTY_ROOT
from fairdeal.tlog.policy import Policy, parse_policy

TURN_S: Final = 0.2
"""A turn so often (log.md 5.1)."""

LOOK_S: Final = 10.0
"""So often the keys that the service told are looked through, and whether the post is held."""

WAIT_S: Final = 0.2
PATIENCE_S: Final = 60.0
"""So long a service may take to make its folder and its database."""

_LOG: Final = logging.getLogger("fairdeal.log")

Ended = Callable[[float], bool]
"""Waits for at most so many seconds, and says whether to end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSettings:
    """What a sequencer works on.

    Attributes:
        folder: The service's.
        log_folder: Its own, with the key in it.
        database: The service's.
        origin: The name of the service and of its log.
        prefix: Where the log is served.
        policy: The text of a policy file that names witnesses; empty for none.
        require_quorum: Whether nothing is public without the quorum of that policy.
    """

    folder: Path
    log_folder: Path
    database: Database
    origin: str
    prefix: str
    policy: str = ""
    require_quorum: bool = False

    @property
    def public(self) -> Path:
        """The folder that everybody may read."""
        return self.log_folder / "public"


class Log:
    """A log that is open for signing.

    Args:
        settings: As given.
        book: The database's side.
        key: The log's.
        holds: Whether this process still is the one that signs.
        clock: ms since 1970.
    """

    def __init__(
        self,
        settings: LogSettings,
        book: LogBook,
        key: SigningKey,
        holds: Callable[[], bool],
        clock: Callable[[], int],
    ) -> None:
        self._settings, self._book, self._key = settings, book, key
        self._holds, self._clock = holds, clock

    def run(self, ended: Ended, say: Callable[[str], None]) -> None:
        """Take turns until told to end.

        Raises:
            RefusesToSign: Nothing is signed until a person acts.
            StorageFailure: The database or the disk fails; another start may go on.
        """
        settings, key = self._settings, self._key
        policy = _policy(settings, key)
        files = DiskFiles(settings.public)
        with self._witnesses(policy) as witnesses:
            bundles = Bundles(self._book, files)
            made = Sequencer(self._book, files, key, witnesses, bundles, clock=time.monotonic)
            made.start()
            kept = DiskFiles(settings.log_folder)
            announcer = Announcer(self._book, kept, settings.folder, key.vkey, self._clock)
            files.write("policy", policy.text.encode())
            told = {"origin": settings.origin, "prefix": settings.prefix, "vkey": key.vkey}
            files.write("log.json", encode(told) + b"\n")
            say(f"sequencer signs as {settings.origin}, published {made.published}")
            look_at = turn_at = time.monotonic()
            while not ended(max(0.0, turn_at - time.monotonic())):
                turn_at = time.monotonic() + TURN_S
                if time.monotonic() >= look_at:
                    look_at = time.monotonic() + LOOK_S
                    if not self._holds():
                        raise StorageFailure("log_post_lost", "Another sequencer signs by now.")
                    announcer.look()
                made.turn()

    @contextlib.contextmanager
    def _witnesses(self, policy: Policy) -> Iterator[Witnesses]:
        if not policy.witnesses:
            yield NO_WITNESSES
            return
        settings = self._settings
        asked = PolicyWitnesses(
            policy,
            settings.log_folder,
            opening=Checkpoint(settings.origin, 0, EMPTY_ROOT).sign(self._key),
            signed=lambda: self._book.head().size,
            pace=Pace(require_quorum=settings.require_quorum),
        )
        with contextlib.closing(asked):
            yield asked


@contextlib.contextmanager
def open_log(
    settings: LogSettings, *, entropy: Entropy, clock: Callable[[], int], ended: Ended
) -> Iterator[Log | None]:
    """Open a log once its service is there and no other sequencer signs; make its key.

    Args:
        settings: What it works on.
        entropy: Gives the seed of a new key.
        clock: ms since 1970.
        ended: Asked while it waits; None is what there is if it says so.

    Raises:
        RefusesToSign: `log_stopped`.
        StorageFailure: A key or a setting is not as it must be, there is no service, or its
            database does not answer.
    """
    check_prefix(settings.origin, settings.prefix)
    if settings.log_folder.is_relative_to(settings.folder):
        # Whoever of the two comes first makes it, for nobody else to read.
        settings.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Whoever serves `public` may be another user, and has to get through.
    settings.log_folder.mkdir(mode=0o711, parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        if not _is_alone(settings.log_folder, stack, ended) or not _is_there(settings, ended):
            yield None
            return
        reason = StopMark(settings.log_folder).reason()
        if reason is not None:
            raise RefusesToSign(
                "log_stopped", f"{reason} (kept in {StopMark(settings.log_folder).path})"
            )
        book = settings.database.open_log_book(settings.folder)
        stack.callback(book.close)
        holds = _post(settings, stack)
        while not holds():
            if ended(WAIT_S):
                yield None
                return
        is_new = not book.head().size
        key = log_key(settings.log_folder, settings.origin, entropy, is_new=is_new)
        yield Log(settings, book, key, holds, clock)


def _is_alone(folder: Path, stack: contextlib.ExitStack, ended: Ended) -> bool:
    """Hold the sequencer's folder; wait for another that does."""
    while True:
        try:
            stack.callback(os.close, place.hold(folder))
        except StorageFailure:
            if ended(WAIT_S):
                return False
        else:
            return True


def _is_there(settings: LogSettings, ended: Ended) -> bool:
    """Wait until the service has made its keys and its database."""
    patient_until = time.monotonic() + PATIENCE_S
    while not told_keys(settings.folder / RECEIPT_VKEY) or not (
        settings.database.is_shared or (settings.folder / FILE).exists()
    ):
        if time.monotonic() > patient_until:
            raise StorageFailure("key_file", f"There is no service in {settings.folder}.")
        if ended(WAIT_S):
            return False
    return True


def _post(settings: LogSettings, stack: contextlib.ExitStack) -> Callable[[], bool]:
    """Return what says whether this process is the one that signs on its database."""
    if not settings.database.is_shared:
        return lambda: True
    store = settings.database.open(settings.folder, marked=False)
    stack.callback(store.close)
    return lambda: store.lead("log")


def _policy(settings: LogSettings, key: SigningKey) -> Policy:
    """Return what is published of whom to trust."""
    if not settings.policy:
        return Policy((key.verifying_key,))
    try:
        given = parse_policy(settings.policy)
    except MalformedInput as error:
        raise RefusesToSign(error.code, error.sentence) from error
    if key.verifying_key not in given.logs:
        raise RefusesToSign(
            "bad_policy", f"The policy of the witnesses does not name this log: log {key.vkey}"
        )
    return given
