"""The command ``fairdeal report``."""

import os
import sys
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from fairdeal.cli.report.subject import Source

_HELP = """Write one printable page of what an audit of DIR finds: HTML without scripts.

DIR is a mirror of a log (it has a file `checkpoint`; `fairdeal audit PREFIX --to DIR` makes one)
or a folder of transcripts. The audit is made anew: nothing kept is used, no clock is asked, and
the same input gives the same file, byte for byte. The exit status is the audit's. Needs the extra
fast.

\b
Examples:
  fairdeal report mirror -o report.html --policy policy
  fairdeal report var/demo -o report.html
  fairdeal report mirror -o - --fast > report.html
"""


@click.command(help=_HELP)
@click.argument(
    "folder", metavar="DIR", type=click.Path(path_type=Path, exists=True, file_okay=False)
)
@click.option("-o", "--out", required=True, metavar="FILE", help="The page; - for standard output.")
@click.option("--fast", "is_fast", is_flag=True, help="Re-derive deals; verify 1 % fully.")
@click.option(
    "--policy",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Whom to trust, for a log (C2SP tlog-policy), from elsewhere than the log.",
)
@click.option(
    "--now", type=click.IntRange(0, 2**53 - 1), help="A trusted time, ms since 1970, for deadlines."
)
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes; by default one a core.")
def report(
    folder: Path, out: str, policy: Path | None, now: int | None, jobs: int | None, *, is_fast: bool
) -> None:
    """Report on a mirror or a folder."""
    # Late: start-up time, and numpy may be absent.
    from fairdeal.fairness.bulk import HAS_NUMPY  # noqa: PLC0415

    if not HAS_NUMPY:
        raise click.UsageError("numpy is not installed; the extra `fast` brings it")
    from fairdeal.cli.report.page import write_page  # noqa: PLC0415

    with ExitStack() as stack:
        source = _source(folder, policy, now, jobs, stack, is_fast=is_fast)
        text = write_page(source).encode("utf-8", "backslashreplace")
    if out == "-":
        sys.stdout.buffer.write(text)
    else:
        _replace(Path(out), text)
    sys.exit(source.subject.exit_status)


def _source(
    folder: Path,
    policy: Path | None,
    now: int | None,
    jobs: int | None,
    stack: ExitStack,
    *,
    is_fast: bool,
) -> "Source":
    # Late: start-up time.
    from fairdeal.cli.audit.log.trust import Trust  # noqa: PLC0415
    from fairdeal.cli.audit.running import cores  # noqa: PLC0415
    from fairdeal.cli.report.folder import from_folder  # noqa: PLC0415
    from fairdeal.cli.report.mirrored import from_mirror  # noqa: PLC0415
    from fairdeal.errors import FairdealError  # noqa: PLC0415
    from fairdeal.tlog.policy import parse_policy  # noqa: PLC0415

    if not (folder / "checkpoint").is_file():
        if policy is not None:
            raise click.UsageError("--policy is for a mirror of a log")
        found = from_folder(folder, now=now, is_fast=is_fast, jobs=jobs)
        if found is None:
            raise click.UsageError(f"there is no *.jsonl under {folder}")
        return found
    trust = None
    options = ["--fast"] if is_fast else []
    if policy is not None:
        try:
            trust = Trust(parse_policy(policy.read_text("utf-8")), is_pinned=True)
        except (FairdealError, UnicodeDecodeError) as fault:
            raise click.UsageError(f"--policy: {fault}") from fault
        options += ["--policy", "POLICY"]
    if now is not None:
        options += ["--now", f"{now}"]
    number = jobs or cores()
    executor: Executor | None = None
    if number > 1:
        executor = stack.enter_context(ProcessPoolExecutor(number))
    return from_mirror(
        folder, trust=trust, now=now, is_fast=is_fast, executor=executor, options=tuple(options)
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
