"""The codes of broken rules as the interface writes them, each with its sentence."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from fairdeal.canasta.sentences import CODES, sentence_of


class RuleSentence(NamedTuple):
    """What the code of a broken rule says, and the rule's number in docs/rules.md."""

    text: str
    rule: str


RULE_SENTENCES: Final[Mapping[str, RuleSentence]] = {
    code.lower(): RuleSentence(*sentence_of(code)) for code in CODES
}
"""Lower-case code -> what it says."""
