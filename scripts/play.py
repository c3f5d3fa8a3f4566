"""Publish measured runs of the bots: fairdeal/service/play.json, and the tables of docs/bots.md.

    python -m scripts.play var/ladder/play.json var/held-out/play.json

takes runs as `fairdeal bots ladder` wrote them, in this order, and puts them in the place of what
was published. Without a run only the tables are made anew from play.json.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from fairdeal.records.canonical import encode
from fairdeal.service.play import FORMAT, Figures, Run, run_of, share

ROOT: Final = Path(__file__).resolve().parent.parent
DATA: Final = ROOT / "fairdeal" / "service" / "play.json"
PAGE: Final = ROOT / "docs" / "bots.md"
BEGIN: Final = "<!-- made by `python -m scripts.play` -->"
END: Final = "<!-- end of what was made -->"
_CLAIM: Final = "one hand in forty (2.5 %)"


def tables(runs: Sequence[Run]) -> str:
    """Return the tables of all runs, as the page has them between its marks."""
    if not runs:
        return "Nothing is published yet."
    return "\n\n".join("\n".join(_run(run)) for run in runs)


def _run(run: Run) -> Iterator[str]:
    played = [pair for pair in run.pairs if pair.first != pair.second]
    commit = "an unknown commit" if run.commit is None else f"commit `{run.commit[:12]}`"
    yield f"### `{run.name}`"
    yield ""
    yield (
        f"`{run.preset}`, seed text `{run.seed}`, {commit}, code `{run.code}`. "
        f"Again: `fairdeal bots reproduce {run.name}`."
    )
    yield ""
    yield "| bots | deals | points a hand | 95 % | sd | hands won | floor |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for pair in played:
        floor = "" if pair.floor is None else f"{pair.floor}"
        yield (
            f"| `{pair.first}` over `{pair.second}` | {pair.deals:,} | {pair.points:+.1f} "
            f"| {pair.low:+.1f} to {pair.high:+.1f} | {pair.sd:.0f} | {pair.won} % | {floor} |"
        )
    yield ""
    yield "| bots | gone out of | concealed | ended on the stock | 95 % | acts a hand |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for pair in run.pairs:
        yield (
            f"| {_names(pair)} | {pair.went_out} % | {pair.concealed} % | {pair.stock_outs} % "
            f"| {pair.stock_outs_low} to {pair.stock_outs_high} % | {pair.acts:.0f} |"
        )
    yield ""
    yield (
        "| bots | of them | points a hand | went out | concealed | canastas a hand, natural "
        "| mixed | opened | on turn | CPU an act |"
    )
    yield f"|{' --- |' * 10}"
    for pair in run.pairs:
        for bot in pair.bots:
            turn = "" if bot.opening_turn is None else f"{bot.opening_turn:.2f}"
            yield (
                f"| {_names(pair)} | `{bot.bot}` | {bot.points:+.0f} | {bot.went_out} % "
                f"| {bot.concealed} % | {bot.natural} | {bot.mixed} | {bot.opened} % | {turn} "
                f"| {bot.cpu_ms:.2f} ms |"
            )
    yield ""
    yield _claim(run)


def _names(pair: Figures) -> str:
    if pair.first == pair.second:
        return f"`{pair.first}` alone"
    return f"`{pair.first}`, `{pair.second}`"


def _claim(run: Run) -> str:
    hands = sum(pair.hands for pair in run.pairs)
    ended = sum(round(pair.stock_outs * pair.hands / 100) for pair in run.pairs)
    low, high = (100 * end for end in share(ended, hands))
    return (
        f"One text says that {_CLAIM} ends on the stock. Of all {hands:,} hands of this run "
        f"{100 * ended / hands:.2f} % did ({low:.2f} to {high:.2f} %); it depends on who plays."
    )


def page_with(text: str, made: str) -> str:
    """Return the page with other tables between its marks.

    Raises:
        ValueError: It has not both marks.
    """
    before, _, rest = text.partition(BEGIN)
    _, mark, after = rest.partition(END)
    if not mark:
        raise ValueError("docs/bots.md has lost its marks")
    return f"{before}{BEGIN}\n\n{made}\n\n{END}{after}"


def publish(runs: Sequence[dict[str, Any]]) -> None:
    """Write the runs, and the tables of the page."""
    names = [run["name"] for run in runs]
    if len(set(names)) < len(names):
        raise ValueError(f"two runs have one name: {names}")
    DATA.write_bytes(encode({"v": FORMAT, "runs": runs}) + b"\n")
    made = tables([run_of(run) for run in runs])
    PAGE.write_text(page_with(PAGE.read_text("utf-8"), made), "utf-8")


if __name__ == "__main__":
    given = [json.loads(Path(place).read_bytes()) for place in sys.argv[1:]]
    publish(given or json.loads(DATA.read_bytes())["runs"])
