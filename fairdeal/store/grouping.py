"""What one transaction does for the writes of a group, each kept or refused as if it were alone.

Most writes append acts, and keep an answer perhaps: what can refuse them is looked at before
anything of them is written, so they need no savepoint, and the lines of several that follow one
another in the group go in one statement. Every other write gets a savepoint.
"""

import contextlib
from collections.abc import Sequence

from fairdeal.errors import FairdealError
from fairdeal.store.appending import Heads, append, check_head
from fairdeal.store.driving import Driven
from fairdeal.store.ports import Write
from fairdeal.store.writing import keep, keep_answer

Fate = int | FairdealError
"""Of a write that was kept how far the database reaches by it (`appending.append`), or why not."""


def keep_all(driven: Driven, writes: Sequence[Write], heads: Heads) -> list[Fate]:
    """Write what is not refused, in the order of the group.

    Returns:
        The fate of each.

    Raises:
        Exception: The driver's own, for anything that is not a refusal.
    """
    fates: list[Fate] = []
    run: list[int] = []  # places of writes whose lines are still to be appended

    def catch_up() -> None:
        if run:
            reach = append(driven, [writes[at] for at in run], heads)
            for at in run:
                fates[at] = reach if driven.is_postgresql else len(writes[at].lines)
            run.clear()

    for at, write in enumerate(writes):
        if _only_acts(write):
            try:
                check_head(driven, write, heads)
                if write.answer is not None:
                    keep_answer(driven, write.answer)
            except FairdealError as refusal:
                fates.append(refusal)
                continue
            heads[write.game] = write.lines[-1].n
            fates.append(0)
            run.append(at)
        else:
            catch_up()
            fates.append(_try(driven, write, heads, alone=len(writes) == 1))
    catch_up()
    return fates


def _only_acts(write: Write) -> bool:
    """Say whether a write is of acts, of which the tables guard nothing but their numbers."""
    if not write.lines or any(line.type != "act" for line in write.lines):
        return False
    return write == Write(
        game=write.game, after=write.after, lines=write.lines, answer=write.answer
    )


def _try(driven: Driven, write: Write, heads: Heads, *, alone: bool) -> Fate:
    """Write one of a group; a refusal undoes that one, alone without a savepoint."""
    try:
        with contextlib.nullcontext() if alone else driven.savepoint():
            return keep(driven, write, heads)
    except FairdealError as refusal:
        heads.pop(write.game, None)  # what it appended before it was refused is undone
        return refusal
