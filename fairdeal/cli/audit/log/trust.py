"""Whose signatures an audit counts."""

from dataclasses import dataclass

from fairdeal.tlog.policy import Policy


@dataclass(frozen=True, slots=True)
class Trust:
    """Keys, witnesses and quorum.

    Attributes:
        policy: Of them all.
        is_pinned: Whether it came from the caller, not from the log itself.
    """

    policy: Policy
    is_pinned: bool
