"""The beacon of a game: its terms in record 0, and the round of each epoch (§2.6)."""

from verifier.beacon.chains import MIN_DELAY_PERIODS, mix_field
from verifier.beacon.pairing import is_signed
from verifier.bodies import Beacon
from verifier.replay.state import Epoch, State


def check_terms(state: State) -> None:
    """Check the chain and the delay that record 0 fixes."""
    terms, chain = state.terms.beacon, state.chain
    if terms is None:
        return
    if chain is None:
        detail = f"the chain {terms.chain} is not in this verifier's table"
        state.fail("E_BEACON_CHAIN", detail)
        return
    least = 1000 * MIN_DELAY_PERIODS * chain.period
    if terms.delay_ms < least:
        detail = f"the delay is {terms.delay_ms} ms, at least {least} ms are due"
        state.fail("E_BEACON_DELAY", detail)


def check_locked_round(state: State, number: int | None) -> None:
    """Check the round that a lock names against the lock's own time."""
    terms, chain = state.terms.beacon, state.chain
    if terms is None and number is not None:
        state.fail("E_BEACON_ROUND", f"round is {number} in a game without a beacon")
    elif terms is not None and number is None:
        state.fail("E_BEACON_ROUND", "round is null in a game with a beacon")
    elif terms is not None and chain is not None:
        due = chain.due_round(state.time + terms.delay_ms)
        if number != due:
            detail = f"round is {number}, due by the lock's time and the delay is {due}"
            state.fail("E_BEACON_ROUND", detail)


def take_beacon(state: State, beacon: Beacon) -> None:
    """Check a round of the beacon and take its randomness into the epoch."""
    epoch = _drawing_epoch(state, beacon)
    terms, chain = state.terms.beacon, state.chain
    assert terms is not None
    if beacon.round != epoch.round:
        detail = f"round {beacon.round} of the beacon, the lock named {epoch.round}"
        state.fail("E_BEACON_ROUND", detail)
    signature = bytes.fromhex(beacon.signature)
    is_good: bool | None = False
    if chain is not None:
        due = chain.round_time(beacon.round)
        if state.time < due:
            detail = f"round {beacon.round} comes at {due} ms, this record is of {state.time} ms"
            state.fail("E_BEACON_EARLY", detail)
        is_good = is_signed(chain, beacon.round, signature)
        if is_good is False:
            detail = f"this is not the chain's signature of round {beacon.round}"
            state.fail("E_BEACON_SIGNATURE", detail)
        if is_good is None:
            detail = f"round {beacon.round}: the extra that checks its signature is not installed"
            state.warn("W_BEACON_NOT_CHECKED", detail)
    epoch.is_drawn = True
    epoch.mixed_in = mix_field(terms.chain, beacon.round, signature)
    state.rounds[epoch.number] = bool(is_good)


def _drawing_epoch(state: State, beacon: Beacon) -> Epoch:
    epoch = state.epoch
    if state.terms.beacon is None:
        state.stop("E_ORDER", "a beacon round in a game without a beacon")
    if epoch is None or epoch.number != beacon.epoch:
        newest = f"the newest is {epoch.number}" if epoch else "none began"
        state.stop("E_ORDER", f"a beacon round for epoch {beacon.epoch}, {newest}")
    if epoch.phase != "locked":
        state.stop("E_ORDER", f"a beacon round for epoch {epoch.number}, which is {epoch.phase}")
    if epoch.is_drawn:
        state.stop("E_ORDER", f"a second beacon round for epoch {epoch.number}")
    return epoch
