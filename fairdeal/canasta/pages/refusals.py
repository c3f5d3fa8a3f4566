"""The page of all refusals: every code, its rule, and every sentence that it can have."""

import re

from fairdeal.canasta.sentences import CODES, ENGLISH, RULES


def page() -> str:
    """Give the page as Markdown; a value that a sentence names stands as three dots."""
    told = [
        "# Refusals",
        "",
        (
            "Every code with which the referee refuses an act, in the order of `docs/rules.md`, "
            "its rule, what it means, and the sentences that it can have. An answer names the "
            "numbers and cards that stand here as `…`."
        ),
    ]
    for code in CODES:
        texts = ENGLISH.texts[code]
        told += ["", f"## {code.lower()}", "", f"{texts['help']} ({RULES[code]})", ""]
        told += [f"- {_blank(text)}" for name, text in texts.items() if name != "help"]
    return "\n".join(told) + "\n"


def _blank(text: str) -> str:
    return re.sub(r"\{\w+\}", "…", text)
