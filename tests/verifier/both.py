"""One hand in both readings of the rules: the engine's and the verifier's, act by act."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fairdeal.canasta import acts, cards, engine
from fairdeal.canasta.legality import faults
from fairdeal.canasta.position import ASKED, SLOTS, Position, slot_of
from fairdeal.canasta.presets import build
from fairdeal.canasta.ruleset import to_json
from fairdeal.canasta.scoring import sheet
from fairdeal.errors import MalformedInput
from fairdeal.fairness.deal import deal
from fairdeal.fairness.steps import parse_steps
from fairdeal.game.table import rules_object
from scripts.vectors.wrong import attempts
from verifier.canasta import HandInput
from verifier.canasta.acts import apply_act
from verifier.canasta.grammar import ActFormError, parse_act
from verifier.canasta.judge import start_play
from verifier.canasta.refusal import refusal
from verifier.canasta.score import due_result
from verifier.canasta.turn import Play

RULES = build("classic@1", {})
TABLE: dict[str, Any] = rules_object(RULES, "classic@1", ["service-bot"] * 4)
DECK = TABLE["deck"]
SIDES = [[0, 2], [1, 3]]
STEPS = parse_steps(TABLE["steps"], cards=len(DECK), seats=4)
TOTALS = (-300, 0, 1495, 1500, 2990, 3000, 4900)
# What the engine's most specific rule is as an error of 6.4; all others are E_ACT_RULE.
ERRORS = {
    "NOT_YOUR_TURN": "E_ACT_TURN",
    "PILE_EMPTY": "E_ACT_PILE",
    "TOP_CARD_NOT_USED": "E_ACT_PILE",
    "NOT_IN_HAND": "E_ACT_CARD",
}
PRECEDENCE = ("NOT_YOUR_TURN", "PILE_EMPTY", "TOP_CARD_NOT_USED", "NOT_IN_HAND")


@dataclass
class Both:
    """A hand in progress, twice."""

    position: Position
    play: Play

    @property
    def seat(self) -> int:
        return self.position.turn

    def do(self, act: acts.Act) -> None:
        """Carry out a lawful act on both sides; what it took and showed must agree."""
        after, effect = engine.apply(self.position, self.seat, act)
        took, shown = apply_act(self.play, parse_act(acts.format_act(act)))
        assert (list(effect.took), list(effect.shown)) == (took, shown), acts.format_act(act)
        self.position = after
        assert (after.end or None) == self.play.end
        assert after.end or after.turn == self.due_seat()

    def due_seat(self) -> int:
        play = self.play
        return play.partner() if play.turn.phase == "question" else play.turn.seat

    def readings(self, seat: int, text: str) -> tuple[Any, Any]:
        """What both say of an act: (error, rule) or None for a lawful one."""
        return self.engine_says(seat, text), self.verifier_says(seat, text)

    def engine_says(self, seat: int, text: str) -> tuple[str, str | None] | None:
        try:
            act = acts.parse(text)
        except MalformedInput:
            return ("E_ACT_FORM", None)
        broken = list(dict.fromkeys(faults(self.position, seat, act)))
        if not broken:
            return None
        if self.position.phase == ASKED and "NOT_YOUR_TURN" not in broken:
            return ("E_ACT_RULE", broken[0])
        if "NOT_YOUR_TURN" not in broken and self._takes_another(act):
            return ("E_ACT_PILE", None)
        for code in PRECEDENCE:  # 6.4: turn, pile and cards are judged before the rules
            if code in broken:
                return (ERRORS[code], None)
        return ("E_ACT_RULE", broken[0])

    def _takes_another(self, act: acts.Act) -> bool:
        """Whether a take's rank is not that of the top card; of a wild card that is W (6.4)."""
        if not isinstance(act, acts.Take) or not self.position.pile:
            return False
        top = cards.CLASS_OF[self.position.pile[-1]]
        return act.rank != acts.GROUP_RANKS[slot_of(top)]

    def verifier_says(self, seat: int, text: str) -> tuple[str, str | None] | None:
        try:
            act = parse_act(text)
        except ActFormError:
            return ("E_ACT_FORM", None)
        said = refusal(self.play, seat, act)
        return None if said is None else (said.code, said.rule)

    def scores(self) -> tuple[Any, Any]:
        """The sides' lines and sums as both book them."""
        mine = [
            {
                "hand": side.hand,
                "lines": [list(line) for line in side.lines],
                "total": side.hand + total,
            }
            for side, total in zip(sheet(self.position), self.position.totals, strict=True)
        ]
        due = due_result(self.play, [0] * 4)
        out = self.position.out if self.position.out >= 0 else None
        ends = (self.position.end, self.position.concealed, out)
        return (mine, ends), (due["sides"], (due["end"], due["concealed"], due["seat"]))


def dealt(chance: random.Random) -> Both:
    """A hand of a shuffled deck at some totals; in some the stock is nearly used up."""
    order = list(range(len(DECK)))
    chance.shuffle(order)
    first = chance.randrange(4)
    totals = [chance.choice(TOTALS), chance.choice(TOTALS)]
    found = deal(order, DECK, STEPS, 4, first)
    stock = found.stock[: chance.choice((4, 12, 30, 60, 60))]
    faces = [[DECK[card] for card in hand] for hand in found.hands]
    position = engine.start(
        RULES,
        holdings=faces,
        laid=[[DECK[card] for card in laid] for laid in found.laid],
        up=[DECK[card] for card in found.up],
        stock=[DECK[card] for card in stock],
        first_seat=first,
        totals=totals,
    )
    hand = HandInput(
        ruleset=to_json(RULES),
        sides=SIDES,
        seats=4,
        first_seat=first,
        deck=DECK,
        hands=found.hands,
        laid=found.laid,
        up=found.up,
        stock=stock,
        acts=[],
        ending=(0, "score", {}),
        totals=totals,
    )
    return Both(position, start_play(hand))


def tries(both: Both, chance: random.Random, most: int) -> Iterator[tuple[int, str]]:
    """Acts by seats, lawful and not: simple ones, and several groups at once."""
    seat = both.seat
    simple = [acts.format_act(act) for act in attempts(both.position)]
    for text in chance.sample(simple, min(most, len(simple))):
        yield seat, text
    for _ in range(most):
        yield seat, acts.format_act(_composed(both.position, chance))
    yield chance.randrange(4), chance.choice(simple)


def _composed(position: Position, chance: random.Random) -> acts.Act:
    """Several groups of the holding, wilds anywhere, a discard or none, or a take with them."""
    held = [face for card, face in enumerate(cards.FACES) for _ in range(_held(position, card))]
    chance.shuffle(held)
    wilds = [face for face in held if face == "JK" or face[0] == "2"]
    own: dict[str, list[str]] = {}
    for face in held:
        if face not in wilds:
            own.setdefault(face[0], []).append(face)
    ranks = chance.sample(sorted(own), chance.randint(min(1, len(own)), len(own)))
    groups = {}
    for rank in ranks:
        number = chance.choice((len(own[rank]), len(own[rank]), chance.randint(1, len(own[rank]))))
        chosen = own[rank][:number]
        while wilds and chance.random() < 0.4:
            chosen.append(wilds.pop())
        groups[rank] = chosen
    melded = [rank for slot, rank in enumerate(acts.GROUP_RANKS[:11]) if _melded(position, slot)]
    if wilds and melded and chance.random() < 0.5:
        groups.setdefault(chance.choice(melded), []).append(wilds.pop())
    made = [acts.group(rank, faces) for rank, faces in groups.items()]
    used = [face for faces in groups.values() for face in faces]
    spare = [face for face in held if used.count(face) < held.count(face)]
    if position.phase == "draw" and position.pile and chance.random() < 0.9:
        top = cards.FACES[position.pile[-1]][0]
        first = next((one for one in made if one.rank == top), None)
        rest = [one for one in made if one.rank != top and chance.random() < 0.5]
        if top in acts.GROUP_RANKS[:11]:
            rest.sort(key=acts.group_order)
            return acts.Take(top, first.cards if first else (), tuple(rest))
    if not made:
        return acts.Discard(chance.choice(held or ["4C"]))
    made.sort(key=acts.group_order)
    discard = chance.choice(spare) if spare and chance.random() < 0.6 else None
    return acts.Lay(tuple(made), discard)


def _held(position: Position, card: int) -> int:
    return position.held[position.turn][card]


def _melded(position: Position, slot: int) -> bool:
    side = position.side_of[position.turn]
    assert slot < SLOTS
    return bool(position.naturals[side][slot])
