"""A hand's secret: does it open its commitment, and was this hand dealt from it (§2.7, §2.8)."""

import hashlib
from collections.abc import Sequence
from typing import Final

from verifier.bodies import Reveal
from verifier.dealing import Table, deal_out
from verifier.derive import cards_hasher, cards_salt, hand_line, mix, shuffle, words
from verifier.hints import OtherHand, explain_hand, name_card
from verifier.replay.drawn import check_card_notes
from verifier.replay.hands import due_first_seat
from verifier.replay.refereed import judge_play
from verifier.replay.state import Hand, State

EXPLAINED: Final = 8  # errors found so far, up to which a wrong hand is explained by search
NAMED: Final = 3  # differences of one list that are named
EXPLAINED_SEATS: Final = 2  # of one deal: an exchange of two cards concerns no more


def take_reveal(state: State, reveal: Reveal) -> None:
    """Check a hand's secret, then everything that follows from it."""
    hand = state.unrevealed
    if hand is None:
        if 1 <= reveal.hand <= len(state.hands) and state.hands[reveal.hand - 1].is_revealed:
            detail = f"hand {reveal.hand} is revealed a second time"
            state.stop("E_ORDER", detail, hand=reveal.hand)
        detail = f"the secret of hand {reveal.hand} before the hand is over"
        state.stop("E_REVEAL_EARLY", detail, hand=reveal.hand)
    hand.is_revealed = True
    secret = bytes.fromhex(reveal.secret)
    line = hand_line(state.game, hand.number, secret).encode() + b"\n"
    found, due = hashlib.sha256(line).hexdigest(), state.terms.hand_commits[hand.number - 1]
    if found == due:
        hand.table = _derive(state, hand, secret)
        is_dealt_so = _check_deal(state, hand, hand.table, secret)
        _check_shown_hands(state, hand, hand.table)
        check_card_notes(state, hand, hand.table)
        judge_play(state, hand, hand.table if is_dealt_so else None)
    else:
        detail = f"the secret has the commitment {found}, record 0 has {due}"
        state.fail("E_HAND_OPENING", detail, hand=hand)
        judge_play(state, hand, None)


def _derive(state: State, hand: Hand, secret: bytes) -> Table:
    first_seat = due_first_seat(state, hand.number)
    mixed = mix(
        game=state.game,
        open_hash=state.open_hash,
        epoch=hand.epoch.number,
        hand=hand.number,
        first_seat=first_seat,
        beacon=hand.epoch.mixed_in,
        lines=hand.epoch.lines,
    )
    terms = state.terms
    order = shuffle(len(terms.deck), words(secret, mixed))
    return deal_out(order, terms.deck, terms.steps, state.seats, first_seat)


def _check_deal(state: State, hand: Hand, table: Table, secret: bytes) -> bool:
    """Compare the ``deal`` record with the derived table; return whether it fits whole."""
    before = len(state.errors)
    why = _why_other_hands(state, hand, table, secret)
    if why:
        state.fail("E_DEAL_HANDS", why, hand=hand, at=hand.at)
    deck, deal = state.terms.deck, hand.deal
    why = _why_other_cards("the up pile", deal.up, table.up, deck)
    if why:
        state.fail("E_DEAL_UPCARD", why, hand=hand, at=hand.at)
    why = _why_other_laid(deal.laid, table.laid, deck)
    if why:
        state.fail("E_DEAL_LAID", why, hand=hand, at=hand.at)
    if deal.stock != len(table.stock):
        detail = f"the stock is said to have {deal.stock} cards, due are {len(table.stock)}"
        state.fail("E_DEAL_STOCK", detail, hand=hand, at=hand.at)
    return len(state.errors) == before


def _why_other_hands(state: State, hand: Hand, table: Table, secret: bytes) -> str | None:
    published = hand.deal.hands
    if len(published) != state.seats:
        return f"{len(published)} hands are published, due are {state.seats}"
    hashers = [
        cards_hasher(state.game, hand.number, seat, cards_salt(secret, seat))
        for seat in range(state.seats)
    ]
    due = [OtherHand(seat, cards, hashers[seat](cards)) for seat, cards in enumerate(table.hands)]
    reasons: list[str] = []
    for seat, cards, digest in due:
        if digest == published[seat]:
            continue
        faces = " ".join(state.terms.deck[card] for card in cards)
        detail = f"seat {seat}: due are {faces}"
        if len(state.errors) < EXPLAINED and len(reasons) < EXPLAINED_SEATS:
            others = [*due[:seat], *due[seat + 1 :]]
            detail += "; " + explain_hand(
                cards, state.terms.deck, published[seat], hashers[seat], others
            )
        reasons.append(detail)
    return "; ".join(reasons) or None


def _why_other_laid(
    published: Sequence[Sequence[int]], due: Sequence[Sequence[int]], deck: Sequence[str]
) -> str | None:
    if len(published) != len(due):
        return f"laid cards of {len(published)} seats are published, due are {len(due)}"
    reasons = [
        _why_other_cards(f"the laid cards of seat {seat}", *pair, deck)
        for seat, pair in enumerate(zip(published, due, strict=True))
    ]
    return "; ".join(filter(None, reasons)) or None


def _why_other_cards(
    what: str, published: Sequence[int], due: Sequence[int], deck: Sequence[str]
) -> str | None:
    reasons = [
        f"{what}, position {place}: {name_card(found, deck)} is published,"
        f" due is {name_card(card, deck)}"
        for place, (found, card) in enumerate(zip(published, due, strict=False))
        if found != card
    ]
    if len(published) != len(due):
        faces = " ".join(deck[card] for card in due) or "none"
        reasons.append(
            f"{what}: {len(published)} cards are published, due are {len(due)} ({faces})"
        )
    return "; ".join(reasons[:NAMED]) or None


def _check_shown_hands(state: State, hand: Hand, table: Table) -> None:
    """Compare the user's cards with the derived hand, in any order (§3.1)."""
    for shown in state.hand_cards.get(hand.number, ()):
        due = table.hands[shown.seat] if shown.seat < state.seats else []
        if sorted(shown.cards) == sorted(due):
            continue
        deck = state.terms.deck
        strange = [name_card(card, deck) for card in shown.cards if card not in due]
        missing = [name_card(card, deck) for card in due if card not in shown.cards]
        detail = (
            f"hand {hand.number}, seat {shown.seat}: you were shown"
            f" {', '.join(strange[:20]) or 'no other card'}, due and not shown are"
            f" {', '.join(missing[:20]) or 'none'}"
        )
        state.fail("E_OWN_HAND", detail, hand=hand, at=hand.at)
