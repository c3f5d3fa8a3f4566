"""Run the engine and the verifier's own rules against each other, and print where they part.

    python -m benchmarks.agree --pairs 100000

plays whole hands of every preset and of random rulesets by the engine's listed acts. At each
position both judge several acts, legal and not; each act played must take and show the same, leave
the same cards and turn, and every hand must end and score alike.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Final

from benchmarks.rulesets import by_chance, preset
from benchmarks.tries import tries
from benchmarks.twohands import Dealt, deal_fair, deal_rigged, start_engine, start_verifier
from fairdeal.canasta import acts, cards, engine, presets, scoring
from fairdeal.canasta.legality import faults
from fairdeal.canasta.position import Position
from fairdeal.canasta.ruleset import Ruleset, from_json, to_json
from fairdeal.errors import MalformedInput
from verifier.canasta.acts import apply_act
from verifier.canasta.grammar import ActFormError, parse_act
from verifier.canasta.refusal import refusal
from verifier.canasta.score import score_lines
from verifier.canasta.turn import Play

STYLES: Final = ("even", "laying", "asking", "timid")
_LISTED: Final = 150
_HUGE: Final = 30
"""Holdings above this size are not listed: where many cards must be laid at once, that is long."""
_LONGEST: Final = 3000
_FORM: Final = "BAD_FORM"
_PRICES: Final = (
    "going_out_bonus",
    "concealed_extra",
    "natural_canasta",
    "mixed_canasta",
    "red3_each",
    "red3_all",
)
_SAME: Final = {
    "E_ACT_TURN": {"NOT_YOUR_TURN", "NOT_PARTNER"},
    "E_ACT_PILE": {"PILE_EMPTY", "TOP_CARD_NOT_USED", "TOP_WILD", "TOP_BLACK3", "TOP_RED3"},
    "E_ACT_CARD": {"NOT_IN_HAND"},
}
"""What the engine calls the errors that the verifier finds before it comes to the rules."""


@dataclass(slots=True)
class Tally:
    """What a run saw.

    Attributes:
        hands: Hands played.
        pairs: Acts judged by both at a position.
        legal: How many of them are legal.
        codes: The first code of the verifier for each act refused, and how often.
        ends: How the hands ended.
        verbs: Acts played.
        parted: Where the two differ, in words, with the seed of the hand.
        unknown: Codes of the verifier that the engine's list does not hold, with that list.
    """

    hands: int = 0
    pairs: int = 0
    legal: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    verbs: Counter[str] = field(default_factory=Counter)
    parted: list[str] = field(default_factory=list)
    unknown: Counter[str] = field(default_factory=Counter)

    def add(self, other: "Tally") -> None:
        """Add what another run saw."""
        self.hands += other.hands
        self.pairs += other.pairs
        self.legal += other.legal
        self.codes += other.codes
        self.ends += other.ends
        self.verbs += other.verbs
        self.parted += other.parted
        self.unknown += other.unknown


@dataclass(frozen=True, slots=True)
class Case:
    """One hand to compare, all of it from the seed."""

    rules: Ruleset
    dealt: Dealt
    style: str
    chance: Random


def case_of(seed: int) -> Case:
    """Give the case of a seed: the presets by turns, then rulesets by chance, dealt both ways."""
    chance = Random(seed)
    names = sorted(presets.PRESETS)
    rules = (
        preset(names[seed // 2 % len(names)]) if seed % 2 else _priced(by_chance(chance), chance)
    )
    dealt = (deal_rigged if chance.random() < 0.7 else deal_fair)(rules, chance)
    return Case(rules, dealt, chance.choice(STYLES), chance)


def _priced(rules: Ruleset, chance: Random) -> Ruleset:
    """Change some of the prices of a ruleset, none to the same as another."""
    fields = to_json(rules)
    for place, name in enumerate(_PRICES):
        if chance.random() < 0.3:
            fields[name] = 5 * chance.randrange(1, 100) + 1000 * place
    if fields["red3_table"] is None and chance.random() < 0.1:
        fields["red3_table"] = [0, *(35 + 100 * n for n in range(2 * rules.decks))]
    return from_json(fields)


def compare(seed: int, tried: int = 8) -> Tally:
    """Play the hand of a seed and compare; it ends early where the two have parted.

    Args:
        seed: Of ``case_of``.
        tried: How many acts to judge at each position.
    """
    case, tally = case_of(seed), Tally(hands=1)
    position, play = start_engine(case.rules, case.dealt), start_verifier(case.rules, case.dealt)
    for why in _compare(case, position, play, tally, tried):
        tally.parted.append(f"seed {seed}: {why}")
        break
    tally.ends[position.end or "-"] += 1
    return tally


def _compare(case: Case, position: Position, play: Play, tally: Tally, tried: int) -> Iterator[str]:
    yield from _cards_differ(position, play)
    for _ in range(_LONGEST):
        if position.end:
            yield from _scores_differ(position, play)
            return
        listed = _listed(position, play, case.chance)
        ending = play.turn.phase == "draw" and not play.position.stock_left
        for text in tries(play, listed, case.chance, 3 * tried if ending else tried):
            seat = position.turn
            if case.chance.random() < 0.02:
                seat = case.chance.randrange(case.rules.players)
            yield from _verdicts_differ(position, play, seat, text, tally)
        text = _choose(listed, case.style, case.chance)
        yield from _verdicts_differ(position, play, position.turn, text, tally)
        tally.verbs[text.split()[0]] += 1
        effect = engine.play(position, position.turn, acts.parse(text))
        took, shown = apply_act(play, parse_act(text))
        if (list(effect.took), list(effect.shown)) != (took, shown):
            yield f"{text}: engine {effect}, verifier took {took}, shown {shown}"
        yield from (f"after {text}: {why}" for why in _cards_differ(position, play))
    yield f"the hand does not end in {_LONGEST} acts"


def _listed(position: Position, play: Play, chance: Random) -> list[str]:
    """Give legal acts: the engine's list, of huge holdings what is found by trying."""
    held = play.held()
    if held.total() <= _HUGE:
        return [acts.format_act(act) for act in islice(engine.legal_acts(position), _LISTED)]
    made = tries(play, [], chance, 40)
    texts = ["draw", "show", "end", "yes", "no", *(f"discard {face}" for face in held), *made]
    return [text for text in texts if not _engine_codes(position, position.turn, text)]


def _choose(listed: list[str], style: str, chance: Random) -> str:
    laying = [text for text in listed if text.startswith(("take", "lay"))]
    if style == "asking" and "ask" in listed:
        return "ask"
    if style == "timid" and chance.random() < 0.9:
        calm = [text for text in listed if text.startswith(("draw", "discard"))]
        return chance.choice(calm or listed)
    if style != "even" and laying and chance.random() < 0.8:
        return chance.choice(laying)
    return chance.choice(listed)


def _verdicts_differ(
    position: Position, play: Play, seat: int, text: str, tally: Tally
) -> Iterator[str]:
    tally.pairs += 1
    ours = _verifier_code(play, seat, text)
    theirs = _engine_codes(position, seat, text)
    tally.legal += ours is None
    if ours:
        tally.codes[ours] += 1
    if (ours is None) != (not theirs):
        yield f"seat {seat}, {text!r}: engine {theirs or 'legal'}, verifier {ours or 'legal'}"
    elif ours is not None and not _SAME.get(ours, {ours}) & set(theirs):
        tally.unknown[f"{ours} not in {', '.join(theirs)}"] += 1


def _verifier_code(play: Play, seat: int, text: str) -> str | None:
    try:
        act = parse_act(text)
    except ActFormError:
        return _FORM
    refused = refusal(play, seat, act)
    return (refused.rule or refused.code) if refused else None


def _engine_codes(position: Position, seat: int, text: str) -> list[str]:
    try:
        act = acts.parse(text)
    except MalformedInput:
        return [_FORM]
    return list(faults(position, seat, act))


def _faces(numbers: object) -> list[str]:
    return sorted(cards.FACES[card] for card in numbers)  # type: ignore[attr-defined]


def _cards_differ(position: Position, play: Play) -> Iterator[str]:
    """Compare end, turn and cards, by face."""
    table = play.position
    deck = table.deck
    if (position.end or None) != play.end:
        yield f"engine ended {position.end!r}, verifier {play.end!r}"
        return
    if play.end is None:
        due = play.partner() if play.turn.phase == "question" else play.turn.seat
        if position.turn != due:
            yield f"engine has seat {position.turn} in turn, verifier {due}"
    for seat, counts in enumerate(position.held):
        theirs = Counter({cards.FACES[card]: n for card, n in enumerate(counts) if n})
        if theirs != table.held(seat):
            yield f"holding of seat {seat}: engine {theirs}, verifier {table.held(seat)}"
    if [cards.FACES[card] for card in position.pile] != [deck[card] for card in table.pile]:
        yield "the piles differ"
    if position.drawn != table.drawn:
        yield f"drawn: engine {position.drawn}, verifier {table.drawn}"
    for side, seats in enumerate(play.sides):
        theirs_laid = sorted(_faces(meld) for meld in position.laid[side] if meld)
        ours_laid = sorted(sorted(deck[c] for c in meld) for meld in table.melds[side].values())
        if theirs_laid != ours_laid:
            yield f"melds of side {side}: engine {theirs_laid}, verifier {ours_laid}"
        ours_red = sorted(deck[card] for seat in seats for card in table.red_threes[seat])
        if _faces(position.red3[side]) != ours_red:
            yield f"red threes of side {side} differ"


def _scores_differ(position: Position, play: Play) -> Iterator[str]:
    out = None if position.out < 0 else position.out
    if (out, position.concealed) != (play.went_out, play.concealed):
        yield f"out: engine {out}, {position.concealed}; verifier {play.went_out}, {play.concealed}"
    for side, score in enumerate(scoring.sheet(position)):
        theirs, ours = list(score.lines), score_lines(play, side)
        if theirs != ours:
            yield f"lines of side {side} ({play.end}): engine {theirs}, verifier {ours}"


def _batch(seeds: range) -> Tally:
    tally = Tally()
    for seed in seeds:
        tally.add(compare(seed))
    return tally


def main() -> int:
    """Compare until there are enough pairs; the exit status says whether all agree."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    tally, start, step = Tally(), time.perf_counter(), 20
    with ProcessPoolExecutor(given.processes) as pool:
        seed = given.first
        while tally.pairs < given.pairs:
            batches = [range(seed + step * i, seed + step * (i + 1)) for i in range(8)]
            seed = batches[-1].stop
            for found in pool.map(_batch, batches):
                tally.add(found)
            used = time.perf_counter() - start
            print(
                f"{tally.hands} hands, {tally.pairs} pairs, {len(tally.parted)} parted,"
                f" {used:.0f} s",
                file=sys.stderr,
            )
    _report(tally)
    return 1 if tally.parted else 0


def _report(tally: Tally) -> None:
    for line in tally.parted[:200]:
        print(line)
    print(f"{tally.hands} hands, {tally.pairs} pairs, {tally.legal} of them legal")
    for name in ("ends", "verbs", "codes", "unknown"):
        counts: Counter[str] = getattr(tally, name)
        print(f"{name}: {', '.join(f'{key} {n}' for key, n in counts.most_common())}")
    print(f"{len(tally.parted)} hands in which engine and verifier parted")


if __name__ == "__main__":
    sys.exit(main())
