"""Pass 5: the transcript of every game that is over, against its leaves and by the verifier."""

import math
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import BinaryIO, Final

from fairdeal.cli.audit.judging import judge_bytes
from fairdeal.cli.audit.log.collecting import Found
from fairdeal.cli.audit.log.mirror import Mirror
from fairdeal.cli.audit.log.spreading import spread
from fairdeal.cli.audit.log.standing import Standing
from fairdeal.cli.audit.opened import OpenedGame, read_opened
from fairdeal.cli.audit.plain import NotPlain
from fairdeal.cli.audit.rederiving import deals_that_differ
from fairdeal.errors import MalformedInput
from fairdeal.records.chain import MAX_LINE_BYTES
from fairdeal.store.auditbook import AuditBook
from fairdeal.tlog.bundlefile import (
    INDEX,
    BundleDay,
    BundleIndex,
    parse_bundle_index,
    read_bundle_games,
)
from fairdeal.tlog.merkle import leaf_hash

MOST_HANDS: Final = 20_000
"""That statistics are made of: the first ones of an audit, so that memory does not grow."""

_PIECE: Final = 2**18
_BATCH_GAMES: Final = 64
_BATCH_BYTES: Final = 4 * 2**20
_ACT: Final = b'"type":"act","v":"pfd1"}\n'
_SAMPLE_OF: Final = 100


@dataclass(frozen=True, slots=True)
class Written:
    """A transcript, and what the log says of its game.

    Attributes:
        digest: Over the hashes of the game's leaves; empty where it has none.
        leaves: How many these are.
        is_fast: Whether to derive its deals only.
        is_counted: Whether its deals are wanted for statistics.
    """

    game: str
    data: bytes
    digest: str
    leaves: int
    path: str
    now_ms: int | None
    is_fast: bool
    is_counted: bool


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of a transcript.

    Attributes:
        word: The verifier's verdict, or `re-derived`.
        code: Of the finding; empty where there is none.
        sentence: Of the finding.
        opened: Its hands, without the bodies of their deals, if they are wanted and good.
    """

    game: str
    path: str
    word: str
    code: str = ""
    sentence: str = ""
    opened: OpenedGame | None = None


def check_batch(batch: list[Written]) -> list[Checked]:
    """Check some transcripts; runs in any process."""
    opened: dict[int, OpenedGame] = {}
    for at, one in enumerate(batch):
        game = _plain(one) if one.is_fast or one.is_counted else None
        if game is not None:
            opened[at] = game
    derived = [(at, game) for at, game in opened.items() if batch[at].is_fast]
    wrong = deals_that_differ([game for _, game in derived])
    good = {at for (at, _), is_wrong in zip(derived, wrong, strict=True) if not is_wrong}
    checked = []
    for at, one in enumerate(batch):
        told, game = _check(one, is_derived=at in good), opened.get(at)
        if one.is_counted and not told.code and game is not None:
            told = replace(told, opened=_bare(game))
        checked.append(told)
    return checked


def _bare(game: OpenedGame) -> OpenedGame:
    return replace(game, hands=tuple(replace(hand, deal={}) for hand in game.hands))


class Transcripts:
    """The bundles of a mirror.

    Args:
        book: Has the games of the log; takes which of them were looked at.
        run: The number of this audit in the book.
        is_counting: Whether the hands of good games are wanted for statistics.

    Attributes:
        words: How many transcripts came to which verdict.
        sampled: How many of a fast audit were drawn to be verified fully.
        opened: Games for statistics.
    """

    def __init__(
        self,
        source: Mirror,
        book: AuditBook,
        found: Found,
        *,
        run: int,
        now_ms: int | None,
        is_fast: bool,
        sample_seed: str,
        is_counting: bool,
    ) -> None:
        self._source, self._book, self._found = source, book, found
        self._run, self._now_ms = run, now_ms
        self._is_fast, self._sample_seed = is_fast, sample_seed
        self.words: Counter[str] = Counter()
        self.sampled = 0
        self.opened: list[OpenedGame] = []
        self._room = MOST_HANDS if is_counting else 0
        self._is_whole = True

    def index(self, size: int) -> BundleIndex:
        """Return the index; an empty one where there is none that can be read."""
        data = self._source.read(INDEX)
        if data is None:
            return BundleIndex()
        try:
            index = parse_bundle_index(data)
        except MalformedInput as error:
            self._is_whole = False
            self._found.add("E_BUNDLE_INDEX", error.sentence, path=INDEX)
            return BundleIndex()
        if index.complete_to_index > size:
            # It may have been written for a newer checkpoint than the one at hand.
            self._found.add(
                "I_BUNDLE_AHEAD",
                f"The bundles are complete to {index.complete_to_index}, the log has {size}.",
                path=INDEX,
            )
        return index

    def check(self, index: BundleIndex, size: int, since: int, executor: Executor | None) -> None:
        """Check the transcripts of the days that have games at a place from ``since`` on."""
        days = [day for day in index.days if day.last_index >= since]
        for checked in spread(check_batch, self._batches(days, size), executor, ahead=4):
            for one in checked:
                self.words[one.word] += 1
                if one.opened is not None and self._room > 0:
                    self._room -= len(one.opened.hands)
                    self.opened.append(one.opened)
                if one.code:
                    self._found.add(one.code, one.sentence, game=one.game, path=one.path)

    def finish(self, complete_to: int) -> int:
        """Say which masters have no transcript; return how many wait for one."""
        waiting, first = 0, None
        for key, name in self._book.each("due"):
            if int(key) < complete_to and self._is_whole:
                self._found.add(
                    "E_TRANSCRIPT_MISSING",
                    f"The bundles are complete to {complete_to} and have not this game.",
                    index=int(key),
                    game=name.decode(),
                    path=INDEX,
                )
            elif int(key) >= complete_to:
                waiting += 1
                first = first or int(key)
        if waiting:
            self._found.add(
                "I_TRANSCRIPTS",
                f"{waiting} games are over and not in a bundle yet; they were not verified.",
                index=first,
            )
        return waiting

    def _batches(self, days: list[BundleDay], size: int) -> Iterator[list[Written]]:
        batch: list[Written] = []
        room = _BATCH_BYTES
        for day in days:
            for one in self._day(day, size):
                batch.append(one)
                room -= len(one.data)
                if len(batch) == _BATCH_GAMES or room < 0 or not self._is_fast:
                    yield batch
                    batch, room = [], _BATCH_BYTES
        if batch:
            yield batch

    def _day(self, day: BundleDay, size: int) -> Iterator[Written]:
        if not self._is_day(day):
            self._is_whole = False
            return
        file = self._source.open(day.path)
        assert file is not None
        places: list[int] = []
        games = 0
        with file:
            try:
                for name, data in read_bundle_games(_pieces(file, day.bytes)):
                    games += 1
                    place = self._place(name, places)
                    if place is None:
                        self._found.add(
                            "E_NOT_IN_LOG",
                            "A bundle has this game, the log has no master of it.",
                            game=name,
                            path=day.path,
                        ) if day.last_index < size else None
                    else:
                        yield from self._due(name, data, place, day)
            except MalformedInput as error:
                self._is_whole = False
                self._found.add("E_BUNDLE_FORM", error.sentence, path=day.path)
                return
        is_known = day.last_index < size
        spans = [day.first_index, day.last_index]
        if is_known and (games != day.games or places != spans):
            self._found.add(
                "E_BUNDLE_INDEX",
                f"The index tells of {day.games} games at {spans}, the bundle has {games} at"
                f" {places}.",
                path=INDEX,
            )

    def _place(self, name: str, places: list[int]) -> int | None:
        """Return the place of a game's master, kept as the first or the last of its day."""
        data = self._book.get("over", name)
        if data is None:
            return None
        place = Standing.from_bytes(data).master
        if not places:
            places += (place, place)
        else:
            places[1] = place
        return place

    def _due(self, name: str, data: bytes, place: int, day: BundleDay) -> Iterator[Written]:
        """Yield a transcript unless an earlier audit, or this one, had it."""
        kept = self._book.get("over", name)
        assert kept is not None
        game = Standing.from_bytes(kept)
        if game.verified:
            if game.verified == self._run:
                self._found.add(
                    "E_TRANSCRIPT_TWICE", "The bundles have it twice.", game=name, path=day.path
                )
            return
        game.verified = self._run
        self._book.put("over", name, game.to_bytes())
        self._book.drop("due", f"{place:016d}")
        is_drawn = self._is_drawn(name)
        self.sampled += is_drawn
        yield Written(
            name, data, game.digest, game.leaves, day.path, self._now_ms,
            self._is_fast and not is_drawn, self._room > 0,
        )  # fmt: skip

    def _is_drawn(self, name: str) -> bool:
        """Draw one game in a hundred, and the first one."""
        if not self._is_fast:
            return False
        drawn = int.from_bytes(sha256(f"{self._sample_seed}\n{name}".encode()).digest()[:8])
        return drawn < math.ceil(2**64 / _SAMPLE_OF) or not self.sampled

    def _is_day(self, day: BundleDay) -> bool:
        """Say whether the file of a day is there and is the one that the index tells of."""
        file = self._source.open(day.path)
        if file is None:
            self._found.add("E_BUNDLE_FILE", "The bundle is missing.", path=day.path)
            return False
        digest, length = sha256(), 0
        with file:
            for piece in _pieces(file, day.bytes):
                digest.update(piece)
                length += len(piece)
        if (length, digest.hexdigest()) != (day.bytes, day.sha256):
            self._found.add(
                "E_BUNDLE_FILE",
                f"Its first {day.bytes} bytes are not those that the index tells of.",
                path=day.path,
            )
            return False
        return True


def _pieces(file: BinaryIO, size: int) -> Iterator[bytes]:
    while size > 0 and (piece := file.read(min(size, _PIECE))):
        size -= len(piece)
        yield piece


def _plain(one: Written) -> OpenedGame | None:
    try:
        game = read_opened(one.data)
    except NotPlain:
        return None
    return None if game.has_beacon or game.has_void else game


def _check(one: Written, *, is_derived: bool) -> Checked:
    where = _difference(one)
    if where is not None:
        return Checked(one.game, one.path, "not looked at", "E_TRANSCRIPT_DIFFERS", where)
    if is_derived:
        return Checked(one.game, one.path, "re-derived")
    try:
        judged = judge_bytes(one.data, one.path, one.now_ms, {})
    except Exception as error:  # noqa: BLE001  one game must not stop the others: it is named
        sentence = f"The verifier failed: {type(error).__name__}: {error}"
        return Checked(one.game, one.path, "unreadable", "E_UNREADABLE", sentence)
    if judged.verdict == "VALID":
        return Checked(one.game, one.path, "VALID")
    if judged.verdict == "INCOMPLETE":
        sentence = "Not all of the transcript could be checked here, as a beacon's signatures."
        return Checked(one.game, one.path, "INCOMPLETE", "I_TRANSCRIPT", sentence)
    fault = judged.fault
    code = "E_INVALID" if fault is None else fault.code
    code = code if code.startswith("E_") else f"E_{code.upper()}"
    sentence = "The verifier calls the transcript " + str(judged.verdict or judged.how)
    sentence += "." if fault is None else f": {fault.detail}"
    return Checked(one.game, one.path, str(judged.verdict or judged.how), code, sentence)


def _difference(one: Written) -> str | None:
    """Say how the records of a transcript, but acts, differ from the leaves of its game."""
    digest, leaves = "", 0
    for line in one.data.splitlines(keepends=True):
        if line.endswith(_ACT):
            continue
        leaf = leaf_hash(line)
        before = bytes.fromhex(digest) if leaves else b""
        digest = sha256(before + leaf).hexdigest()
        leaves += 1
        if len(line) > MAX_LINE_BYTES:
            return "A line is longer than a record may be."
    if leaves != one.leaves:
        return f"The transcript has {leaves} records but acts, the log {one.leaves} of the game."
    return None if digest == one.digest else "A record of the transcript is not that of the log."
