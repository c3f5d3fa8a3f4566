"""Reads streams as a strict client does."""

import json
import re
from dataclasses import dataclass
from typing import Any

_BLOCK = re.compile(rb"event: ([a-z]+)\n(?:id: (\d+)\n)?data: (\{[ -~]*\})\n\n")
_LINE = re.compile(rb'\{"data":(\{[ -~]*\}),"event":"([a-z]+)"(?:,"id":(\d+))?\}\n')


@dataclass(frozen=True)
class Got:
    """One event of a stream."""

    kind: str
    data: bytes
    id: int | None

    @property
    def json(self) -> Any:
        return json.loads(self.data)


class SseReader:
    """Reads server-sent events as bytes come; what is cut is left."""

    def __init__(self) -> None:
        self.rest = b""

    def feed(self, data: bytes) -> list[Got]:
        """Return the events that are complete now."""
        *blocks, self.rest = (self.rest + data).split(b"\n\n")
        found = []
        for block in blocks:
            if block == b"retry: 1000":
                continue
            match = _BLOCK.fullmatch(block + b"\n\n")
            assert match, block
            kind, number, text = match.groups()
            found.append(Got(kind.decode(), text, None if number is None else int(number)))
        return found


def read_sse(data: bytes) -> list[Got]:
    """Return the events of a whole stream."""
    reader = SseReader()
    found = reader.feed(data)
    assert reader.rest == b""
    return found


def read_lines(data: bytes) -> list[Got]:
    """Return the events of a whole stream of lines."""
    found = []
    for line in data.splitlines(keepends=True):
        match = _LINE.fullmatch(line)
        assert match, line
        text, kind, number = match.groups()
        assert json.loads(line).keys() >= {"data", "event"}
        found.append(Got(kind.decode(), text, None if number is None else int(number)))
    return found
