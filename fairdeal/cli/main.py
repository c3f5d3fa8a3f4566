"""The command line ``fairdeal``."""

import os
import sys
from pathlib import Path

import click

from api.config import DATABASE, DEFAULT_ORIGIN, FOLDER, LOG, LOG_FOLDER, ORIGIN, SANDBOX
from fairdeal.cli import beside, modes
from fairdeal.cli.auditing import audit
from fairdeal.cli.bots.command import bots
from fairdeal.cli.key import key
from fairdeal.cli.log import log
from fairdeal.cli.monitor.command import monitor
from fairdeal.cli.place import database_option, folder_option
from fairdeal.cli.play.command import play
from fairdeal.cli.prove import prove
from fairdeal.cli.recover import recover
from fairdeal.cli.report.command import report
from fairdeal.cli.rules import rules
from fairdeal.cli.stats.command import stats
from fairdeal.cli.streams import streams
from fairdeal.errors import FairdealError
from fairdeal.service import Database

_DEMO_HELP = """Play a whole game against three bots over HTTP and prove it fair.

Starts the service on a free loopback port with a fresh database, seats you with your seed, plays
to 5,000, and runs the verifier as a separate process.

\b
Examples:
  fairdeal demo
  fairdeal demo --seed "my grandmother's birthday"
"""

_SERVE_HELP = """Start the service on this machine.

The first start makes the database, its key files (mode 0600) and an operator key in the folder,
and prints their places. Keep the folder: whoever loses the vault key cannot open running games.

With --test the service is in test mode, in var/fairdeal-test as fairdeal.localhost/test if nothing
else is said: its games are real in every way, and no verifier takes them for live ones. With --demo
it is a sandbox in test mode, for programs on this machine alone: whoever shows no key runs it.
A sequencer is started beside it, which signs and publishes the public log from FOLDER/log, and ends
with it; --no-sequencer where one runs elsewhere (`fairdeal log`).

With an address of a PostgreSQL database several workers, on several machines, serve the same games;
docs/operations.md says how.

\b
Examples:
  fairdeal serve
  fairdeal serve --folder /srv/fairdeal --origin cards.example/deal --port 8000
  FAIRDEAL_DATABASE=postgresql://fairdeal@db.example/fairdeal fairdeal serve --workers 4
"""

_REPLAY_HELP = """Step through a game's transcript as text.

At a terminal any key goes on and q stops; with --all, or into a file, everything is printed at
once. With --forum the hands are told as text to be posted, one line a turn, without the cards that
were drawn.

\b
Examples:
  fairdeal replay game.jsonl --all
  fairdeal replay game.jsonl --forum
"""

_EXPLAIN_HELP = """Say what a seat can and cannot do in a position, or what is wrong with an act.

POSITION is one line, in quotes; docs/questions.md has examples, and the notation is explained in
fairdeal/canasta/notation.py. ACT is an act as `can` lists it.

\b
Examples:
  fairdeal explain 'cp1 classic@1 0.draw 5C9C2S/?11/?11/?11 K:KCKDKH/ / |JK9H 0+?20 0/0'
  fairdeal explain 'cp1 classic@1 0.draw 5C9C2S/?11/?11/?11 / / |6C9H 0+?20 0/0' 'take 9:9C,2S'
"""

_SCENARIOS_HELP = """Hold positions with the answers that are due against the engine.

Prints each difference, then `N passed, M failed`; the status is 1 if one failed.

\b
Example:
  fairdeal scenarios tests/cases/canasta-scenarios.json
"""


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def cli() -> None:
    """Provably fair canasta: deal, referee, replay. To check a game, use fairdeal-verify."""


@cli.command(help=_DEMO_HELP)
@click.option("--seed", help="What you type as your seed; also FAIRDEAL_SEED.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("var/demo"),
    show_default=True,
    help="Where the transcript and your receipts go.",
)
@click.option(
    "--log",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Append the service's own output to this file.",
)
def demo(seed: str | None, out: Path, log: Path | None) -> None:
    """Play and prove one game."""
    from fairdeal.cli import demo as demo_game  # noqa: PLC0415  late: start-up time

    sys.exit(demo_game.run(demo_game.seed_text(seed), out, log))


@cli.command(help=_SERVE_HELP)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to bind.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
@folder_option
@database_option
@click.option(
    "--workers",
    default=1,
    show_default=True,
    type=click.IntRange(1, 64),
    help="How many processes answer; more than one needs PostgreSQL.",
)
@click.option(
    "--origin",
    envvar=ORIGIN,
    default=DEFAULT_ORIGIN,
    show_default=True,
    help="The name of the service in records and receipts; in test mode it ends in /test.",
)
@click.option("--test", "kind", flag_value="test", help="Test mode: tokens begin with cd_test_.")
@click.option("--demo", "kind", flag_value="demo", help="A sandbox that needs no key.")
@click.option("--no-sequencer", is_flag=True, help="The public log is signed elsewhere.")
def serve(
    host: str,
    port: int,
    folder: Path,
    database: Database,
    workers: int,
    origin: str,
    kind: str | None,
    *,
    no_sequencer: bool,
) -> None:
    """Become the server process."""
    from api.wsgi import GUNICORN  # noqa: PLC0415  late: start-up time

    folder, origin = modes.settle(kind, host, folder, origin)
    modes.check_name(origin)
    if workers > 1 and not database.is_shared:
        raise click.UsageError(
            "A database in the folder belongs to one process; several workers need PostgreSQL"
            " (--database)."
        )
    click.echo(f"fairdeal serves {origin} from {folder} on http://{host}:{port}", err=True)
    os.environ.update({FOLDER: str(folder), ORIGIN: origin, DATABASE: database.url})
    os.environ[SANDBOX] = "1" if kind == "demo" else ""
    os.environ[LOG] = "1"
    if not no_sequencer:
        beside.start(folder, origin, Path(os.environ.get(LOG_FOLDER) or folder / "log"))
    command = [sys.executable, "-m", "gunicorn", "--bind", f"{host}:{port}", *GUNICORN]
    command += ["--workers", str(workers), "api.wsgi:app()"]
    os.execv(sys.executable, command)  # noqa: S606  our own interpreter


@cli.command(help=_REPLAY_HELP)
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--all", "everything", is_flag=True, help="Print everything at once.")
@click.option("--forum", is_flag=True, help="Print the hands as text for people.")
def replay(file: Path, *, everything: bool, forum: bool) -> None:
    """Tell a transcript step by step."""
    from fairdeal.cli import retell  # noqa: PLC0415  late: start-up time

    if forum:
        for line in retell.forum(file):
            click.echo(line)
        return
    for step in retell.steps(file):
        click.echo(step)
        if not everything and sys.stdin.isatty() and click.getchar() in ("q", "Q", "\x03"):
            return


@cli.command(help=_SCENARIOS_HELP)
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False)
)
def scenarios(files: tuple[Path, ...]) -> None:
    """Run scenario files."""
    from fairdeal.cli.scenarios import count, run  # noqa: PLC0415  late: start-up time

    total, failed = 0, set()
    for path in files:
        total += count(path)
        for mismatch in run(path):
            failed.add((path, mismatch.scenario))
            click.echo(str(mismatch))
    click.echo(f"{total - len(failed)} passed, {len(failed)} failed")
    sys.exit(1 if failed else 0)


@cli.command(help=_EXPLAIN_HELP)
@click.argument("position")
@click.argument("act", required=False)
@click.option("--seat", type=click.IntRange(0, 5), help="Who asks; the seat in turn by default.")
def explain(position: str, act: str | None, seat: int | None) -> None:
    """Explain a position."""
    from fairdeal.cli.explain import answer  # noqa: PLC0415  late: start-up time

    for line in answer(position, seat, act):
        click.echo(line)


cli.add_command(audit)
cli.add_command(bots)
cli.add_command(key)
cli.add_command(log)
cli.add_command(monitor)
cli.add_command(play)
cli.add_command(prove)
cli.add_command(recover)
cli.add_command(report)
cli.add_command(rules)
cli.add_command(stats)
cli.add_command(streams)


def main() -> int:
    """Run the command line; give the exit status."""
    try:
        cli.main(standalone_mode=False)
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.Abort:
        click.echo("Stopped.", err=True)
        return 130
    except click.ClickException as wrong:
        wrong.show()
        return wrong.exit_code
    except FairdealError as refusal:
        click.echo(f"{refusal.code}: {refusal.sentence}", err=True)
        return 1
    except OSError as failure:
        click.echo(f"{failure}", err=True)
        return 1
    return 0
