"""The honest games: what each is to show, and how it is played until it shows it.

``number`` picks a short game of that name that shows it and in which all its twins can be told;
``python -m scripts.make_vectors --search NAME`` lists them. Making a game that does not show it is
an error.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from fairdeal.canasta import acts
from fairdeal.canasta.position import minimum_at
from scripts.vectors import styles
from scripts.vectors.sitting import Sitting, of_type


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """An honest game.

    Attributes:
        name: Of its folder.
        seats: A letter a seat: p a player, b a bot.
        hands: How many hand commitments.
        number: Which game of this name.
        play: From the locked seeds to where the transcript ends.
        shows: Whether the game shows what it is for.
        texts: What each player seat typed; none given: one text for seat 0.
        holds: What the player kept: words of ``folder.held``.
        warnings: All that must be there; a verifier is asked for the first.
        verdict: VALID or INCOMPLETE; ``level`` with it.
    """

    name: str
    title: str
    seats: str = "pbbb"
    hands: int = 1
    number: int
    play: Callable[[Sitting], None]
    shows: Callable[[Sitting], bool]
    texts: Mapping[int, str] = field(default_factory=lambda: {0: "three crows on a wire"})
    text_only: Sequence[int] = ()
    holds: Sequence[str] = ("table_code", "receipts")
    warnings: Sequence[str] = ()
    verdict: str = "VALID"
    level: str = "pinned"

    @property
    def warning(self) -> str | None:
        """The warning that a verifier is asked for."""
        return next(iter(self.warnings), None)

    def sit(
        self, number: int | None = None, bend: Callable[[dict[str, Any]], None] | None = None
    ) -> Sitting:
        """Open the game and lock its seeds; ``bend`` changes record 0 before."""
        sitting = Sitting(
            self.name,
            self.number if number is None else number,
            seats=self.seats,
            hands=self.hands,
            texts={} if "p" not in self.seats else self.texts,
            text_only=self.text_only,
            bend=bend,
        )
        sitting.seed()
        return sitting

    def made(self) -> Sitting:
        """Play the game.

        Raises:
            LookupError: It does not show what it is for.
        """
        sitting = self.sit()
        self.play(sitting)
        if not self.shows(sitting):
            raise LookupError(f"{self.name} number {self.number} does not show: {self.title}")
        return sitting


_HIGH_MINIMUM: Final = 1500


def _acts(sitting: Sitting) -> list[str]:
    return [record.body["act"] for record in of_type(sitting.records, "act")]


def _ends(sitting: Sitting) -> list[str]:
    return [record.body["result"]["end"] for record in of_type(sitting.records, "score")]


def _whole(sitting: Sitting) -> bool:
    return bool(sitting.records[-2].body["reason"] == "complete")


def _stood_in(_n: int, seat: int) -> str:
    return "stand-in" if seat == 2 else "seat"


def _clocked(n: int, seat: int) -> str:
    return "clock" if seat == 0 and n % 3 == 0 else _stood_in(n, seat)


def _given_up_between(sitting: Sitting) -> None:
    sitting.play(styles.greedy, _clocked)
    sitting.play(styles.greedy, _stood_in, deal_on=False)
    sitting.close("the table breaks up")


def _stood_in_for(sitting: Sitting) -> bool:
    words = {record.body["by"] for record in of_type(sitting.records, "act")}
    return words == {"seat", "stand-in", "clock"}


def _given_up_within(sitting: Sitting) -> None:
    sitting.play(styles.freezing)
    sitting.play(styles.freezing, most=30)
    sitting.close("the house shuts")


def _unfinished(sitting: Sitting) -> None:
    sitting.play(styles.greedy)
    sitting.play(styles.greedy, most=30)


def _aborted(sitting: Sitting) -> None:
    sitting.play(styles.greedy, most=15)
    sitting.abort("the room lost its light")
    sitting.play_all(styles.greedy)


def _after_empty_stock(sitting: Sitting) -> list[str]:
    """Give the acts made once the stock was empty."""
    acted = of_type(sitting.records, "act")
    last = max(at for at, record in enumerate(acted) if record.body["took"])
    return [record.body["act"] for record in acted[last + 1 :]]


def _runs_out(sitting: Sitting) -> bool:
    after = _after_empty_stock(sitting)
    return after[-1] == "end" and any(act.startswith("take") for act in after)


def _concealed(sitting: Sitting) -> None:
    while max(sitting.game.totals) < _HIGH_MINIMUM and sitting.game.hand < sitting.hands:
        sitting.play(styles.greedy)
    sitting.play(styles.concealing, deal_on=False)
    if not sitting.game.closed:
        sitting.close("the last train leaves")


def _is_exempt(sitting: Sitting) -> bool:
    """Say whether the last hand ended by an opening below its minimum (R-33)."""
    before, last = of_type(sitting.records, "score")[-2:]
    if not last.body["result"]["concealed"]:
        return False
    acted = [r.body for r in of_type(sitting.records, "act") if r.body["hand"] == last.body["hand"]]
    act = next(body for body in acted if body["act"].startswith("lay"))
    total = before.body["result"]["sides"][act["seat"] % 2]["total"]
    return styles.points(acts.parse(act["act"])) < minimum_at(sitting.game.referee, total)


def _lays_threes(sitting: Sitting) -> bool:
    return any("3:" in act for act in _acts(sitting))


HONEST: Final = (
    Recipe(
        name="V01a",
        title="a whole game to 5,000",
        hands=16,
        number=0,
        play=lambda sitting: sitting.play_all(styles.greedy),
        shows=_whole,
        holds=("table_code", "receipts", "own_seed", "hand_cards"),
    ),
    Recipe(
        name="V02a",
        title="four bots; both committed hands are used up",
        seats="bbbb",
        hands=2,
        number=134,
        play=lambda sitting: sitting.play_all(styles.greedy),
        shows=lambda sitting: sitting.records[-2].body["reason"] == "hands_used_up",
        holds=("commit",),
        warnings=("W_NO_PLAYER_SEED",),
    ),
    Recipe(
        name="V03a",
        title="two players, one stood in for, one clocked; given up between two hands",
        seats="pbpb",
        hands=4,
        number=4,
        play=_given_up_between,
        shows=_stood_in_for,
        texts={0: "my seat, my seed", 2: ""},
        holds=("table_code", "receipts", "own_seed"),
        warnings=("W_LAST_CHOOSER", "W_GAME_GIVEN_UP"),
    ),
    Recipe(
        name="V04a",
        title="given up in the middle of the second hand; nothing was kept",
        hands=3,
        number=62,
        play=_given_up_within,
        shows=lambda sitting: len(of_type(sitting.records, "score")) == 1,
        holds=(),
        warnings=("W_GAME_GIVEN_UP", "W_HAND_ABORTED", "W_COMMIT_TIME_UNPROVEN"),
        level="consistent",
    ),
    Recipe(
        name="V05a",
        title="the first hand is aborted, play goes on with the second",
        hands=2,
        number=20,
        play=_aborted,
        shows=lambda sitting: _ends(sitting) == ["WENT_OUT"],
        holds=("table_code", "receipts", "hand_cards"),
        warnings=("W_HAND_ABORTED",),
    ),
    Recipe(
        name="V06a",
        title="the stock is empty: the pile must be taken, then the hand is ended; text only",
        number=8,
        play=lambda sitting: sitting.play_all(styles.patient),
        shows=_runs_out,
        texts={0: "7:30 \u00e0 la carte"},
        text_only=(0,),
        holds=("table_code", "receipts", "own_seed"),
        warnings=("W_TEXT_ONLY",),
    ),
    Recipe(
        name="V07a",
        title="a red three is the last card of the stock",
        number=11,
        play=lambda sitting: sitting.play_all(styles.patient),
        shows=lambda sitting: _ends(sitting) == ["LAST_STOCK_RED3"],
        holds=("commit", "receipts"),
    ),
    Recipe(
        name="V08a",
        title="out concealed with an opening below the minimum",
        hands=3,
        number=54,
        play=_concealed,
        shows=_is_exempt,
    ),
    Recipe(
        name="V09a",
        title="the partner says no, later yes",
        number=113,
        play=lambda sitting: sitting.play_all(styles.asking()),
        shows=lambda sitting: {"no", "yes"} <= set(_acts(sitting)),
    ),
    Recipe(
        name="V10a",
        title="three players; black threes are laid in going out",
        seats="ppbp",
        number=23,
        play=lambda sitting: sitting.play_all(styles.black_threes),
        shows=_lays_threes,
        texts={0: "a", 1: "a", 3: "\u0301 combining"},
        holds=("table_code", "receipts", "own_seed"),
        warnings=("W_LAST_CHOOSER",),
    ),
    Recipe(
        name="V11a",
        title="the second hand is still in play",
        hands=3,
        number=0,
        play=_unfinished,
        shows=lambda sitting: not sitting.game.closed,
        verdict="INCOMPLETE",
    ),
)
