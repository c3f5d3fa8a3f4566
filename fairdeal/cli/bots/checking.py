"""Whether a game's bots played for themselves: each of their acts chosen again and compared.

A bot of a version chooses alike for what its seat saw and the seed, and the seed of an act comes
from the record before it (docs/decisions/0012). Who changed an act, or whispered one, is found.
"""

import argparse
import io
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from fairdeal.bots import levels
from fairdeal.canasta.acts import Answer, format_act
from fairdeal.canasta.position import ASKED
from fairdeal.cli.retell import folded
from fairdeal.errors import MalformedInput
from fairdeal.game import Game
from fairdeal.records.chain import Record
from fairdeal.service.botplay import chosen
from verifier.held import Held, HeldFault
from verifier.options import UsageFault, add_options, read_held
from verifier.verdict import EXITS, SENTENCES, USAGE_EXIT, Report
from verifier.verify import verify

_OTHER: Final = 1
_NOT_YET: Final = 3
_MALFORMED: Final = 4
_LABEL: Final = "bot:"
_SHOWN: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Acted:
    """One act of a bot, or of whoever stood in.

    Attributes:
        n: The record's number.
        by: As the record says.
        bot: Whose act it had to be; None where nobody here knows that version.
        act: As recorded; ``due`` what the bot chooses, None where that cannot be told: its cards
            are not out, or its version is not known.
    """

    n: int
    hand: int
    seat: int
    by: str
    bot: str | None
    act: str
    due: str | None

    @property
    def is_other(self) -> bool:
        """Whether it was not the bot's own."""
        return self.due is not None and self.due != self.act


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What a check of a game's bots found.

    Attributes:
        verdict: The verifier's, with its sentence; ``verdict_exit`` its exit status.
        acts: All acts of bots, in order.
        stop: Why the rest could not be followed; None where all was.
    """

    verdict: str
    sentence: str
    verdict_exit: int
    acts: tuple[Acted, ...]
    stop: str | None

    @property
    def others(self) -> tuple[Acted, ...]:
        """The acts that were not the bots' own."""
        return tuple(one for one in self.acts if one.is_other)

    @property
    def status(self) -> int:
        """The exit status: that of the verifier, or 1 and 3 for the bots."""
        if self.verdict_exit in (_OTHER, _MALFORMED, USAGE_EXIT):
            return self.verdict_exit
        if self.others:
            return _OTHER
        unknown = self.stop is not None or any(one.due is None for one in self.acts)
        return _NOT_YET if unknown else self.verdict_exit

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "exit": self.status,
            "verdict": self.verdict,
            "acts": len(self.acts),
            "own": sum(one.due == one.act for one in self.acts),
            "not_known": sum(one.due is None for one in self.acts),
            "others": [asdict(one) for one in self.others],
            "stop": self.stop,
        }

    def lines(self) -> Iterator[str]:
        """Yield it in words: first what was found of the bots."""
        if self.others:
            yield f"NOT THEIR OWN: {len(self.others)} of {len(self.acts)} acts of bots"
        elif self.status == _NOT_YET:
            yield "NOT ALL KNOWN YET: nothing wrong so far"
        elif not self.acts:
            yield "No bot of the service acts in this file."
        else:
            yield f"THEIR OWN: all {len(self.acts)} acts of bots"
        for one in self.others[:_SHOWN]:
            yield (
                f"  record {one.n}, hand {one.hand}, seat {one.seat}: recorded `{one.act}`, "
                f"{one.bot} chooses `{one.due}`"
            )
        if len(self.others) > _SHOWN:
            yield f"  and {len(self.others) - _SHOWN} more"
        yield from self._by_seat()
        if self.stop is not None:
            yield f"  not followed further: {self.stop}"
        yield f"The file: {self.verdict}. {self.sentence}"

    def _by_seat(self) -> Iterator[str]:
        every = Counter((one.seat, one.bot or "not known here", one.by) for one in self.acts)
        own = Counter(
            (one.seat, one.bot or "not known here", one.by)
            for one in self.acts
            if one.due == one.act
        )
        dark = Counter(
            (one.seat, one.bot or "not known here", one.by) for one in self.acts if one.due is None
        )
        for key, number in sorted(every.items()):
            seat, bot, by = key
            said = "" if by == "seat" else f" ({by})"
            later = f", {dark[key]} not known yet" if dark[key] else ""
            yield f"  seat {seat}{said}, {bot}: {own[key]} of {number} acts its own{later}"


def checked(path: Path, my_record: Path | None) -> Checked:
    """Check a game's bots.

    Args:
        path: The transcript.
        my_record: What a player's program kept of it, for the verifier.

    Raises:
        OSError: A file cannot be read.
    """
    report, fault = _verified(path.read_bytes(), my_record)
    if report is None:
        return Checked(
            verdict="unreadable", sentence=fault, verdict_exit=USAGE_EXIT, acts=(), stop=fault
        )
    acts: list[Acted] = []
    stop = None
    try:
        for before, _, record in folded(path):
            found = None if before is None else _acted(before, record)
            if found is not None:
                acts.append(found)
    except MalformedInput as wrong:
        stop = wrong.sentence
    return Checked(
        verdict=report.verdict,
        sentence=SENTENCES[report.verdict],
        verdict_exit=EXITS[report.verdict],
        acts=tuple(acts),
        stop=stop,
    )


def _verified(data: bytes, my_record: Path | None) -> tuple[Report | None, str]:
    """Return the verifier's report; where what the user holds does not fit, None and why."""
    if my_record is None:
        return verify(io.BytesIO(data), Held()), ""
    parser = argparse.ArgumentParser(add_help=False)
    add_options(parser)
    try:
        with ExitStack() as stack:
            held = read_held(parser.parse_args(["--my-record", str(my_record)]), None, stack)
            return verify(io.BytesIO(data), held), ""
    except (UsageFault, HeldFault) as fault:
        return None, str(fault)


def _acted(before: Game, record: Record) -> Acted | None:
    """Return the act of a record if a bot of the service had to choose it, else None."""
    if record.type != "act":
        return None
    body = record.body
    seat, by = body["seat"], body["by"]
    if by == "seat" and custody(before, seat) != "service-bot":
        return None
    bot = name_of(before.opening["seats"][seat]) if by == "seat" else levels.DEFAULT
    is_dark = bot is None or before.position is None or before.position.turn != seat
    return Acted(
        n=record.n,
        hand=body["hand"],
        seat=seat,
        by=by,
        bot=bot,
        act=body["act"],
        due=None if is_dark else due_of(before, seat, by),
    )


def due_of(game: Game, seat: int, by: str) -> str:
    """Return the act that the service's bot chooses on a seat that is in turn."""
    is_asked = game.position is not None and game.position.phase == ASKED
    if by != "seat" and is_asked:
        return format_act(Answer(yes=False))
    return format_act(chosen(game, seat))


def custody(game: Game, seat: int) -> str:
    """Return who holds a seat, by the word of record 0."""
    play: Mapping[str, Any] | None = game.opening["rules"].get("play")
    return "" if play is None else str(play["custody"][seat])


def name_of(said: Mapping[str, Any]) -> str | None:
    """Return the bot of a seat of record 0; None where its version is not known here."""
    name = str(said["label"]).removeprefix(_LABEL)
    return name if levels.is_known(name) else None
