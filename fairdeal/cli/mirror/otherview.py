"""A second address of one log: whether it is shown the same there (a split view)."""

from pathlib import Path
from typing import Final

from fairdeal.cli.audit.log.trust import Trust
from fairdeal.cli.mirror.answers import CannotLook
from fairdeal.cli.mirror.asking import Asker, Clock, Patience
from fairdeal.cli.mirror.fetching import CHECKPOINT, MOST_NOTE, fork, kept_checkpoint
from fairdeal.cli.mirror.findings import Found
from fairdeal.cli.mirror.folder import SEEN, MirrorFolder, seen_path
from fairdeal.cli.mirror.prefix import parse_prefix
from fairdeal.errors import MalformedInput
from fairdeal.records.noteform import parse_note
from fairdeal.tlog.checkpoint import open_checkpoint, parse_body
from fairdeal.tlog.merkle import is_consistent
from fairdeal.tlog.policy import parse_policy
from fairdeal.tlog.proving import TileTree
from fairdeal.tlog.tiles import Tile

ALSO: Final = "also"


def ask_also(
    prefix: str,
    folder: Path,
    trust: Trust | None,
    *,
    patience: Patience | None = None,
    clock: Clock | None = None,
) -> None:
    """Keep the checkpoint that is served at another address, to be compared with the mirror.

    Raises:
        CannotLook: There is none that a trusted key signed.
    """
    mirror = MirrorFolder(folder)
    asker = Asker(parse_prefix(prefix), patience, clock)
    try:
        data = asker.get(CHECKPOINT, MOST_NOTE)
    finally:
        asker.close()
    if data is None:
        raise CannotLook("not_there", f"{asker.prefix.text}{CHECKPOINT} is not there.")
    policy = trust.policy if trust else parse_policy((mirror.read("policy") or b"").decode())
    try:
        opened = open_checkpoint(data.decode("utf-8", "replace"), policy.logs)
    except MalformedInput as fault:
        sentence = f"{asker.prefix.text}{CHECKPOINT} is no checkpoint of the log: {fault.sentence}"
        raise CannotLook("other_bytes", sentence) from fault
    mirror.write(seen_path(opened.checkpoint).replace(SEEN, ALSO, 1), data)


def compare_also(folder: Path) -> tuple[Found, ...]:
    """Hold the checkpoints of the other address to the mirror's tree, as far as that reaches.

    One that agrees is forgotten; one that does not is kept among those that were seen; one that is
    larger is compared later.
    """
    mirror = MirrorFolder(folder)
    kept = kept_checkpoint(folder)
    if kept is None or not (folder / ALSO).is_dir():
        return ()

    def read(tile: Tile) -> bytes:
        return mirror.read(tile.path) or b""

    found: list[Found] = []
    tree = TileTree(kept.size, read)
    for file in sorted((folder / ALSO).iterdir()):
        note = file.read_text("utf-8", "replace")
        try:
            other = parse_body(parse_note(note).text)
        except MalformedInput:
            continue
        if other.size > kept.size:
            continue
        path = tree.consistency(other.size)
        if not is_consistent(other.size, other.root, kept.size, kept.root, path):
            mirror.write(seen_path(other), note.encode())
            found.append(fork(other, kept))
        file.unlink()
    return tuple(found)
