"""Hands that ended otherwise, and scores that do not add up (protocol §6.3, §6.4)."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from scripts.vectors.lies import Lie, keeps_code
from scripts.vectors.script import Script

Result = dict[str, Any]


def _score(change: Callable[[Result], None], hand: int = 1) -> Callable[[Script], int]:
    """Change the result of a hand's score."""

    def tell(script: Script) -> int:
        place = script.at("score", hand=hand)
        change(script.entries[place].body["result"])
        return place

    return tell


def _last_act_left_out(script: Script) -> int:
    """Score before somebody goes out."""
    del script.entries[script.at("score", hand=1) - 1]
    return script.at("score", hand=1)


def _aborted_instead(script: Script) -> int:
    """Void a hand that has ended, as if its result could be wished away."""
    place = script.at("score", hand=1)
    entry = script.entries[place]
    entry.type, entry.body = "abort", {"hand": 1, "reason": "a bad hand"}
    return place


def _total(result: Result) -> None:
    result["sides"][0]["total"] += 5


def _line_up(result: Result) -> None:
    side = result["sides"][0]
    side["lines"][0][1] += 10
    side["hand"] += 10
    side["total"] += 10


def _bonus_for_nothing(result: Result) -> None:
    side = result["sides"][1]
    lines = [line for line in side["lines"] if line[0] != "RED_THREES"]
    side["lines"] = [*lines, ["RED_THREES", 400]]
    side["lines"].sort(key=lambda line: _ORDER.index(line[0]))
    side["hand"] = sum(points for _, points in side["lines"])
    side["total"] = side["hand"]


_ORDER: Final = (
    "CARDS", "NATURAL_CANASTA", "MIXED_CANASTA", "WILD_CANASTA", "CONCEALED_CANASTA",
    "RED_THREES", "OUT", "CONCEALED", "IN_HAND", "PENALTY",
)  # fmt: skip


def _partner_went_out(result: Result) -> None:
    result["seat"] = (result["seat"] + 2) % 4


def _sides_swapped(result: Result) -> None:
    result["sides"].reverse()


def _zero_line(result: Result) -> None:
    result["sides"][0]["lines"].append(["PENALTY", 0])


def _hand_off(result: Result) -> None:
    result["sides"][0]["hand"] += 5


def _lies() -> Iterator[Lie]:
    yield Lie(
        of="V02a",
        slug="scored-early",
        title="scored before anybody went out",
        error="E_HAND_END",
        tell=_last_act_left_out,
    )
    yield Lie(
        of="V06a",
        slug="other-end",
        title="a hand that was ended is booked as gone out",
        error="E_HAND_END",
        tell=_score(lambda result: result.update(end="WENT_OUT")),
    )
    yield Lie(
        of="V07a",
        slug="other-end",
        title="the last red three is not said to have ended the hand",
        error="E_HAND_END",
        tell=_score(lambda result: result.update(end="STOCK_EXHAUSTED")),
    )
    yield Lie(
        of="V10a",
        slug="aborted-instead",
        title="a hand that has ended is aborted",
        error="E_HAND_END",
        tell=_aborted_instead,
    )
    yield Lie(
        of="V02a",
        slug="total-off",
        title="only the total is off",
        error="E_SCORE_TOTAL",
        tell=_score(_total),
    )
    yield Lie(
        of="V02a",
        slug="line-off",
        title="a line is ten too high, sums follow",
        error="E_SCORE_LINES",
        tell=_score(_line_up),
    )
    yield Lie(
        of="V07a",
        slug="red-threes-off",
        title="four red threes too many; no receipt was kept",
        error="E_SCORE_LINES",
        verdict="INVALID",
        keeps=keeps_code,
        tell=_score(_bonus_for_nothing),
    )
    yield Lie(
        of="V10a",
        slug="partner-out",
        title="the partner is said to have gone out",
        error="E_SCORE_LINES",
        tell=_score(_partner_went_out),
    )
    yield Lie(
        of="V10a",
        slug="not-concealed",
        title="a concealed finish is booked as an ordinary one",
        error="E_SCORE_LINES",
        tell=_score(lambda result: result.update(concealed=False)),
    )
    yield Lie(
        of="V03a",
        slug="stood-in-hidden",
        title="acts of a stand-in are not counted",
        error="E_SCORE_LINES",
        tell=_score(lambda result: result.update(stood_in=[0, 0, 0, 0])),
    )
    yield Lie(
        of="V09a",
        slug="sides-swapped",
        title="the two sides change places",
        error="E_SCORE_LINES",
        tell=_score(_sides_swapped),
    )
    yield Lie(
        of="V09a",
        slug="zero-line",
        title="a line of zero",
        error="E_SCORE_LINES",
        tell=_score(_zero_line),
    )
    yield Lie(
        of="V09a",
        slug="hand-off",
        title="the hand is not the sum of its lines",
        error="E_SCORE_LINES",
        tell=_score(_hand_off),
    )
    yield Lie(
        of="V02a",
        slug="hints-negative",
        title="a negative number of hints",
        error="E_SCORE_LINES",
        tell=_score(lambda result: result.update(hints=[0, 0, 0, -1])),
    )
    yield Lie(
        of="V03a",
        slug="no-object",
        title="the result is no object",
        error="E_HAND_END",
        tell=_no_object,
    )


def _no_object(script: Script) -> int:
    script.body("score", hand=1)["result"] = "won"
    return script.at("score", hand=1)


LIES: Final = tuple(_lies())
