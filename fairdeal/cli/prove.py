"""The command ``fairdeal prove``."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fairdeal.cli.mirror.options import (
    log_key_option,
    mirror_place,
    policy_option,
    quorum_option,
    read_trust,
)

if TYPE_CHECKING:
    from fairdeal.cli.audit.log.trust import Trust
    from fairdeal.tlog.policy import Policy

_HELP = """Write the proof that record N of GAME is in the public log: a .tlog-proof file.

It is made of a mirror (a folder, or the address of a log, which is fetched first) and for its
newest checkpoint, and it is checked before it is written. Programs that nobody here wrote read such
files; `fairdeal-verify` takes one with --proof. Acts are no leaves of the log: the record that
covers one is named.

\b
Examples:
  fairdeal prove g_7qm4xt2kyd 0 --from mirror
  fairdeal prove g_7qm4xt2kyd 0 --from http://127.0.0.1:8000/live/ -o open.tlog-proof
"""


@click.command(help=_HELP)
@click.argument("game")
@click.argument("n", type=click.IntRange(0, 19_999))
@click.option(
    "--from", "source", default=".", show_default=True, help="A mirror, or a log's address."
)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    help="Where it is written; by default GAME-N.tlog-proof here, and - for the output.",
)
@click.option(
    "--to", type=click.Path(path_type=Path, file_okay=False), help="Where an address is mirrored."
)
@log_key_option
@policy_option
@quorum_option
def prove(
    game: str,
    n: int,
    source: str,
    out: Path | None,
    to: Path | None,
    log_keys: tuple[str, ...],
    policy: Path | None,
    quorum: int | None,
) -> None:
    """Write a proof."""
    # Late: start-up time.
    from fairdeal.cli.mirror.mirrored import MirroredLog  # noqa: PLC0415

    trust = read_trust(log_keys, policy, quorum)
    folder = _mirrored(source, to, trust)
    log = MirroredLog(folder)
    leaf = log.find(game, n)
    proof = log.prove(leaf)
    trusted = _own_policy(folder) if trust is None else trust.policy
    opened = proof.holds(leaf.entry, trusted.logs, [one.key for one in trusted.witnesses])
    if len(opened.cosignatures) < trusted.quorum:
        raise click.ClickException(
            f"The checkpoint of {opened.checkpoint.size} has {len(opened.cosignatures)} of"
            f" {trusted.quorum} cosignatures; nothing was written."
        )
    if out == Path("-"):
        click.echo(proof.text, nl=False)
        return
    target = out or Path(f"{game}-{n}.tlog-proof")
    target.write_text(proof.text, "utf-8")
    pinned = "" if trust else "; the key is the log's own word (--log-key pins it)"
    click.echo(
        f"{target}: record {n} ({leaf.type}) of {game} is leaf {leaf.index} of"
        f" {opened.checkpoint.size} of {opened.checkpoint.origin},"
        f" {len(opened.cosignatures)} cosignatures{pinned}"
    )


def _mirrored(source: str, to: Path | None, trust: "Trust | None") -> Path:
    # Late: start-up time.
    from fairdeal.cli.mirror.fetching import fetch  # noqa: PLC0415
    from fairdeal.cli.mirror.prefix import is_address  # noqa: PLC0415
    from fairdeal.cli.mirror.progress import told  # noqa: PLC0415

    if not is_address(source):
        return Path(source)
    folder = mirror_place(source, to)
    with told("fetching") as tell:
        fetched = fetch(source, folder, trust, tell=tell)
    for found in fetched.findings:
        click.echo(f"{found.code}: {found.sentence}", err=True)
    if any(found.code.startswith("E_") for found in fetched.findings):
        raise click.ClickException("The log is not what it was; nothing is proved by it.")
    return folder


def _own_policy(folder: Path) -> "Policy":
    from fairdeal.tlog.policy import parse_policy  # noqa: PLC0415  late: start-up time

    file = folder / "policy"
    if not file.is_file():
        raise click.UsageError(f"{folder} has no policy; say whom to trust (--log-key, --policy)")
    return parse_policy(file.read_text("utf-8", "replace"))
