"""The codes of broken rules as the interface writes them, each with its sentence."""

from collections.abc import Mapping
from typing import Final

from fairdeal.canasta.sentences import CODES, sentence_of

RULE_SENTENCES: Final[Mapping[str, str]] = {
    code.lower(): "{} ({} in docs/rules.md)".format(*sentence_of(code)) for code in CODES
}
"""Lower-case code -> what it says, and the number of the rule."""
