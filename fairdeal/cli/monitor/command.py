"""The command ``fairdeal monitor``."""

import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Final

import click

from fairdeal.cli.mirror.options import (
    log_key_option,
    mirror_place,
    policy_option,
    quorum_option,
    read_trust,
)

_HELP = """Watch the log at PREFIX: fetch what is new and audit it, again and again.

What is found to be wrong is told to the hook, once: a command that is run without a shell, with
EVENT (fork, rollback, wrong_deal, late_reveal, missing_close, key_change, behind, cannot_look,
canary_missed), SUMMARY (a sentence) and FILE (JSON, with the findings and the signed checkpoints
that show it) in its environment. A hook that fails is run again at the next look. Each look prints
a line, and health.json beside the mirror says the same. docs/monitor.md has more.

\b
Examples:
  fairdeal monitor http://127.0.0.1:8000/live/ --once
  fairdeal monitor http://127.0.0.1:8000/live/ --every 10m --hook ./tell.sh
"""

_SPAN: Final = re.compile(r"([1-9][0-9]{0,5})(s|m|h|d)")
_SECONDS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
_MOST_KNOWN: Final = 2**20


def span(text: str) -> int:
    """Return the seconds of a span of time: a number and s, m, h or d.

    Raises:
        click.BadParameter: It is none.
    """
    match = _SPAN.fullmatch(text)
    if match is None:
        raise click.BadParameter("a time is a number and s, m, h or d, as 10m")
    return int(match[1]) * _SECONDS[match[2]]


@click.command(help=_HELP)
@click.argument("prefix")
@click.option("--every", type=span, default="10m", show_default=True, help="How often.")
@click.option("--once", is_flag=True, help="Look once; the status is 1 if one could not.")
@click.option("--hook", "hook_command", help="The command that is told.")
@click.option(
    "--to",
    type=click.Path(path_type=Path, file_okay=False),
    help="The monitor's folder; by default in your own state folder.",
)
@click.option("--also", default="", help="A second address of the same log, for split views.")
@click.option(
    "--known",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Codes or ids of findings, a line each, that are not told.",
)
@click.option("--canary", type=span, help="A test log plants a fault so often; tell if not.")
@click.option("--max-age", type=span, help="So old the witnesses' word may be.")
@click.option("--fast", "is_fast", is_flag=True, help="Re-derive deals; verify 1 % fully.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes; by default one a core.")
@log_key_option
@policy_option
@quorum_option
def monitor(
    prefix: str,
    every: int,
    hook_command: str | None,
    to: Path | None,
    also: str,
    known: Path | None,
    canary: int | None,
    max_age: int | None,
    jobs: int | None,
    log_keys: tuple[str, ...],
    policy: Path | None,
    quorum: int | None,
    *,
    once: bool,
    is_fast: bool,
) -> None:
    """Watch a log."""
    # Late: start-up time.
    from fairdeal.cli.monitor.hook import command_hook, no_hook  # noqa: PLC0415
    from fairdeal.cli.monitor.looking import Target, look_once  # noqa: PLC0415
    from fairdeal.cli.monitor.watching import Settings, Watch  # noqa: PLC0415

    folder = mirror_place(prefix, to)
    try:
        hook = no_hook if hook_command is None else command_hook(hook_command)
    except ValueError as fault:
        raise click.UsageError(f"--hook: {fault}") from fault
    target = Target(
        prefix=prefix,
        mirror=folder / "mirror",
        folder=folder,
        trust=read_trust(log_keys, policy, quorum),
        also=also,
        max_age_s=max_age,
        is_fast=is_fast,
        jobs=jobs or os.cpu_count() or 1,
    )
    settings = Settings(folder=folder, known=_known(known), canary=canary)
    watch = Watch(settings, lambda: look_once(target), hook, time.time, _say)
    if once:
        sys.exit(0 if watch.round() else 1)
    sys.exit(_forever(watch.round, every))


def _forever(look: Callable[[], bool], every: int) -> int:
    """Look until a signal ends it, which is said; each look begins so long after the last one."""
    ended = threading.Event()
    signals: list[int] = []

    def end(number: int, frame: FrameType | None) -> None:
        del frame
        if signals:
            # Whoever asks twice does not want to wait for the end of a look.
            _say(f"stopped at once by {signal.Signals(number).name}")
            os._exit(128 + number)
        signals.append(number)
        ended.set()

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    begun = time.monotonic()
    while not ended.is_set():
        try:
            look()
        except OSError as failure:
            _say(f"this look could not be kept: {failure}")
        begun = max(begun + every, time.monotonic())
        ended.wait(max(0.0, begun - time.monotonic()))
    _say(f"stopped by {signal.Signals(signals[0]).name}; what was found is kept")
    return 128 + signals[0]


def _known(file: Path | None) -> frozenset[str]:
    if file is None:
        return frozenset()
    with file.open(encoding="utf-8") as opened:
        lines = [line.partition("#")[0].strip() for line in opened.read(_MOST_KNOWN).split("\n")]
    return frozenset(line for line in lines if line)


def _say(line: str) -> None:
    click.echo(line)
    sys.stdout.flush()
