"""The list of checks a report names: what ran, what was wrong, what could not run (§3.4)."""

import json
from collections.abc import Iterable

from verifier.bodies import Open
from verifier.canasta import preset_choices, preset_differences
from verifier.checkname import check_of
from verifier.evidence import Evidence
from verifier.findings import Check, Finding, Status
from verifier.held import Held
from verifier.replay.state import State
from verifier.schema_open import PLAY_VERSION, play_version


def after_bytes(
    terms: Open | None,
    held: Held,
    evidence: Evidence,
    errors: Iterable[Finding],
    state: State | None,
    records: int,
) -> tuple[Check, ...]:
    """Return all checks of a file that passed stage 1, in the order of §3.2.

    Args:
        terms: Record 0's body, if it is an ``open``.
        held: What the user gave.
        evidence: What stage 3 made of it.
        errors: All that were found.
        state: The replay, or None where it could not run.
        records: How many the file has.
    """
    wrong = {check_of(error, terms) for error in errors}
    made = [
        Check(name="bytes", status="ok", detail=f"records: {records}"),
        _check(wrong, "chain", "ok", "numbers, links and times"),
        _check(wrong, "commitment", *_given(held.commit or held.table_code, "what you noted")),
        _check(wrong, "receipts", *_given(held.notes, f"{len(held.notes)} given")),
        _check(wrong, "checkpoints", *_checkpoints(held, evidence)),
        _check(wrong, "seating", *_seating(terms, held)),
    ]
    if terms and terms.is_refereed:
        made.append(Check(name="preset", status="ok", detail=_preset(terms)))
    if state is None:
        made += _unreplayed(wrong, held)
    else:
        made += _replayed(wrong, held, evidence, state, is_whole=state.taken == records)
    return tuple(made)


def _check(wrong: set[str], name: str, status: Status, detail: str) -> Check:
    return Check(name=name, status="wrong" if name in wrong else status, detail=detail)


def _given(evidence: object, detail: str) -> tuple[Status, str]:
    return ("ok", detail) if evidence else ("not-applicable", "nothing was given")


def _checkpoints(held: Held, evidence: Evidence) -> tuple[Status, str]:
    good = len(evidence.logged.good)
    given = (*held.checkpoints, *held.proofs)
    return _given(given, f"{good} of {len(given)} fit the log and the file")


def _seating(terms: Open | None, held: Held) -> tuple[Status, str]:
    if held.seating is not None:
        return "ok", "the draw for seats, its whole record"
    play = terms.rules.get("play") if terms else None
    seating = play.get("seating") if isinstance(play, dict) else None
    if isinstance(seating, dict) and seating.get("how") == "draw":
        return "not-applicable", f"the seats were drawn in {seating.get('game')}: --seating FILE"
    return "not-applicable", "no draw for seats"


def _unreplayed(wrong: set[str], held: Held) -> list[Check]:
    names = ["order", "seeds", "deals", "master"]
    names += ["own seed"] if held.own_seed else []
    names += ["own cards"] if held.hand_cards else []
    names += ["deadline"] if held.now is not None else []
    why = "there is no record 0 to replay from"
    return [_check(wrong, name, "not-run", why) for name in names]


def _replayed(
    wrong: set[str], held: Held, evidence: Evidence, state: State, *, is_whole: bool
) -> list[Check]:
    opened = sum(hand.table is not None for hand in state.hands)
    progress = f"{opened} of {len(state.hands)} hands opened and derived anew"
    made: list[tuple[str, Status, str]] = [
        ("order", "ok", "every record in its place"),
        ("seeds", "ok", f"epochs: {len(state.epochs)}"),
        ("beacon", *_beacon(state)),
        ("beacon signatures", *_signatures(state)),
        ("own seed", *_own_seed(state)),
        ("player signatures", *_given(held.player_keys, "the lines of the seats with keys")),
        ("deals", "ok", progress),
        ("own cards", *_own_cards(state, evidence)),
        ("rules", *_rules(state, "every act, score and total of the opened hands")),
        ("game end", *_rules(state, "whether the game closed, or went on, as its rules say")),
        ("master", *_master(state)),
        ("deadline", *_deadline(state, evidence)),
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
    chosen = ", ".join(
        f"{field} {json.dumps(value)}" for field, value in preset_choices(name, ruleset)
    )
    but = "; ".join(
        f"{field} {json.dumps(here)} instead of {json.dumps(there)}"
        for field, here, there in differences
    )
    said = f"{name}, but for {but}" if but else f"{name}, as this version's table has it"
    return f"{said}; chosen at the table: {chosen}" if chosen else said


def _beacon(state: State) -> tuple[Status, str]:
    if state.terms.beacon is None:
        return "not-applicable", "a game without a beacon"
    return "ok", f"the chain, the delay and the rounds of {len(state.rounds)} epochs"


def _signatures(state: State) -> tuple[Status, str]:
    if not state.rounds:
        return "not-applicable", "no round of a beacon"
    if any(warning.code == "W_BEACON_NOT_CHECKED" for warning in state.warnings):
        return "not-run", "the extra that checks them is not installed"
    return "ok", f"{len(state.rounds)} rounds are signed by the chain"


def _own_seed(state: State) -> tuple[Status, str]:
    own = state.held.own_seed
    if own is not None:
        named = {epoch for epoch in (*own.texts, *own.nonces) if epoch is not None}
        absent = sorted(named - {epoch.number for epoch in state.epochs})
        if absent:
            return "not-run", (
                f"there is no epoch {absent[0]} in this file; a text that begins with a number"
                " and a colon is given as :TEXT"
            )
    return _given(own, "your text, in every epoch that was locked")


def _own_cards(state: State, evidence: Evidence) -> tuple[Status, str]:
    shown = state.held.hand_cards
    dealt = {hand.number: hand for hand in state.hands}
    unread = [
        card.hand
        for card in shown
        if card.hand not in dealt or (card.salt is None and dealt[card.hand].table is None)
    ]
    unread += [
        note.hand
        for note in evidence.cards
        if note.hand not in dealt or dealt[note.hand].table is None
    ]
    if unread:
        return "not-run", f"hand {unread[0]} is not dealt or not opened in this file"
    detail = f"{len(shown)} hands and {len(evidence.cards)} drawn cards you were shown"
    return _given(shown or evidence.cards, detail)


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


def _deadline(state: State, evidence: Evidence) -> tuple[Status, str]:
    if state.is_ended:
        return "not-applicable", "the master is out"
    if state.held.now is None and evidence.logged.time is None:
        return "not-applicable", "no trusted time was given"
    return "ok", f"the master is due by {state.terms.reveal_by}"
