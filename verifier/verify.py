"""The stages of §3.2 in their order: from a file and what the user holds to a report."""

from typing import BinaryIO

from verifier.chain import find_chain_fault
from verifier.checks import after_bytes, can_replay
from verifier.evidence import Evidence, judge_evidence
from verifier.findings import Check, Finding
from verifier.held import Held
from verifier.reading import MalformedFault, Transcript, read_transcript
from verifier.replay import replay
from verifier.replay.state import State
from verifier.verdict import Report, decide, find_withheld, hand_lines


def verify(file: BinaryIO, held: Held) -> Report:
    """Check a transcript.

    Args:
        file: Seekable, read only; its place is moved.
        held: Evidence outside the file.

    Raises:
        FileChangedError: The file did not hold still.
    """
    try:
        transcript = read_transcript(file)
    except MalformedFault as fault:
        return _malformed(fault)
    chain_fault = find_chain_fault(transcript.heads)
    evidence = judge_evidence(transcript, held)
    errors = [*([chain_fault] if chain_fault else []), *evidence.errors]
    end = len(transcript.heads)
    if chain_fault and chain_fault.at is not None:
        end = chain_fault.at
    state = _replay(transcript, held, end, errors)
    checks = after_bytes(transcript.open, held, errors, state, len(transcript.heads))
    verdict, level, level_warnings = decide(errors, evidence, checks, state)
    return Report(
        verdict=verdict,
        level=level,
        errors=tuple(errors),
        warnings=(*evidence.warnings, *(state.warnings if state else ()), *level_warnings),
        checks=checks,
        game=transcript.heads[0].fields.game,
        open_hash=transcript.heads[0].digest,
        hands=hand_lines(state) if state else (),
        proof=_proof(transcript, evidence, held) if verdict == "FRAUD" else None,
    )


def _replay(transcript: Transcript, held: Held, end: int, errors: list[Finding]) -> State | None:
    """Run stages 4 and 5 where this version can; add what they find."""
    if transcript.open is None:
        if end > 0:
            detail = f"record 0 is of the type {transcript.heads[0].fields.kind}, not open"
            errors.append(Finding(code="E_NO_OPEN", at=0, detail=detail))
        return None
    if not can_replay(transcript.open):
        return None
    state = replay(transcript, transcript.open, held, end)
    errors += state.errors
    if not errors:
        withheld = find_withheld(state, held)
        errors += [withheld] if withheld else []
    return state


def _proof(transcript: Transcript, evidence: Evidence, held: Held) -> dict[str, list[str]]:
    lines = range(evidence.signed_up_to + 1)
    return {
        "lines": [transcript.line(at).decode() for at in lines],
        "notes": [receipt.note for receipt in evidence.receipts],
        "keys": [key.text for key in held.receipt_keys],
    }


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
