"""What a hook is told of: the codes of audits and fetches, put into a few events (product 11.4)."""

from hashlib import sha256
from typing import Final, Literal

from fairdeal.cli.audit.log.findings import Finding

Event = Literal[
    "fork",
    "rollback",
    "wrong_deal",
    "late_reveal",
    "missing_close",
    "key_change",
    "behind",
    "cannot_look",
    "canary_missed",
]

_EVENT_OF: Final[dict[str, Event]] = {
    # The log shows something else than it signed, or has signed twice.
    "E_LOG_FORK": "fork",
    "E_SPLIT_VIEW": "fork",
    "E_ROOT": "fork",
    "E_LEAF_HASH": "fork",
    "E_TILE_HASH": "fork",
    "E_TILE_CHANGED": "fork",
    "E_TILE_WRONG": "fork",
    "E_BUNDLE_CHANGED": "fork",
    "E_CHECKPOINT": "fork",
    "E_ROLLBACK": "rollback",
    # Secrets that did not come, or not in time.
    "W_LATE_REVEAL": "late_reveal",
    "W_REVEAL_LATE": "late_reveal",
    "W_REVEAL_PENDING": "late_reveal",
    "E_REVEAL_SKIPPED": "missing_close",
    "E_REVEAL_WITHHELD": "missing_close",
    "E_MASTER_SKIPPED": "missing_close",
    "E_TRANSCRIPT_MISSING": "missing_close",
    "W_GAME_DANGLING": "missing_close",
    # It signs as somebody else, or without those who have to agree.
    "E_NOTE": "key_change",
    "E_ORIGIN": "key_change",
    "E_SIGNATURE": "key_change",
    "E_UNTRUSTED": "key_change",
    "W_CLOSED": "key_change",
    "W_KEY_CHANGE": "key_change",
    "W_KEY_CHANGED": "key_change",
    # It is not as far as it should be.
    "E_QUORUM": "behind",
    "E_STALE": "behind",
}
"""Every other ``E_`` is `wrong_deal`, so that a code that is newer than this table is told too."""

_ID_DIGITS: Final = 16


def event_of(finding: Finding) -> Event | None:
    """Return the event of a finding; None for what is only told, and what is not complete yet."""
    known = _EVENT_OF.get(finding.code)
    if known is not None:
        return known
    return "wrong_deal" if finding.code.startswith("E_") else None


def finding_id(finding: Finding) -> str:
    """Return what a finding is known by from one look to the next: 16 hex digits.

    Its sentence is no part of that, for that may count.
    """
    said = f"{finding.code}\n{finding.index}\n{finding.game}\n{finding.path}"
    return sha256(said.encode()).hexdigest()[:_ID_DIGITS]
