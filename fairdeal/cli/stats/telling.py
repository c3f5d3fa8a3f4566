"""What the looks found, as text for people and as one JSON object for programs."""

import json
from collections.abc import Iterator, Sequence

from fairdeal.cli.stats.deals import Gathered
from fairdeal.cli.stats.judging import Seen, describe
from fairdeal.cli.stats.limits import FAMILY
from fairdeal.cli.stats.looks import LEAST_CARDS, LEAST_DEALS


def exit_status(seen: Sequence[Seen]) -> int:
    """Return 1 with an alarm, 3 where there was too little to look at, else 0."""
    return 1 if any(one.is_alarm for one in seen) else 0 if seen else 3


def to_json(gathered: Gathered, seen: Sequence[Seen]) -> str:
    """Return the object on one line, ASCII only."""
    return json.dumps(
        {
            "kind": "fairdeal-stats-1",
            "family": FAMILY,
            "exit": exit_status(seen),
            "games": gathered.games,
            "left_out": gathered.left_out,
            "tables": [
                {"table": describe(deals), "deals": len(deals), "aborted": int(deals.aborted.sum())}
                for deals in gathered.deals
            ],
            "looks": [
                {
                    "table": one.table,
                    "deals": one.deals,
                    "name": one.look.name,
                    "found": one.look.found,
                    "p": one.look.p,
                    "adjusted": one.adjusted,
                    "alarm": one.is_alarm,
                }
                for one in seen
            ],
        }
    )


def to_lines(gathered: Gathered, seen: Sequence[Seen]) -> Iterator[str]:
    """Yield the lines for people: alarms or none, then every look."""
    alarms = [one for one in seen if one.is_alarm]
    if alarms:
        yield f"ALARM: {len(alarms)} of {len(seen)} looks at the deals are too odd for chance"
    elif seen:
        yield f"no alarm in {len(seen)} looks at the deals"
    else:
        yield f"too little to look at: {LEAST_DEALS} deals of a kind are needed"
    yield f"{gathered.games} finished games, each deal verified or re-derived"
    for why, number in gathered.left_out.items():
        yield f"  {number} files left out: {why}"
    for deals in gathered.deals:
        enough = len(deals) >= LEAST_DEALS and len(deals.shape.deck) >= LEAST_CARDS
        too_few = "" if enough else " (too few, not looked at)"
        yield f"{describe(deals)}: {len(deals)} deals{too_few}"
    for one in seen:
        mark = "ALARM" if one.is_alarm else "     "
        yield f"  {mark} {one.look.name:<32} p {one.look.p:<9.3g} {one.look.found} [{one.table}]"
    yield (
        f"An alarm is a p-value below {FAMILY:.0%} after Holm's adjustment for {len(seen)} looks. "
        "It is a reason to ask, not a proof; no alarm proves nothing either."
    )
