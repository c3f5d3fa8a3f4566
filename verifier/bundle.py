"""The evidence file of a FRAUD: everything that a third party needs but the keys (§3.3).

Lines of text: the word ``pfd1-evidence 1``, then one item a line, a word and what it is. ``note``,
``checkpoint`` and ``key`` carry a JSON string, ``record`` and ``log`` a line as it stands.
"""

import json
import tempfile
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import BinaryIO, Final, cast

MAGIC: Final = b"pfd1-evidence 1\n"
MAX_ITEM: Final = 400_000  # bytes of one line of the file
MAX_NOTES: Final = 16 * 2**20  # bytes of all notes and checkpoints together
_SPOOLED: Final = 16 * 2**20


class BundleFault(Exception):
    """The file begins as an evidence file and is none: nothing can be judged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What a FRAUD rests on beside the game's and the log's lines.

    Attributes:
        keys: The keys it was judged with, for people to compare; a reader trusts none of them.
        quorum: How many witnesses were asked for, as well.
    """

    notes: tuple[str, ...]
    checkpoints: tuple[str, ...]
    keys: tuple[str, ...]
    quorum: int


@dataclass(slots=True)
class Bundle:
    """An evidence file as read.

    Attributes:
        game: The game's record, seekable.
        log: The log's lines, seekable; empty where there are none.
    """

    game: BinaryIO
    log: BinaryIO
    notes: list[str] = field(default_factory=list)
    checkpoints: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)


def write_bundle(target: BinaryIO, proof: Proof, game: BinaryIO, log: BinaryIO | None) -> None:
    """Write an evidence file; of a log, the lines are only needed where there are checkpoints."""
    target.write(MAGIC)
    for word, texts in (
        ("key", proof.keys),
        ("note", proof.notes),
        ("checkpoint", proof.checkpoints),
    ):
        target.writelines(f"{word} {json.dumps(text)}\n".encode("ascii") for text in texts)
    _write_lines(target, b"record ", game)
    if log is not None and proof.checkpoints:
        _write_lines(target, b"log ", log)


def _write_lines(target: BinaryIO, word: bytes, lines: BinaryIO) -> None:
    lines.seek(0)
    target.writelines(word + line for line in cast("Iterable[bytes]", lines))


def is_bundle(file: BinaryIO) -> bool:
    """Return whether a seekable file begins as an evidence file; its place is moved."""
    file.seek(0)
    return file.read(len(MAGIC)) == MAGIC


def read_bundle(file: BinaryIO, stack: ExitStack) -> Bundle:
    """Return what an evidence file holds; ``stack`` closes its scratch files.

    Raises:
        BundleFault: A line is none of the kinds there are, or too long, or there is too much.
    """
    bundle = Bundle(_scratch(stack), _scratch(stack))
    lists = {b"note": bundle.notes, b"checkpoint": bundle.checkpoints, b"key": bundle.keys}
    files = {b"record": bundle.game, b"log": bundle.log}
    file.seek(len(MAGIC))
    number, left = 1, MAX_NOTES
    while line := file.readline(MAX_ITEM + 1):
        number += 1
        word, _, item = line.partition(b" ")
        if len(line) > MAX_ITEM or not line.endswith(b"\n"):
            raise BundleFault(f"line {number} of the evidence file is cut or too long")
        if word in files:
            files[word].write(item)
        elif word in lists:
            left -= len(item)
            lists[word].append(_text(item, number))
        else:
            raise BundleFault(f"line {number} of the evidence file begins with no known word")
        if left < 0:
            raise BundleFault(f"the evidence file has more than {MAX_NOTES} bytes of notes")
    return bundle


def _text(item: bytes, number: int) -> str:
    try:
        text = json.loads(item)
    except (ValueError, RecursionError):
        text = None
    if not isinstance(text, str):
        raise BundleFault(f"line {number} of the evidence file has no text")
    return text


def _scratch(stack: ExitStack) -> BinaryIO:
    file = stack.enter_context(tempfile.SpooledTemporaryFile(max_size=_SPOOLED))  # noqa: SIM115
    return cast("BinaryIO", file)
