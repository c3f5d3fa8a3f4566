"""Publishes the transcripts of games that are over, in files of a day (docs/decisions/0011).

A file is only appended to, by one gzip member at a time; then the index is replaced, and only what
it counts is public. So whatever ends the process between the two leaves bytes that nobody counts,
and they are cut off before more are added.
"""

import gzip
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final

from fairdeal.errors import FairdealError, MalformedInput, StorageFailure
from fairdeal.records.chain import reread
from fairdeal.store.files import Files
from fairdeal.store.logport import LogBook
from fairdeal.tlog.bundlefile import (
    INDEX,
    BundleDay,
    BundleIndex,
    bundle_path,
    parse_bundle_index,
)

MEMBER_BYTES: Final = 4 * 2**20
"""A gzip member holds no more games once it has so many bytes of lines."""

FAR_BEHIND: Final = 256
"""Where no game ends, the index says anew how far it is complete each time so many leaves came."""

_PAGE: Final = 100
_PART: Final = 2**20
_LOG: Final = logging.getLogger("fairdeal.bundles")


@dataclass(slots=True)
class _Member:
    """Games that are added at one go; all of one day."""

    day: str
    first: int
    last: int
    games: int = 0
    size: int = 0
    transcripts: list[bytes] = field(default_factory=list)

    def add(self, place: int, transcript: bytes) -> None:
        self.transcripts.append(transcript)
        self.last, self.games, self.size = place, self.games + 1, self.size + len(transcript)


class Bundles:
    """The bundles of a log (implements `ports.Bundler`).

    Args:
        book: Has the transcripts.
        files: The public folder.
        member_bytes: About so many bytes of lines are in memory at a time.
    """

    def __init__(self, book: LogBook, files: Files, *, member_bytes: int = MEMBER_BYTES) -> None:
        self._book, self._files, self._member_bytes = book, files, member_bytes
        self._index = BundleIndex()
        self._text: bytes | None = None  # of the index as this process knows it
        self._hash = sha256()  # over the last day's bytes
        self._next = 0  # each `master` before this place is in a bundle
        self._complaint = ""

    def catch_up(self, published: int) -> None:
        """Add the transcripts of all games whose `master` is among so many public leaves.

        A transcript that cannot be read is named in the log, and tried again the next time; until
        then no game behind it is added.

        Raises:
            StorageFailure: What was written may be durable or not; `bundle_altered`: a bundle is
                not what its index says.
        """
        if published <= self._next and self._text is not None:
            return
        with self._files.alone():
            self._find()
            while (member := self._gather(published)) is not None:
                self._append(member)
                exhausted = self._next == published
                self._keep(published if exhausted else member.last + 1)
                _LOG.info("%d games were added to the bundle of %s", member.games, member.day)
            if self._next - self._index.complete_to_index >= FAR_BEHIND:
                self._keep(self._next)

    def _find(self) -> None:
        """Take over what is there, where it is not as this process left it."""
        text = self._files.read(INDEX)
        if text is not None and text == self._text:
            return
        text = BundleIndex().text if text is None else text
        try:
            self._index = parse_bundle_index(text)
        except MalformedInput as error:
            raise StorageFailure("bundle_altered", f"{INDEX}: {error.sentence}") from error
        self._next = self._index.complete_to_index
        self._hash = sha256()
        if self._index.days:
            self._cut_back(self._index.days[-1])
        # Whoever wrote it may not have got as far as to sync it.
        self._files.write(INDEX, text)
        self._text = text

    def _cut_back(self, day: BundleDay) -> None:
        if (self._files.size(day.path) or 0) > day.bytes:
            self._files.truncate(day.path, day.bytes)
        done = 0
        while done < day.bytes:
            part = self._files.part(day.path, done, min(_PART, day.bytes - done))
            if not part:
                break
            self._hash.update(part)
            done += len(part)
        if self._hash.hexdigest() != day.sha256:
            raise StorageFailure("bundle_altered", f"{day.path} is not what {INDEX} says.")

    def _gather(self, published: int) -> _Member | None:
        """Return the next games; `_next` is then the place from which on more may be."""
        member: _Member | None = None
        last_day = self._index.days[-1].day if self._index.days else ""
        for place, game in self._masters(published):
            self._next = place
            if member is not None and member.size >= self._member_bytes:
                return member
            transcript = self._transcript(place, game)
            if not transcript:
                return member
            day = max(_day_of(transcript), last_day)
            if member is None:
                member = _Member(day, place, place)
            elif member.day != day:
                return member
            member.add(place, b"".join(transcript))
        self._next = published
        return member

    def _masters(self, published: int) -> Iterator[tuple[int, str]]:
        after = self._next
        while page := self._book.masters(after, _PAGE):
            for place, game in page:
                if place >= published:
                    return
                yield place, game
            after = page[-1][0] + 1

    def _transcript(self, place: int, game: str) -> tuple[bytes, ...]:
        """Return the lines of a game that go with its `master` in the log; none if they do not."""
        try:
            lines = self._book.lines(game)
            (entry,) = self._book.entries(place, place + 1)
        except FairdealError as error:
            self._complain(place, game, error.code)
            return ()
        if not lines or lines[-1] != entry.entry or not _is_chain(lines, game):
            self._complain(place, game, "its lines are not those of the log")
            return ()
        self._complaint = ""
        return lines

    def _complain(self, place: int, game: str, why: str) -> None:
        said = f"the transcript of game {game}, ended at {place}, cannot be bundled: {why}"
        if said != self._complaint:
            _LOG.error("%s; neither are the games behind it", said)
        self._complaint = said

    def _append(self, member: _Member) -> None:
        self._text = None  # Should this fail, what is there has to be found again.
        packed = gzip.compress(b"".join(member.transcripts), 6, mtime=0)
        path, days = bundle_path(member.day), self._index.days
        if not days or days[-1].day != member.day:
            if self._files.size(path):
                self._files.truncate(path, 0)
            self._hash = sha256()
            begun = BundleDay(
                day=member.day,
                bytes=0,
                sha256="",
                games=0,
                first_index=member.first,
                last_index=member.first,
            )
            days = (*days, begun)
        self._files.append(path, packed)
        self._hash.update(packed)
        day = replace(
            days[-1],
            bytes=days[-1].bytes + len(packed),
            sha256=self._hash.hexdigest(),
            games=days[-1].games + member.games,
            last_index=member.last,
        )
        self._index = replace(self._index, days=(*days[:-1], day))

    def _keep(self, complete: int) -> None:
        self._index = replace(self._index, complete_to_index=complete)
        text = self._index.text
        self._files.write(INDEX, text)
        self._text = text


def _is_chain(lines: tuple[bytes, ...], game: str) -> bool:
    """Say whether each line is bound to the one before, from record 0 of a game on.

    The last one is in the log, so with it the whole transcript is.
    """
    before = "0" * 64
    for number, line in enumerate(lines):
        if f'"game":"{game}","n":{number},"prev":"{before}"'.encode() not in line:
            return False
        before = sha256(line).hexdigest()
    return True


def _day_of(lines: tuple[bytes, ...]) -> str:
    return datetime.fromtimestamp(reread(lines[-1]).t / 1000, UTC).date().isoformat()
