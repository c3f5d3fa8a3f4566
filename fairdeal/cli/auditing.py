"""The command ``fairdeal audit``: of a log's address, of its mirror, or of a folder of games."""

import secrets
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fairdeal.cli.mirror.options import (
    log_key_option,
    mirror_place,
    policy_option,
    quorum_option,
    read_trust,
)

if TYPE_CHECKING:
    from fairdeal.cli.audit.log.auditing import Look, Statistics
    from fairdeal.cli.audit.log.findings import Finding
    from fairdeal.cli.audit.log.trust import Trust
    from fairdeal.cli.audit.opened import OpenedGame

_HELP = """Audit SOURCE: the address of a public log, a mirror of one, or a folder of games.

Of a log, which is fetched first into a mirror (--to): signatures, witnesses, every tile, the order
of every game's records, every transcript by the verifier, what chance would not do. Whom to trust
is yours to say (--log-key, --policy); else the log's own policy is taken and the report says so.
What was audited before, with nothing wrong, is not audited again.

Of a folder, every game record (*.jsonl) under it is verified, on all cores.

Each verdict is the verifier's own. The exit status is that of the worst verdict: 0 good, 1 wrong,
2 unreadable or nothing to audit, 3 not complete, 4 MALFORMED. With --fast only chains, commitments
and deals are looked at, in bulk, and one game in a hundred is verified fully.

\b
Examples:
  fairdeal audit var/demo
  fairdeal audit http://127.0.0.1:8000/live/ --log-key NAME+KEYID+BASE64
  fairdeal audit mirror --policy mine.policy --max-age 600
  fairdeal audit mirror --fast
  fairdeal audit mirror --json > audit.json
  fairdeal audit mirror --now 1796000000000 --state audit.state
"""


@click.command(help=_HELP)
@click.argument("source")
@click.option("--fast", "is_fast", is_flag=True, help="Re-derive deals; verify 1 % fully.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--now", type=click.IntRange(0, 2**53 - 1), help="A trusted time, ms since 1970, for deadlines."
)
@click.option(
    "--state",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where verdicts are kept; by default in your own state folder. Not inside SOURCE.",
)
@click.option("--no-state", is_flag=True, help="Keep nothing and verify everything anew.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes; by default one a core.")
@click.option("--sample-seed", help="Draw the sample of --fast again as an earlier run did.")
@click.option(
    "--to", type=click.Path(path_type=Path, file_okay=False), help="Where an address is mirrored."
)
@log_key_option
@policy_option
@quorum_option
@click.option("--max-age", type=click.IntRange(0), help="Witnesses signed within so many seconds.")
@click.option(
    "--seen",
    "seen",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A checkpoint of the log that was seen elsewhere.",
)
@click.option("--scheduler", help="The address of a Dask cluster to run on; needs the extra dask.")
def audit(
    source: str,
    state: Path | None,
    now: int | None,
    jobs: int | None,
    sample_seed: str | None,
    to: Path | None,
    log_keys: tuple[str, ...],
    policy: Path | None,
    quorum: int | None,
    max_age: int | None,
    seen: tuple[Path, ...],
    scheduler: str | None,
    *,
    is_fast: bool,
    as_json: bool,
    no_state: bool,
) -> None:
    """Audit a log or a folder of transcripts."""
    # Late: start-up time.
    from fairdeal.cli.audit.command import audited, state_place  # noqa: PLC0415
    from fairdeal.cli.mirror.prefix import is_address  # noqa: PLC0415

    seed = sample_seed or secrets.token_hex(8)
    trust = read_trust(log_keys, policy, quorum)
    folder = mirror_place(source, to) if is_address(source) else Path(source)
    fetched = _fetch(source, folder, trust) if is_address(source) else ()
    if not folder.is_dir():
        raise click.UsageError(f"{source} is no folder and no address of a log")
    if not (folder / "checkpoint").is_file() and not is_address(source):
        from fairdeal.cli.audit.telling import to_json, to_lines  # noqa: PLC0415  late: start-up time

        found = audited(
            folder,
            state=state,
            no_state=no_state,
            now=now,
            is_fast=is_fast,
            sample_seed=seed,
            jobs=jobs,
            is_silent=as_json,
        )
        for line in [to_json(found)] if as_json else to_lines(found):
            click.echo(line)
        sys.exit(found.exit_status)
    from fairdeal.cli.audit.log import telling  # noqa: PLC0415  late: start-up time
    from fairdeal.cli.audit.log.auditing import audit_log  # noqa: PLC0415  late: start-up time
    from fairdeal.cli.audit.log.mirror import FolderMirror  # noqa: PLC0415  late: start-up time

    place = None if no_state else state_place(folder, state)
    try:
        with _executor(jobs, scheduler) as executor:
            log = audit_log(
                FolderMirror(folder.resolve()),
                trust=trust,
                book=place if place is None or state is not None else place.with_suffix(".book"),
                executor=executor,
                clock_ms=time.time_ns() // 1_000_000 if now is None else now,
                is_fast=is_fast,
                sample_seed=seed,
                now_ms=now,
                max_age_s=max_age,
                seen=[path.read_text("utf-8", "replace") for path in seen],
                look=_looker(),
                tell=_Progress().tell,
            )
    except OSError as error:
        # The state, or the cluster: nothing was found out of the log.
        raise click.UsageError(str(error)) from None
    log = replace(log, findings=(*fetched, *log.findings), found=len(fetched) + log.found)
    for line in [telling.to_json(log)] if as_json else telling.to_lines(log):
        click.echo(line)
    sys.exit(log.exit_status)


def _fetch(prefix: str, folder: Path, trust: "Trust | None") -> tuple["Finding", ...]:
    # Late: start-up time.
    from fairdeal.cli.mirror.answers import CannotLook  # noqa: PLC0415
    from fairdeal.cli.mirror.fetching import fetch  # noqa: PLC0415
    from fairdeal.cli.mirror.progress import told  # noqa: PLC0415

    try:
        with told("fetching") as tell:
            return tuple(one.finding for one in fetch(prefix, folder, trust, tell=tell).findings)
    except (CannotLook, OSError) as error:
        raise click.UsageError(f"the log cannot be fetched: {error}") from None


@contextmanager
def _executor(jobs: int | None, scheduler: str | None) -> Iterator[Executor | None]:
    """Yield what the parts of an audit run on."""
    from fairdeal.cli.audit.running import cores  # noqa: PLC0415  late: start-up time

    if scheduler is not None:
        try:
            from distributed import Client  # noqa: PLC0415  an extra
        except ImportError:
            raise click.UsageError("--scheduler needs Dask; the extra `dask` brings it") from None
        client: Any = Client(scheduler)  # type: ignore[no-untyped-call]  # partly typed
        with client, client.get_executor(pure=False) as executor:
            yield executor
        return
    processes = jobs or cores()
    if processes == 1:
        yield None
        return
    with ProcessPoolExecutor(processes) as pool:
        yield pool


def _looker() -> "Look | None":
    """Return what makes the lines of `fairdeal stats`; None without numpy."""
    from fairdeal.fairness.bulk import HAS_NUMPY  # noqa: PLC0415  late: start-up time

    return _look if HAS_NUMPY else None


def _look(games: Sequence["OpenedGame"]) -> "Statistics":
    # Late: numpy may be absent.
    from fairdeal.cli.audit.log.auditing import Statistics  # noqa: PLC0415
    from fairdeal.cli.stats.deals import gather_opened  # noqa: PLC0415
    from fairdeal.cli.stats.judging import look_at_all  # noqa: PLC0415
    from fairdeal.cli.stats.looks import ABORTED  # noqa: PLC0415
    from fairdeal.cli.stats.telling import to_lines  # noqa: PLC0415

    gathered = gather_opened(games)
    seen = look_at_all(gathered.deals)
    bias = [one.look.found for one in seen if one.look.name == ABORTED and one.is_alarm]
    said = f"Hands that were given up differ from the others: {bias[0]}." if bias else ""
    return Statistics(tuple(to_lines(gathered, seen)), said)


class _Progress:
    """Tells how far an audit is, on stderr: at a terminal, once a second."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def tell(self, word: str, done: int, total: int) -> None:
        """Tell it."""
        now = time.monotonic()
        if sys.stderr.isatty() and now - self._last >= 1:
            self._last = now
            click.echo(f"{word}: {done} of {total}", err=True)
