"""Stage 3: what the user noted and what the server signed, against the file (§3.1, §3.2)."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from verifier.chain import count_linked
from verifier.findings import Finding, Warned
from verifier.held import Held, table_code
from verifier.logged import Logged, judge_log
from verifier.notes import CardNote, Receipt, read_card, read_receipt
from verifier.reading import Transcript

SignedNote: TypeAlias = Receipt | CardNote


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
        cards: The card notes that verified, and are of this game and origin.
        logged: What the checkpoints say.
        is_end_signed: The server signed the file to its end.
        is_shown_withheld: The log itself lacked the master after its time.
    """

    errors: tuple[Finding, ...]
    warnings: tuple[Warned, ...]
    is_pinned: bool
    is_master_only: bool
    signed_up_to: int
    twice_signed: frozenset[int]
    receipts: tuple[Receipt, ...]
    cards: tuple[CardNote, ...]
    logged: Logged
    is_end_signed: bool
    is_shown_withheld: bool

    @property
    def signers(self) -> tuple[str, ...]:
        """``NAME+KEYID`` of every key that signed something used here, each once."""
        notes: tuple[SignedNote, ...] = (*self.receipts, *self.cards)
        return tuple(dict.fromkeys((*(note.signer for note in notes), *self.logged.signers)))

    def is_provable(self, error: Finding) -> bool:
        """Return whether the server's own signature covers an error (§3.3)."""
        by_log = {
            "E_GAME_ID_REUSED": True,  # the checkpoint signs both
            "E_NOT_IN_LOG": self.is_end_signed,
            "E_REVEAL_WITHHELD": self.is_shown_withheld,
        }
        if error.code in by_log:
            return by_log[error.code]
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
        "E_PLAYER_SIGNATURE",
        "E_SEATING",
        "E_CHECKPOINT_SIGNATURE",
        "E_WITNESS_QUORUM",
        "E_LOG_TRUNCATED",
        "E_LOG_ROOT",
        "E_PROOF",
    }
)


def judge_evidence(transcript: Transcript, held: Held) -> Evidence:
    """Compare the file with what the user noted, with receipts and with the public log."""
    usable, warnings = _usable_notes(transcript, held)
    origin_errors, usable = _check_origin(transcript, usable)
    receipts = [note for note in usable if isinstance(note, Receipt)]
    by_number: dict[int, set[str]] = defaultdict(set)
    for receipt in receipts:
        by_number[receipt.n].add(receipt.digest)
    heads = transcript.heads
    fitting = {
        n for n, digests in by_number.items() if n < len(heads) and heads[n].digest in digests
    }
    linked = count_linked(heads)
    open_hash = heads[0].digest
    logged = judge_log(transcript, held)
    signed_up_to = max((n for n in fitting if n < linked), default=-1)
    reveal_by = transcript.open.reveal_by if transcript.open else None
    return Evidence(
        errors=(
            *_check_noted(transcript, held),
            *origin_errors,
            *_check_receipts(transcript, by_number),
            *logged.errors,
        ),
        warnings=tuple(warnings),
        is_pinned=(
            held.commit == open_hash
            or held.table_code == table_code(open_hash)
            or any(n <= _last_pinning(transcript) for n in fitting)
        ),
        is_master_only=held.commit not in {None, open_hash} and held.commit == _master(transcript),
        signed_up_to=signed_up_to,
        twice_signed=frozenset(n for n, digests in by_number.items() if len(digests) > 1),
        receipts=tuple(receipts),
        cards=tuple(note for note in usable if isinstance(note, CardNote)),
        logged=logged,
        is_end_signed=signed_up_to == len(heads) - 1,
        is_shown_withheld=reveal_by is not None and logged.shows_withheld(reveal_by),
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


def _usable_notes(transcript: Transcript, held: Held) -> tuple[list[SignedNote], list[Warned]]:
    game = transcript.heads[0].fields.game
    usable: list[SignedNote] = []
    reasons: list[str] = []
    notes = dict.fromkeys(held.notes)
    for text in notes:
        note = read_receipt(text, held.receipt_keys) or read_card(text, held.receipt_keys)
        if note is None:
            reasons.append("it is no receipt that the given key signed")
        elif note.game != game:
            reasons.append(f"it is of the game {note.game!a}")
        else:
            usable.append(note)
    if not reasons:
        return usable, []
    why = "no key was given to verify it with" if not held.receipt_keys else reasons[0]
    detail = f"{len(reasons)} of {len(notes)} receipts skipped; the first because {why}"
    return usable, [Warned(code="W_RECEIPT_UNUSABLE", detail=detail)]


def _check_origin(
    transcript: Transcript, notes: list[SignedNote]
) -> tuple[list[Finding], list[SignedNote]]:
    errors: list[Finding] = []
    kept: list[SignedNote] = []
    for note in notes:
        opened = transcript.open.origin if transcript.open else note.origin
        if note.origin == note.key_name == opened:
            kept.append(note)
            continue
        what = "receipt" if isinstance(note, Receipt) else "card note"
        which = f"record {note.n}" if isinstance(note, Receipt) else f"hand {note.hand}"
        detail = (
            f"the {what} of {which} names {note.origin!a}, its key"
            f" {note.key_name!a}, record 0 {opened!a}"
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
