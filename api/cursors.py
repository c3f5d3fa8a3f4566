"""Where a list goes on, as a word of which nobody needs to know the meaning.

Every word of its form stands for a place, whether a list gave it or not, so that there is no
other refusal than that of the form.
"""

from typing import Final

from api.words import GAME

PATTERN: Final = f"(?:0|[1-9][0-9]{{0,14}})-{GAME}"


def to_word(behind: tuple[int, str] | None) -> str:
    """Return the word for a place in a list, a time with a name; empty at its end."""
    if behind is None:
        return ""
    return f"{behind[0]}-{behind[1]}"


def from_word(word: str | None) -> tuple[int, str] | None:
    """Return the place for which a word of the form stands; None for none."""
    if word is None:
        return None
    made, _, name = word.partition("-")
    return int(made), name
