"""The two ends of a game: record 0, then ``close`` and ``master`` (§2.2 to §2.4, §2.8)."""

from verifier.bodies import Close, Master, Open
from verifier.derive import hand_line, hand_secret, hash_line, master_line
from verifier.replay.drawing import check_terms
from verifier.replay.refereed import check_close
from verifier.replay.state import State


def take_open(state: State, terms: Open) -> None:
    """Check what record 0 commits to."""
    commits = (terms.master_commit, *terms.hand_commits)
    if len(set(commits)) != len(commits):
        state.fail("E_COMMIT_REUSED", "two of the commitments are one and the same hash")
    check_terms(state)


def take_close(state: State, close: Close) -> None:
    """Check that a game may close, and what it says of itself."""
    if state.in_play:
        detail = f"closed while hand {state.in_play.number} is in play"
        state.stop("E_HAND_UNSCORED", detail, hand=state.in_play.number)
    if close.hands != len(state.hands):
        detail = f"close counts {close.hands} hands, {len(state.hands)} were dealt"
        state.fail("E_HAND_COUNT", detail)
    check_close(state, close)
    state.is_closed = True


def take_master(state: State, master: Master) -> None:
    """Check the master secret against record 0: its own commitment, and those of all hands."""
    if not state.is_closed:
        state.stop("E_MASTER_EARLY", "the master secret before the game is closed")
    state.is_ended = True
    secret, terms = bytes.fromhex(master.secret), state.terms
    found = hash_line(master_line(state.game, secret))
    if found != terms.master_commit:
        detail = f"the master has the commitment {found}, record 0 has {terms.master_commit}"
        state.fail("E_MASTER_OPENING", detail)
    for hand, due in enumerate(terms.hand_commits, 1):
        derived = hand_secret(state.game, secret, hand)
        if hash_line(hand_line(state.game, hand, derived)) != due:
            detail = f"the commitment of hand {hand} is not that of a secret from this master"
            state.fail("E_HAND_NOT_FROM_MASTER", detail)
            break
    if state.time > terms.reveal_by:
        late = state.time - terms.reveal_by
        state.warn("W_REVEAL_LATE", f"the master came {late} ms after the time set in record 0")
