"""Every code of a refusal: its status, what it means, what to do, and when to try again.

Every code has one status, and stands here exactly if it can be answered over HTTP. What the
service's own codes mean stands in `api.reasons`; the codes of broken rules and their sentences
belong to the engine, and are all 422. tests/api/test_codes.py provokes each of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from api.reasons import access, games, requests
from api.reasons.reason import Reason
from fairdeal.service import RULE_SENTENCES

Retry = Literal["never", "now", "after", "after_change"]

RETRIES: Final[Mapping[Retry, str]] = {
    "now": "as it is, and at once",
    "after": "as it is, after a while: the Retry-After header says how many seconds",
    "after_change": "once what the sentence names was changed, in the request or in the game",
    "never": "not at all: it would be refused again",
}
"""When to send the same again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """A code of a refusal.

    Attributes:
        code: What programs compare; never reused.
        status: The HTTP status, always this one.
        sentence: What it means.
        do: What to do about it.
        retry: When to send the same again.
        rule: The number of the rule that was broken, or empty.
        facts: As they come with it, an example.
    """

    code: str
    status: int
    sentence: str
    do: str
    retry: Retry
    rule: str
    facts: Mapping[str, Any]


#: When, where the status does not say `never`.
_RETRY_BY_STATUS: Final[Mapping[int, Retry]] = {
    409: "after_change",
    422: "after_change",
    429: "after",
    503: "after",
}
_RETRY: Final[Mapping[str, Retry]] = {"cut_body": "now", "not_public_yet": "after_change"}

_RULE_BROKEN: Final = 422
_CHOOSE_ANOTHER: Final = (
    "Choose another act: GET .../choices lists those that the rules allow, and says of the others"
    " what is missing."
)


def _code(code: str, status: int, reason: Reason, rule: str = "") -> Code:
    return Code(
        code=code,
        status=status,
        sentence=reason.sentence,
        do=reason.do,
        retry=_RETRY.get(code, _RETRY_BY_STATUS.get(status, "never")),
        rule=rule,
        facts=reason.facts,
    )


def _own() -> dict[str, Code]:
    return {
        code: _code(code, status, reason)
        for part in (requests, games, access)
        for status, codes in part.REASONS.items()
        for code, reason in codes.items()
    }


def _rules() -> dict[str, Code]:
    return {
        code: _code(
            code,
            _RULE_BROKEN,
            Reason(said.text, _CHOOSE_ANOTHER, {"broken": [code.upper()], "rule": said.rule}),
            said.rule,
        )
        for code, said in RULE_SENTENCES.items()
    }


RULES: Final[Mapping[str, Code]] = _rules()
"""The codes of broken rules, in the order of docs/rules.md."""

BESIDE: Final = frozenset({"not_partner", "opponent_meld"})
"""Rules that are never the first an act breaks: named among `facts.broken`, or explained only."""

ACT_RULES: Final = tuple(code for code in RULES if code not in BESIDE)
"""The codes that an act can be refused with."""

CODES: Final[Mapping[str, Code]] = {**dict(sorted(_own().items())), **RULES}
"""Every code that can be answered."""
