"""Record 0: what a site asks for, made into the first record (§2.4, §6.1)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from fairdeal.canasta import presets
from fairdeal.canasta.ruleset import Ruleset
from fairdeal.errors import Unprocessable
from fairdeal.fairness.beacon import CHAINS
from fairdeal.fairness.keys import Secret, hand_secret
from fairdeal.fairness.lines import commit, hand_line, master_line
from fairdeal.game.table import GIVEN, rules_object
from fairdeal.records.fields import MAX_HANDS
from fairdeal.records.opening import RULES_VERSION
from fairdeal.records.opening import open_body as checked_body

PRESET: Final = "classic@1"
"""The default ruleset."""
DEFAULT_HANDS: Final = 64
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
class DealtRules:
    """Rules of a dealt-only game: the site referees, the service deals (protocol §2.7, §6).

    Attributes:
        name: What the game is called, 1 to 200 characters.
        deck: The face of each card, 1 to 1,024.
        steps: The steps of the deal.
    """

    name: str
    deck: Sequence[str]
    steps: Sequence[Mapping[str, object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameConfig:
    """What a new game is to be.

    Attributes:
        origin: The service's name, that of its receipt key.
        seats: One entry a seat.
        preset: The ruleset's base; ``overrides`` single fields changed.
        seating: How the seats were found: ``{"how": "given"}``, or by a draw (protocol §6.1).
        dealt: Rules of a dealt-only game instead of a ruleset.
        profile: ``open`` or ``sealed`` (protocol §2.5).
        beacon: None or ``{chain, delay_ms}``.
        epoch_hands: Hands an epoch; 0 for one epoch for all hands.
        missing_share: ``void`` or, with a beacon, ``drop``.
        hands: Hand commitments; None for the default (decisions, 14).
        first_seat: Who is dealt first in hand 1.
        reveal_by: When the master must be out, ms since 1970.
    """

    origin: str
    seats: tuple[SeatConfig, ...]
    preset: str = PRESET
    overrides: Mapping[str, object] = field(default_factory=dict)
    seating: Mapping[str, object] = field(default_factory=lambda: GIVEN)
    dealt: DealtRules | None = None
    profile: str = "open"
    beacon: Mapping[str, object] | None = None
    epoch_hands: int = 0
    missing_share: str = "void"
    hands: int | None = None
    first_seat: int = 1
    reveal_by: int


def open_body(config: GameConfig, game_id: str, master: Secret) -> dict[str, object]:
    """Give the body of record 0 with every hand's commitment.

    Raises:
        Unprocessable: ``wrong_seats``, ``hands_out_of_range``, ``no_such_chain``,
            ``beacon_delay`` or as ``presets.build``.
        MalformedInput: A field of another shape, named.
    """
    ruleset = None if config.dealt else presets.build(config.preset, config.overrides)
    if ruleset is not None and len(config.seats) != ruleset.players:
        raise Unprocessable(
            "wrong_seats",
            f"This ruleset has {ruleset.players} seats; {len(config.seats)} were given.",
            {"needed": ruleset.players, "given": len(config.seats)},
        )
    hands = config.hands if config.hands is not None else default_hands(ruleset)
    if not 1 <= hands <= MAX_HANDS:
        raise Unprocessable(
            "hands_out_of_range",
            f"A game commits to 1 to {MAX_HANDS} hands; {hands} were asked for.",
            {"least": 1, "most": MAX_HANDS, "given": hands},
        )
    _check_beacon(config.beacon)
    return checked_body(
        origin=config.origin,
        profile=config.profile,
        beacon=config.beacon,
        seats=[{"kind": seat.kind, "label": seat.label} for seat in config.seats],
        rules=_rules(config, ruleset),
        first_seat=config.first_seat,
        master_commit=commit(master_line(game_id, master)),
        hand_commits=[
            commit(hand_line(game_id, hand, hand_secret(master, game_id, hand)))
            for hand in range(1, hands + 1)
        ],
        epoch_hands=config.epoch_hands,
        missing_share=config.missing_share,
        reveal_by=config.reveal_by,
    )


def _rules(config: GameConfig, ruleset: Ruleset | None) -> dict[str, object]:
    if config.dealt is not None:
        return {
            "deck": list(config.dealt.deck),
            "name": config.dealt.name,
            "seats": len(config.seats),
            "steps": [dict(step) for step in config.dealt.steps],
            "v": RULES_VERSION,
        }
    if ruleset is None:
        raise ValueError("a game has a ruleset or rules of its own")
    custody = [seat.held_by for seat in config.seats]
    return rules_object(ruleset, config.preset, custody, config.seating)


def _check_beacon(beacon: Mapping[str, object] | None) -> None:
    """Refuse a beacon that the verifier would refuse: its chain, its delay (§2.6)."""
    if beacon is None:
        return
    chain = CHAINS.get(str(beacon.get("chain")))
    if chain is None:
        raise Unprocessable(
            "no_such_chain", "This beacon's chain is not known here.", {"offered": list(CHAINS)}
        )
    least, delay = 2 * chain.period * 1000, beacon.get("delay_ms")
    if isinstance(delay, int) and delay < least:
        raise Unprocessable(
            "beacon_delay", f"delay_ms is at least {least}, two rounds.", {"least": least}
        )


def default_hands(ruleset: Ruleset | None) -> int:
    """Give the number of hand commitments when the site does not say (decisions, 14)."""
    if ruleset is None or ruleset.max_hands is None:
        return DEFAULT_HANDS
    return min(MAX_HANDS, ruleset.max_hands + _SPARE_HANDS)
