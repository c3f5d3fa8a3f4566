"""Stage 3, the public log: checkpoints, what they hold of the game, since when (§2.11, §3.2)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from verifier.checkpoints import Checkpoint, read_checkpoint
from verifier.findings import Finding
from verifier.held import Held
from verifier.loglines import Leaf, LogScan, scan_log
from verifier.proofs import UNLOGGED, find_proven, leaves_of, parse_proof
from verifier.reading import Transcript

MAX_ABSENT: Final = 60_000  # ms that a game may be missing from its log


@dataclass(frozen=True, slots=True)
class Witnessed:
    """A checkpoint in which nothing was wrong.

    Attributes:
        time: When a quorum had seen it, ms; None without one.
        numbers: The file's records that it holds.
        kinds: The types of all the game's records that it holds.
        is_whole: All its lines were read, so what is not here was not in it; not of a proof.
    """

    checkpoint: Checkpoint
    time: int | None
    numbers: frozenset[int]
    kinds: frozenset[str]
    is_whole: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """What the checkpoints say.

    Attributes:
        errors: In the order of the checkpoints.
        good: The checkpoints in which nothing was wrong.
        notes: Those that verified, good or not, for the evidence file.
        signers: ``NAME+KEYID`` of the log keys that signed these.
    """

    errors: tuple[Finding, ...] = ()
    good: tuple[Witnessed, ...] = field(default=())
    notes: tuple[str, ...] = ()
    signers: tuple[str, ...] = ()

    @property
    def time(self) -> int | None:
        """The latest time at which a good checkpoint was seen, ms."""
        return max((seen.time for seen in self.good if seen.time is not None), default=None)

    def seen_at(self, number: int) -> int | None:
        """Return since when witnesses had seen a record of the file, ms; None if never."""
        times = [
            seen.time for seen in self.good if seen.time is not None and number in seen.numbers
        ]
        return min(times, default=None)

    def shows_withheld(self, reveal_by: int) -> bool:
        """Return whether the log itself lacked this game's master after its time (§3.3)."""
        return any(
            seen.time is not None
            and seen.time > reveal_by
            and seen.is_whole
            and 0 in seen.numbers
            and "master" not in seen.kinds
            for seen in self.good
        )


def judge_log(transcript: Transcript, held: Held) -> Logged:
    """Judge every checkpoint and every proof that the user gave, against log and file."""
    lines, proven = _judge_lines(transcript, held), _judge_proofs(transcript, held)
    return Logged(
        errors=tuple(dict.fromkeys((*lines.errors, *proven.errors))),
        good=lines.good + proven.good,
        notes=lines.notes,
        signers=lines.signers + proven.signers,
    )


def _judge_lines(transcript: Transcript, held: Held) -> Logged:
    if held.log is None:
        return Logged()
    read = [_read(note, held) for note in held.checkpoints]
    sizes = [checkpoint.size for checkpoint in read if checkpoint]
    scan = scan_log(held.log, transcript.heads[0].fields.game, sizes)
    errors: list[Finding] = []
    good: list[Witnessed] = []
    for checkpoint in read:
        fault = _fault(checkpoint, scan, transcript, held)
        if fault and fault not in errors:
            errors.append(fault)
        if checkpoint and not fault:
            good.append(_witnessed(checkpoint, scan, held.quorum))
    return Logged(
        errors=tuple(errors),
        good=tuple(good),
        notes=tuple(checkpoint.note for checkpoint in read if checkpoint),
        signers=tuple(checkpoint.signer for checkpoint in read if checkpoint),
    )


def _judge_proofs(transcript: Transcript, held: Held) -> Logged:
    """Judge each proof as a checkpoint of which one record's place is known."""
    leaves = leaves_of(transcript) if held.proofs else {}
    errors: list[Finding] = []
    good: list[Witnessed] = []
    signers: list[str] = []
    for proof in map(parse_proof, held.proofs):
        checkpoint = _read(proof.note, held)
        if checkpoint is None:
            detail = "the checkpoint of a proof is signed by no log key"
            errors.append(Finding(code="E_CHECKPOINT_SIGNATURE", detail=detail))
            continue
        signers.append(checkpoint.signer)
        fault = _why_not_trusted(checkpoint, transcript, held)
        number = find_proven(proof, checkpoint.size, checkpoint.root, leaves)
        if fault:
            errors.append(fault)
        elif number is None:
            detail = (
                f"no record of the file is entry {proof.index} of the {checkpoint.size} that the"
                " checkpoint of the proof counts"
            )
            errors.append(Finding(code="E_PROOF", detail=detail))
        else:
            time, kind = checkpoint.time(held.quorum), transcript.heads[number].fields.kind
            numbers, kinds = frozenset({number}), frozenset({kind})
            good.append(Witnessed(checkpoint, time, numbers, kinds, is_whole=False))
    return Logged(errors=tuple(errors), good=tuple(good), signers=tuple(signers))


def _read(note: str, held: Held) -> Checkpoint | None:
    return read_checkpoint(note, held.log_keys, held.witnesses, held.now)


def _fault(
    checkpoint: Checkpoint | None, scan: LogScan, transcript: Transcript, held: Held
) -> Finding | None:
    """Return a checkpoint's first fault."""
    if checkpoint is None:
        return Finding(code="E_CHECKPOINT_SIGNATURE", detail="a checkpoint that no log key signed")
    why = _why_not_trusted(checkpoint, transcript, held) or _why_other_lines(checkpoint, scan)
    if why:
        return why
    leaves = [leaf for leaf in scan.leaves if leaf.index < checkpoint.size]
    twice = _why_reused(leaves)
    if twice:
        return Finding(code="E_GAME_ID_REUSED", detail=twice)
    other = _why_not_in_log(leaves, transcript, checkpoint.time(held.quorum))
    if other:
        return Finding(code="E_NOT_IN_LOG", detail=other)
    end = len(transcript.heads)
    beyond = [leaf.n for leaf in leaves if leaf.n >= end]
    if beyond:
        detail = f"the log holds record {min(beyond)}; the file ends with record {end - 1}"
        return Finding(code="E_TRUNCATED", at=min(beyond), detail=detail)
    return None


def _why_not_trusted(checkpoint: Checkpoint, transcript: Transcript, held: Held) -> Finding | None:
    opened = transcript.open.origin if transcript.open else checkpoint.origin
    if not checkpoint.origin == checkpoint.key_name == opened:
        detail = (
            f"the checkpoint of size {checkpoint.size} names {checkpoint.origin!a}, its key"
            f" {checkpoint.key_name!a}, record 0 {opened!a}"
        )
        return Finding(code="E_ORIGIN", at=0, detail=detail)
    if len(checkpoint.times) < held.quorum:
        detail = (
            f"the checkpoint of size {checkpoint.size} has {len(checkpoint.times)} cosignatures"
            f" of your witnesses, due are {held.quorum}"
        )
        return Finding(code="E_WITNESS_QUORUM", detail=detail)
    return None


def _why_other_lines(checkpoint: Checkpoint, scan: LogScan) -> Finding | None:
    if scan.size < checkpoint.size:
        detail = f"the log has {scan.size} lines, its checkpoint counts {checkpoint.size}"
        return Finding(code="E_LOG_TRUNCATED", detail=detail)
    root = scan.roots[checkpoint.size]
    if root != checkpoint.root:
        detail = (
            f"the first {checkpoint.size} lines have the root {root.hex()}, the checkpoint"
            f" signs {checkpoint.root.hex()}"
        )
        return Finding(code="E_LOG_ROOT", detail=detail)
    return None


def _why_reused(leaves: Sequence[Leaf]) -> str | None:
    first: dict[int, Leaf] = {}
    for leaf in leaves:
        other = first.setdefault(leaf.n, leaf)
        if other.digest != leaf.digest:
            return (
                f"two different records {leaf.n} of this game: lines {other.index} and"
                f" {leaf.index} of the log, counted from 0"
            )
    return None


def _why_not_in_log(leaves: Sequence[Leaf], transcript: Transcript, time: int | None) -> str | None:
    heads = transcript.heads
    begun = heads[0].fields.t
    if not leaves and time is not None and time > begun + MAX_ABSENT:
        late = (time - begun) // 1000
        return f"{late} s after the game began its log knew nothing of it"
    for leaf in leaves:
        if leaf.n < len(heads) and leaf.digest != heads[leaf.n].digest:
            return (
                f"record {leaf.n} is {heads[leaf.n].digest} in the file, and {leaf.digest}"
                f" in line {leaf.index} of the log, counted from 0"
            )
    held = {leaf.n for leaf in leaves}
    for n in range(min(max(held, default=0), len(heads))):
        if n not in held and heads[n].fields.kind != UNLOGGED:
            return f"the log has record {max(held)} of the game and not record {n} before it"
    return None


def _witnessed(checkpoint: Checkpoint, scan: LogScan, quorum: int) -> Witnessed:
    leaves = [leaf for leaf in scan.leaves if leaf.index < checkpoint.size]
    return Witnessed(
        checkpoint,
        checkpoint.time(quorum),
        frozenset(leaf.n for leaf in leaves),
        frozenset(leaf.kind for leaf in leaves),
    )
