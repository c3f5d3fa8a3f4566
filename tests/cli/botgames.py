"""Small finished games whose bots played as the service lets them play."""

import hashlib
from functools import cache
from random import Random

from benchmarks.games import ORIGIN, START_MS
from fairdeal.canasta import acts, engine
from fairdeal.canasta.position import ASKED
from fairdeal.fairness.keys import Secret
from fairdeal.game import GameConfig, SeatConfig, decide_act, decide_seed, fold, open_body, replay
from fairdeal.records.chain import make
from fairdeal.service.botplay import chosen

WEEK_MS = 7 * 24 * 3600 * 1000
SEATS = ("", "steady@1", "greedy@1", "random@1")
"""A player and three bots."""


@cache
def game(seed=1, *, seats=SEATS, away=False, whisper=None):
    """Return the lines of a game of one committed hand.

    Args:
        seed: All chance comes from it.
        seats: The bot of each seat; empty for a player, who plays by chance.
        away: Whether the players' acts are those of who stands in for them.
        whisper: The number of a bot's act, counted from 0, that somebody else chooses.
    """
    chance, name = Random(seed), f"game-of-bots-{seed}"
    master = Secret(hashlib.sha512(b"bots %d" % seed).digest())
    config = GameConfig(
        origin=ORIGIN,
        seats=tuple(
            SeatConfig(kind="bot", label=f"bot:{bot}") if bot else SeatConfig(kind="player")
            for bot in seats
        ),
        hands=1,
        first_seat=0,
        reveal_by=START_MS + WEEK_MS,
    )
    records = [make(None, name, START_MS, "open", open_body(config, name, master))]
    state = replay(records, master)

    def write(drafts):
        nonlocal state
        for kind, body in drafts:
            records.append(make(records[-1], name, records[-1].t + 1, kind, body))
            state = fold(state, records[-1])

    for seat, bot in enumerate(seats):
        if not bot:
            write(decide_seed(state, seat, 1, state.open_hash, "ab" * 32, f"{seat}a" * 32))
    made = 0
    while not state.closed:
        position, by = state.position, "seat"
        assert position is not None
        seat = position.turn
        if seats[seat]:
            act = chosen(state, seat)
            if made == whisper:
                act = next(one for one in engine.legal_acts(position) if one != act)
            made += 1
        elif away:
            by = "stand-in"
            is_asked = position.phase == ASKED
            act = acts.Answer(yes=False) if is_asked else chosen(state, seat)
        else:
            act = chance.choice(list(engine.legal_acts(position)))
        write(decide_act(state, seat, acts.format_act(act), by))
    return b"".join(record.line for record in records)
