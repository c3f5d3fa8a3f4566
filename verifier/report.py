"""A report as text for people and as one JSON object for programs (§3.4)."""

import json
from collections.abc import Iterator, Sequence
from typing import Final

from verifier.findings import Check, Finding, HandLine, Level, Warned
from verifier.held import table_code
from verifier.verdict import SENTENCES, Reach, Report

_MAX_DETAIL: Final = 1500
_SHOWN_ERRORS: Final = 20
_LOUD: Final = {
    "W_COMMIT_TIME_UNPROVEN": "NOTHING HERE PROVES THAT THE DECK WAS FIXED BEFORE THE SEEDS WERE"
    " KNOWN. GIVE --commit, --table-code OR --receipts.",
}
_HAND_STATUS: Final = {
    "verified": "dealt exactly as derived",
    "wrong": "WRONG",
    "not-opened": "its secret is not out",
}


def to_json(report: Report) -> str:
    """Return the object of §3.4 on one line, ASCII only."""
    return json.dumps(
        {
            "verdict": report.verdict,
            "level": report.level,
            "error": report.errors[0].code if report.errors else None,
            "errors": [
                {
                    "code": error.code,
                    "at": error.at,
                    "hand": error.hand,
                    "detail": _ascii(error.detail),
                    "rule": error.rule,
                }
                for error in report.errors
            ],
            "warnings": [
                {"code": warning.code, "at": warning.at, "detail": _ascii(warning.detail)}
                for warning in report.warnings
            ],
            "checks": [
                {"name": check.name, "status": check.status, "detail": _ascii(check.detail)}
                for check in report.checks
            ],
            "game": report.game,
            "hands": [_hand_object(hand) for hand in report.hands],
        }
    )


def to_text(report: Report, *, explain: bool = False, require: Level | None = None) -> str:
    """Return the report in plain words, ASCII only, its last line ended.

    Args:
        report: What was found.
        explain: Say also how each check went and which cards every hand had.
        require: The level that the user asked for.
    """
    return "".join(f"{line}\n" for line in _lines(report, explain=explain, require=require))


def _lines(report: Report, *, explain: bool, require: Level | None) -> Iterator[str]:
    level = f" [{report.level}]" if report.level else ""
    yield f"{report.verdict}{level} {SENTENCES[report.verdict]}"
    if report.is_below(require):
        yield f"Below the level you asked for: {require}."
    if report.reach:
        yield from _reach_lines(report, report.reach)
    yield from _error_lines(report.errors)
    yield from map(_warning_line, report.warnings)
    yield from (_check_line(check) for check in report.checks if check.status == "not-run")
    if report.game and report.open_hash:
        code = table_code(report.open_hash)
        groups = " ".join(code[at : at + 4] for at in range(0, len(code), 4))
        yield f"game {report.game}: record 0 {report.open_hash}, table code {groups}"
        yield from (
            f"rules: {_ascii(check.detail)}" for check in report.checks if check.name == "preset"
        )
    if report.reach:
        yield from _hands_lines(report.hands, report.reach, explain=explain)
    if explain:
        yield "checks:"
        yield from map(_check_line, report.checks)


def _reach_lines(report: Report, reach: Reach) -> Iterator[str]:
    """What the fixed first line leaves open: whose key, how far signed, why not VALID."""
    if report.verdict == "FRAUD":
        yield f"Proved by the key YOU gave: {_ascii(', '.join(reach.signers))}"
    if report.verdict == "INCOMPLETE" and reach.is_ended:
        missing = ", ".join(report.not_run)
        yield f"The game has ended, but this verifier could not run every check: {missing}."
    if reach.signed_to >= 0:
        yield f"Signed by the server up to record {reach.signed_to} of {reach.last}."


def _error_lines(found: Sequence[Finding]) -> Iterator[str]:
    errors = _gathered(found)
    for error in errors[:_SHOWN_ERRORS]:
        rule = f" ({error.rule})" if error.rule else ""
        yield f"{error.code}{rule}{_place(error.at, error.hand)}: {_ascii(error.detail)}"
    if len(errors) > _SHOWN_ERRORS:
        yield f"and {len(errors) - _SHOWN_ERRORS} errors more; --json lists them all"


def _gathered(errors: Sequence[Finding]) -> list[Finding]:
    """Give the receipts of another file as one error, in the place of the first of them."""
    other = [error for error in errors if error.code == "E_EQUIVOCATION"]
    if len(other) < 2:
        return list(errors)
    first = other[0]
    detail = (
        f"{len(other)} receipts, from record {first.at} on, are of another file;"
        f" at record {first.at} {first.detail}"
    )
    one = Finding(code=first.code, at=first.at, detail=detail)
    return [
        one if error is first else error
        for error in errors
        if error is first or error.code != first.code
    ]


def _place(at: int | None, hand: int | None) -> str:
    parts = [] if at is None else [f"record {at}"]
    if hand is not None:
        parts.append(f"hand {hand}")
    return f" at {', '.join(parts)}" if parts else ""


def _warning_line(warning: Warned) -> str:
    detail = _LOUD.get(warning.code) or _ascii(warning.detail)
    return f"{warning.code}{_place(warning.at, None)}: {detail}"


def _check_line(check: Check) -> str:
    return f"  {check.status}: {check.name} ({_ascii(check.detail)})"


def _hands_lines(hands: Sequence[HandLine], reach: Reach, *, explain: bool) -> Iterator[str]:
    judged = f"judged only up to record {reach.judged_to}"
    if reach.judged_to < 0:
        judged = "not judged"
    is_whole = reach.judged_to == reach.last
    verified = sum(hand.status == "verified" for hand in hands)
    end = "" if is_whole else f"; {judged}"
    yield f"hands: {verified} of {reach.deals} verified against their own commitments{end}"
    for hand in hands:
        yield from _hand_lines(hand, None if is_whole else judged, explain)


def _hand_lines(hand: HandLine, judged: str | None, explain: bool) -> Iterator[str]:
    # How a hand goes on behind the last record that was judged, nobody here says.
    open_end = "cut short" if judged else "in play"
    ending = {"score": "scored", "abort": "aborted", None: open_end}[hand.ending]
    status = judged if judged and hand.status == "not-opened" else _HAND_STATUS[hand.status]
    yield f"  hand {hand.hand} (record {hand.at}): {ending}, {status}"
    # What would have been dealt is always shown of a hand that was given up (§2.9).
    if hand.cards and (explain or hand.ending == "abort"):
        for seat, faces in enumerate(hand.cards):
            yield f"    seat {seat}: {' '.join(faces)}"


def _hand_object(hand: HandLine) -> dict[str, object]:
    return {
        "hand": hand.hand,
        "at": hand.at,
        "status": hand.status,
        "ending": hand.ending,
        "cards": hand.cards,
    }


def _ascii(text: str) -> str:
    """Return printable ASCII: a record's text must not steer a terminal."""
    shown = text if text.isprintable() and text.isascii() else ascii(text)[1:-1]
    return shown if len(shown) <= _MAX_DETAIL else shown[:_MAX_DETAIL] + "..."
