"""Score sheets, and what the verifier says of a hand and of the whole game."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from fairdeal.canasta.scoring import LINES
from fairdeal.cli.play.kept import Folder, Seat
from fairdeal.cli.play.story import Names, Story
from fairdeal.cli.quoting import quoted

if TYPE_CHECKING:
    from rich.console import RenderableType

LABELS: Final = {
    "CARDS": "Cards on the table",
    "NATURAL_CANASTA": "Natural canastas",
    "MIXED_CANASTA": "Mixed canastas",
    "WILD_CANASTA": "Canastas of wild cards",
    "CONCEALED_CANASTA": "Canastas laid whole",
    "RED_THREES": "Red threes",
    "OUT": "Going out",
    "CONCEALED": "Going out concealed",
    "IN_HAND": "Cards left in hand",
    "PENALTY": "Penalties",
}
"""What a line of a score sheet is called; the keys are those of ``scoring.LINES``."""
SHOWN: Final = (
    "Shown: nobody could choose or change the order of the cards after your cut; every card you"
    " were dealt follows from it; every act was legal; the score adds up."
)
NOT_SHOWN: Final = (
    "Not shown: who the others are, whether somebody looked at the cards or talked, how lucky you"
    " were."
)
_ROOT: Final = Path(__file__).resolve().parents[3]
_PATIENCE_S: Final = 600.0


def sheet(
    body: Mapping[str, Any], names: Names, sides: Sequence[Sequence[int]]
) -> "RenderableType":
    """Draw the score sheet of a hand, a line for each thing that counted, a column a side."""
    from rich.table import Table  # noqa: PLC0415  late: start-up time

    table = Table.grid(padding=(0, 2), pad_edge=False)
    table.add_column(overflow="fold")
    scored = body["result"]["sides"]
    for _ in scored:
        table.add_column(justify="right", overflow="fold")
    table.add_row(f"Hand {body['hand']}", *(names.side(side) for side in sides))
    lines = [dict(map(tuple, one["lines"])) for one in scored]
    for code in LINES:
        if any(code in side for side in lines):
            table.add_row(LABELS[code], *(_points(side.get(code, 0)) for side in lines))
    table.add_row("This hand", *(_points(one["hand"]) for one in scored))
    table.add_row("Total", *(f"{one['total']:,}" for one in scored))
    return table


def _points(points: int) -> str:
    return f"{points:+,}" if points else "-"


def arguments(folder: Folder, seat: Seat) -> list[str]:
    """Give the verifier's arguments for a game's two files and what was noted at its start."""
    key = ["--log-key", seat.vkey] if seat.vkey else []
    return [
        str(folder.transcript.resolve()), "--my-record", str(folder.mine.resolve()),
        "--commit", seat.open_hash, *key,
    ]  # fmt: skip


def verify(folder: Folder, seat: Seat) -> Mapping[str, Any]:
    """Let the verifier, a process that shares no code with the dealer, judge the two files.

    Returns:
        Its JSON (``protocol.md`` 3.4), with its exit status as ``status`` and the first line for
        people as ``said``.
    """
    given = arguments(folder, seat)
    judged = _run([*given, "--json"])
    found: dict[str, Any] = json.loads(judged.stdout) if judged.stdout.strip() else {}
    return {"verdict": "INCOMPLETE", "hands": [], **found, "status": judged.returncode}


def said(folder: Folder, seat: Seat, *, whole: bool) -> Iterator[str]:
    """Give what the verifier says to people: verdict and level, sentence, hands.

    Args:
        folder: Where the two files are.
        seat: Whose.
        whole: All of it; else without the lines that name the game by its hashes.
    """
    for line in _run(arguments(folder, seat)).stdout.splitlines():
        if whole or not line.startswith(("game ", "rules: ")):
            yield line


def winners(story: Story) -> str:
    """Say how the game ended."""
    if not story.scores:
        return "No hand was scored."
    totals = [side["total"] for side in story.scores[-1]["result"]["sides"]]
    best = [side for side, total in enumerate(totals) if total == max(totals)]
    listed = "; ".join(
        f"{story.names.side(seats)} {total:,}"
        for seats, total in zip(story.sides, totals, strict=True)
    )
    if len(best) > 1:
        return f"A draw. {listed}."
    side = story.sides[best[0]]
    verb = "win" if len(side) > 1 or story.me in side else "wins"
    return f"{story.names.side(side)} {verb}. {listed}."


def again(folder: Folder, seat: Seat) -> str:
    """Give the command that checks the two files again, as one types it here."""
    if shutil.which("fairdeal-verify"):
        program = ["fairdeal-verify"]
    elif (Path.cwd() / "verifier" / "__main__.py").is_file():
        program = ["python3", "-m", "verifier"]
    else:
        program = [sys.executable, "-m", "verifier"]
    return " ".join(map(quoted, [*program, *map(_near, arguments(folder, seat))]))


def hand_told(found: Mapping[str, Any], hand: int) -> str:
    """Say of one hand whether it checks out."""
    if found["verdict"] in ("VALID", "INCOMPLETE"):
        for one in found["hands"]:
            if one["hand"] == hand and one["status"] == "verified":
                return f"Hand {hand} checks out: dealt exactly as the locked deck and your cut say."
        return f"Hand {hand} can be checked when the game ends; nothing is wrong so far."
    return f"Hand {hand} does not check out: {found['verdict']} {found.get('error') or ''}".rstrip()


def _run(given: Sequence[str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(  # noqa: S603  our own verifier
        [sys.executable, "-m", "verifier", *given],
        cwd=_ROOT, check=False, capture_output=True, text=True, timeout=_PATIENCE_S,
    )  # fmt: skip


def _near(argument: str) -> str:
    path = Path(argument)
    if not path.is_absolute():
        return argument
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return argument
