"""The checkpoint that everybody reads: never without its tiles, never back to a smaller tree."""

from typing import Final

from fairdeal.errors import MalformedInput
from fairdeal.records.notes import VerifyingKey
from fairdeal.service.publiclog.ports import RefusesToSign
from fairdeal.store.files import Files
from fairdeal.tlog.checkpoint import Opened, open_checkpoint

CHECKPOINT: Final = "checkpoint"


def checkpoint_path(size: int) -> str:
    """Return where the checkpoint of a size stays for good, as it was when it became public."""
    return f"checkpoints/{size}"


def published(files: Files, key: VerifyingKey) -> Opened | None:
    """Return the checkpoint that is public; None where none is.

    Raises:
        RefusesToSign: `other_checkpoint`: what is there was not signed by this key.
    """
    note = files.read(CHECKPOINT)
    if note is None:
        return None
    return opened(note.decode(errors="replace"), key, "The public checkpoint")


def opened(note: str, key: VerifyingKey, what: str) -> Opened:
    """Return a checkpoint of ours.

    Raises:
        RefusesToSign: `other_checkpoint`.
    """
    try:
        return open_checkpoint(note, (key,))
    except MalformedInput as error:
        raise RefusesToSign(
            "other_checkpoint", f"{what} is none that {key.text} signed: {error.sentence}"
        ) from error


def publish(files: Files, key: VerifyingKey, opened_note: Opened) -> None:
    """Make a checkpoint public, durable on return, unless a larger one is.

    Its tiles have to be durable before.

    Raises:
        RefusesToSign: `other_root`: another tree of this size is public.
        StorageFailure: The disk fails.
    """
    ours, note = opened_note.checkpoint, opened_note.note.encode()
    path = checkpoint_path(ours.size)
    # One that is there stays; whoever wrote it may not have got as far as to sync its folder.
    files.write(path, files.read(path) or note)
    with files.alone():
        there = published(files, key)
        if there is not None and there.checkpoint.size > ours.size:
            return
        if there is not None and there.checkpoint.size == ours.size:
            check_root(there, ours.root)
        files.write(CHECKPOINT, note)


def check_root(there: Opened, root: bytes) -> None:
    """Hold a checkpoint that is public to the root of our tree of its size.

    Raises:
        RefusesToSign: `other_root`.
    """
    if there.checkpoint.root != root:
        raise RefusesToSign(
            "other_root",
            f"A checkpoint of {there.checkpoint.size} leaves is public, and the database has other"
            " leaves: this is not the database that it was signed of.",
        )
