"""The command ``fairdeal stats``."""

import secrets
import sys
from pathlib import Path

import click

_HELP = """Look at all verified deals under FOLDER for what chance would not do.

First the folder is audited as by `fairdeal audit`; only finished games that are VALID count, or
with --fast those whose deals come out. Looked at: position by card, ordered neighbours, fixed
points, and for canasta the wild cards, red threes and card points of each seat and of aborted
against finished hands. The limits are such that fair deals alarm once in a hundred such reports.
The exit status is 0 without and 1 with an alarm, 3 with less than 100 deals. Needs the extra fast.

\b
Examples:
  fairdeal stats mirror
  fairdeal stats mirror --fast
  fairdeal stats mirror --json > stats.json
"""


@click.command(help=_HELP)
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--fast", "is_fast", is_flag=True, help="Re-derive deals; verify 1 % fully.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--state",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where verdicts are kept, as for `fairdeal audit`.",
)
@click.option("--no-state", is_flag=True, help="Keep nothing and verify everything anew.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes; by default one a core.")
def stats(
    folder: Path,
    state: Path | None,
    jobs: int | None,
    *,
    is_fast: bool,
    as_json: bool,
    no_state: bool,
) -> None:
    """Look at verified deals for what chance would not do."""
    # Late: start-up time, and numpy may be absent.
    from fairdeal.cli.audit.command import audited  # noqa: PLC0415
    from fairdeal.fairness.bulk import HAS_NUMPY  # noqa: PLC0415

    if not HAS_NUMPY:
        raise click.UsageError("numpy is not installed; the extra `fast` brings it")
    from fairdeal.cli.stats.deals import gather  # noqa: PLC0415
    from fairdeal.cli.stats.judging import look_at_all  # noqa: PLC0415
    from fairdeal.cli.stats.telling import exit_status, to_json, to_lines  # noqa: PLC0415

    found = audited(
        folder,
        state=state,
        no_state=no_state,
        now=None,
        is_fast=is_fast,
        sample_seed=secrets.token_hex(8),
        jobs=jobs,
        is_silent=as_json,
    )
    gathered = gather(folder, found.files)
    seen = look_at_all(gathered.deals)
    if as_json:
        click.echo(to_json(gathered, seen))
    else:
        for line in to_lines(gathered, seen):
            click.echo(line)
    sys.exit(exit_status(seen))
