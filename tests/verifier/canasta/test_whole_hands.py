"""Whole hands played at random: no card is lost, every state goes on, and the judge agrees."""

import random
from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from tests.verifier.canasta.transcripts import deal_of, records
from verifier.canasta import HandInput, judge_hand
from verifier.canasta.acts import apply_act
from verifier.canasta.faces import MELD_RANKS, is_wild, rank, value
from verifier.canasta.grammar import Act, Group, Verb, format_act, parse_act
from verifier.canasta.judge import start_play
from verifier.canasta.refusal import refusal
from verifier.canasta.score import due_result

DECK = records("R01")[0]["body"]["rules"]["deck"]
RULESET = records("R01")[0]["body"]["rules"]["play"]["ruleset"]
SIDES = [[0, 2], [1, 3]]


def dealt(seed, first_seat=1):
    order = list(range(len(DECK)))
    random.Random(seed).shuffle(order)
    if seed % 8 == 0:  # so that some stocks end in a red three
        order.remove(DECK.index("3H"))
        order.append(DECK.index("3H"))
    deal = deal_of(DECK, order, first_seat)
    return HandInput(
        ruleset=RULESET,
        sides=SIDES,
        seats=4,
        first_seat=first_seat,
        deck=DECK,
        hands=deal.hands,
        laid=deal.laid,
        up=deal.up,
        stock=deal.stock,
        acts=[],
        ending=(0, "score", {}),
        totals=[0, 0],
    )


def groups_at_random(play, chance, wanted=None):
    """Groups of own cards: what makes or joins a meld, wilds where they help."""
    held, melds = play.held(), play.melds()
    wilds = [face for face in held.elements() if is_wild(face)]
    chance.shuffle(wilds)
    groups = {}
    for name in sorted(MELD_RANKS, key=lambda _: chance.random()):
        own = [face for face in held.elements() if not is_wild(face) and rank(face) == name]
        spare = 1 if name == wanted else 0
        lacking = max(0, 3 - spare - len(own) - (3 if name in melds else 0))
        if not own or lacking > min(len(wilds), 1) or (name not in melds and len(own) + spare < 2):
            continue
        groups[name] = Group(name, tuple(own + [wilds.pop() for _ in range(lacking)]))
    if wanted in groups:
        return (groups.pop(wanted), *groups.values())
    return tuple(groups.values()) if wanted is None else (Group(wanted, ()), *groups.values())


def candidates(play, chance, timid):
    """Acts to try, the bold ones first; a draw, a discard or the end always closes the list."""
    held = list(play.held().elements())
    chance.shuffle(held)
    if play.turn.phase == "question":
        return [Act(Verb.YES if chance.random() < 0.5 else Verb.NO)]
    if play.turn.phase == "draw":
        top = play.position.top()
        acts = []
        if top is not None and not is_wild(top) and rank(top) in MELD_RANKS:
            groups = groups_at_random(play, chance, rank(top))
            pair = [face for face in held if rank(face) == rank(top)][:2]
            acts = [
                Act(Verb.TAKE, groups),
                Act(Verb.TAKE, groups[:1]),
                Act(Verb.TAKE, (Group(rank(top), tuple(pair)), *groups[1:])),
                Act(Verb.TAKE, (Group(rank(top), ()),)),
            ]
        return [*([] if timid else acts), Act(Verb.DRAW), Act(Verb.END), *acts]
    groups = groups_at_random(play, chance)
    some = groups[: chance.randint(1, len(groups))] if groups else ()
    acts = [Act(Verb.ASK)] if chance.random() < 0.2 else []
    for chosen in (groups, some, *((group,) for group in groups)):
        if chosen:
            left = [f for f in held if f not in [c for g in chosen for c in g.cards]]
            acts += [Act(Verb.LAY, chosen), *(Act(Verb.LAY, chosen, f) for f in left[:1])]
    threes = tuple(face for face in held if rank(face) == "3")
    if threes:
        acts.append(Act(Verb.LAY, (*groups, Group("3", threes))))
    # After a yes only the right lays go on: try every card on every meld too.
    acts += [Act(Verb.LAY, (Group(name, (f,)),)) for f in held for name in play.melds()]
    discards = [Act(Verb.DISCARD, card=face) for face in held]
    return [*discards, *acts] if timid else [*acts, *discards]


def play_out(given, seed):
    """Play a hand at random by what the rules allow; the hand with its records, and the play."""
    chance, play = random.Random(seed), start_play(given)
    timid_share = 0.9 if seed % 4 == 0 else 0.0
    whole = list(range(len(DECK)))
    acts: list[tuple[int, dict[str, Any]]] = []
    while play.end is None:
        for act in candidates(play, chance, chance.random() < timid_share):
            if any(group.cards == () for group in act.groups[1:]):
                continue
            text = format_act(act)
            seat = play.partner() if play.turn.phase == "question" else play.turn.seat
            if refusal(play, seat, parse_act(text)) is None:
                break
        else:
            raise AssertionError(f"no act is lawful: {play}")
        took, shown = apply_act(play, parse_act(text))
        body = {"seat": seat, "by": "seat", "act": text, "took": took, "shown": shown}
        acts.append((len(acts) + 4, {"hand": 1, **body}))
        assert play.position.cards() == whole, text
        assert len(acts) < 2000
    result = {**due_result(play, [0] * 4), "hints": [0] * 4}
    ending = (len(acts) + 4, "score", {"hand": 1, "result": result})
    return replace(given, acts=acts, ending=ending), play


@cache
def played(seed):
    """The hand of a seed, played out."""
    return play_out(dealt(seed, seed % 4), seed)


SEEDS = range(60)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_hand_played_by_the_rules_is_judged_without_a_fault(seed):
    given, play = played(seed)
    outcome = judge_hand(given)
    assert outcome.faults == []
    sides = given.ending[2]["result"]["sides"]
    assert outcome.totals == [side["hand"] for side in sides]
    booked = sum(points for side in sides for code, points in side["lines"] if code == "CARDS")
    in_hand = sum(points for side in sides for code, points in side["lines"] if code == "IN_HAND")
    elsewhere = [*play.position.pile, *play.position.stock[play.position.drawn :]]
    assert booked - in_hand + sum(value(DECK[card]) for card in elsewhere) == 1180


def test_random_hands_reach_the_rare_parts():
    hands = [played(seed) for seed in SEEDS]
    verbs = Counter(body["act"].split()[0] for given, _ in hands for _, body in given.acts)
    assert {"draw", "take", "lay", "discard", "end", "ask", "yes", "no"} <= verbs.keys()
    ends = {play.end for _, play in hands}
    assert ends == {"WENT_OUT", "STOCK_EXHAUSTED", "LAST_STOCK_RED3"}


def test_a_changed_face_is_nearly_always_found():
    found = tried = 0
    for seed in SEEDS:
        given, _ = played(seed)
        for place, (at, body) in enumerate(given.acts):
            if not body["act"].startswith("discard"):
                continue
            for face in ("KC", "5D"):
                if body["act"] == f"discard {face}":
                    continue
                acts = list(given.acts)
                acts[place] = (at, {**body, "act": f"discard {face}"})
                tried += 1
                found += bool(judge_hand(replace(given, acts=acts)).faults)
        if tried > 400:
            break
    # Another discard that the seat could have made and that changes nothing later is lawful.
    assert found > 0.9 * tried
