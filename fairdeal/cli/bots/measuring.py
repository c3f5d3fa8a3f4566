"""Plays the matches of a command: how many processes, how far it is, what came of it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from fairdeal.cli.audit.running import cores
from fairdeal.cli.bots import ladder
from fairdeal.cli.bots.progress import told


def measured(
    name: str,
    found: Sequence[ladder.Match],
    *,
    preset: str,
    seed: str,
    out: Path | None,
    jobs: int | None,
    is_silent: bool,
) -> dict[str, Any]:
    """Play matches and return the run as play.json has it.

    Raises:
        click.ClickException: The code changed while it played; what was played is kept.
    """
    with told("deals", sum(one.deals for one in found), is_silent=is_silent) as tell:
        try:
            sums = ladder.run(
                found, preset=preset, seed=seed, out=out, jobs=jobs or cores(), tell=tell
            )
        except ladder.CodeChangedError as changed:
            raise click.ClickException(
                f"the code changed while it played {changed}: start it again, and what the new "
                "code did is kept"
            ) from None
    return ladder.result(name, found, sums, preset=preset, seed=seed)
