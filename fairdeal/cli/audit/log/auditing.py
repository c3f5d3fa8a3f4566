"""The audit of a log from its mirror to its result (docs/decisions/0011, auditors)."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from pathlib import Path

from fairdeal.cli.audit.log.findings import LogAudit
from fairdeal.cli.audit.log.mirror import Mirror
from fairdeal.cli.audit.log.trust import Trust


def audit_log(
    source: Mirror,
    *,
    trust: Trust | None,
    book: Path | None,
    executor: Executor | None,
    clock_ms: int,
    is_fast: bool = False,
    sample_seed: str = "",
    now_ms: int | None = None,
    max_age_s: int | None = None,
    seen: Sequence[str] = (),
    tell: Callable[[str, int, int], object] = lambda *_: None,
) -> LogAudit:
    """Audit a mirror of a log.

    Args:
        source: The files.
        trust: Whom to trust; None for the policy that the log publishes.
        book: Where what was found is kept between audits; None begins anew and keeps nothing.
        executor: What runs the parts: a process pool, or that of a Dask cluster; None for here.
        clock_ms: What the clock says, ms since 1970: how old cosignatures are.
        is_fast: Re-derive deals only; verify one game in a hundred.
        sample_seed: What those are drawn with.
        now_ms: A time that deadlines are judged by beside what the witnesses say.
        max_age_s: The checkpoint's quorum has to have signed within so many seconds.
        seen: Checkpoints that were seen elsewhere, whole notes.
        tell: Called with a word for the pass, how much of it is done, and of how much.

    Raises:
        OSError: The book can be neither read nor written, or is none.
    """
    raise NotImplementedError
