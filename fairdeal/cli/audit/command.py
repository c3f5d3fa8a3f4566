"""An audit of a folder as ``fairdeal audit`` and ``fairdeal stats`` run it: progress, state."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from fairdeal.cli.audit.running import Audit


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
