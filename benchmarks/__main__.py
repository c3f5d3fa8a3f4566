"""Orders of magnitude in about a minute: ``make bench``, or ``python -m benchmarks``.

Rates are those of this machine now and only reported; ratios, measured side by side, are held
against the goals beside them: met or MISSED. Nothing here gates a test.
"""

import hashlib
import hmac
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from io import BytesIO
from random import Random, SystemRandom

from benchmarks import logaudit, logwrites, merkle, playouts
from benchmarks.deals import bulk
from benchmarks.games import Played, play
from benchmarks.hands import dealt
from benchmarks.players import EVEN, GREEDY, played
from benchmarks.timing import Timed, ratio, show, side_by_side
from fairdeal.canasta import acts, cards, engine, presets
from fairdeal.canasta.counts import Counts
from fairdeal.canasta.legality import faults
from fairdeal.canasta.playout import playout
from fairdeal.canasta.position import Position
from fairdeal.fairness.deal import deal
from fairdeal.fairness.keys import Secret
from fairdeal.fairness.shuffle import order, shuffle
from fairdeal.fairness.steps import parse_steps
from fairdeal.fairness.stream import words
from fairdeal.game.table import steps
from verifier.held import Held
from verifier.verify import verify

RULES = presets.build("classic@1")
_HTTP_S = 8.0
_AUDITED_GAMES = 1000
_FOLLOWED_GAMES = 20
_FOLLOWED_S = 5.0


def main() -> int:
    """Run everything and print it."""
    start, cpu = time.perf_counter(), time.process_time()
    print(f"Python {platform.python_version()}, {os.cpu_count()} processors, load", end=" ")
    print(*(f"{load:.1f}" for load in os.getloadavg()))
    scalar = deals()
    bulk()
    engine_rates()
    playouts.run()
    games(scalar)
    merkle.run()
    logwrites.run(("sqlite", "postgres"), rounds=3, writes=200)
    logaudit.both(_AUDITED_GAMES)
    http()
    followed()
    used = time.process_time() - cpu
    print(f"\n{time.perf_counter() - start:.0f} s in all, {used:.0f} CPU-s of them here")
    return 0


def deals() -> Timed:
    """Deal 108 cards: as the service does, and by other ways of shuffling in Python."""
    secret, mix = Secret(bytes(range(64))), bytes(64)
    deck = cards.deck(RULES.decks, RULES.jokers)
    parsed = parse_steps(steps(RULES), cards=len(deck), seats=4)
    system = SystemRandom()

    def whole() -> None:
        deal(order(secret, mix, 108), deck, parsed, 4, 0)

    timed = side_by_side(
        {
            "order of 108 cards, fast path": _times(100, lambda: order(secret, mix, 108)),
            "the same, readable reference": _times(50, lambda: shuffle(108, words(secret, mix))),
            "the same, dealt by the steps": _times(50, whole),
            "SystemRandom().shuffle of 108 cards": _times(
                20, lambda: system.shuffle(list(range(108)))
            ),
            "one HMAC-SHA-512 per card": _times(10, lambda: _hmac_each(bytes(64))),
            "eight floats per HMAC-SHA-256": _times(20, lambda: _hmac_floats(bytes(32))),
        }
    )
    show("Deals (108 cards)", timed, "deals")
    fast, reference, _, system_way, each, floats = timed.values()
    ratio("D1: SystemRandom().shuffle against ours", system_way, fast, "at least 4")
    ratio("D1: one HMAC per card against ours", each, fast, "at least 8")
    ratio("D1: eight floats per HMAC against ours", floats, fast, "at least 2")
    ratio("D2: the readable reference against ours", reference, fast, "at most 2.5")
    return fast


def _times(count: int, work: Callable[[], object]) -> Callable[[], int]:
    def case() -> int:
        for _ in range(count):
            work()
        return count

    return case


def _hmac_each(key: bytes) -> list[int]:
    """Shuffle with a whole HMAC for each card, as many sites do."""
    deck = list(range(108))
    for at in range(107, 0, -1):
        drawn = int.from_bytes(hmac.digest(key, b"%d" % at, "sha512"), "big") % (at + 1)
        deck[at], deck[drawn] = deck[drawn], deck[at]
    return deck


def _hmac_floats(key: bytes) -> list[int]:
    """Shuffle with floats of four bytes each, eight from one HMAC-SHA-256, as dice sites do."""
    deck, floats = list(range(108)), list[float]()
    for block in range(14):
        made = hmac.digest(key, b"%d" % block, hashlib.sha256)
        floats += [int.from_bytes(made[at : at + 4], "big") / 2**32 for at in range(0, 32, 4)]
    for at in range(107, 0, -1):
        drawn = int(floats[at] * (at + 1))
        deck[at], deck[drawn] = deck[drawn], deck[at]
    return deck


def engine_rates() -> None:
    """Replay recorded hands by checking and by listing, and play hands by chance."""
    recorded = [list(played(RULES, seed, GREEDY)) for seed in range(6)]
    length = sum(map(len, recorded))
    positions = [position for hand in recorded for position, _, _ in hand]
    played_acts = [(seat, act) for hand in recorded for _, seat, act in hand]

    def judge_it(position: Position, seat: int, act: acts.Act) -> None:
        next(faults(position, seat, act), None)

    def list_all(position: Position, _seat: int, _act: acts.Act) -> None:
        list(engine.legal_acts(position))

    def replaying(look: Callable[[Position, int, acts.Act], None]) -> Callable[[], int]:
        def case() -> int:
            for hand in recorded:
                position = hand[0][0].copy()
                for _, seat, act in hand:
                    look(position, seat, act)
                    engine.play(position, seat, act)
            return length

        return case

    def checked() -> int:
        for position, (seat, act) in zip(positions, played_acts, strict=True):
            engine.check(position, seat, act)
        return length

    def applied() -> int:
        for position, (seat, act) in zip(positions, played_acts, strict=True):
            engine.apply(position, seat, act)
        return length

    def copied() -> int:
        for position in positions:
            position.copy()
        return length

    timed = side_by_side(
        {
            "replay: check and play": replaying(judge_it),
            "replay: list all legal acts and play": replaying(list_all),
            "check alone": checked,
            "apply (check, copy, play)": applied,
            "copy of a position": copied,
        }
    )
    show("Engine (recorded greedy hands)", timed, "acts")
    check, listing, *_ = timed.values()
    ratio("listing against checking, in a replay", listing, check, "at least 2.5")

    hands = side_by_side({"on counts (playout)": _playouts, "by listing, faces": _random_hands})
    show("Random hands to their end", hands, "hands")


def _playouts(hands: int = 20) -> int:
    for seed in range(hands):
        chance = Random(seed)
        core = Counts.from_position(dealt(RULES, chance))
        playout(core, _words(chance))
    return hands


def _words(chance: Random) -> Iterator[int]:
    while True:
        yield chance.getrandbits(32)


def _random_hands(hands: int = 2) -> int:
    for seed in range(hands):
        for _ in played(RULES, seed, EVEN):
            pass
    return hands


def games(scalar: Timed) -> None:
    """Play whole bot games in one process, and verify their transcripts."""
    found: list[Played] = []
    cpu = time.process_time()
    found = [play(seed) for seed in range(4)]
    used = time.process_time() - cpu
    acts_made, hands = sum(one.acts for one in found), sum(one.hands for one in found)
    print("\nWhole games (greedy bots, records, cards counted at each act)")
    print(
        f"  {len(found)} games, {hands} hands, {acts_made} acts: {used / len(found):.2f} CPU-s a "
        f"game, {acts_made / used:,.0f} acts/CPU-s"
    )

    def verified() -> int:
        for one in found:
            report = verify(BytesIO(one.transcript), Held(commit=one.open_hash))
            assert report.verdict == "VALID", report.errors
        return hands

    timed = side_by_side({"a refereed hand, all checks": verified}, rounds=5)
    show("Verifier (standard library only)", timed, "hands")
    (whole,) = timed.values()
    a_game = whole.cpu * hands / len(found)
    print(f"  {'a game':<44} {a_game:>12.3f} CPU-s")
    ratio("A1: a refereed hand against one scalar deal", whole, scalar, "at most 40")


def http() -> None:
    """Drive the service over HTTP on each database, beside a bare endpoint."""
    from benchmarks import http as served  # noqa: PLC0415  late: only here is a server wanted

    for database in served.WORKERS:
        print(f"\n{served.title(database)}")
        try:
            served.show(served.measure(database, _HTTP_S))
        except (OSError, RuntimeError) as failure:
            print(f"  not run: {failure}")


def followed() -> None:
    """Follow some games from the process of streams; `benchmarks.streams` follows many."""
    print("\nStreams (service, process of streams and clients on this machine, SQLite)")
    try:
        from benchmarks import streams  # noqa: PLC0415  the service may be absent

        streams.show(streams.measure(_FOLLOWED_GAMES, 10.0, _FOLLOWED_S))
    except (ImportError, RuntimeError) as failure:
        print(f"  not run: {failure}")


if __name__ == "__main__":
    sys.exit(main())
