"""What was measured, as lines for people."""

from collections.abc import Iterator
from typing import Final

from fairdeal.service.play import BotFigures, Figures, Run, share

CLAIM: Final = 40
"""One text says that one hand in so many ends on the stock."""


def to_lines(run: Run) -> Iterator[str]:
    """Yield the lines of a run."""
    yield (
        f"{run.preset}, seed {run.seed!r}, code {run.code}, "
        f"commit {'unknown' if run.commit is None else run.commit[:12]}"
    )
    for pair in run.pairs:
        yield from pair_lines(pair)


def pair_lines(pair: Figures) -> Iterator[str]:
    """Yield the lines of a pair."""
    if pair.first == pair.second:
        yield f"{pair.first} against itself: {pair.hands:,} hands"
    else:
        yield headline(pair)
        yield f"  {pair.first} has more in {pair.won} % of the hands; sd of a deal {pair.sd:.0f}"
    yield (
        f"  {pair.went_out} % of the hands gone out of ({pair.concealed} % concealed), "
        f"{stock_words(pair)}; {pair.acts:.0f} acts a hand"
    )
    for bot in pair.bots:
        yield f"  {bot_line(bot)}"


def headline(pair: Figures) -> str:
    """Return what a pair came to, in a line."""
    return (
        f"{pair.first} over {pair.second}: {pair.points:+.1f} points a hand, 95 % from "
        f"{pair.low:+.1f} to {pair.high:+.1f}, on {pair.deals:,} deals ({pair.hands:,} hands)"
    )


def stock_words(pair: Figures) -> str:
    """Return how many hands ended on the stock."""
    return (
        f"{pair.stock_outs} % ended on the stock "
        f"({pair.stock_outs_low} to {pair.stock_outs_high} %)"
    )


def bot_line(bot: BotFigures) -> str:
    """Return what a bot did."""
    turn = "never" if bot.opening_turn is None else f"on turn {bot.opening_turn}"
    return (
        f"{bot.bot:<12} {bot.points:+.0f} points, out {bot.went_out} % "
        f"({bot.concealed} % concealed), canastas {bot.natural} natural {bot.mixed} mixed, "
        f"opened {bot.opened} % {turn}, {bot.cpu_ms:.3f} ms an act"
    )


def claim_lines(run: Run) -> Iterator[str]:
    """Yield how many hands ended on the stock, beside what one text says."""
    hands = sum(pair.hands for pair in run.pairs)
    ended = sum(round(pair.stock_outs * pair.hands / 100) for pair in run.pairs)
    low, high = (100 * end for end in share(ended, hands))
    yield (
        f"One text says that one hand in {CLAIM} ends on the stock ({100 / CLAIM} %): of all "
        f"{hands:,} hands here it is {100 * ended / hands:.2f} % ({low:.2f} to {high:.2f} %)."
    )
