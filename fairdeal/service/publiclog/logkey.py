"""The log's key, and the leaves that say which keys the service signs with.

``log.key`` signs checkpoints and nothing else; it lies in the sequencer's folder, where no process
of the API needs to read. ``announced`` beside it holds the `key` leaves, one a line, as they were
first written: the same leaf again is none, so a start that was cut off says nothing twice.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from fairdeal.errors import StorageFailure
from fairdeal.records.notes import SigningKey
from fairdeal.service.publiclog.serving import path_of_origin
from fairdeal.service.signing import (
    RECEIPT_VKEY,
    read_signing_key,
    told_keys,
    write_signing_key,
)
from fairdeal.store.files import DiskFiles, Files
from fairdeal.store.logport import LogBook
from fairdeal.store.vault import Entropy
from fairdeal.tlog.leaves import Holder, key_leaf, read_service_leaf
from fairdeal.tlog.merkle import leaf_hash

LOG_KEY: Final = "log.key"
LOG_VKEY: Final = "log.vkey"
ANNOUNCED: Final = "announced"


def check_prefix(origin: str, prefix: str) -> None:
    """Hold the address of a log to its name (log.md 1).

    Raises:
        StorageFailure: `bad_log_prefix`: it is not the origin behind ``http[s]://`` with a slash
            at its end; `bad_log_path`: the origin names no path that can be served.
    """
    path_of_origin(origin)
    if prefix not in (f"https://{origin}/", f"http://{origin}/"):
        raise StorageFailure(
            "bad_log_prefix",
            f"The log of {origin} is at https://{origin}/, not at {prefix}: its name is its"
            " address, for that is how programs find it.",
        )


def log_key(folder: Path, origin: str, entropy: Entropy, *, is_new: bool) -> SigningKey:
    """Return the key of the log in its folder; its public half is in ``log.vkey`` on return.

    Args:
        folder: The sequencer's.
        origin: The name that the key has to have.
        entropy: Gives the seed of a new key.
        is_new: Whether nothing was signed yet: only then a key is made.

    Raises:
        StorageFailure: `key_file`: it is not there, or not as it must be; `other_origin`.
    """
    path = folder / LOG_KEY
    if not path.exists():
        if not is_new:
            raise StorageFailure(
                "key_file",
                f"The database has signed checkpoints, and {path} is not there: put the key back.",
            )
        write_signing_key(path, SigningKey(origin, entropy(32)))
    key = read_signing_key(path)
    if key.name != origin:
        raise StorageFailure(
            "other_origin", f"The key in {path} signs for {key.name}, not for {origin}."
        )
    if told_keys(folder / LOG_VKEY) != (key.vkey,):
        DiskFiles(folder).write(LOG_VKEY, f"{key.vkey}\n".encode())
    return key


class Announcer:
    """Has each key of the service announced in the log, once.

    Args:
        book: Gets the leaves.
        kept: The sequencer's folder.
        folder: The service's, where the keys of receipts are told.
        vkey: Of the log.
        clock: ms since 1970.
    """

    def __init__(
        self, book: LogBook, kept: Files, folder: Path, vkey: str, clock: Callable[[], int]
    ) -> None:
        self._book, self._kept, self._clock = book, kept, clock
        self._receipts = folder / RECEIPT_VKEY
        self._vkey = vkey
        self._lines = (kept.read(ANNOUNCED) or b"").splitlines(keepends=True)
        self._announced = {read_service_leaf(line).body["vkey"] for line in self._lines}
        for line in self._lines:
            self._add(line)

    def look(self) -> None:
        """Announce what is not announced yet."""
        keys: list[tuple[Holder, str]] = [("log", self._vkey)]
        # The oldest first: the order in which they were in force.
        keys += [("receipt", vkey) for vkey in reversed(told_keys(self._receipts))]
        for use, vkey in keys:
            if vkey not in self._announced:
                entry = key_leaf(self._clock(), use, vkey).entry
                self._lines.append(entry)
                self._kept.write(ANNOUNCED, b"".join(self._lines))
                self._announced.add(vkey)
                self._add(entry)

    def _add(self, entry: bytes) -> None:
        self._book.add(entry, leaf_hash(entry))
