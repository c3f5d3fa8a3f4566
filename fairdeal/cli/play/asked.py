"""Answers the single letters: hint, why not, counts, scores, help."""

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from fairdeal.canasta import cards
from fairdeal.canasta.sentences import ENGLISH
from fairdeal.canasta.wording import Many
from fairdeal.cli.client import ApiError
from fairdeal.cli.play.remote import Remote

if TYPE_CHECKING:
    from rich.console import RenderableType

HELP: Final = """Type the number of a line to do what it says.
Several numbers go together: "3 5 9" lays both melds and discards.
Or type the cards: lay 9H 9S 2H; lay QC QD QH; discard 4C
  one meld in each `lay`; `lay 2H on 9` adds a wild card to your nines
  take 9H 9S       takes the pile with two nines (further `; lay ...` may follow)
  draw, discard 4C, ask, yes, no
Cards: rank and suit. 9H is the nine of hearts, TD the ten of diamonds, 2 is wild, JK a joker.
Nothing is done that the rules forbid: you are told why, and choose again.
  h hint   w why not   c counts   s scores   t table   m more choices   + more time
  ? this   q leave (Ctrl-D too); `fairdeal play --resume` comes back to the game"""

_RANKS: Final = (*"456789TJQKA", "2", "JK", "3 black", "3 red")
_WHAT: Final = {
    "draw": "Draw",
    "take": "Take the pile",
    "lay": "Lay",
    "discard": "Discard",
    "ask": "Ask to go out",
    "end": "End the hand",
    "go_out": "Go out",
}


def hint(remote: Remote, path: str) -> tuple[Mapping[str, Any] | None, tuple[str, ...]]:
    """Ask for a hint.

    Returns:
        The hint, None if there is none, and the lines that say it.
    """
    try:
        found = remote.get(f"{path}/hint")
    except ApiError as refusal:
        if refusal.status in (404, 405, 501):
            return None, ("This service gives no hints.",)
        return None, (refusal.sentence or refusal.code,)
    lines = [f"Hint: {found['sentence']}"]
    lines += [f"  because: {reason['sentence']}" for reason in found.get("reasons", ())]
    others = [one for one in found.get("alternatives", ()) if one["act"] != found["act"]]
    lines += [f"  or: {one['sentence']}" for one in others[:2]]
    lines.append("0 does what the hint says. The game's record says how many hints were asked for.")
    return found, tuple(lines)


def more_time(remote: Remote, path: str, version: int) -> str:
    """Ask for more time, where turns have an end; say what came of it."""
    try:
        found = remote.send("POST", f"{path}/more-time", {"expect": version})
    except ApiError as refusal:
        return refusal.sentence or refusal.code
    until = "You have more time."
    if found["deadline"] is not None:
        until = f"Your time ends at {clock(found['deadline'])} now."
    return f"{until} You may ask again {found['left']} times in this hand."


def time_left(limits: Mapping[str, Any], deadline: int | None) -> str:
    """Say until when the turn lasts; empty where it has no end.

    Args:
        limits: The clocks of the game.
        deadline: ms since 1970; None also for a moment after the player came.
    """
    if not limits["turn_s"]:
        return ""
    until = f"A turn has {limits['turn_s']} seconds"
    if deadline is not None:
        until = f"Your time ends at {clock(deadline)}"
    return f"{until}; + asks for more." if limits.get("extends") else f"{until}."


def clock(ms: int) -> str:
    """Write a time of day, given in ms since 1970, as the clock here shows it."""
    return time.strftime("%H:%M:%S", time.localtime(ms / 1000))


def why(cannot: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Say what cannot be done now, each with its reason and a remedy where there is one."""
    told: dict[tuple[str, str], str] = {}
    for one in cannot:
        key = (one["kind"], one["sentence"])
        if key not in told:
            remedy = f" First: {one['remedy']}." if one["remedy"] else ""
            told[key] = f"{_WHAT.get(one['kind'], one['kind'])}? {one['sentence']}{remedy}"
    yield from told.values() or ("There is nothing that you cannot do now.",)


def counts(found: Mapping[str, Any]) -> "RenderableType":
    """Draw where the cards are, a line a rank."""
    from rich.table import Table  # noqa: PLC0415  late: start-up time

    table = Table.grid(padding=(0, 2), pad_edge=False)
    names = ("own", "table", "pile", "held", "unseen")
    table.add_column()
    for _ in names:
        table.add_column(justify="right")
    table.add_row("", "yours", "table", "pile", "others", "unseen")
    for rank in _RANKS:
        ones = [one for one in found["cards"] if _rank(one["face"]) == rank]
        if ones:
            sums = [sum(one[name] for one in ones) for name in names]
            table.add_row(_called(rank), *(str(number or "-") for number in sums))
    return table


def _rank(face: str) -> str:
    if face == cards.JOKER_FACE:
        return face
    if face[0] == "3":
        return "3 red" if face[1] in "DH" else "3 black"
    return face[0]


def _called(rank: str) -> str:
    noun = {"3 red": "red3", "3 black": "3"}.get(rank, rank)
    return str(ENGLISH.write(Many(noun)))
