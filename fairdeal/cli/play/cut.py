"""Asks for the player's cut: the text that is mixed into the deck. It never leaves the machine."""

import secrets
from typing import Final

from fairdeal.cli.play.kept import Cut
from fairdeal.cli.play.screen import Screen
from fairdeal.errors import MalformedInput
from fairdeal.fairness.lines import seed_sha256

_WORDS: Final = (
    *("amber", "birch", "cedar", "copper", "coral", "ember", "fern", "flint", "hazel", "indigo"),
    *(
        "ivory",
        "lilac",
        "maple",
        "opal",
        "poppy",
        "quartz",
        "river",
        "saffron",
        "thistle",
        "willow",
    ),
)
_EXPLAINED: Final = (
    "The deck is locked; your cut is mixed into it, so that nobody can know the cards before you"
    " do. Any text but a password; it stays on this machine."
)


def propose() -> str:
    """Give a text at random."""
    return f"{secrets.choice(_WORDS)} {secrets.choice(_WORDS)} {secrets.randbelow(10_000):04}"


def ask(screen: Screen, epoch: int) -> Cut:
    """Ask until there is a text that may be a cut; Enter keeps the one that is proposed.

    Raises:
        EOFError, KeyboardInterrupt: The player leaves.
    """
    screen.say(_EXPLAINED)
    proposed = propose()
    while True:
        typed = screen.ask(f"Your cut [{proposed}]: ")
        text = typed if typed.strip() else proposed
        try:
            seed_sha256(text)
        except MalformedInput as wrong:
            screen.say(wrong.sentence)
        else:
            return Cut(epoch=epoch, text=text, nonce=secrets.token_hex(32))
