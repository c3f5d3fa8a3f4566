"""Refereed games: hands over to the reading of the rules what a revealed hand holds (§6.4)."""

from verifier.bodies import Close
from verifier.canasta import HandInput, game_over, judge_hand
from verifier.canasta.score import has_shape
from verifier.dealing import Table
from verifier.replay.state import Hand, State
from verifier.strictjson import Json

COMPLETE = "complete"
HANDS_USED_UP = "hands_used_up"


def judge_play(state: State, hand: Hand, table: Table | None) -> None:
    """Judge the acts and the score of a revealed hand, and see whether the game is over.

    Args:
        state: The replay; nothing happens in a game whose rules this version does not judge.
        hand: It has an ending.
        table: None where the cards dealt are not those derived: then the acts, made with other
            cards, are not judged, and the stated totals stand.
    """
    if not state.judges_rules:
        return
    assert hand.ending is not None
    is_scored = hand.ending[1] == "score"
    if table is None:
        state.totals = _stated_totals(state, hand)
    else:
        _judge(state, hand, table)
    state.hands_scored += is_scored
    if is_scored and game_over(_ruleset(state), list(state.totals), state.hands_scored):
        state.is_over = True


def check_close(state: State, close: Close) -> None:
    """Check the reason of a refereed game's ``close`` (§6.4, the end of the game)."""
    if not state.terms.is_refereed:
        return
    if close.reason not in {COMPLETE, HANDS_USED_UP}:
        state.warn("W_GAME_GIVEN_UP", f"the game was given up: {close.reason!a}")
        return
    if not state.judges_rules:
        return
    totals = " to ".join(map(str, state.totals))
    committed = len(state.terms.hand_commits)
    if close.reason == COMPLETE and not state.is_over:
        detail = f"closed as complete at {totals}, before the ruleset's end of the game"
        state.fail("E_GAME_END", detail)
    if close.reason == HANDS_USED_UP and (state.is_over or len(state.hands) != committed):
        detail = (
            f"closed as hands_used_up after {len(state.hands)} of {committed} hands, at {totals}"
        )
        state.fail("E_GAME_END", detail)


def _judge(state: State, hand: Hand, table: Table) -> None:
    assert hand.ending is not None
    outcome = judge_hand(
        HandInput(
            ruleset=_ruleset(state),
            sides=_play(state)["sides"],  # type: ignore[arg-type]  # play_fault saw to it
            seats=state.seats,
            first_seat=hand.deal.first_seat,
            deck=list(state.terms.deck),
            hands=table.hands,
            laid=table.laid,
            up=table.up,
            stock=table.stock,
            acts=hand.acts,
            ending=hand.ending,
            totals=list(state.totals),
        )
    )
    for fault in outcome.faults:
        state.fail(fault.code, fault.detail, hand=hand, at=fault.at, rule=fault.rule)
    state.totals = tuple(outcome.totals)


def _stated_totals(state: State, hand: Hand) -> tuple[int, ...]:
    """Return the totals that a score states, or those before where it has not the shape of §6.3."""
    assert hand.ending is not None
    result = hand.ending[2].get("result")
    if isinstance(result, dict) and has_shape(result, state.seats, len(state.totals)):
        return tuple(side["total"] for side in result["sides"])  # type: ignore[index,union-attr,call-overload,misc]
    return state.totals


def _play(state: State) -> dict[str, Json]:
    play = state.terms.rules["play"]
    assert isinstance(play, dict)
    return play


def _ruleset(state: State) -> dict[str, Json]:
    ruleset = _play(state)["ruleset"]
    assert isinstance(ruleset, dict)
    return ruleset
