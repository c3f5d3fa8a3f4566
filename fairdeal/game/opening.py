"""Record 0 of a refereed game: what a site asks for, made into the first record (§2.4, §6.1)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from fairdeal.canasta import presets
from fairdeal.canasta.ruleset import Ruleset
from fairdeal.errors import Unprocessable
from fairdeal.fairness.keys import Secret, hand_secret
from fairdeal.fairness.lines import commit, hand_line, master_line
from fairdeal.game.table import rules_object
from fairdeal.records.opening import open_body as checked_body

PRESET: Final = "classic@1"
"""The one ruleset that is refereed so far."""
DEFAULT_HANDS: Final = 64
MOST_HANDS: Final = 512
_SPARE_HANDS: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatConfig:
    """One seat: ``kind`` player or bot; a bot's label is ``bot:NAME@VERSION`` (decisions, 19)."""

    kind: str
    label: str = ""
    custody: str = ""

    @property
    def held_by(self) -> str:
        """The custody word: as given, else player or service-bot."""
        return self.custody or ("player" if self.kind == "player" else "service-bot")


@dataclass(frozen=True, slots=True, kw_only=True)
class GameConfig:
    """What a new game is to be.

    Attributes:
        origin: The service's name, that of its receipt key.
        seats: One entry a seat.
        preset: The ruleset's base; ``overrides`` single fields changed.
        hands: Hand commitments; None for the default (decisions, 14).
        first_seat: Who is dealt first in hand 1.
        reveal_by: When the master must be out, ms since 1970.
    """

    origin: str
    seats: tuple[SeatConfig, ...]
    preset: str = PRESET
    overrides: Mapping[str, object] = field(default_factory=dict)
    hands: int | None = None
    first_seat: int = 1
    reveal_by: int


def open_body(config: GameConfig, game_id: str, master: Secret) -> dict[str, object]:
    """Give the body of record 0 with every hand's commitment.

    Raises:
        Unprocessable: ``unsupported_ruleset``, ``wrong_seats`` or as ``presets.build``.
        MalformedInput: A field of another shape, named.
    """
    ruleset = presets.build(config.preset, config.overrides)
    if ruleset != presets.build(PRESET):
        raise Unprocessable(
            "unsupported_ruleset",
            f"Only {PRESET} without overrides is refereed so far.",
            {"offered": [PRESET]},
        )
    if len(config.seats) != ruleset.players:
        raise Unprocessable(
            "wrong_seats",
            f"This ruleset has {ruleset.players} seats; {len(config.seats)} were given.",
            {"needed": ruleset.players, "given": len(config.seats)},
        )
    hands = config.hands if config.hands is not None else default_hands(ruleset)
    if not 1 <= hands <= MOST_HANDS:
        raise Unprocessable(
            "hands_out_of_range",
            f"A game commits to 1 to {MOST_HANDS} hands; {hands} were asked for.",
            {"least": 1, "most": MOST_HANDS, "given": hands},
        )
    return checked_body(
        origin=config.origin,
        profile="open",
        beacon=None,
        seats=[{"kind": seat.kind, "label": seat.label} for seat in config.seats],
        rules=rules_object(ruleset, config.preset, [seat.held_by for seat in config.seats]),
        first_seat=config.first_seat,
        master_commit=commit(master_line(game_id, master)),
        hand_commits=[
            commit(hand_line(game_id, hand, hand_secret(master, game_id, hand)))
            for hand in range(1, hands + 1)
        ],
        epoch_hands=0,
        missing_share="void",
        reveal_by=config.reveal_by,
    )


def default_hands(ruleset: Ruleset) -> int:
    """Give the number of hand commitments when the site does not say (decisions, 14)."""
    if ruleset.max_hands is None:
        return DEFAULT_HANDS
    return min(MOST_HANDS, ruleset.max_hands + _SPARE_HANDS)
