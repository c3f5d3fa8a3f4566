"""What there is to say of one code."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Reason:
    """What a code means and what to do about it.

    Attributes:
        sentence: What it means.
        do: What to do about it.
        facts: As they come with it, an example; empty where none do.
    """

    sentence: str
    do: str
    facts: Mapping[str, Any] = field(default_factory=dict)
