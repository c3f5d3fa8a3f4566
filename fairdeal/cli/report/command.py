"""The command ``fairdeal report``."""

import os
import sys
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fairdeal.cli.mirror.options import log_key_option, policy_option, quorum_option, read_trust

if TYPE_CHECKING:
    from fairdeal.cli.audit.log.trust import Trust
    from fairdeal.cli.report.subject import Source

_HELP = """Write one printable page of what an audit of DIR finds: HTML without scripts.

DIR is a mirror of a log (it has a file `checkpoint`; `fairdeal audit PREFIX --to DIR` makes one)
or a folder of transcripts. The audit is made anew: nothing kept is used, no clock is asked, and
the same input gives the same file, byte for byte. The exit status is the audit's. Needs the extra
fast.

\b
Examples:
  fairdeal report mirror -o report.html --log-key NAME+KEYID+BASE64
  fairdeal report var/demo -o report.html
  fairdeal report mirror -o - --fast > report.html
"""


@click.command(help=_HELP)
@click.argument(
    "folder", metavar="DIR", type=click.Path(path_type=Path, exists=True, file_okay=False)
)
@click.option("-o", "--out", required=True, metavar="FILE", help="The page; - for standard output.")
@click.option("--fast", "is_fast", is_flag=True, help="Re-derive deals; verify 1 % fully.")
@log_key_option
@policy_option
@quorum_option
@click.option(
    "--now", type=click.IntRange(0, 2**53 - 1), help="A trusted time, ms since 1970, for deadlines."
)
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes; by default one a core.")
def report(
    folder: Path,
    out: str,
    log_keys: tuple[str, ...],
    policy: Path | None,
    quorum: int | None,
    now: int | None,
    jobs: int | None,
    *,
    is_fast: bool,
) -> None:
    """Report on a mirror or a folder."""
    # Late: start-up time, and numpy may be absent.
    from fairdeal.fairness.bulk import HAS_NUMPY  # noqa: PLC0415

    if not HAS_NUMPY:
        raise click.UsageError("numpy is not installed; the extra `fast` brings it")
    from fairdeal.cli.report.page import write_page  # noqa: PLC0415

    trust = read_trust(log_keys, policy, quorum)
    options = [option for key in log_keys for option in ("--log-key", key)]
    options += ["--policy", "POLICY"] if policy else []
    options += [] if quorum is None else ["--quorum", f"{quorum}"]
    with ExitStack() as stack:
        source = _source(folder, trust, options, now, jobs, stack, is_fast=is_fast)
        text = write_page(source).encode("utf-8", "backslashreplace")
    if out == "-":
        sys.stdout.buffer.write(text)
    else:
        _replace(Path(out), text)
    sys.exit(source.subject.exit_status)


def _source(
    folder: Path,
    trust: "Trust | None",
    options: list[str],
    now: int | None,
    jobs: int | None,
    stack: ExitStack,
    *,
    is_fast: bool,
) -> "Source":
    # Late: start-up time.
    from fairdeal.cli.audit.running import cores  # noqa: PLC0415
    from fairdeal.cli.report.folder import from_folder  # noqa: PLC0415
    from fairdeal.cli.report.mirrored import from_mirror  # noqa: PLC0415

    if not (folder / "checkpoint").is_file():
        if trust is not None:
            raise click.UsageError("--log-key and --policy are for a mirror of a log")
        found = from_folder(folder, now=now, is_fast=is_fast, jobs=jobs)
        if found is None:
            raise click.UsageError(f"there is no *.jsonl under {folder}")
        return found
    given = ["--fast"] if is_fast else []
    given += options
    given += [] if now is None else ["--now", f"{now}"]
    number = jobs or cores()
    executor: Executor | None = None
    if number > 1:
        executor = stack.enter_context(ProcessPoolExecutor(number))
    return from_mirror(
        folder, trust=trust, now=now, is_fast=is_fast, executor=executor, options=tuple(given)
    )


def _replace(path: Path, data: bytes) -> None:
    """Put a file in place whole, or leave what was there."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        fresh.write_bytes(data)
        fresh.replace(path)
    except OSError as fault:
        fresh.unlink(missing_ok=True)
        raise click.UsageError(f"{path}: {fault.strerror}") from fault
