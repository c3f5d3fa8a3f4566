"""How much stands behind a verdict: the level, and the warnings that come with it (§3.1)."""

from collections.abc import Iterator
from typing import Final

from verifier.evidence import Evidence
from verifier.findings import Level, Warned
from verifier.replay.state import Epoch, State

LEVELS: Final[tuple[Level, ...]] = ("consistent", "pinned", "witnessed", "beacon")
TEST_ORIGIN: Final = "/test"


def level_of(evidence: Evidence, state: State) -> Level:
    """Return the highest level that applies."""
    if is_test(state):
        return "consistent"
    if _is_witnessed(evidence, state):
        return "beacon" if _is_drawn_fresh(evidence, state) else "witnessed"
    return "pinned" if evidence.is_pinned else "consistent"


def is_test(state: State) -> bool:
    """Return whether the game is of a log for tests, which proves nothing to anybody."""
    return state.terms.origin.endswith(TEST_ORIGIN)


def replay_warnings(evidence: Evidence, state: State) -> Iterator[Warned]:
    """Yield the warnings that need the replay and the log together."""
    if is_test(state):
        detail = f"{state.terms.origin} is a log for tests"
        yield Warned(code="W_TEST_LOG", detail=detail, at=0)
    if state.terms.beacon is None:
        return
    for epoch in _locked(state):
        if not _is_fresh(evidence, state, epoch):
            detail = (
                f"nothing you gave shows that epoch {epoch.number} was locked before round"
                f" {epoch.round} of the beacon came"
            )
            yield Warned(code="W_LOCK_UNWITNESSED", detail=detail, at=epoch.locked_at)


def level_warnings(level: Level, evidence: Evidence) -> Iterator[Warned]:
    """Yield the warnings of the lowest level."""
    if level != "consistent":
        return
    detail = "nothing you gave shows that record 0 was fixed before the seeds were known"
    yield Warned(code="W_COMMIT_TIME_UNPROVEN", detail=detail)
    if evidence.is_master_only:
        detail = (
            "you noted the master's commitment; rules, seats and first seat could have been"
            " made anew after the seeds. Note the hash of record 0 or the table code"
        )
        yield Warned(code="W_COMMIT_ONLY", detail=detail)


def _locked(state: State) -> list[Epoch]:
    return [epoch for epoch in state.epochs if epoch.locked_at is not None]


def _is_witnessed(evidence: Evidence, state: State) -> bool:
    numbers = [0, *(epoch.locked_at for epoch in _locked(state) if epoch.locked_at is not None)]
    return all(evidence.logged.seen_at(number) is not None for number in numbers)


def _is_drawn_fresh(evidence: Evidence, state: State) -> bool:
    locked = _locked(state)
    return bool(locked) and all(
        state.rounds.get(epoch.number, False) and _is_fresh(evidence, state, epoch)
        for epoch in locked
    )


def _is_fresh(evidence: Evidence, state: State, epoch: Epoch) -> bool:
    """Return whether a lock was seen strictly before the time of its own round (§2.11)."""
    if state.chain is None or epoch.round is None or epoch.locked_at is None:
        return False
    seen = evidence.logged.seen_at(epoch.locked_at)
    return seen is not None and seen < state.chain.round_time(epoch.round)
