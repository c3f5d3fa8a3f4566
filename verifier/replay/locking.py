"""The lock: the lines of all seats are fixed, and with them the hands of an epoch (§2.5)."""

from verifier.bodies import Lock
from verifier.derive import hash_line
from verifier.replay.drawing import check_locked_round
from verifier.replay.sharing import line_of
from verifier.replay.state import Epoch, State


def take_lock(state: State, lock: Lock, epoch: Epoch) -> None:
    """Check a lock and lock the epoch."""
    if epoch.phase != "sharing":
        state.stop("E_ORDER", f"epoch {epoch.number} is locked while it is {epoch.phase}")
    missing = [seat for seat in state.terms.players if seat not in epoch.shares]
    if missing and state.terms.missing_share != "drop":
        state.fail("E_SHARE_MISSING", f"locked without the shares of the seats {missing}")
    _check_own_lock(state, epoch)
    epoch.lines = tuple(
        line_of(state, epoch.shares[seat]) if seat in epoch.shares else None
        for seat in range(state.seats)
    )
    _check_lines(state, lock, epoch)
    next_hand = len(state.hands) + 1
    if lock.first_hand != next_hand:
        state.fail("E_HAND_ORDER", f"first_hand is {lock.first_hand}, the next hand is {next_hand}")
    check_locked_round(state, lock.round)
    epoch.phase, epoch.locked_at, epoch.round = "locked", state.at, lock.round
    _warn(state, epoch, missing)


def _check_lines(state: State, lock: Lock, epoch: Epoch) -> None:
    due = tuple(None if line is None else hash_line(line) for line in epoch.lines)
    if lock.shares == due:
        return
    detail = f"{len(lock.shares)} lines are locked for {len(due)} seats"
    if len(lock.shares) == len(due):
        wrong = [seat for seat in range(state.seats) if lock.shares[seat] != due[seat]]
        detail = f"other lines are locked than were shared, seats {wrong}"
    state.fail("E_LOCK_SHARES", detail)


def _check_own_lock(state: State, epoch: Epoch) -> None:
    own = state.held.own_seed
    if own is None or own.seat in epoch.shares:
        return
    if own.text_for(epoch.number) is None and epoch.number not in own.nonces:
        return
    detail = f"epoch {epoch.number} is locked without a share of your seat {own.seat}"
    if own.seat not in state.terms.players:
        detail = f"seat {own.seat} is a bot's in this file: no seed of yours is in it"
    state.fail("E_OWN_SEED", detail)


def _warn(state: State, epoch: Epoch, missing: list[int]) -> None:
    if not epoch.shares:
        state.warn("W_NO_PLAYER_SEED", f"epoch {epoch.number} has no player's seed")
    if missing and state.terms.missing_share == "drop":
        detail = f"epoch {epoch.number} goes on without the shares of the seats {missing}"
        state.warn("W_SHARE_DROPPED", detail)
    is_chosen_last = state.terms.profile == "open" and state.terms.beacon is None
    if is_chosen_last and len(epoch.shares) > 1:
        detail = f"epoch {epoch.number}: the last seat to share could search for a good deck"
        state.warn("W_LAST_CHOOSER", detail)
