"""The sequencer as a process: started again where it fails, ended where it refuses to sign."""

import logging
import secrets
import time
import traceback
from pathlib import Path
from typing import Final

import click

from fairdeal.cli.supervision import Ending, supervise
from fairdeal.errors import FairdealError
from fairdeal.service import Database
from fairdeal.service.publiclog.ports import RefusesToSign
from fairdeal.service.publiclog.running import Log, LogSettings, open_log

FAILED: Final = 1
REFUSED: Final = 4
AGAIN: Final = 5
"""Ended by a failure that another start may get over."""

_PASSING: Final = frozenset({"store_unavailable", "store_failed", "store_slow"})


def run(
    *,
    folder: Path,
    log_folder: Path,
    database: Database,
    origin: str,
    prefix: str,
    policy: str,
    require_quorum: bool,
    pipes: tuple[int, ...],
    restarts: bool,
) -> int:
    """Sign and publish until told to end; return the exit status.

    Args:
        folder: The service's.
        log_folder: The sequencer's.
        database: The service's.
        origin: The name of both.
        prefix: Where the log is served.
        policy: The text of a policy file, or empty.
        require_quorum: Whether nothing is public without its quorum.
        pipes: Descriptors; where one is at its end, all ends.
        restarts: Whether to start again after a failure.
    """
    settings = LogSettings(
        folder=folder,
        log_folder=log_folder,
        database=database,
        origin=origin,
        prefix=prefix,
        policy=policy,
        require_quorum=require_quorum,
    )
    if not restarts:
        return _run(settings, Ending(*pipes))
    return supervise(
        lambda ending: _run(settings, ending),
        lambda status: status not in (FAILED, REFUSED),
        *pipes,
    )


def _run(settings: LogSettings, ending: Ending) -> int:
    logging.basicConfig(format="%(name)s: %(message)s")
    try:
        with open_log(
            settings,
            entropy=secrets.token_bytes,
            clock=lambda: time.time_ns() // 1_000_000,
            ended=ending.wait,
        ) as opened:
            if opened is None:
                return 0
            return _turns(opened, ending)
    except RefusesToSign as refusal:
        return _told(refusal, REFUSED)
    except FairdealError as failure:
        return _told(failure, AGAIN if failure.code in _PASSING else FAILED)
    except Exception:  # noqa: BLE001  whatever it is, the next start looks at everything anew
        traceback.print_exc()
        return AGAIN


def _turns(opened: Log, ending: Ending) -> int:
    try:
        opened.run(ending.wait, lambda line: click.echo(line, err=True))
    except RefusesToSign as refusal:
        return _told(refusal, REFUSED)
    except FairdealError as failure:
        return _told(failure, AGAIN)
    return 0


def _told(error: FairdealError, status: int) -> int:
    click.echo(f"fairdeal log: {error.code}: {error.sentence}", err=True)
    return status
