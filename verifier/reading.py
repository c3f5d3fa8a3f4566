"""Stage 1: the bytes of a file to numbered, well-formed records (§2.10, §3.2).

The file is measured first (line ends, limits), then read line by line. Only heads are kept; a body
is read from the file again when it is wanted, so memory does not grow with the length of lines.
"""

import hashlib
import json
import re
import tempfile
from dataclasses import dataclass
from typing import BinaryIO, Final, cast

from verifier.bodies import Body, Open
from verifier.schema import Fields, read_body, read_record
from verifier.strictjson import LineFault, parse_canonical

MAX_RECORDS: Final = 20_000
MAX_LINE: Final = 262_144  # with its LF
ENOUGH: Final = 64 * 2**20  # bytes after which a file already beyond a limit is read no further
_CHUNK: Final = 2**18
_SPOOLED: Final = 16 * 2**20  # bytes of a stream kept in memory
_LINE_END: Final = re.compile(rb"\n")


class MalformedFault(Exception):
    """The file is no transcript: an error of stage 1, at the line counted from 0."""

    def __init__(self, code: str, detail: str, at: int | None) -> None:
        super().__init__(f"{code} at {at}: {detail}")
        self.code = code
        self.detail = detail
        self.at = at


class FileChangedError(Exception):
    """The file did not hold still while it was read."""


@dataclass(frozen=True, slots=True)
class Head:
    """A record without its body.

    Attributes:
        fields: What the record says around its body.
        digest: H256 of its line with the LF, hex.
        offset: Where the line begins in the file.
        length: Bytes of the line, its LF included.
    """

    fields: Fields
    digest: str
    offset: int
    length: int


class Transcript:
    """A file that passed stage 1: heads in order, bodies on demand.

    Attributes:
        heads: One per line; its place here is the record's number in the file.
    """

    def __init__(self, file: BinaryIO, heads: tuple[Head, ...]) -> None:
        self._file = file
        self.heads = heads
        first = self.body(0)
        self.open: Open | None = first if isinstance(first, Open) else None

    def line(self, at: int) -> bytes:
        """Return a line with its LF.

        Raises:
            FileChangedError: Its bytes are no longer those that stage 1 read.
        """
        head = self.heads[at]
        line = _read(self._file, head.offset, head.length)
        if hashlib.sha256(line).hexdigest() != head.digest:
            raise FileChangedError(f"line {at} changed while the file was read")
        return line

    def body(self, at: int) -> Body:
        """Return a record's body, read anew."""
        value = json.loads(self.line(at))
        return read_body(self.heads[at].fields.kind, value["body"])


def read_transcript(file: BinaryIO) -> Transcript:
    """Return the transcript that a seekable file holds.

    Raises:
        MalformedFault: The first fault of stage 1.
    """
    heads: list[Head] = []
    games: dict[str, str] = {}  # one string for all records of a game
    for at, (offset, length) in enumerate(_spans(file)):
        if length > MAX_LINE:
            raise MalformedFault("E_LIMIT", f"a line of more than {MAX_LINE} bytes", at)
        line = _read(file, offset, length)
        try:
            fields, _ = read_record(parse_canonical(_decode(line[:-1])))
        except LineFault as fault:
            raise MalformedFault(fault.code, fault.detail + _hint(line), at) from None
        game = games.setdefault(fields.game, fields.game)
        fields = Fields(game, fields.n, fields.prev, fields.t, fields.kind)
        heads.append(Head(fields, hashlib.sha256(line).hexdigest(), offset, length))
    return Transcript(file, tuple(heads))


def _hint(line: bytes) -> str:
    """Say what a line looks as if it went through; no service writes these bytes (§2.10)."""
    if line.endswith(b"\r\n") or line.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        return "; saved by an editor or a mail program? Download it again."
    return ""


def _decode(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise LineFault("E_UTF8", f"no UTF-8 at byte {error.start} of the line") from None


def _read(file: BinaryIO, offset: int, length: int) -> bytes:
    file.seek(offset)
    data = file.read(length)
    if len(data) != length:
        raise FileChangedError("the file became shorter while it was read")
    return data


def _spans(file: BinaryIO) -> list[tuple[int, int]]:
    """Return (offset, length) of every line, its LF included.

    A file that is beyond a limit for certain is measured no further than ENOUGH bytes; the line
    that is too long is then cut there and the last one listed.
    """
    size = file.seek(0, 2)
    if size == 0:
        raise MalformedFault("E_EMPTY", "the file is empty", None)
    is_whole = _read(file, size - 1, 1) == b"\n"
    ends: list[int] = []
    for offset in range(0, size, _CHUNK):
        chunk = _read(file, offset, min(_CHUNK, size - offset))
        ends.extend(offset + match.end() for match in _LINE_END.finditer(chunk))
        measured = offset + len(chunk)
        if len(ends) > MAX_RECORDS:
            break
        if measured >= ENOUGH and measured - (ends[-1] if ends else 0) > MAX_LINE:
            ends.append(measured)
            break
    if not is_whole:
        at = len(ends) if size <= ENOUGH else None
        raise MalformedFault("E_PARTIAL_LINE", "the last line has no line end", at)
    if len(ends) > MAX_RECORDS:
        raise MalformedFault("E_LIMIT", f"more than {MAX_RECORDS} records", MAX_RECORDS)
    return [(start, end - start) for start, end in zip([0, *ends], ends, strict=False)]


def spool(stream: BinaryIO) -> BinaryIO:
    """Return a seekable copy of a stream, on disk where it is large.

    A stream that is beyond a limit for certain is left after ENOUGH bytes. What was read of it is
    then ended with an LF, so that the limit is the fault that is found.
    """
    copy: BinaryIO = cast("BinaryIO", tempfile.SpooledTemporaryFile(max_size=_SPOOLED))  # noqa: SIM115
    taken = lines = pending = 0
    while chunk := stream.read(_CHUNK):
        copy.write(chunk)
        taken += len(chunk)
        lines += chunk.count(b"\n")
        last = chunk.rfind(b"\n")
        pending = pending + len(chunk) if last < 0 else len(chunk) - last - 1
        if taken >= ENOUGH and (lines > MAX_RECORDS or pending > MAX_LINE):
            copy.write(b"\n")
            break
    return copy
