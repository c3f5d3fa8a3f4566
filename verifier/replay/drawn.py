"""Signed notes of drawn cards, against the derived stock (§6.5)."""

from verifier.dealing import Table
from verifier.notes import CardNote
from verifier.replay.state import Hand, State
from verifier.strictjson import Json


def check_card_notes(state: State, hand: Hand, table: Table) -> None:
    """Compare what the server signed of each drawn card with what was there to draw."""
    for note in state.card_notes.get(hand.number, ()):
        why = _why_other(state, hand, table, note)
        if why:
            detail = f"hand {hand.number}, seat {note.seat}, stock position {note.position}: {why}"
            state.fail("E_SHOWN_OTHER_CARD", detail, hand=hand)


def _why_other(state: State, hand: Hand, table: Table, note: CardNote) -> str | None:
    if note.position >= len(table.stock):
        return f"{note.face} was shown, the stock had {len(table.stock)} cards"
    due = state.terms.deck[table.stock[note.position]]
    if note.face != due:
        return f"{note.face} was shown, due is {due}"
    taker = _taker(hand, note.position)
    if taker not in {None, note.seat}:
        return f"{note.face} was shown, the records give that card to seat {taker}"
    return None


def _taker(hand: Hand, position: int) -> Json:
    """Return the seat that drew a position by the records, or None where none did."""
    if position in hand.drawn:
        return hand.drawn[position][1]
    for _, body in hand.acts:
        took = body["took"]
        if isinstance(took, list) and position in took:
            return body["seat"]
    return None
