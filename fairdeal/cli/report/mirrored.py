"""A mirror of a log as the subject of a report."""

import shlex
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from fairdeal.cli.audit.log.auditing import audit_log
from fairdeal.cli.audit.log.findings import Finding, LogAudit
from fairdeal.cli.audit.log.mirror import FolderMirror
from fairdeal.cli.audit.log.trust import Trust
from fairdeal.cli.report.folder import FAST, MOST_FAULTS
from fairdeal.cli.report.subject import Day, Fault, Subject
from fairdeal.errors import MalformedInput
from fairdeal.tlog.bundlefile import INDEX, BundleIndex, parse_bundle_index, read_bundle_games
from verifier.held import HeldFault
from verifier.loglines import scan_log
from verifier.mirror import open_mirror

_PIECE: Final = 2**16
_END_OF_TIME: Final = 2**53 - 1
_SENTENCES: Final = {
    0: "Every leaf is under the signed root, and every finished game was dealt as it committed to.",
    1: "At least one thing contradicts what the log, or a game in it, had committed to.",
    3: "Nothing is wrong so far, but something could not be looked at; each is named below.",
    4: "No log could be read.",
}


@dataclass(frozen=True, slots=True)
class MirrorSource:
    """A mirror, audited."""

    folder: Path
    audit: LogAudit
    subject: Subject
    index: BundleIndex

    def transcripts(self) -> Iterator[bytes]:
        """Yield the games of the bundles that nothing was found against, in the log's order."""
        bad = {one.game for one in self.audit.findings if one.code.startswith("E_")}
        for day in self.index.days:
            try:
                for game, data in read_bundle_games(_pieces(self.folder / day.path, day.bytes)):
                    if game not in bad:
                        yield data
            except (OSError, MalformedInput):
                continue  # the audit names it

    def places(self, game: str) -> dict[int, int]:
        """Return the place in the log of each record of a game that is there, by its number."""
        try:
            with open_mirror(self.folder) as lines:
                scan = scan_log(lines, game, [self.audit.size])
        except (OSError, HeldFault):
            return {}
        return {leaf.n: leaf.index for leaf in reversed(scan.leaves)}


def from_mirror(
    folder: Path,
    *,
    trust: Trust | None,
    now: int | None,
    is_fast: bool,
    executor: Executor | None,
    options: tuple[str, ...],
) -> MirrorSource:
    """Audit a mirror for a report.

    No clock is asked, so that the report comes out the same tomorrow: without `now` no cosignature
    is taken to be from the future.

    Args:
        folder: It has a file `checkpoint`.
        trust: Whom to trust; None for the log's own policy.
        now: A trusted time, ms since 1970.
        is_fast: Re-derive deals only; verify one game in a hundred.
        executor: None for here.
        options: What was given beside the folder, to be given again.
    """
    audit = audit_log(
        FolderMirror(folder),
        trust=trust,
        book=None,
        executor=executor,
        clock_ms=_END_OF_TIME if now is None else now,
        is_fast=is_fast,
        sample_seed=_sample_seed(folder),
        now_ms=now,
    )
    return source_of(folder, audit, options)


def source_of(folder: Path, audit: LogAudit, options: tuple[str, ...] = ()) -> MirrorSource:
    """Return an audit of a mirror as a source."""
    index = _index(folder)
    return MirrorSource(folder, audit, _subject(audit, index, options), index)


def _sample_seed(folder: Path) -> str:
    """Return what the sample is drawn with: the signed text of the checkpoint."""
    try:
        lines = (folder / "checkpoint").read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError):
        return ""
    return " ".join(lines[:3])


def _index(folder: Path) -> BundleIndex:
    try:
        return parse_bundle_index((folder / INDEX).read_bytes())
    except (OSError, MalformedInput):
        return BundleIndex()


def _pieces(path: Path, size: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        left = size
        while left and (piece := file.read(min(left, _PIECE))):
            left -= len(piece)
            yield piece


def _subject(audit: LogAudit, index: BundleIndex, options: tuple[str, ...]) -> Subject:
    counts = audit.counts
    how = (
        "re-derived in bulk, one game in a hundred verified fully" if audit.is_fast else "verified"
    )
    trusted = "given by the caller" if audit.is_pinned else "the log's own policy: NOT PINNED"
    on_time = max(0, counts.hands - counts.reveals_late)
    return Subject(
        kind="log",
        verdict=audit.word,
        sentence=_SENTENCES[audit.exit_status],
        exit_status=audit.exit_status,
        root=audit.root,
        scope=(
            ("log", audit.origin or "-"),
            ("entries", f"{audit.size:,}"),
            ("root", audit.root or "-"),
            ("complete_to_index", f"{audit.complete_to_index:,}"),
            ("keys and witnesses", trusted),
            ("witnesses", f"{len(audit.cosigned)} cosigned, {audit.quorum} are needed"),
            ("games", f"{counts.opened:,} opened, {counts.closed:,} closed, {counts.open:,} open"),
            ("hands", f"{counts.hands:,} dealt, {counts.aborted:,} aborted"),
            ("void epochs", f"{counts.voids:,}"),
            ("transcripts", f"{counts.transcripts:,} read, {counts.verified:,} {how}"),
        ),
        method=(
            "The checkpoint's signatures were checked, and its root was computed from every entry.",
            "Every game's leaves were held to their order, commitments, seeds and deadlines.",
            f"The transcripts of closed games were {how}.",
            *([FAST] if audit.is_fast else []),
        ),
        command=" ".join(["fairdeal report DIR -o report.html", *map(shlex.quote, options)]),
        faults=tuple(map(_fault, audit.findings[:MOST_FAULTS])),
        found=audit.found,
        figures={"origin": audit.origin, "size": audit.size, **asdict(counts)},
        statistics=audit.statistics,
        days=tuple(Day(one.day, one.games, one.last_index) for one in index.days),
        promises=(on_time, counts.reveals_late, counts.longest_reveal_ms),
    )


def _fault(one: Finding) -> Fault:
    places = [one.game, None if one.index is None else f"entry {one.index}", one.path]
    return Fault(one.code, ", ".join(filter(None, places)) or "-", one.sentence)
