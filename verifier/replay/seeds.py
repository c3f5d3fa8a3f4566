"""Seeds in the profile ``open``: shares as they come, then the lock (§2.4, §2.5)."""

import hashlib
from typing import assert_never

from verifier.bodies import Lock, Seal, Sealed, Seeds, Share, Void
from verifier.derive import hash_line, seat_line
from verifier.hints import explain_seed
from verifier.replay.state import Epoch, State

_NO_NONCE = "0" * 64


def take_seeds(state: State, body: Seeds) -> None:
    """Check a record of the seeds and take it in."""
    epoch = _epoch_of(state, body)
    match body:
        case Seal() | Sealed():
            state.stop("E_ORDER", "a seal in a game of the profile open")
        case Share():
            _take_share(state, body, epoch)
        case Void():
            _take_void(state, body, epoch)
        case Lock():
            _take_lock(state, body, epoch)
        case _:
            assert_never(body)


def _epoch_of(state: State, body: Seeds) -> Epoch:
    """Return the epoch of a record, begun by it if need be."""
    if state.in_play:
        detail = f"new seeds while hand {state.in_play.number} is in play"
        state.stop("E_SEEDS_DURING_HAND", detail, hand=state.in_play.number)
    newest = state.epoch
    if newest and body.epoch == newest.number:
        if newest.phase != "sharing":
            state.stop("E_SEED_AFTER_LOCK", f"epoch {newest.number} is {newest.phase}")
        _check_seat(state, body)
        return newest
    why = _why_not_next(state, newest, body.epoch)
    if why:
        state.stop("E_EPOCH_ORDER", why)
    if isinstance(body, Void):
        state.stop("E_ORDER", f"epoch {body.epoch} is given up before it began")
    _check_seat(state, body)
    begun = Epoch(body.epoch)
    state.epochs.append(begun)
    return begun


def _why_not_next(state: State, newest: Epoch | None, number: int) -> str | None:
    """Say why an epoch may not begin now, or None if it may (§2.5)."""
    due = newest.number + 1 if newest else 1
    if number != due:
        return f"epoch {number}, due is {due}" + (f" or {due - 1}" if newest else "")
    if newest is None or newest.phase == "void":
        return None
    if newest.phase == "sharing":
        return f"epoch {number} begins before epoch {newest.number} is locked"
    if state.terms.epoch_hands == 0:
        return "this game has one epoch for all its hands"
    if newest.dealt < state.terms.epoch_hands:
        return (
            f"epoch {number} begins after {newest.dealt} hands of epoch {newest.number},"
            f" due are {state.terms.epoch_hands}"
        )
    return None


def _check_seat(state: State, body: Seeds) -> None:
    if isinstance(body, Seal | Share) and body.seat not in state.terms.players:
        state.fail("E_SEAT", f"seat {body.seat} is no player's")


def _take_share(state: State, share: Share, epoch: Epoch) -> None:
    if share.seat not in state.terms.players:
        return
    if share.seat in epoch.shares:
        state.fail("E_SEAT_TWICE", f"seat {share.seat} shares a second time")
        return
    epoch.shares[share.seat] = share
    _check_own_share(state, share)
    if share.nonce == _NO_NONCE:
        state.warn("W_TEXT_ONLY", f"seat {share.seat} has only its text, and no random nonce")
    elif share.nonce in state.nonces:
        state.warn("W_NONCE_REUSED", f"seat {share.seat} has a nonce that was used before")
    state.nonces.add(share.nonce)


def _check_own_share(state: State, share: Share) -> None:
    own = state.held.own_seed
    if own is None or own.seat != share.seat or share.epoch not in state.locked_in_file:
        return
    text = own.text_for(share.epoch)
    if text is None or hashlib.sha256(text).hexdigest() == share.seed_sha256:
        return
    detail = (
        f"epoch {share.epoch}, seat {share.seat}: the share has the seed hash"
        f" {share.seed_sha256}, your text has {hashlib.sha256(text).hexdigest()};"
        f" {explain_seed(text, share.seed_sha256)}"
    )
    state.fail("E_OWN_SEED", detail)


def _take_void(state: State, void: Void, epoch: Epoch) -> None:
    missing = tuple(seat for seat in state.terms.players if seat not in epoch.shares)
    if not missing or void.seats != missing:
        detail = f"given up for the seats {list(void.seats[:20])}, missing are {list(missing)}"
        state.fail("E_SEAT", detail)
    epoch.phase = "void"
    state.voids += 1
    state.warn("W_EPOCH_VOIDED", f"epoch {epoch.number} was given up: {void.reason!a}")


def _take_lock(state: State, lock: Lock, epoch: Epoch) -> None:
    missing = [seat for seat in state.terms.players if seat not in epoch.shares]
    if missing:
        state.fail("E_SHARE_MISSING", f"locked without the shares of the seats {missing}")
    _check_own_lock(state, epoch)
    epoch.lines = tuple(_line(state, epoch, seat) for seat in range(state.seats))
    due = tuple(None if line is None else hash_line(line) for line in epoch.lines)
    if lock.shares != due:
        detail = f"{len(lock.shares)} lines are locked for {len(due)} seats"
        if len(lock.shares) == len(due):
            wrong = [seat for seat in range(state.seats) if lock.shares[seat] != due[seat]]
            detail = f"other lines are locked than were shared, seats {wrong}"
        state.fail("E_LOCK_SHARES", detail)
    next_hand = len(state.hands) + 1
    if lock.first_hand != next_hand:
        state.fail("E_HAND_ORDER", f"first_hand is {lock.first_hand}, the next hand is {next_hand}")
    if lock.round is not None:
        state.fail("E_BEACON_ROUND", f"round is {lock.round} in a game without a beacon")
    epoch.phase = "locked"
    if not epoch.shares:
        state.warn("W_NO_PLAYER_SEED", f"epoch {epoch.number} has no player's seed")
    if len(epoch.shares) > 1:
        detail = f"epoch {epoch.number}: the last seat to share could search for a good deck"
        state.warn("W_LAST_CHOOSER", detail)


def _check_own_lock(state: State, epoch: Epoch) -> None:
    own = state.held.own_seed
    if own is None or own.text_for(epoch.number) is None or own.seat in epoch.shares:
        return
    detail = f"epoch {epoch.number} is locked without a share of your seat {own.seat}"
    state.fail("E_OWN_SEED", detail)


def _line(state: State, epoch: Epoch, seat: int) -> str | None:
    share = epoch.shares.get(seat)
    if share is None:
        return None
    return seat_line(
        state.game, epoch.number, seat, state.open_hash, share.nonce, share.seed_sha256
    )
