"""What many hands of two bots add up to: whole numbers, so that parts add in any order."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from fairdeal.canasta.ruleset import Ruleset
from fairdeal.cli.bots.duel import Pair


@dataclass(slots=True, kw_only=True)
class SideSums:
    """What the sides of one bot did in all their hands.

    Attributes:
        sides: How many sides it was, over all hands.
        points: What they made.
        out: How often one of them went out, ``concealed`` of them concealed.
        natural, mixed: Their canastas.
        opened: How many of them opened, and ``opened_at`` the sum of the turns of doing so.
        acts: What the bot did; ``cpu_us`` the processor time for it, microseconds, measured.
    """

    sides: int = 0
    points: int = 0
    out: int = 0
    concealed: int = 0
    natural: int = 0
    mixed: int = 0
    opened: int = 0
    opened_at: int = 0
    acts: int = 0
    cpu_us: int = 0


@dataclass(slots=True, kw_only=True)
class Sums:
    """What deals played by a pair of bots add up to.

    Attributes:
        deals: How many; each is one sample.
        total: The sum of ``Pair.scaled``, and ``squares`` that of its squares.
        hands: How many hands were played: a deal has one for each side.
        won, tied: In how many of them the first bot's side had more than each other, as much as
            the best other.
        acts: Of all seats.
        ends: Hands by the code of their end, and ``concealed`` those that one went out concealed.
        bots: By bot, what its sides did.
    """

    deals: int = 0
    total: int = 0
    squares: int = 0
    hands: int = 0
    won: int = 0
    tied: int = 0
    acts: int = 0
    concealed: int = 0
    ends: dict[str, int] = field(default_factory=dict)
    bots: dict[str, SideSums] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return asdict(self)

    def without_time(self) -> dict[str, Any]:
        """Return it without what was measured: the same whenever the hands are played again."""
        said = self.to_json()
        for bot in said["bots"].values():
            bot["cpu_us"] = 0
        return said

    def add(self, other: "Sums") -> None:
        """Add what other deals of the same pair came to."""
        for name in ("deals", "total", "squares", "hands", "won", "tied", "acts", "concealed"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for end, number in other.ends.items():
            self.ends[end] = self.ends.get(end, 0) + number
        for bot, sums in other.bots.items():
            add_sides(self.bots.setdefault(bot, SideSums()), sums)


def add_sides(one: SideSums, other: SideSums) -> None:
    """Add to what a bot's sides did."""
    for each in fields(SideSums):
        setattr(one, each.name, getattr(one, each.name) + getattr(other, each.name))


def from_json(said: Mapping[str, Any]) -> Sums:
    """Read what ``Sums.to_json`` gave.

    Raises:
        TypeError, ValueError, KeyError: Another shape.
    """
    bots = {str(bot): SideSums(**sums) for bot, sums in said["bots"].items()}
    return Sums(**{**said, "bots": bots, "ends": dict(said["ends"])})


def added(parts: Iterable[Sums]) -> Sums:
    """Return the sum of parts."""
    whole = Sums()
    for part in parts:
        whole.add(part)
    return whole


def tallied(rules: Ruleset, first: str, second: str, pairs: Iterable[Pair]) -> Sums:
    """Add up deals.

    Args:
        rules: Those that they were played by.
        first: The bot whose points count.
        second: The other one.
        pairs: What ``duel`` gave.
    """
    sums = Sums()
    for pair in pairs:
        sums.deals += 1
        sums.total += pair.scaled
        sums.squares += pair.scaled**2
        for side, played in pair.hands:
            best = max(points for at, points in enumerate(played.points) if at != side)
            sums.hands += 1
            sums.won += played.points[side] > best
            sums.tied += played.points[side] == best
            sums.acts += sum(played.acts)
            sums.concealed += played.concealed
            sums.ends[played.end] = sums.ends.get(played.end, 0) + 1
            for at, seats in enumerate(rules.side_seats):
                bot = sums.bots.setdefault(first if at == side else second, SideSums())
                canastas, natural = played.canastas[at]
                bot.sides += 1
                bot.points += played.points[at]
                bot.out += played.out in seats
                bot.concealed += played.concealed and played.out in seats
                bot.natural += natural
                bot.mixed += canastas - natural
                bot.opened += played.opened_at[at] > 0
                bot.opened_at += played.opened_at[at]
                bot.acts += sum(played.acts[seat] for seat in seats)
                bot.cpu_us += sum(played.cpu_ns[seat] for seat in seats) // 1000
    return sums
