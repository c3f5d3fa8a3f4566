"""An audit's result as text for people and as one JSON object for programs."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Final

from fairdeal.cli.audit.judging import Judged
from fairdeal.cli.audit.running import BAD, WORST_FIRST, Audit, word_of
from fairdeal.fairness.bulk import WAY

_SHOWN: Final = 20
_MAX_DETAIL: Final = 400


def to_json(audit: Audit) -> str:
    """Return the object on one line, ASCII only."""
    return json.dumps(
        {
            "kind": "fairdeal-audit-1",
            "verdict": audit.worst,
            "exit": audit.exit_status,
            "conditions": audit.conditions,
            "fast": _fast(audit),
            "counts": _counts(audit),
            "files": [one.to_json() for one in audit.files],
            "across": [
                {"code": one.code, "detail": one.detail, "files": list(one.files)}
                for one in audit.across
            ],
        }
    )


def to_lines(audit: Audit) -> Iterator[str]:
    """Yield the lines for people, ASCII only: the worst verdict and the counts first."""
    counts = ", ".join(f"{number} {word}" for word, number in _counts(audit).items())
    yield f"{audit.worst} is the worst of {len(audit.files)} files: {counts}"
    for one in audit.files:
        if word_of(one) in BAD:
            yield f"{word_of(one)} {plain(one.path)}: {_first_error(one)}"
    for across in audit.across:
        listed = ", ".join(map(plain, across.files[:_SHOWN]))
        more = f" and {len(across.files) - _SHOWN} more" if len(across.files) > _SHOWN else ""
        yield f"{across.code}: {plain(across.detail)}" + (f" ({listed}{more})" if listed else "")
    running = [one.path for one in audit.files if word_of(one) == "INCOMPLETE"]
    if running:
        more = f" and {len(running) - _SHOWN} more; --json lists them all"
        listed = ", ".join(map(plain, running[:_SHOWN]))
        yield f"not over yet, or not all could be checked: {listed}" + more * (
            len(running) > _SHOWN
        )
    yield from _how(audit)


def plain(text: str) -> str:
    """Return printable ASCII: a file's name or text must not steer a terminal."""
    shown = text if text.isprintable() and text.isascii() else ascii(text)[1:-1]
    return shown if len(shown) <= _MAX_DETAIL else shown[:_MAX_DETAIL] + "..."


def _how(audit: Audit) -> Iterator[str]:
    hows = Counter(one.how for one in audit.files)
    hands = sum(one.hands for one in audit.files)
    aborted = sum(one.aborted for one in audit.files)
    yield (
        f"{hands} hands, {aborted} of them given up; {hows['verified']} files verified now, "
        f"{hows['kept']} before with the same verifier"
    )
    if audit.is_fast:
        yield (
            f"fast: of {hows['re-derived']} files only the chain, the commitments, the seeds and "
            f"the deals were looked at, with the dealer's own code, {WAY}; "
            "no act, score or signature was judged"
        )
        yield (
            f"fast: a sample of {audit.sample} in {len(audit.files)} files was verified fully "
            f"(--sample-seed {audit.sample_seed} draws it again)"
        )
    yield f"by {audit.conditions}"
    yield "level: consistent at most, no receipts or log were given (docs/audit.md)"


def _first_error(one: Judged) -> str:
    fault = one.fault
    if fault is None:
        return "no error is named"
    rule = f" ({fault.rule})" if fault.rule else ""
    places = [] if fault.at is None else [f"record {fault.at}"]
    places += [] if fault.hand is None else [f"hand {fault.hand}"]
    where = f" at {', '.join(places)}" if places else ""
    return f"{fault.code}{rule}{where}: {plain(fault.detail)}"


def _counts(audit: Audit) -> dict[str, int]:
    counted = Counter(map(word_of, audit.files))
    return {word: counted[word] for word in WORST_FIRST if counted[word]}


def _fast(audit: Audit) -> dict[str, object] | None:
    if not audit.is_fast:
        return None
    return {
        "way": WAY,
        "sample": audit.sample,
        "sample_seed": audit.sample_seed,
        "not_judged": ["acts", "scores", "signatures", "canonical form"],
    }
