"""A report as text for people and as one JSON object for programs (§3.4)."""

import json
from collections.abc import Iterator, Sequence
from typing import Final

from verifier.findings import Check, Finding, HandLine, Warned
from verifier.held import table_code
from verifier.verdict import SENTENCES, Report

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


def to_text(report: Report, *, explain: bool = False) -> str:
    """Return the report in plain words, ASCII only, its last line ended.

    Args:
        report: What was found.
        explain: Say also how each check went and which cards every hand had.
    """
    return "".join(f"{line}\n" for line in _lines(report, explain=explain))


def _lines(report: Report, *, explain: bool) -> Iterator[str]:
    level = f" [{report.level}]" if report.level else ""
    yield f"{report.verdict}{level} {SENTENCES[report.verdict]}"
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
        yield _count_hands(report.hands)
    for hand in report.hands:
        yield from _hand_lines(hand, explain=explain)
    if explain:
        yield "checks:"
        yield from map(_check_line, report.checks)


def _error_lines(errors: Sequence[Finding]) -> Iterator[str]:
    for error in errors[:_SHOWN_ERRORS]:
        rule = f" ({error.rule})" if error.rule else ""
        yield f"{error.code}{rule}{_place(error.at, error.hand)}: {_ascii(error.detail)}"
    if len(errors) > _SHOWN_ERRORS:
        yield f"and {len(errors) - _SHOWN_ERRORS} errors more; --json lists them all"


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


def _count_hands(hands: Sequence[HandLine]) -> str:
    verified = sum(hand.status == "verified" for hand in hands)
    return f"hands: {verified} of {len(hands)} verified against their own commitments"


def _hand_lines(hand: HandLine, *, explain: bool) -> Iterator[str]:
    ending = {"score": "scored", "abort": "aborted", None: "in play"}[hand.ending]
    yield f"  hand {hand.hand} (record {hand.at}): {ending}, {_HAND_STATUS[hand.status]}"
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
