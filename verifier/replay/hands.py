"""Deals, draws, acts and the end of a hand, as they happen (§2.7 to §2.9, §6)."""

from verifier.bodies import Abort, Act, Deal, Draw, Score
from verifier.derive import cards_hasher
from verifier.replay.state import Epoch, Hand, State


def take_deal(state: State, deal: Deal) -> None:
    """Check that this hand may be dealt now; its cards are checked at its reveal."""
    _check_number(state, deal)
    epoch = _dealing_epoch(state, deal)
    committed = len(state.terms.hand_commits)
    if deal.hand > committed:
        detail = f"hand {deal.hand} is dealt, {committed} are committed"
        state.stop("E_HAND_UNCOMMITTED", detail, hand=deal.hand)
    hand = Hand(deal.hand, state.at, deal, epoch)
    state.hands.append(hand)
    epoch.dealt += 1
    due = due_first_seat(state, deal.hand)
    if deal.first_seat != due:
        state.fail("E_FIRST_SEAT", f"first_seat is {deal.first_seat}, due is {due}", hand=hand)
    if state.is_over:
        detail = "dealt after the ruleset's end of the game"
        state.fail("E_GAME_END", detail, hand=hand)
    _check_shown_cards(state, hand)


def take_draw(state: State, draw: Draw) -> None:
    """Check that a draw takes the next stock card of the hand in play."""
    hand = _hand_in_play(state, draw.hand)
    if state.terms.is_refereed:
        state.stop("E_ORDER", "a draw in a refereed game, which has acts", hand=draw.hand)
    if draw.pos != hand.next_position or draw.pos >= hand.deal.stock:
        detail = (
            f"position {draw.pos} of the stock is drawn, due is {hand.next_position}"
            f" of {hand.deal.stock}"
        )
        state.fail("E_DRAW_ORDER", detail, hand=hand)
    if draw.seat >= state.seats:
        state.fail("E_SEAT", f"seat {draw.seat} draws, of {state.seats}", hand=hand)
    hand.next_position = draw.pos + 1
    hand.drawn[draw.pos] = (state.at, draw.seat)


def take_act(state: State, act: Act) -> None:
    """Take in an act; it is judged once the hand's secret is open (§6.4)."""
    if not state.terms.is_refereed:
        state.stop("E_ORDER", "an act in a dealt-only game", hand=act.hand)
    _hand_in_play(state, act.hand).acts.append((state.at, act.body))


def take_ending(state: State, body: Score | Abort) -> None:
    """Take in the end of the hand in play."""
    hand = _hand_in_play(state, body.hand)
    if isinstance(body, Abort):
        hand.ending = (state.at, "abort", body.body)
        state.warn("W_HAND_ABORTED", f"hand {hand.number} was given up: {body.body['reason']!a}")
    else:
        hand.ending = (state.at, "score", body.body)


def due_first_seat(state: State, hand: int) -> int:
    """Return the seat that is dealt first (§2.7)."""
    return (state.terms.first_seat + hand - 1) % state.seats


def _check_number(state: State, deal: Deal) -> None:
    if state.in_play:
        detail = f"hand {deal.hand} is dealt while hand {state.in_play.number} is in play"
        state.stop("E_HAND_OVERLAP", detail, hand=deal.hand)
    dealt = len(state.hands)
    if 1 <= deal.hand <= dealt:
        state.stop("E_HAND_REPEATED", f"hand {deal.hand} is dealt again", hand=deal.hand)
    if deal.hand != dealt + 1:
        detail = f"hand {deal.hand} is dealt, due is {dealt + 1}"
        state.stop("E_HAND_SKIPPED", detail, hand=deal.hand)


def _dealing_epoch(state: State, deal: Deal) -> Epoch:
    epoch, limit = state.epoch, state.terms.epoch_hands
    if epoch is None or epoch.phase != "locked":
        detail = "no seeds are locked" if epoch is None else f"epoch {epoch.number} is not locked"
        state.stop("E_DEAL_BEFORE_LOCK", detail, hand=deal.hand)
    if limit and epoch.dealt >= limit:
        detail = f"epoch {epoch.number} serves {limit} hands, this is one more"
        state.stop("E_EPOCH_ORDER", detail, hand=deal.hand)
    if state.terms.beacon and not epoch.is_drawn:
        detail = f"dealt before round {epoch.round} of the beacon is in the record"
        state.stop("E_BEACON_MISSING", detail, hand=deal.hand)
    return epoch


def _hand_in_play(state: State, number: int) -> Hand:
    hand = state.in_play
    if hand is None or hand.number != number:
        playing = f"hand {hand.number} is" if hand else "no hand is"
        state.stop("E_ORDER", f"a record for hand {number}, but {playing} in play", hand=number)
    return hand


def _check_shown_cards(state: State, hand: Hand) -> None:
    """Compare the user's cards and salt with the published hash, before any secret is out."""
    for shown in state.hand_cards.get(hand.number, ()):
        if shown.salt is None:
            continue
        hash_cards = cards_hasher(state.game, hand.number, shown.seat, shown.salt)
        published = hand.deal.hands[shown.seat] if shown.seat < len(hand.deal.hands) else None
        if hash_cards(shown.cards) != published:
            detail = (
                f"hand {hand.number}, seat {shown.seat}: your cards and salt have the hash"
                f" {hash_cards(shown.cards)}, the deal record has {published}"
            )
            state.fail("E_OWN_HAND", detail, hand=hand)
