"""What only many games together show, and no log is needed for (protocol §3.2, stage 6)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Final

from fairdeal.cli.audit.judging import Judged

ABORTS_OF: Final = 1000  # hands of one service, from which on its rate of aborts is judged (§2.9)
_ABORTS_PER: Final = 200  # more than one aborted hand in so many is an alarm: 0.5 %


@dataclass(frozen=True, slots=True, kw_only=True)
class Across:
    """An error (``E_``) or a warning (``W_``) that concerns several files.

    Attributes:
        files: The paths of those that it concerns; none where it concerns a whole service.
    """

    code: str
    detail: str
    files: tuple[str, ...] = ()

    @property
    def is_error(self) -> bool:
        """Whether it makes the audit's result bad."""
        return self.code.startswith("E_")


def look_across(folder: Path, found: Iterable[Judged]) -> tuple[Across, ...]:
    """Compare games with each other.

    Only files that are VALID or INCOMPLETE, or re-derived, take part: what is wrong by itself may
    be anybody's forgery, with an honest game's name or master copied into it.

    Args:
        folder: Where the paths begin.
        found: What is known of each file.
    """
    good = [one for one in found if one.verdict in {"VALID", "INCOMPLETE"} or _is_rederived(one)]
    return (*_names(folder, good), *_masters(good), *_aborts(good))


def _is_rederived(one: Judged) -> bool:
    return one.how == "re-derived"


def _names(folder: Path, good: Iterable[Judged]) -> Iterator[Across]:
    by_game: dict[str, list[Judged]] = defaultdict(list)
    for one in good:
        if one.game is not None:
            by_game[one.game].append(one)
    for game, ones in by_game.items():
        openings = {one.open_hash: one for one in ones}
        if len(openings) > 1:
            yield Across(
                code="E_GAME_ID_REUSED",
                detail=f"the game {game} has {len(openings)} different first records",
                files=tuple(one.path for one in ones),
            )
        for opening in openings:
            yield from _versions(folder, [one for one in ones if one.open_hash == opening])


def _versions(folder: Path, ones: list[Judged]) -> Iterator[Across]:
    """Compare files with one first record: each has to be the beginning of the longest."""
    if len({one.digest for one in ones}) < 2 and ones[0].digest is not None:
        return
    longest = max(ones, key=lambda one: (folder / one.path).stat().st_size)
    for one in ones:
        if one is longest:
            continue
        at = _first_difference(folder / one.path, folder / longest.path)
        if at is not None:
            yield Across(
                code="E_EQUIVOCATION",
                detail=f"there are two versions of the game {one.game} from record {at} on",
                files=(one.path, longest.path),
            )


def _first_difference(shorter: Path, longer: Path) -> int | None:
    with shorter.open("rb") as one, longer.open("rb") as other:
        for at, (left, right) in enumerate(zip_longest(one, other)):
            if left is None:
                return None
            if left != right:
                return at
    return None


def _masters(good: Iterable[Judged]) -> Iterator[Across]:
    by_master: dict[str, list[Judged]] = defaultdict(list)
    for one in good:
        if one.master is not None:
            by_master[one.master].append(one)
    for ones in by_master.values():
        games = sorted({one.game for one in ones if one.game is not None})
        if len(games) > 1:
            yield Across(
                code="E_MASTER_REUSED",
                detail=f"one master secret dealt the games {', '.join(games)}",
                files=tuple(one.path for one in ones),
            )


def _aborts(good: Iterable[Judged]) -> Iterator[Across]:
    """Judge how often each service gave hands up; a game that is here twice counts once."""
    hands: dict[str, dict[tuple[str | None, str | None], tuple[int, int]]] = defaultdict(dict)
    for one in good:
        if one.origin is not None:
            key = (one.game, one.open_hash)
            before = hands[one.origin].get(key, (0, 0))
            hands[one.origin][key] = max(before, (one.hands, one.aborted))
    for origin, games in hands.items():
        dealt = sum(number for number, _ in games.values())
        aborted = sum(number for _, number in games.values())
        if dealt >= ABORTS_OF and aborted * _ABORTS_PER > dealt:
            yield Across(
                code="W_ABORT_RATE",
                detail=f"{origin} gave up {aborted} of {dealt} hands, more than 0.5 %",
            )
