"""The order of epochs: when one may begin, which records it takes, how it is given up (§2.5)."""

from typing import assert_never

from verifier.bodies import Lock, Seal, Sealed, Seeds, Share, Void
from verifier.replay.locking import take_lock
from verifier.replay.sealing import take_seal, take_sealed
from verifier.replay.sharing import take_share
from verifier.replay.state import Epoch, State

_OPEN_PHASES = frozenset({"sealing", "sharing"})


def take_seeds(state: State, body: Seeds) -> None:
    """Check a record of the seeds and take it in."""
    epoch = _epoch_of(state, body)
    match body:
        case Seal():
            take_seal(state, body, epoch)
        case Sealed():
            take_sealed(state, body, epoch)
        case Share():
            take_share(state, body, epoch)
        case Void():
            _take_void(state, body, epoch)
        case Lock():
            take_lock(state, body, epoch)
        case _:
            assert_never(body)


def _epoch_of(state: State, body: Seeds) -> Epoch:
    """Return the epoch of a record, begun by it if need be."""
    if state.in_play:
        detail = f"new seeds while hand {state.in_play.number} is in play"
        state.stop("E_SEEDS_DURING_HAND", detail, hand=state.in_play.number)
    newest = state.epoch
    if newest and body.epoch == newest.number:
        if newest.phase not in _OPEN_PHASES:
            state.stop("E_SEED_AFTER_LOCK", f"epoch {newest.number} is {newest.phase}")
        _check_seat(state, body)
        return newest
    why = _why_not_next(state, newest, body.epoch)
    if why:
        state.stop("E_EPOCH_ORDER", why)
    if isinstance(body, Void):
        state.stop("E_ORDER", f"epoch {body.epoch} is given up before it began")
    _check_seat(state, body)
    begun = Epoch(body.epoch, "sealing" if state.terms.profile == "sealed" else "sharing")
    state.epochs.append(begun)
    return begun


def _why_not_next(state: State, newest: Epoch | None, number: int) -> str | None:
    """Say why an epoch may not begin now, or None if it may (§2.5)."""
    due = newest.number + 1 if newest else 1
    if number != due:
        return f"epoch {number}, due is {due}" + (f" or {due - 1}" if newest else "")
    if newest is None or newest.phase == "void":
        return None
    if newest.phase in _OPEN_PHASES:
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
    if not isinstance(body, Seal | Share) or body.seat in state.terms.players:
        return
    if isinstance(body, Seal):
        state.stop("E_SEAT", f"seat {body.seat} seals and is no player's")
    state.fail("E_SEAT", f"seat {body.seat} is no player's")


def _take_void(state: State, void: Void, epoch: Epoch) -> None:
    given = epoch.seals if epoch.phase == "sealing" else epoch.shares
    missing = tuple(seat for seat in state.terms.players if seat not in given)
    if not missing or void.seats != missing:
        detail = f"given up for the seats {list(void.seats[:20])}, missing are {list(missing)}"
        state.fail("E_SEAT", detail)
    epoch.phase = "void"
    state.voids += 1
    state.warn("W_EPOCH_VOIDED", f"epoch {epoch.number} was given up: {void.reason!a}")
