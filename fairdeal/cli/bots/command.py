"""The command ``fairdeal bots``."""

import json
import sys
from pathlib import Path
from typing import Any, Final

import click

_JOBS: Final = click.option(
    "--jobs", type=click.IntRange(1, 256), help="Processes; by default one a core."
)
_JSON: Final = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
_PRESET: Final = click.option(
    "--preset", default="classic@1", show_default=True, help="The rules that are played."
)
_SEED: Final = click.option(
    "--seed", default="fairdeal ladder 1", show_default=True, help="The text of all deals."
)

_LADDER_HELP = """Play bots against each other on the same cards and say which is better.

Each deal is played twice with the sides swapped (of solo games, once at every place). Each level
plays the next weaker one, and random@1 where that is among them. What is done is kept in --out, so
that a run that was stopped goes on where it was. The same seed gives the same hands and the same
points on every machine. Budgets of a level that searches are said behind its name.

\b
Examples:
  fairdeal bots ladder
  fairdeal bots ladder --levels random@1,steady@1 --hands 200 --json
  fairdeal bots ladder --levels sharp@1,expert@1:200 --hands 200 --aside 0 --out var/more
"""

_GATE_HELP = """Refuse a new version of a bot that is worse than the old one.

Plays duplicate deals. The exit status is 0 where NEW is at least --least points a hand better (the
whole 95 % interval says so), 1 where it is not, and 3 where the interval holds --least: play more.

\b
Examples:
  fairdeal bots gate steady@1 random@1 --hands 50 --least 50
  fairdeal bots gate sharp@1 steady@1 --hands 400 --json
"""

_CHECK_HELP = """Say whether each act of a finished game's bots was the named bot's own.

The verifier judges GAME first, with --my-record if you have one. Then every act of a bot that the
service played is chosen again, by the same version from what its seat saw and with the seed that
the record before it gives; of a seat that somebody stood in for, by the bot that stands in. The
exit status is 0 where every act was that bot's own, 1 where one was not or the file is INVALID,
2 for wrong arguments, 3 where something could not be checked yet, 4 where the file is MALFORMED.

\b
Examples:
  fairdeal bots check var/demo/GAME-ID/game.jsonl
  fairdeal bots check game.jsonl --my-record mine.json --json
"""

_REPRODUCE_HELP = """Measure again what docs/bots.md says, and compare.

Everything but the processor time has to come out equal, to the point. Without NAME, everything is
measured again, which takes hours; with --hands only the first deals of each pair.

\b
Examples:
  fairdeal bots reproduce --hands 20
  fairdeal bots reproduce ladder --out var/again
"""


@click.group()
def bots() -> None:
    """List, measure and check the bots."""


@bots.command("list")
@_JSON
def list_bots(*, as_json: bool) -> None:
    """List all bots: name and version, whether a new game may seat it, how it plays."""
    from fairdeal.bots import greedy  # noqa: PLC0415  late: start-up time
    from fairdeal.bots.levels import LEVELS  # noqa: PLC0415  late: start-up time

    told: list[dict[str, Any]] = [
        {"bot": one.name, "offered": one.offered, "plays": one.summary} for one in LEVELS.values()
    ]
    if greedy.NAME not in LEVELS:
        plays = "Stays for the games that it sits in."
        told.append({"bot": greedy.NAME, "offered": False, "plays": plays})
    if as_json:
        click.echo(json.dumps({"bots": told}))
        return
    for one in told:
        later = "" if one["offered"] else " (not for new games)"
        click.echo(f"{one['bot']:<10} {one['plays']}{later}")


@bots.command(help=_LADDER_HELP, short_help="Say which bots are better, and by how much.")
@click.option("--levels", help="Bots, weakest first, with commas; by default all that are offered.")
@click.option(
    "--hands", default=2000, show_default=True, type=click.IntRange(1), help="Deals of a pair."
)
@click.option(
    "--aside",
    type=click.IntRange(0),
    help="At most so many deals of a level that searches, but for the next weaker one.",
)
@click.option(
    "--itself", default=0, show_default=True, type=click.IntRange(0),
    help="Deals of each level against itself.",
)  # fmt: skip
@_SEED
@_PRESET
@_JOBS
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("var/ladder"),
    show_default=True,
    help="The folder of what is done, and of the result, play.json.",
)
@click.option("--name", default="ladder", show_default=True, help="What the result is called.")
@_JSON
def ladder(
    levels: str | None,
    hands: int,
    aside: int | None,
    itself: int,
    seed: str,
    preset: str,
    jobs: int | None,
    out: Path,
    name: str,
    *,
    as_json: bool,
) -> None:
    """Measure the ladder."""
    # Late: start-up time.
    from fairdeal.cli.bots import ladder as ladders  # noqa: PLC0415
    from fairdeal.cli.bots.measuring import measured  # noqa: PLC0415
    from fairdeal.cli.bots.telling import claim_lines, to_lines  # noqa: PLC0415
    from fairdeal.records.canonical import encode  # noqa: PLC0415
    from fairdeal.service.play import run_of  # noqa: PLC0415

    named = levels.split(",") if levels else ladders.offered()
    check_names(named)
    found = ladders.matches(named, hands, aside=aside, itself=itself)
    if not found:
        raise click.UsageError("one level alone plays nobody; --itself N plays it against itself")
    said = measured(name, found, preset=preset, seed=seed, out=out, jobs=jobs, is_silent=as_json)
    place = out / "play.json"
    fresh = place.with_name("play.json.new")
    fresh.write_bytes(encode(said) + b"\n")
    fresh.replace(place)
    if as_json:
        click.echo(json.dumps(said))
        return
    run = run_of(said)
    for line in [*to_lines(run), *claim_lines(run), f"written to {place}"]:
        click.echo(line)


@bots.command(help=_GATE_HELP, short_help="Refuse a new version that is worse.")
@click.argument("new")
@click.argument("old")
@click.option(
    "--hands", default=200, show_default=True, type=click.IntRange(2), help="Deals to play."
)
@click.option(
    "--least", default=0, show_default=True, type=int, help="So many points a hand better."
)
@_SEED
@_PRESET
@_JOBS
@_JSON
def gate(
    new: str, old: str, hands: int, least: int, seed: str, preset: str, jobs: int | None, *,
    as_json: bool,
) -> None:  # fmt: skip
    """Play a new version against the old one."""
    # Late: start-up time.
    from fairdeal.cli.bots.gating import gated  # noqa: PLC0415
    from fairdeal.cli.bots.ladder import Match  # noqa: PLC0415
    from fairdeal.cli.bots.measuring import measured  # noqa: PLC0415
    from fairdeal.service.play import run_of  # noqa: PLC0415

    check_names((new, old))
    if new == old:
        raise click.UsageError("NEW and OLD are the same bot")
    said = measured(
        "gate", (Match(new, old, hands),), preset=preset, seed=seed, out=None, jobs=jobs,
        is_silent=as_json,
    )  # fmt: skip
    found = gated(run_of(said).pairs[0], least)
    click.echo(json.dumps(found.to_json()) if as_json else found.sentence)
    sys.exit(found.status)


@bots.command(help=_CHECK_HELP, short_help="Say whether bots of a game played for themselves.")
@click.argument("game", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--my-record",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="What your program kept of the game, for the verifier.",
)
@_JSON
def check(game: Path, my_record: Path | None, *, as_json: bool) -> None:
    """Choose every act of a game's bots again."""
    from fairdeal.cli.bots.checking import checked  # noqa: PLC0415  late: start-up time

    found = checked(game, my_record)
    for line in [json.dumps(found.to_json())] if as_json else found.lines():
        click.echo(line)
    sys.exit(found.status)


@bots.command(help=_REPRODUCE_HELP)
@click.argument("name", required=False)
@click.option("--hands", type=click.IntRange(1), help="At most so many deals of each pair.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("var/reproduce"),
    show_default=True,
    help="The folder of what is done.",
)
@_JOBS
@_JSON
def reproduce(
    name: str | None, hands: int | None, out: Path, jobs: int | None, *, as_json: bool
) -> None:
    """Measure again what is published."""
    # Late: start-up time.
    from fairdeal.cli.bots.reproducing import reproduced  # noqa: PLC0415
    from fairdeal.service.play import published  # noqa: PLC0415

    runs = [run for run in published()["runs"] if name in (None, run["name"])]
    if not runs and name is None:
        raise click.UsageError("nothing is published in this copy yet: see docs/bots.md")
    if not runs:
        names = ", ".join(run["name"] for run in published()["runs"])
        raise click.UsageError(f"nothing was published under that name; there are: {names}")
    found = [
        one
        for run in runs
        for one in reproduced(run, deals=hands, out=out, jobs=jobs, is_silent=as_json)
    ]
    if as_json:
        click.echo(json.dumps({"pairs": [one.to_json() for one in found]}))
    else:
        for one in found:
            click.echo(one.sentence)
    sys.exit(0 if all(one.is_equal for one in found) else 1)


def check_names(names: tuple[str, ...] | list[str]) -> None:
    """Refuse a bot that there is not.

    Raises:
        click.UsageError: Its name.
    """
    from fairdeal.cli.bots.naming import is_bot  # noqa: PLC0415  late: start-up time

    for name in names:
        if not is_bot(name):
            raise click.UsageError(f"there is no bot {name}; `fairdeal bots list` has all")
    if len(set(names)) < len(names):
        raise click.UsageError("a bot is named twice")
