"""The command ``fairdeal audit``."""

import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from fairdeal.cli.audit.running import Audit

_HELP = """Verify every game record (*.jsonl) under FOLDER, on all cores.

Each verdict is the verifier's own. Files that this version verified before, byte for byte, are
skipped. Named are every bad file with its first error, games that share a master secret, and a
game's name used twice. The exit status is that of the worst verdict: 0 VALID, 1 INVALID, FRAUD or
an error across games, 2 unreadable or nothing to audit, 3 INCOMPLETE, 4 MALFORMED.

With --fast only the chain, the commitments and the deals are looked at, with the dealer's own
code in bulk, and one file in a hundred is verified fully.

\b
Examples:
  fairdeal audit var/demo
  fairdeal audit mirror --fast
  fairdeal audit mirror --json > audit.json
  fairdeal audit mirror --now 1796000000000 --state audit.state
"""


@click.command(help=_HELP)
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--fast", "is_fast", is_flag=True, help="Re-derive deals; verify 1 % fully.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--now", type=click.IntRange(0, 2**53 - 1), help="A trusted time, ms since 1970, for deadlines."
)
@click.option(
    "--state",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where verdicts are kept; by default in your own state folder. Not inside FOLDER.",
)
@click.option("--no-state", is_flag=True, help="Keep nothing and verify everything anew.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes; by default one a core.")
@click.option("--sample-seed", help="Draw the sample of --fast again as an earlier run did.")
def audit(
    folder: Path,
    state: Path | None,
    now: int | None,
    jobs: int | None,
    sample_seed: str | None,
    *,
    is_fast: bool,
    as_json: bool,
    no_state: bool,
) -> None:
    """Audit a folder of transcripts."""
    from fairdeal.cli.audit.telling import to_json, to_lines  # noqa: PLC0415  late: start-up time

    found = audited(
        folder,
        state=state,
        no_state=no_state,
        now=now,
        is_fast=is_fast,
        sample_seed=sample_seed or secrets.token_hex(8),
        jobs=jobs,
        is_silent=as_json,
    )
    if as_json:
        click.echo(to_json(found))
    else:
        for line in to_lines(found):
            click.echo(line)
    sys.exit(found.exit_status)


def audited(
    folder: Path,
    *,
    state: Path | None,
    no_state: bool,
    now: int | None,
    is_fast: bool,
    sample_seed: str,
    jobs: int | None,
    is_silent: bool,
) -> "Audit":
    """Audit a folder with a progress bar, for `fairdeal audit` and `fairdeal stats`.

    Raises:
        click.UsageError: There is nothing to audit, or the state lies inside the folder.
    """
    # Late: start-up time.
    from fairdeal.cli.audit.running import run_audit, transcripts  # noqa: PLC0415

    paths = transcripts(folder)
    if not paths:
        raise click.UsageError(f"there is no *.jsonl under {folder}")
    place = None if no_state else state_place(folder, state)
    hidden = is_silent or not sys.stderr.isatty()
    with click.progressbar(
        length=len(paths), label="auditing", file=sys.stderr, hidden=hidden, show_pos=True
    ) as bar:
        return run_audit(
            folder,
            paths,
            state=place,
            now=now,
            is_fast=is_fast,
            sample_seed=sample_seed,
            jobs=jobs,
            tell=bar.update,
        )


def state_place(folder: Path, given: Path | None) -> Path:
    """Return where verdicts on a folder are kept.

    Raises:
        click.UsageError: Inside the folder: who hands it over could put verdicts there.
    """
    from fairdeal.cli.audit.keeping import default_place  # noqa: PLC0415  late: start-up time

    if given is None:
        place = default_place(folder)
        if place.resolve().is_relative_to(folder.resolve()):
            raise click.UsageError(
                "your state folder lies inside FOLDER; --state FILE or --no-state"
            )
        return place
    if given.resolve().is_relative_to(folder.resolve()):
        raise click.UsageError("--state lies inside FOLDER, beside the files it would vouch for")
    return given
