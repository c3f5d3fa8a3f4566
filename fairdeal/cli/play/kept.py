"""What a player keeps of a game: a folder with the seat, the game's record and what was shown."""

import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

DEFAULT: Final = Path("var/play")
_SEAT: Final = "seat.json"
_TYPES: Final = {"seat": int, "over": bool, "epoch": int}
"""Of the fields that are no text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """What the player typed for an epoch, and the nonce that the program added."""

    epoch: int
    text: str
    nonce: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """All that is needed to come back to a game.

    Attributes:
        url: The service; empty for one beside the game, in the same folder.
        token: The seat's token; in no message.
        seat: The number of the seat.
        vkey: The key of the service's receipts, noted before the first cut.
        room: The room whose games the token plays; empty where it plays one game.
        game: The game; empty while the room has none.
        open_hash: The commitment, noted before the first cut.
        cuts: One an epoch.
        game_drawn: The draw for the seats of the room in which a cut was given; empty for none.
        cuts_drawn: The cuts of that draw.
        over: Whether the game was played and checked to its end.
    """

    url: str
    token: str
    seat: int
    vkey: str
    room: str = ""
    game: str = ""
    open_hash: str = ""
    cuts: tuple[Cut, ...] = ()
    game_drawn: str = ""
    cuts_drawn: tuple[Cut, ...] = ()
    over: bool = False

    def __repr__(self) -> str:
        """Name the game and the seat, never the token or a cut."""
        return f"Seat(game={self.game!r}, seat={self.seat})"

    @classmethod
    def read(cls, text: str) -> Self:
        """Read what ``text`` of a seat wrote.

        Raises:
            KeyError, RecursionError, TypeError, ValueError: It is anything else.
        """
        fields = json.loads(text)
        if not isinstance(fields, dict):
            raise TypeError("a seat is an object")
        for cuts in ("cuts", "cuts_drawn"):
            fields[cuts] = tuple(Cut(**one) for one in fields.get(cuts, ()))
        found = cls(**fields)
        told = {name: value for name, value in fields.items() if name not in ("cuts", "cuts_drawn")}
        given = [*told.items(), *(each for one in found.every_cut for each in asdict(one).items())]
        for name, value in given:
            if type(value) is not _TYPES.get(name, str):
                raise TypeError(f"{name} is of another type")
        return found

    @property
    def every_cut(self) -> tuple[Cut, ...]:
        """The cuts of the game and of the draw before it."""
        return self.cuts + self.cuts_drawn

    def text(self) -> str:
        """Write it as JSON."""
        return json.dumps(asdict(self), indent=1) + "\n"


class Folder:
    """The folder of one game.

    Args:
        path: Where; it exists.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def new(cls, data: Path) -> Self:
        """Make the next free ``table-N`` in a folder; two programs never get the same.

        Raises:
            OSError: Nothing can be written there.
        """
        data.mkdir(parents=True, exist_ok=True)
        number = 1
        while True:
            path = data / f"table-{number}"
            try:
                # Tokens and secrets lie here.
                path.mkdir(mode=0o700)
            except FileExistsError:
                number += 1
            else:
                return cls(path)

    @property
    def service(self) -> Path:
        """Where the service beside the game keeps its database and keys."""
        return self.path / "service"

    @property
    def log(self) -> Path:
        """What the service beside the game prints."""
        return self.path / "service.log"

    @property
    def transcript(self) -> Path:
        """The game's record."""
        return self.path / "game.jsonl"

    @property
    def mine(self) -> Path:
        """What the player was shown, and typed."""
        return self.path / "my-record.json"

    def keep(self, seat: Seat) -> None:
        """Write the seat; only its owner may read it."""
        _write(self.path / _SEAT, seat.text().encode())

    def tidy(self) -> None:
        """Remove what is of no use any more: all if no seat was taken, the service after the end.

        Of a game that is over the two files hold all that there is to know.
        """
        if not (self.path / _SEAT).exists():
            shutil.rmtree(self.path)
        elif self.seat().over:
            shutil.rmtree(self.service, ignore_errors=True)
            self.log.unlink(missing_ok=True)

    def seat(self) -> Seat:
        """Read the seat.

        Raises:
            OSError: There is none.
            ValueError: It cannot be read.
        """
        try:
            return Seat.read((self.path / _SEAT).read_text("utf-8"))
        except (KeyError, RecursionError, TypeError, ValueError) as wrong:
            raise ValueError(f"{self.path / _SEAT} is damaged ({type(wrong).__name__})") from wrong

    def keep_files(self, transcript: bytes, my_record: dict[str, Any]) -> None:
        """Write the two files that a check needs."""
        _write(self.transcript, transcript)
        _write(self.mine, json.dumps(my_record, indent=1).encode() + b"\n")


def waiting(data: Path) -> Iterator[Folder]:
    """Give the folders of the games that are not over, the newest first."""
    found = [path for path in data.glob("table-*") if (path / _SEAT).is_file()]
    for path in sorted(found, key=lambda one: (one / _SEAT).stat().st_mtime_ns, reverse=True):
        folder = Folder(path)
        if not folder.seat().over:
            yield folder


def with_cut(seat: Seat, cut: Cut) -> Seat:
    """Give the seat with one more cut."""
    return replace(seat, cuts=(*seat.cuts, cut))


def _write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, readable to its owner alone."""
    beside = path.with_name(f".{path.name}.new")
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(data)
    beside.replace(path)
