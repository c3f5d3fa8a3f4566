"""How strong the bots are: what was measured, with what it takes to measure it again.

``play.json`` beside this file is made by ``python -m scripts.play`` from runs of ``fairdeal bots
ladder``. It holds whole numbers only; every figure that is told is worked out here.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import sqrt
from typing import Any, Final

from fairdeal.bots.levels import LEVELS
from fairdeal.canasta.endings import LAST_STOCK_RED3, STOCK_EXHAUSTED, WENT_OUT
from fairdeal.errors import Unprocessable

FORMAT: Final = "fairdeal-play-1"
Z95: Final = 1.96
STOCK_OUTS: Final = (STOCK_EXHAUSTED, LAST_STOCK_RED3)
"""Ends of hands on the stock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BotFigures:
    """What the sides of one bot did in the hands of a pair.

    Attributes:
        bot: Name and version.
        sides: How many sides it was, over all hands.
        points: Of a hand, on average.
        went_out: Of a hundred hands; ``concealed`` those in which it went out so.
        natural, mixed: Canastas a hand.
        opened: Of a hundred hands; ``opening_turn`` the turn of the seat that opened, on average,
            None where it never did.
        cpu_ms: Processor time an act, milliseconds, on the machine that measured.
    """

    bot: str
    sides: int
    points: float
    went_out: float
    concealed: float
    natural: float
    mixed: float
    opened: float
    opening_turn: float | None
    cpu_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What a pair of bots came to.

    Attributes:
        first, second: The bots; all points and hands won are the first one's.
        deals: Each is one sample; ``hands`` that were played of them.
        points: A hand, the first one's side over the others; ``low`` and ``high`` the ends of its
            95 % interval, ``sd`` the standard deviation of a deal.
        floor: What a new version's interval must not lie below; None where none is held.
        won: Of a hundred hands those that the first one's side had more in; ties count half.
        stock_outs: Of a hundred hands those that ended on the stock, with ``stock_outs_low`` and
            ``stock_outs_high``.
        went_out, concealed: Of a hundred hands those that somebody went out of, and concealed.
        acts: A hand.
        bots: What each did.
    """

    first: str
    second: str
    deals: int
    hands: int
    points: float
    low: float
    high: float
    sd: float
    floor: int | None
    won: float
    stock_outs: float
    stock_outs_low: float
    stock_outs_high: float
    went_out: float
    concealed: float
    acts: float
    bots: tuple[BotFigures, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Pairs that were measured together.

    Attributes:
        name: What ``fairdeal bots reproduce`` takes.
        seed: The text that all deals come from.
        preset: The rules.
        commit: Of the code that played, None where it is not known; ``code`` the hash of what of
            it plays.
        pairs: The weaker ones first.
    """

    name: str
    seed: str
    preset: str
    commit: str | None
    code: str
    pairs: tuple[Figures, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """What was measured of a bot against another: ``Figures`` from its own side."""

    run: str
    against: str
    seed: str
    preset: str
    deals: int
    hands: int
    points: float
    low: float
    high: float
    floor: int | None
    won: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurements:
    """What was measured of a bot, and how it plays."""

    bot: str
    plays: str
    measurements: tuple[Measurement, ...]


@cache
def published() -> Mapping[str, Any]:
    """Return what play.json holds."""
    text = files(__package__).joinpath("play.json").read_text("utf-8")
    found: Mapping[str, Any] = json.loads(text)
    return found


@cache
def runs() -> tuple[Run, ...]:
    """Return what was measured, run by run."""
    return tuple(run_of(said) for said in published()["runs"])


def run_of(said: Mapping[str, Any]) -> Run:
    """Return the figures of a run as play.json has it."""
    return Run(
        name=said["name"],
        seed=said["seed"],
        preset=said["preset"],
        commit=said["commit"],
        code=said["code"],
        pairs=tuple(figures(pair) for pair in said["pairs"]),
    )


def measurements_of(bot: str) -> Measurements:
    """Return what was measured of a bot (raises `Unprocessable`: `no_such_bot`)."""
    if bot not in LEVELS:
        raise Unprocessable("no_such_bot", f"There is no bot {bot} here.", {"bots": list(LEVELS)})
    return Measurements(
        bot=bot,
        plays=LEVELS[bot].summary,
        measurements=tuple(
            _from_side(run, pair, is_first=pair.first == bot)
            for run in runs()
            for pair in run.pairs
            if bot in (pair.first, pair.second) and pair.first != pair.second
        ),
    )


def _from_side(run: Run, pair: Figures, *, is_first: bool) -> Measurement:
    ends = (pair.low, pair.high) if is_first else (-pair.high, -pair.low)
    return Measurement(
        run=run.name,
        against=pair.second if is_first else pair.first,
        seed=run.seed,
        preset=run.preset,
        deals=pair.deals,
        hands=pair.hands,
        points=pair.points if is_first else -pair.points,
        low=ends[0],
        high=ends[1],
        floor=pair.floor if is_first else None,
        won=pair.won if is_first else round(100 - pair.won, 1),
    )


def figures(pair: Mapping[str, Any]) -> Figures:
    """Return the figures of a pair as play.json has it: its bots, floor, scale and sums."""
    sums, scale = pair["sums"], pair["scale"]
    deals, hands = sums["deals"], sums["hands"]
    mean, half, sd = spread_of(deals, sums["total"], sums["squares"], scale)
    stock = sum(sums["ends"].get(end, 0) for end in STOCK_OUTS)
    low, high = share(stock, hands)
    return Figures(
        first=pair["first"],
        second=pair["second"],
        deals=deals,
        hands=hands,
        points=round(mean, 1),
        low=round(mean - half, 1),
        high=round(mean + half, 1),
        sd=round(sd, 1),
        floor=pair["floor"],
        won=round(100 * (sums["won"] + sums["tied"] / 2) / hands, 1),
        stock_outs=round(100 * stock / hands, 2),
        stock_outs_low=round(100 * low, 2),
        stock_outs_high=round(100 * high, 2),
        went_out=round(100 * sums["ends"].get(WENT_OUT, 0) / hands, 2),
        concealed=round(100 * sums["concealed"] / hands, 2),
        acts=round(sums["acts"] / hands, 1),
        bots=tuple(
            _bot(bot, sums["bots"][bot]) for bot in dict.fromkeys((pair["first"], pair["second"]))
        ),
    )


def spread_of(deals: int, total: int, squares: int, scale: int) -> tuple[float, float, float]:
    """Return mean, half of the 95 % interval and standard deviation of samples.

    Args:
        deals: How many samples.
        total: Their sum, times the scale.
        squares: The sum of their squares, times that of the scale.
        scale: What a sample is divided by.
    """
    mean = total / deals
    if deals < 2:
        return mean / scale, float("inf"), float("inf")
    # Whole numbers until the end: nothing cancels.
    sd = sqrt((deals * squares - total**2) / (deals * (deals - 1)))
    return mean / scale, Z95 * sd / sqrt(deals) / scale, sd / scale


def share(count: int, of: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson's), the hands taken as independent."""
    middle = (count + Z95**2 / 2) / (of + Z95**2)
    half = Z95 / (of + Z95**2) * sqrt(count * (of - count) / of + Z95**2 / 4)
    return max(0.0, middle - half), min(1.0, middle + half)


def _bot(bot: str, sums: Mapping[str, int]) -> BotFigures:
    sides, opened = sums["sides"], sums["opened"]
    return BotFigures(
        bot=bot,
        sides=sides,
        points=round(sums["points"] / sides, 1),
        went_out=round(100 * sums["out"] / sides, 1),
        concealed=round(100 * sums["concealed"] / sides, 2),
        natural=round(sums["natural"] / sides, 3),
        mixed=round(sums["mixed"] / sides, 3),
        opened=round(100 * opened / sides, 1),
        opening_turn=round(sums["opened_at"] / opened, 2) if opened else None,
        cpu_ms=round(sums["cpu_us"] / sums["acts"] / 1000, 3) if sums["acts"] else 0.0,
    )
