"""The command ``fairdeal play``."""

import signal
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

import click

from fairdeal.cli.client import ApiError
from fairdeal.cli.play.kept import DEFAULT, Folder, Seat, waiting

if TYPE_CHECKING:
    from fairdeal.cli.play.opening import Wish
    from fairdeal.cli.play.screen import Screen
    from fairdeal.cli.server import Server

_HELP: Final = """Play canasta in this terminal, against bots.

Starts a service beside the game, on this machine alone, and opens a table. At the end a separate
program checks every card, and two files are left in the folder: the game's record and what you were
shown. With --server the game is opened at another service (--key names the file with its operator
key), or LINK is the claim link that somebody gave you.

\b
Examples:
  fairdeal play
  fairdeal play --hands 1 --level sharp
  fairdeal play --preset two-player@1 --target 2000
  fairdeal play --resume
  fairdeal play 'https://cards.example/claim#cd_live_claim_...'
"""
DEFAULT_PRESET: Final = "classic@1"
SHORT: Final = 500
"""To how many points a game of the default rules goes if nothing is said: half an hour."""
_STOPS: Final = (signal.SIGTERM, signal.SIGHUP)


@click.command(help=_HELP)
@click.argument("link", required=False)
@click.option("--preset", default=DEFAULT_PRESET, show_default=True, help="The rules.")
@click.option("--rule", "rules", multiple=True, metavar="FIELD=VALUE", help="Change a rule.")
@click.option("--bots", help="A bot for all seats, or one for each: steady@1,sharp@1,steady@1.")
@click.option("--level", help="The level of all bots: steady, sharp, ...")
@click.option("--target", type=click.IntRange(1), help="The points to play to.")
@click.option("--hands", type=click.IntRange(1, 64), help="How many hands to play at most.")
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    default=DEFAULT,
    show_default=True,
    help="Where the games are kept.",
)
@click.option("--server", metavar="URL", help="Play at this service.")
@click.option(
    "--key",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="The file with an operator key of that service.",
)
@click.option("--resume", is_flag=True, help="Come back to the game that was left last.")
@click.option("--plain", is_flag=True, help="No colours and frames; also NO_COLOR.")
def play(
    link: str | None,
    preset: str,
    rules: tuple[str, ...],
    bots: str | None,
    level: str | None,
    target: int | None,
    hands: int | None,
    data: Path,
    server: str | None,
    key: Path | None,
    *,
    resume: bool,
    plain: bool,
) -> None:
    """Play a game."""
    from fairdeal.cli.play import opening  # noqa: PLC0415  late: start-up time
    from fairdeal.cli.play.screen import Screen, wants_plain  # noqa: PLC0415  late: start-up time

    if bots and level:
        raise click.UsageError("--level is for all bots; with --bots it says nothing.")
    if bool(server) != bool(key) and link is None:
        raise click.UsageError("--server needs --key, or the claim that you were given.")
    names = tuple(name.strip() for name in (level or bots or "").split(",") if name.strip())
    if (preset, rules, target, hands) == (DEFAULT_PRESET, (), None, None):
        target = SHORT
    screen = Screen(plain=plain or wants_plain())
    for stop in _STOPS:
        # What runs beside the game ends with it, also when the terminal is closed.
        signal.signal(stop, _end)
    with ExitStack() as stack:
        try:
            if resume:
                status = _resume(screen, data, stack)
            else:
                changed = opening.read_rules(rules)
                wish = opening.Wish(
                    preset=preset, bots=names, target=target, hands=hands, rules=changed
                )
                status = _begin(screen, data, stack, wish, server, key, link)
        except ApiError as refusal:
            raise click.ClickException(refusal.sentence or str(refusal)) from refusal
        except (opening.CannotOpen, ValueError, OSError) as wrong:
            raise click.ClickException(str(wrong)) from wrong
        except (EOFError, KeyboardInterrupt):
            screen.say("\nNothing was begun.")
            status = 0
    sys.exit(status)


def _begin(
    screen: "Screen",
    data: Path,
    stack: ExitStack,
    wish: "Wish",
    server: str | None,
    key: Path | None,
    link: str | None,
) -> int:
    from fairdeal.cli.play import opening  # noqa: PLC0415  late: start-up time
    from fairdeal.cli.play.remote import Remote  # noqa: PLC0415  late: start-up time

    at, claim = opening.split_link(link) if link else ("", "")
    url = server or at
    if not url and claim:
        raise opening.CannotOpen("The link does not say where the service is: add --server URL.")
    folder = Folder.new(data)
    stack.callback(folder.tidy)
    own: Server | None = None
    if not url:
        screen.say("Starting a table on this machine.")
        own = stack.enter_context(opening.own_service(folder))
        url, key = own.url, own.folder / "operator.key"
    if opening.is_open(url):
        screen.say("Mind: over http anybody on the way can read your seat's token; https is safe.")
    if not claim and key is not None:
        with Remote(url, opening.operator_key(key), screen.say) as site:
            claim = opening.open_game(site, wish)
    with Remote(url, None, screen.say) as public:
        seat = opening.take_seat(public, claim, own=own is not None)
    folder.keep(seat)
    return _sit(screen, folder, seat, own, again=False)


def _resume(screen: "Screen", data: Path, stack: ExitStack) -> int:
    from fairdeal.cli.play import opening  # noqa: PLC0415  late: start-up time

    folder = next(waiting(data), None)
    if folder is None:
        raise opening.CannotOpen(f"No game waits in {data}. `fairdeal play` begins one.")
    seat = folder.seat()
    stack.callback(folder.tidy)
    own = None if seat.url else stack.enter_context(opening.own_service(folder))
    screen.say(f"Back at the table in {folder.path}.")
    return _sit(screen, folder, seat, own, again=True)


def _sit(screen: "Screen", folder: Folder, seat: Seat, own: "Server | None", *, again: bool) -> int:
    from fairdeal.cli.play import opening  # noqa: PLC0415  late: start-up time
    from fairdeal.cli.play.loop import Leave, Loop  # noqa: PLC0415  late: start-up time
    from fairdeal.cli.play.remote import Remote  # noqa: PLC0415  late: start-up time

    mend = own.mend if own is not None else lambda: None
    url = own.url if own is not None else seat.url
    with Remote(url, seat.token, screen.say, mend) as remote:
        try:
            if not seat.game:
                seat = opening.wait_for_game(remote, seat, screen, folder.keep)
                folder.keep(seat)
            if not again or not seat.cuts:
                opening.introduce(screen, remote, seat)
            return Loop(screen, remote, folder, seat).play(again=again)
        except (Leave, EOFError, KeyboardInterrupt):
            # Whoever presses Ctrl-C twice leaves in good order all the same.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            screen.say("\nYou left the table. The game waits for you:")
            at = "" if folder.path.parent == DEFAULT else f" --data {folder.path.parent}"
            screen.copyable(f"  fairdeal play --resume{at}")
            return 0


def _end(*_: object) -> NoReturn:
    raise SystemExit(143)
