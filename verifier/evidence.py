"""Stage 3: what the user noted and what the server signed, against the file (§3.1, §3.2)."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from verifier.chain import count_linked
from verifier.findings import Finding, Warned
from verifier.held import Held, table_code
from verifier.notes import Receipt, read_receipt
from verifier.reading import Transcript


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What stage 3 found.

    Attributes:
        is_pinned: Something fixes record 0 as it was before the first lock (§3.1).
        is_master_only: The noted commitment is master_commit, which pins nothing.
        signed_up_to: The largest number whose record, with all before it, the server signed;
            -1 for none.
        twice_signed: Numbers for which two receipts have different hashes.
        receipts: The receipts that verified, and are of this game and origin.
    """

    errors: tuple[Finding, ...]
    warnings: tuple[Warned, ...]
    is_pinned: bool
    is_master_only: bool
    signed_up_to: int
    twice_signed: frozenset[int]
    receipts: tuple[Receipt, ...]

    def is_provable(self, error: Finding) -> bool:
        """Return whether the server's own signature covers an error (§3.3)."""
        if error.code in _NEVER_PROVABLE or error.at is None:
            return False
        if error.code == "E_EQUIVOCATION" and error.at in self.twice_signed:
            return True
        return error.at <= self.signed_up_to


_NEVER_PROVABLE = frozenset(
    {
        "E_TRUNCATED",
        "E_PINNED_COMMIT",
        "E_ORIGIN",
        "E_OWN_SEED",
        "E_OWN_HAND",
        "E_REVEAL_WITHHELD",  # without checkpoints
    }
)


def judge_evidence(transcript: Transcript, held: Held) -> Evidence:
    """Compare the file with what the user noted and with the receipts."""
    receipts, warnings = _usable_receipts(transcript, held)
    origin_errors, receipts = _check_origin(transcript, receipts)
    by_number: dict[int, set[str]] = defaultdict(set)
    for receipt in receipts:
        by_number[receipt.n].add(receipt.digest)
    heads = transcript.heads
    fitting = {
        n for n, digests in by_number.items() if n < len(heads) and heads[n].digest in digests
    }
    linked = count_linked(heads)
    open_hash = heads[0].digest
    return Evidence(
        errors=(
            *_check_noted(transcript, held),
            *origin_errors,
            *_check_receipts(transcript, by_number),
        ),
        warnings=tuple(warnings),
        is_pinned=(
            held.commit == open_hash
            or held.table_code == table_code(open_hash)
            or any(n <= _last_pinning(transcript) for n in fitting)
        ),
        is_master_only=held.commit not in {None, open_hash} and held.commit == _master(transcript),
        signed_up_to=max((n for n in fitting if n < linked), default=-1),
        twice_signed=frozenset(n for n, digests in by_number.items() if len(digests) > 1),
        receipts=tuple(receipts),
    )


def _master(transcript: Transcript) -> str | None:
    return transcript.open.master_commit if transcript.open else None


def _last_pinning(transcript: Transcript) -> int:
    """Return the largest n whose receipt pins: the first lock's, or any while there is none."""
    locks = (at for at, head in enumerate(transcript.heads) if head.fields.kind == "lock")
    return next(locks, len(transcript.heads))


def _check_noted(transcript: Transcript, held: Held) -> Iterable[Finding]:
    open_hash = transcript.heads[0].digest
    if held.commit not in {None, open_hash, _master(transcript)}:
        yield Finding(
            code="E_PINNED_COMMIT",
            at=0,
            detail=f"you noted {held.commit}; record 0 has the hash {open_hash}"
            f" and the master commitment {_master(transcript)}",
        )
    code = table_code(open_hash)
    if held.table_code not in {None, code}:
        detail = f"you noted the table code {held.table_code}; record 0 has {code}"
        yield Finding(code="E_PINNED_COMMIT", at=0, detail=detail)


def _usable_receipts(transcript: Transcript, held: Held) -> tuple[list[Receipt], list[Warned]]:
    game = transcript.heads[0].fields.game
    usable: list[Receipt] = []
    reasons: list[str] = []
    notes = dict.fromkeys(held.notes)
    for note in notes:
        receipt = read_receipt(note, held.receipt_keys)
        if receipt is None:
            reasons.append("it is no receipt that the given key signed")
        elif receipt.game != game:
            reasons.append(f"it is of the game {receipt.game!a}")
        else:
            usable.append(receipt)
    if not reasons:
        return usable, []
    why = "no key was given to verify it with" if not held.receipt_keys else reasons[0]
    detail = f"{len(reasons)} of {len(notes)} receipts skipped; the first because {why}"
    return usable, [Warned(code="W_RECEIPT_UNUSABLE", detail=detail)]


def _check_origin(
    transcript: Transcript, receipts: list[Receipt]
) -> tuple[list[Finding], list[Receipt]]:
    errors: list[Finding] = []
    kept: list[Receipt] = []
    for receipt in receipts:
        opened = transcript.open.origin if transcript.open else receipt.origin
        if receipt.origin == receipt.key_name == opened:
            kept.append(receipt)
            continue
        detail = (
            f"the receipt of record {receipt.n} names {receipt.origin!a}, its key"
            f" {receipt.key_name!a}, record 0 {opened!a}"
        )
        errors.append(Finding(code="E_ORIGIN", at=0, detail=detail))
    return errors, kept


def _check_receipts(transcript: Transcript, by_number: dict[int, set[str]]) -> Iterable[Finding]:
    heads = transcript.heads
    for n in sorted(by_number):
        signed = " and ".join(sorted(by_number[n]))
        if n >= len(heads):
            detail = f"a receipt for record {n}; the file ends with record {len(heads) - 1}"
            yield Finding(code="E_TRUNCATED", at=n, detail=detail)
        elif by_number[n] != {heads[n].digest}:
            detail = f"the receipts say {signed}; the file's record has {heads[n].digest}"
            yield Finding(code="E_EQUIVOCATION", at=n, detail=detail)
