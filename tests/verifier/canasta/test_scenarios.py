"""The scenarios of tests/cases on the verifier's rules: legal or not, why, and what follows.

The engine is held to the same file by the tests of its own.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.verifier.canasta.positions import do, holding, meld_sizes, position, refused, same_faces
from verifier.canasta.faces import value
from verifier.canasta.fields import CLASSIC_1
from verifier.canasta.gameend import game_over
from verifier.canasta.grammar import Act, ActFormError, Group, Verb, format_act, parse_act
from verifier.canasta.melds import NONE, Count, opening_minimum, shape_fault
from verifier.canasta.pile import is_frozen
from verifier.canasta.ruleset import read_ruleset
from verifier.canasta.score import score_lines
from verifier.canasta.table import deck_of

FILE = json.loads(
    (Path(__file__).resolve().parents[2] / "cases" / "canasta-scenarios.json").read_text()
)
# Not of this package (the deal itself, the dealer), or not to be written as an act (a meld of
# the other side, a turn ended without a discard).
NOT_HERE = {"turn_upcard", "expose_red_threes", "next_deal", "deal_counts"}
NO_TEXT = {"M17"}


def actions(scenario):
    return [step["action"] for step in scenario.get("steps", [scenario])]


SCENARIOS = {
    scenario["id"]: scenario
    for scenario in FILE["scenarios"]
    if scenario["id"] not in NO_TEXT
    and not any(action["type"] in NOT_HERE for action in actions(scenario))
}


def ruleset_of(scenario) -> dict[str, Any]:
    """The fields of a scenario that differ from ``classic@1``."""

    def changes(preset: str) -> dict[str, Any]:
        if preset == "classic":
            return {}
        entry = FILE["presets"][preset]
        return {**changes(entry["base"]), **entry["changes"]}

    fields = {**changes(scenario["preset"]), **scenario.get("overrides", {})}
    return {name: fields[name] for name in fields if name in CLASSIC_1}


def face(text: str) -> str:
    return text.replace("10", "T")


def rank_of(text: str) -> str:
    return {"10": "T", "WILD": "W"}.get(text, text)


def meld_map(melds) -> dict[int, dict[str, list[str]]]:
    return {
        "ABCDEF".index(side): {rank_of(r): [face(c) for c in cards] for r, cards in by_rank.items()}
        for side, by_rank in melds.items()
    }


def play_of(scenario):
    situation = scenario["situation"]
    melds = meld_map(situation.get("melds", {}))
    seat = situation.get("seat", 0)
    stock = situation.get("stock", 20)
    scores = situation.get("scores", {})
    reds = situation.get("red_threes", {})
    return position(
        hold={int(s): [face(c) for c in cards] for s, cards in situation.get("hands", {}).items()},
        melds=melds,
        pile=[face(card) for card in situation.get("pile", [])],
        stock=stock if isinstance(stock, int) else [face(card) for card in stock],
        red_threes={"ABCDEF".index(side): [face(c) for c in cards] for side, cards in reds.items()},
        seat=seat,
        phase=situation.get("phase", "draw"),
        drew_stock=situation.get("drew", "stock") == "stock",
        melded=situation.get("melded_seats", [seat] if melds.get(seat % 2) else []),
        totals=[scores.get("A", 0), scores.get("B", 0)],
        **ruleset_of(scenario),
    )


def group_of(rank: str, cards) -> Group:
    return Group(rank_of(rank), tuple(face(card) for card in cards))


def text_of(play, action) -> str:
    match action["type"]:
        case "draw":
            return "draw" if play.position.stock_left else "end"
        case "take_pile":
            top = play.position.top() or "KS"
            rank = "W" if top == "JK" or top[0] == "2" else top[0]
            first = Group(rank, tuple(face(card) for card in action["with"]))
            also = [group_of(g["rank"], g["cards"]) for g in action.get("also", [])]
            return format_act(Act(Verb.TAKE, (first, *also)))
        case "meld":
            groups = tuple(group_of(g["rank"], g["cards"]) for g in action["groups"])
            return format_act(Act(Verb.LAY, groups))
        case "discard":
            return f"discard {face(action['card'])}"
        case "ask":
            return "ask"
        case "answer":
            return "yes" if action["yes"] else "no"
        case _:
            raise AssertionError(action)


EARLIER = {"PILE_EMPTY": "E_ACT_PILE", "NOT_IN_HAND": "E_ACT_CARD", "NOT_YOUR_TURN": "E_ACT_TURN"}


def check_act(play, action, expected) -> None:
    actor = action.get("seat") if action["type"] == "answer" else None
    text = text_of(play, action)
    if text in ("take W", "take 3"):  # no such act can be written, so none is ever recorded
        assert not expected["legal"]
        with pytest.raises(ActFormError):
            parse_act(text)
        return
    seat = play.turn.seat
    answer = refused(play, text, actor)
    if not expected["legal"]:
        assert answer is not None, f"{text} is allowed"
        assert (answer.rule or answer.code) == EARLIER.get(expected["reason"], expected["reason"])
        return
    assert answer is None, (text, answer)
    do(play, text)
    for key, due in expected.get("state", {}).items():
        check_state(play, seat, key, due)


def hand_scores(play) -> dict[str, int]:
    return {"AB"[side]: sum(points for _, points in score_lines(play, side)) for side in range(2)}


def check_state(play, seat, key, due) -> None:
    match key:
        case "hand":
            assert same_faces(holding(play, seat), map(face, due))
        case "melds":
            for side, sizes in due.items():
                mine = meld_sizes(play, "AB".index(side))
                assert mine == {rank_of(rank): size for rank, size in sizes.items()}
        case "meld_kind":
            for side, kinds in due.items():
                counts = play.position.counts("AB".index(side))
                for rank, kind in kinds.items():
                    assert (counts[rank_of(rank)].wilds > 0) == (kind == "mixed")
        case "pile":
            deck = play.position.deck
            assert [deck[card] for card in play.position.pile] == [face(card) for card in due]
        case "frozen":
            assert is_frozen(play) == due
        case "stock_left":
            assert play.position.stock_left == due
        case "red_threes":
            for side, cards in due.items():
                laid = [
                    play.position.deck[card]
                    for seat_ in play.sides["AB".index(side)]
                    for card in play.position.red_threes[seat_]
                ]
                assert same_faces(laid, cards)
        case "phase":
            assert play.turn.phase == {"ask": "question"}.get(due, due)
        case "next_seat":
            assert play.turn.seat == due
        case "end":
            assert play.end == due
        case "went_out":
            assert play.went_out == due
        case "concealed":
            assert play.concealed == due
        case "penalty":
            for side, points in due.items():
                lines = dict(score_lines(play, "AB".index(side)))
                assert lines.get("PENALTY", 0) == points
        case "hand_scores":
            assert hand_scores(play) == due
        case _:
            raise AssertionError(key)


def check_other(play, ruleset, action, state, hands_played) -> None:
    """What the scenarios ask that is no act."""
    rules = read_ruleset(ruleset)
    match action["type"]:
        case "score_hand":
            play.went_out, play.concealed = action["went_out"], action["concealed"]
            assert hand_scores(play) == state["hand_scores"]
        case "opening_minimum":
            assert [opening_minimum(rules, s) for s in action["scores"]] == state["minimums"]
        case "end_hand":
            gained = action["hand_scores"]
            totals = [play.totals[0] + gained["A"], play.totals[1] + gained["B"]]
            assert state.get("scores") in (None, {"A": totals[0], "B": totals[1]})
            over = game_over(ruleset, totals, hands_played + 1)
            assert over == state.get("match_over", False)
        case "deck_totals":
            deck = deck_of(ruleset["decks"], ruleset["jokers"])
            assert len(deck) == state["cards"]
            assert sum(map(value, deck)) == state["points_without_red_threes"]
        case "count_melds":
            assert count_melds(rules) == state["count"]
        case _:
            raise AssertionError(action)


def count_melds(rules) -> int:
    """All melds of one laying, as (rank, naturals, deuces, jokers)."""
    ordinary = sum(
        shape_fault(rules, "K", NONE, Count(naturals, deuces + jokers)) is None
        for naturals in range(9)
        for deuces in range(9)
        for jokers in range(5)
        if naturals + deuces + jokers
    )
    threes = sum(shape_fault(rules, "3", NONE, Count(number, 0)) is None for number in range(1, 5))
    return 11 * ordinary + threes


PLAYED = {"draw", "take_pile", "meld", "discard", "ask", "answer"}


def run(scenario) -> None:
    play = play_of(scenario)
    ruleset = {**CLASSIC_1, **ruleset_of(scenario)}
    for step in scenario.get("steps", [scenario]):
        action, expected = step["action"], step["expected"]
        if action["type"] in PLAYED:
            check_act(play, action, expected)
        else:
            hands_played = scenario["situation"].get("hands_played", 0)
            check_other(play, ruleset, action, expected["state"], hands_played)


def is_classic(scenario) -> bool:
    return scenario["preset"] == "classic" and "overrides" not in scenario


@pytest.mark.parametrize("name", [name for name in SCENARIOS if is_classic(SCENARIOS[name])])
def test_classic_scenarios_hold(name):
    run(SCENARIOS[name])


@pytest.mark.parametrize("name", [name for name in SCENARIOS if not is_classic(SCENARIOS[name])])
def test_the_scenarios_of_other_presets_hold(name):
    run(SCENARIOS[name])
