"""What a game has beside its records: clocks, who may watch, drawn seats (decisions 14 to 18).

None of it decides a card or a rule, so record 0 has no place for it; it is kept with the game's
`Listing`, is told to everybody, and never changes.

Games of earlier versions have no word of warnings and of more time: they have neither.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, Literal, Self, get_args

from fairdeal.errors import StorageFailure
from fairdeal.records.canonical import decode_canonical, encode

IfAway = Literal["bot", "wait"]

TURN_S: Final = (5, 7 * 24 * 3600)
"""The least and the most that `turn_s` and `answer_s` may be."""
WARN_S: Final = (1, 24 * 3600)
EXTEND_S: Final = (5, 24 * 3600)
EXTENDS: Final = (0, 20)
AWAY_GRACE_S: Final = (15, 7 * 24 * 3600)
BETWEEN_HANDS_S: Final = (0, 3600)
WATCH_DELAY_S: Final = (0, 3600)
MORE_S: Final = 30
"""The `extend_s` of a request that does not say; it means something with `extends` alone."""
PAUSE_S: Final = 10
"""The `between_hands_s` of a request that does not say (decisions 14)."""

_BOUNDS: Final = {
    "turn_s": TURN_S,
    "answer_s": TURN_S,
    "warn_s": WARN_S,
    "extend_s": EXTEND_S,
    "extends": EXTENDS,
    "away_grace_s": AWAY_GRACE_S,
    "between_hands_s": BETWEEN_HANDS_S,
    "watch_delay_s": WATCH_DELAY_S,
}
_MAY_BE_NONE: Final = frozenset({"turn_s", "answer_s", "warn_s", "away_grace_s"})
_LATER: Final = ("warn_s", "extend_s", "extends")
"""What no clock of an earlier version has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """A game's clocks and who may watch it; the defaults are a game without either.

    Attributes:
        turn_s: After so long the stand-in acts for the seat in turn; None for no limit.
        answer_s: After so long an open question counts as *no*; None for no limit.
        warn_s: So long before the end of a turn it is told to be near; None for no warning.
        extend_s: So much longer a turn is where its seat asks for more time.
        extends: So often a hand each seat may ask.
        away_grace_s: After so long without a sign of its player a seat is away; None for never.
        if_away: Whether the stand-in (`bot`) acts for a seat in turn that is away, or all wait
            for it.
        between_hands_s: So long after a hand is opened the next one is dealt; 0 for at once.
        watch_open: Whether everybody may watch, up to the last `reveal`; if not, only watchers,
            the seats and the site may.
        watch_delay_s: So much later than it happened.
        seats: In a room, for each seat of the game which seat of the room drew it; empty where
            each has its own. Who asks for a game does not say it.

    Raises:
        ValueError: A value beyond its bounds.
    """

    turn_s: int | None = None
    answer_s: int | None = None
    warn_s: int | None = None
    extend_s: int = MORE_S
    extends: int = 0
    away_grace_s: int | None = None
    if_away: IfAway = "bot"
    between_hands_s: int = 0
    watch_open: bool = True
    watch_delay_s: int = 0
    seats: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Check the bounds, so that whatever is kept can be read again."""
        for name, (least, most) in _BOUNDS.items():
            value = getattr(self, name)
            if value is None and name in _MAY_BE_NONE:
                continue
            if type(value) is not int or not least <= value <= most:
                raise ValueError(f"{name} is {value!r}, not an integer from {least} to {most}")
        if self.if_away not in get_args(IfAway) or type(self.watch_open) is not bool:
            raise ValueError("if_away is bot or wait, watch_open true or false")
        if sorted(self.seats) != list(range(len(self.seats))):
            raise ValueError("seats names each seat once")

    @classmethod
    def of(cls, clock: Mapping[str, Any], watch: Mapping[str, Any]) -> Self:
        """Return the settings of `clock` and `watch` as they are asked for and told.

        Raises:
            LookupError, TypeError, ValueError: They are not such objects, or beyond the bounds.
        """
        return cls(**clock, watch_open=watch["open"], watch_delay_s=watch["delay_s"])

    @property
    def ticks(self) -> bool:
        """Whether a stand-in may ever act in this game."""
        away = self.if_away == "bot" and self.away_grace_s is not None
        return self.turn_s is not None or self.answer_s is not None or away

    @property
    def clock(self) -> dict[str, int | str | None]:
        """The clocks as JSON, as they are asked for and told."""
        return {
            "turn_s": self.turn_s,
            "answer_s": self.answer_s,
            "warn_s": self.warn_s,
            "extend_s": self.extend_s,
            "extends": self.extends,
            "away_grace_s": self.away_grace_s,
            "if_away": self.if_away,
            "between_hands_s": self.between_hands_s,
        }

    @property
    def watch(self) -> dict[str, int | bool]:
        """Who may watch, as JSON, as it is asked for and told."""
        return {"open": self.watch_open, "delay_s": self.watch_delay_s}


def to_bytes(settings: Settings) -> bytes:
    """Return what a listing keeps of them.

    Canonical JSON `{clock, watch}` with every field; with `seats` too where they were drawn.
    """
    said: dict[str, object] = {"clock": settings.clock, "watch": settings.watch}
    if settings.seats:
        said["seats"] = list(settings.seats)
    return encode(said)


def _earlier_bytes(settings: Settings) -> bytes:
    """Return what a listing of an earlier version kept of them."""
    clock = {name: value for name, value in settings.clock.items() if name not in _LATER}
    return encode({"clock": clock, "watch": settings.watch})


@lru_cache(maxsize=1024)
def from_bytes(kept: bytes) -> Settings:
    """Return the settings of what a listing keeps; `{}`, of an older game, gives the defaults.

    Raises:
        StorageFailure: `records_damaged`: they are not what `to_bytes` gives.
    """
    if kept == b"{}":
        return Settings()
    try:
        said: Any = decode_canonical(kept)
        found = Settings.of(said["clock"], said["watch"])
        found = replace(found, seats=tuple(said.get("seats", ())))
    except (LookupError, TypeError, ValueError) as error:
        raise _damaged() from error
    if kept not in (to_bytes(found), _earlier_bytes(found)):
        raise _damaged()
    return found


def _damaged() -> StorageFailure:
    return StorageFailure("records_damaged", "The settings of this game are damaged.")
