"""The list of checks a report names: what ran, what was wrong, what could not run (§3.4)."""

import json
from collections.abc import Iterable
from typing import Final

from verifier.bodies import Open
from verifier.canasta import preset_differences
from verifier.findings import Check, Finding, Status
from verifier.held import Held
from verifier.replay.state import State
from verifier.schema_open import PLAY_VERSION, play_version

# Which check an error belongs to; what is not listed here is a matter of order.
CODES: Final[dict[str, frozenset[str]]] = {
    "chain": frozenset({"E_GAME_MIXED", "E_SEQUENCE", "E_CHAIN_BROKEN", "E_TIME_REVERSED"}),
    "commitment": frozenset({"E_PINNED_COMMIT"}),
    "receipts": frozenset({"E_ORIGIN", "E_EQUIVOCATION", "E_TRUNCATED"}),
    "seeds": frozenset(
        {
            "E_SEAT_TWICE",
            "E_SEAL_COPIED",
            "E_SEALED_LIST",
            "E_SHARE_WITHOUT_SEAL",
            "E_SEAL_OPENING",
            "E_SHARE_MISSING",
            "E_LOCK_SHARES",
            "E_BEACON_ROUND",
        }
    ),
    "own seed": frozenset({"E_OWN_SEED"}),
    "deals": frozenset(
        {
            "E_COMMIT_REUSED",
            "E_FIRST_SEAT",
            "E_HAND_OPENING",
            "E_DEAL_HANDS",
            "E_DEAL_UPCARD",
            "E_DEAL_LAID",
            "E_DEAL_STOCK",
        }
    ),
    "own cards": frozenset({"E_OWN_HAND"}),
    "rules": frozenset(
        {
            "E_ACT_FORM",
            "E_ACT_TURN",
            "E_ACT_PILE",
            "E_ACT_CARD",
            "E_ACT_RULE",
            "E_ACT_RED_THREE",
            "E_HAND_END",
            "E_SCORE_TOTAL",
            "E_SCORE_LINES",
        }
    ),
    "game end": frozenset({"E_GAME_END"}),
    "master": frozenset({"E_MASTER_OPENING", "E_HAND_NOT_FROM_MASTER"}),
    "deadline": frozenset({"E_REVEAL_WITHHELD"}),
}
_NAMED: Final = frozenset().union(*CODES.values())


def after_bytes(
    terms: Open | None, held: Held, errors: Iterable[Finding], state: State | None, records: int
) -> tuple[Check, ...]:
    """Return all checks of a file that passed stage 1, in the order of §3.2.

    Args:
        terms: Record 0's body, if it is an ``open``.
        held: What the user gave.
        errors: All that were found.
        state: The replay, or None where it could not run.
        records: How many the file has.
    """
    wrong = {_check_of(error, terms) for error in errors}
    made = [
        Check(name="bytes", status="ok", detail=f"records: {records}"),
        _check(wrong, "chain", "ok", "numbers, links and times"),
        _check(wrong, "commitment", *_given(held.commit or held.table_code, "what you noted")),
        _check(wrong, "receipts", *_given(held.notes, f"{len(held.notes)} given")),
    ]
    if held.unread:
        detail = f"this version does not judge {', '.join(held.unread)}"
        made.append(Check(name="checkpoints", status="not-run", detail=detail))
    if terms and terms.is_refereed:
        made.append(Check(name="preset", status="ok", detail=_preset(terms)))
    if state is None:
        made += _unreplayed(wrong, terms, held)
    else:
        made += _replayed(wrong, held, state, is_whole=state.taken == records)
    return tuple(made)


def can_replay(terms: Open) -> bool:
    """Return whether this version replays a game of this kind (§3.4)."""
    return terms.profile == "open" and terms.beacon is None


def _check_of(error: Finding, terms: Open | None) -> str:
    if error.code == "E_DRAW_ORDER":
        return "rules" if terms and terms.is_refereed else "order"
    return next((name for name, codes in CODES.items() if error.code in codes), "order")


def _check(wrong: set[str], name: str, status: Status, detail: str) -> Check:
    return Check(name=name, status="wrong" if name in wrong else status, detail=detail)


def _given(evidence: object, detail: str) -> tuple[Status, str]:
    return ("ok", detail) if evidence else ("not-applicable", "nothing was given")


def _unreplayed(wrong: set[str], terms: Open | None, held: Held) -> list[Check]:
    why = "there is no record 0 to replay from"
    if terms:
        why = "this version does not replay the profile sealed"
        if terms.beacon:
            why = "this version does not replay games with a beacon"
    names = ["order", "seeds", "deals", "master"]
    if terms and terms.beacon:
        names.append("beacon")
    if held.own_seed:
        names.append("own seed")
    if held.hand_cards:
        names.append("own cards")
    if terms and terms.is_refereed:
        names += ["rules", "game end"]
    if held.now is not None:
        names.append("deadline")
    return [_check(wrong, name, "not-run", why) for name in names]


def _replayed(wrong: set[str], held: Held, state: State, *, is_whole: bool) -> list[Check]:
    opened = sum(hand.table is not None for hand in state.hands)
    progress = f"{opened} of {len(state.hands)} hands opened and derived anew"
    made: list[tuple[str, Status, str]] = [
        ("order", "ok", "every record in its place"),
        ("seeds", "ok", f"epochs: {len(state.epochs)}"),
        ("own seed", *_given(held.own_seed, "your text, in every epoch that was locked")),
        ("deals", "ok", progress),
        ("own cards", *_own_cards(state)),
        ("rules", *_rules(state, "every act, score and total of the opened hands")),
        ("game end", *_rules(state, "whether the game closed, or went on, as its rules say")),
        ("master", *_master(state)),
        ("deadline", *_deadline(state)),
    ]
    why = "the records could not be read to the end"
    return [
        _check(wrong, name, status, detail)
        if is_whole or status == "not-applicable"
        else _check(wrong, name, "not-run", why)
        for name, status, detail in made
    ]


def _preset(terms: Open) -> str:
    """Say where a game's ruleset is not that of the preset it names; never an error (§6.1)."""
    play = terms.rules["play"]
    if not isinstance(play, dict) or play_version(terms) != PLAY_VERSION:
        return "rules of another version"
    name, ruleset = play["preset"], play["ruleset"]
    assert isinstance(name, str)
    assert isinstance(ruleset, dict)
    differences = preset_differences(name, ruleset)
    if differences is None:
        return f"this version has no table of a preset {name!a}"
    but = "; ".join(
        f"{field} {json.dumps(here)}, there {json.dumps(there)}"
        for field, here, there in differences
    )
    return f"{name}, but for {but}" if but else f"{name}, as this version's table has it"


def _own_cards(state: State) -> tuple[Status, str]:
    shown = state.held.hand_cards
    dealt = {hand.number: hand for hand in state.hands}
    unread = [
        card.hand
        for card in shown
        if card.hand not in dealt or (card.salt is None and dealt[card.hand].table is None)
    ]
    if unread:
        return "not-run", f"hand {unread[0]} is not dealt or not opened in this file"
    return _given(shown, f"{len(shown)} hands you were shown")


def _rules(state: State, detail: str) -> tuple[Status, str]:
    if not state.terms.is_refereed:
        return "not-applicable", "a dealt-only game: the site referees by itself"
    if not state.judges_rules:
        return "not-run", "this version does not know the rules of that play.v"
    return "ok", detail


def _master(state: State) -> tuple[Status, str]:
    if not state.is_ended:
        return "not-applicable", "not out yet"
    return "ok", f"the master and all {len(state.terms.hand_commits)} hand commitments"


def _deadline(state: State) -> tuple[Status, str]:
    if state.is_ended:
        return "not-applicable", "the master is out"
    if state.held.now is None:
        return "not-applicable", "no trusted time was given"
    return "ok", f"the master is due by {state.terms.reveal_by}"
