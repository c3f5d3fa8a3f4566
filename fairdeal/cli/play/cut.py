"""Asks for the player's cut: the text that is mixed into the deck. It never leaves the machine."""

import secrets
from collections.abc import Mapping
from typing import Any, Final

from fairdeal.cli.play.kept import Cut
from fairdeal.cli.play.screen import Screen
from fairdeal.errors import MalformedInput
from fairdeal.fairness.lines import commit, seat_line, seed_sha256

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


def owed(
    view: Mapping[str, Any], seat: int, *, is_sealed: bool, is_spent: bool = False
) -> tuple[int, bool] | None:
    """Give the epoch that a seat owes a cut to, and whether it is only sealed now; None for none.

    Args:
        view: The game, as the seat sees it.
        seat: Whose cut.
        is_sealed: Whether the game's cuts are sealed first.
        is_spent: Whether the hands of the newest epoch are over, so that a new one is due.
    """
    epoch, phase = view["epoch"] or 0, view["phase"]
    if view["state"] != "seeding" or (phase == "locked" and not is_spent):
        return None
    if phase in ("sealing", "sharing"):
        given = view["seals"] if phase == "sealing" else view["seeds"]
        return None if given[seat] else (epoch, phase == "sealing")
    return epoch + 1, is_sealed


def body(own: Cut, game: str, seat: int, open_hash: str, *, seal: bool) -> dict[str, Any]:
    """Give what is sent of a cut: its hash and the nonce, or the seal alone (protocol §2.4)."""
    said: dict[str, Any] = {"epoch": own.epoch, "open_hash": open_hash}
    digest = seed_sha256(own.text)
    if seal:
        line = seat_line(game, own.epoch, seat, open_hash, own.nonce, digest)
        return {**said, "seal": commit(line)}
    return {**said, "nonce": own.nonce, "seed_sha256": digest}
