"""Stage 4: the game replayed record by record, every deal derived anew (§3.2).

``seeds`` keeps the order of epochs, ``sealing``, ``sharing`` and ``locking`` judge their records,
``drawing`` the beacon, ``hands`` what is dealt, ``release`` a hand's secret, ``refereed`` its acts,
``ending`` the two ends of the game.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final, assert_never

from verifier.bodies import (
    Abort,
    Act,
    Beacon,
    Body,
    Close,
    Deal,
    Draw,
    Lock,
    Master,
    Open,
    Reveal,
    Score,
    Seal,
    Sealed,
    Share,
    Void,
)
from verifier.canasta import can_judge
from verifier.held import HandCards, Held
from verifier.notes import CardNote
from verifier.reading import Transcript
from verifier.replay import drawing, ending, hands, release, seeds
from verifier.replay.state import OutOfOrder, State
from verifier.schema_open import PLAY_VERSION, play_version

MAX_VOIDS: Final = 2


def replay(
    transcript: Transcript, terms: Open, held: Held, end: int, notes: Sequence[CardNote] = ()
) -> State:
    """Replay the records before ``end`` and return what was found.

    Args:
        transcript: Its record 0 is ``terms``.
        terms: Record 0's body.
        held: The user's seed and cards.
        end: The number of the first record that is not read.
        notes: The server's signed word on drawn cards.
    """
    state = _start(transcript, terms, held, end, notes)
    try:
        for at in range(end):
            state.at, state.time = at, transcript.heads[at].fields.t
            body = transcript.body(at)
            _check_place(state, body)
            _take(state, body)
            state.taken += 1
    except OutOfOrder as fault:
        state.errors.append(fault.finding)
    return state


def judges_rules(terms: Open) -> bool:
    """Return whether this version can check the acts and scores of a refereed game (§3.4)."""
    play = terms.rules.get("play")
    if not isinstance(play, dict) or play_version(terms) != PLAY_VERSION:
        return False
    return can_judge(play["ruleset"])


def _start(
    transcript: Transcript, terms: Open, held: Held, end: int, notes: Sequence[CardNote]
) -> State:
    locked = set()
    for at, head in enumerate(transcript.heads[:end]):
        if head.fields.kind == "lock":
            body = transcript.body(at)
            assert isinstance(body, Lock)
            locked.add(body.epoch)
    cards: dict[int, tuple[HandCards, ...]] = defaultdict(tuple)
    for shown in held.hand_cards:
        cards[shown.hand] += (shown,)
    by_hand: dict[int, tuple[CardNote, ...]] = defaultdict(tuple)
    for note in notes:
        by_hand[note.hand] += (note,)
    judged = judges_rules(terms)
    play = terms.rules.get("play")
    sides = play["sides"] if judged and isinstance(play, dict) else []
    return State(
        game=transcript.heads[0].fields.game,
        open_hash=transcript.heads[0].digest,
        terms=terms,
        held=held,
        judges_rules=judged,
        locked_in_file=frozenset(locked),
        hand_cards=cards,
        card_notes=by_hand,
        totals=(0,) * len(sides) if isinstance(sides, list) else (),
    )


def _check_place(state: State, body: Body) -> None:
    """Check what holds for records of every kind, in the order of §3.2."""
    if state.is_ended:
        state.stop("E_AFTER_END", "a record after the master, which is the last one")
    if state.is_closed and not isinstance(body, Master):
        state.stop("E_AFTER_CLOSE", "after close only the master may come")
    over = state.unrevealed
    if over and isinstance(body, Reveal) and body.hand != over.number:
        detail = f"the secret of hand {body.hand}, due is that of hand {over.number}"
        state.stop("E_REVEAL_WRONG_HAND", detail, hand=over.number)
    if over and not isinstance(body, Reveal):
        detail = f"hand {over.number} is over; its secret was due as the very next record"
        state.stop("E_REVEAL_LATE", detail, hand=over.number)
    if isinstance(body, Open) and state.at > 0:
        state.stop("E_SECOND_OPEN", "a game is opened once")
    if state.voids >= MAX_VOIDS and not state.is_closed and not isinstance(body, Close):
        state.stop("E_VOID_LIMIT", f"after {MAX_VOIDS} void epochs only close may follow")


def _take(state: State, body: Body) -> None:
    match body:
        case Open():
            ending.take_open(state, body)
        case Seal() | Sealed() | Share() | Void() | Lock():
            seeds.take_seeds(state, body)
        case Beacon():
            drawing.take_beacon(state, body)
        case Deal():
            hands.take_deal(state, body)
        case Draw():
            hands.take_draw(state, body)
        case Act():
            hands.take_act(state, body)
        case Score() | Abort():
            hands.take_ending(state, body)
        case Reveal():
            release.take_reveal(state, body)
        case Close():
            ending.take_close(state, body)
        case Master():
            ending.take_master(state, body)
        case _:
            assert_never(body)
