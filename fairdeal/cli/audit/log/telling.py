"""The result of an audit of a log as text, ASCII only."""

import json
from collections.abc import Iterator
from typing import Final

from fairdeal.cli.audit.log.findings import Finding, LogAudit
from fairdeal.cli.audit.telling import plain

_SHOWN: Final = 40
_MARKS: Final = {"E": "WRONG", "W": "told ", "I": "later", "M": "WRONG"}


def to_json(audit: LogAudit) -> str:
    """Return the object on one line, ASCII only."""
    return json.dumps(audit.to_json(), sort_keys=True)


def to_lines(audit: LogAudit) -> Iterator[str]:
    """Yield the lines for people: the verdict first, then what was looked at, then findings."""
    counts = audit.counts
    yield (
        f"{audit.word}   {plain(audit.origin) or 'no log'}  {audit.size} entries"
        f"  complete to {audit.complete_to_index}"
    )
    if not audit.is_pinned:
        yield "  not pinned: the key is the log's own word (--log-key or --policy pins it)"
    if audit.quorum:
        yield f"  {len(audit.cosigned)} trusted witnesses cosigned, {audit.quorum} have to"
    is_known = counts.leaves > 0 or not audit.size
    if audit.since is not None and is_known:
        yield f"  ok     append-only since the last audit ({audit.since} -> {audit.size})"
    if audit.exit_status != 4 and is_known:
        yield (
            f"  games  {counts.opened} opened, {counts.closed} over, {counts.open} not;"
            f" {counts.hands} hands, {counts.aborted} of them given up, {counts.voids} voids"
        )
        longest = f" (longest {counts.longest_reveal_ms / 1000:.0f} s)" * bool(counts.reveals_late)
        yield f"  late   {counts.reveals_late} secrets after 5 s{longest}"
        words = ", ".join(f"{number} {word}" for word, number in counts.verdicts.items())
        yield f"  read   {counts.transcripts} transcripts now: {words or 'none'}"
    if audit.is_fast and counts.transcripts:
        yield (
            "  fast   re-derived: no act, score or signature was judged"
            f" (--sample-seed {audit.sample_seed} draws the verified ones again)"
        )
    yield from (f"  {line}" for line in audit.statistics)
    for finding in audit.findings[:_SHOWN]:
        yield f"  {_MARKS[finding.code[0]]}  {_told(finding)}"
    if audit.found > _SHOWN:
        yield f"  and {audit.found - _SHOWN} more; --json lists {len(audit.findings)}"
    yield "  state saved" if audit.is_saved else "  no state saved"


def _told(finding: Finding) -> str:
    places = [] if finding.index is None else [f"entry {finding.index}"]
    places += [] if finding.game is None else [plain(finding.game)]
    places += [] if finding.path is None else [plain(finding.path)]
    where = f" at {', '.join(places)}" if places else ""
    return f"{finding.code}{where}: {plain(finding.sentence)}"
