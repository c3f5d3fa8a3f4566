"""The stages of §3.2 in their order: from a file and what the user holds to a report."""

from typing import BinaryIO

from verifier.bundle import Proof
from verifier.chain import find_chain_fault
from verifier.checks import after_bytes
from verifier.evidence import Evidence, judge_evidence
from verifier.findings import Check, Finding
from verifier.held import Held, HeldFault
from verifier.level import level_warnings, replay_warnings
from verifier.reading import MalformedFault, Transcript, read_transcript
from verifier.replay import replay
from verifier.replay.state import State
from verifier.seating import why_not_seated
from verifier.verdict import Report, decide, find_withheld, hand_lines, reach_of


def verify(file: BinaryIO, held: Held) -> Report:
    """Check a transcript.

    Args:
        file: Seekable, read only; its place is moved.
        held: Evidence outside the file.

    Raises:
        FileChangedError: The file did not hold still.
        HeldFault: *My record* is of another game, or the user's seat is none that has a seed;
            not where the file is another than the user noted, which is then the fault.
    """
    try:
        transcript = read_transcript(file)
    except MalformedFault as fault:
        return _malformed(fault)
    game = transcript.heads[0].fields.game
    if held.game not in {None, game}:
        raise HeldFault(f"my record is of the game {held.game}, the file is of {game}")
    chain_fault = find_chain_fault(transcript.heads)
    evidence = judge_evidence(transcript, held)
    if not evidence.errors:
        _check_seat(transcript, held)
    errors = [*([chain_fault] if chain_fault else []), *evidence.errors]
    errors += _check_seating(transcript, held)
    end = len(transcript.heads)
    if chain_fault and chain_fault.at is not None:
        end = chain_fault.at
    state = _replay(transcript, held, evidence, end, errors)
    checks = after_bytes(transcript.open, held, evidence, errors, state, len(transcript.heads))
    verdict, level = decide(errors, evidence, checks, state)
    warnings = [*evidence.warnings]
    if state:
        warnings += [*state.warnings, *replay_warnings(evidence, state)]
    if level:
        warnings += level_warnings(level, evidence)
    return Report(
        verdict=verdict,
        level=level,
        errors=tuple(errors),
        warnings=tuple(warnings),
        checks=checks,
        game=game,
        open_hash=transcript.heads[0].digest,
        hands=hand_lines(state) if state else (),
        proof=_proof(evidence, held) if verdict == "FRAUD" else None,
        reach=reach_of(transcript.heads, evidence, state),
    )


def _check_seat(transcript: Transcript, held: Held) -> None:
    """Refuse a seat that the game does not have (§3.1)."""
    own = held.own_seed
    if own is None or transcript.open is None:
        return
    seats = transcript.open.seats
    if own.seat >= len(seats):
        raise HeldFault(
            f"there is no seat {own.seat}; this game has the seats 0 to {len(seats) - 1}"
        )


def _check_seating(transcript: Transcript, held: Held) -> list[Finding]:
    if held.seating is None:
        return []
    draw = verify(held.seating, Held())
    why = why_not_seated(transcript, draw, held.seating)
    return [Finding(code="E_SEATING", at=0, detail=why)] if why else []


def _replay(
    transcript: Transcript, held: Held, evidence: Evidence, end: int, errors: list[Finding]
) -> State | None:
    """Run stages 4 and 5 where there is a record 0; add what they find."""
    if transcript.open is None:
        if end > 0:
            detail = f"record 0 is of the type {transcript.heads[0].fields.kind}, not open"
            errors.append(Finding(code="E_NO_OPEN", at=0, detail=detail))
        return None
    state = replay(transcript, transcript.open, held, end, evidence.cards)
    errors += state.errors
    if not errors:
        withheld = find_withheld(state, held, evidence)
        errors += [withheld] if withheld else []
    return state


def _proof(evidence: Evidence, held: Held) -> Proof:
    notes = [receipt.note for receipt in evidence.receipts]
    notes += [card.note for card in evidence.cards]
    keys = [key.text for key in (*held.receipt_keys, *held.log_keys, *held.witnesses)]
    return Proof(
        notes=tuple(notes),
        checkpoints=evidence.logged.notes,
        keys=tuple(dict.fromkeys(keys)),
        quorum=held.quorum,
    )


def _malformed(fault: MalformedFault) -> Report:
    where = "" if fault.at is None else f" in line {fault.at + 1}"
    return Report(
        verdict="MALFORMED",
        level=None,
        errors=(Finding(code=fault.code, at=fault.at, detail=fault.detail),),
        warnings=(),
        checks=(Check(name="bytes", status="wrong", detail=f"{fault.code}{where}"),),
        game=None,
    )
