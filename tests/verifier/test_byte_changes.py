"""One byte of a refereed game is changed: nobody may take the file for honest (protocol 3.3).

Without evidence only digits of the last record's time can be other ones. With the receipt of the
last record nothing can.
"""

import json
import random
from functools import cache
from itertools import accumulate

import pytest

from tests.verifier.refereed import bytes_of, check, shortest, signed, whole

DATA = bytes_of(shortest())
LINES = DATA.splitlines(keepends=True)
STARTS = [0, *accumulate(map(len, LINES))]
PARTS = 12
SAMPLED = 60
"""One change in so many is judged again with the receipt; survivors always are."""


def last_time(data):
    """Where the digits of the last record's time stand."""
    start = data.index(b'"t":', data.rindex(b'"prev":')) + 4
    return range(start, data.index(b",", start))


def changed(data, at, new):
    return data[:at] + bytes([new]) + data[at + 1 :]


def may_pass(data, at, new):
    """Whether a change only gives the last record another time that is not before the last one."""
    digits = last_time(data)
    if at not in digits or not 0x30 <= new <= 0x39:
        return False
    text = changed(data, at, new)[digits.start : digits.stop]
    before = json.loads(data.splitlines()[-2])["t"]
    return not text.startswith(b"0") and int(text) >= before


def judge(data, changes, held):
    """Check changes (place, new byte): which pass unsigned must be those that may; signed none."""
    survivors = 0
    for count, (at, new) in enumerate(changes):
        bent = changed(data, at, new)
        passed = check(bent).verdict == "VALID"
        assert passed == may_pass(data, at, new), (at, bytes([data[at], new]))
        survivors += passed
        if passed or count % SAMPLED == 0:
            assert check(bent, held).verdict in {"INVALID", "MALFORMED"}, (at, new)
    return survivors


@cache
def short_held():
    return signed(shortest())


def test_the_short_game_is_valid_and_pinned_by_nothing_but_its_end():
    assert check(DATA).verdict == "VALID"
    assert check(DATA, short_held()).verdict == "VALID"
    assert [json.loads(line)["type"] for line in LINES] == [
        "open", "share", "lock", "deal", "act", "act", "abort", "reveal", "close", "master",
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_every_flipped_bit_of_the_short_game_is_seen(part):
    places = range(part, len(DATA), PARTS)
    judge(DATA, [(at, DATA[at] ^ 1 << bit) for at in places for bit in range(8)], short_held())


@pytest.mark.slow
def test_every_hex_digit_and_number_may_become_no_other_digit():
    digits = [at for at in range(STARTS[1], len(DATA)) if chr(DATA[at]) in "0123456789abcdef"]
    chance = random.Random("digits")
    changes = [(at, ord(chance.choice("0123456789abcdef"))) for at in digits]
    judge(DATA, [(at, new) for at, new in changes if new != DATA[at]], short_held())


@pytest.mark.slow
def test_of_all_values_of_the_last_time_only_digits_pass_and_none_with_the_receipt():
    places = last_time(DATA)
    changes = [(at, new) for at in places for new in range(256) if new != DATA[at]]
    survivors = judge(DATA, changes, short_held())
    assert survivors == sum(may_pass(DATA, at, new) for at, new in changes) > 50


@pytest.mark.slow
@pytest.mark.parametrize("number", range(3))
def test_random_changes_of_a_whole_game_are_seen(number):
    sitting = whole(number)
    data, held, chance = bytes_of(sitting), signed(sitting), random.Random(number)
    assert check(data, held).verdict == "VALID"
    changes: list[tuple[int, int]] = []
    while len(changes) < 60:
        at, new = chance.randrange(len(data)), chance.randrange(256)
        if new != data[at]:
            changes.append((at, new))
    judge(data, changes, held)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(2))
def test_random_hex_digits_of_a_whole_game_are_seen(number):
    """Changes that stay well formed: they reach the chain, the links and the secrets."""
    data, chance = bytes_of(whole(number)), random.Random(f"hex {number}")
    held = signed(whole(number))
    places = [at for at in range(len(data)) if chr(data[at]) in "0123456789abcdef"]
    changes = []
    for at in chance.sample(places, 40):
        kin = "0123456789" if chr(data[at]).isdigit() else "abcdef"
        changes.append((at, ord(chance.choice(kin.replace(chr(data[at]), "")))))
    judge(data, changes, held)


@pytest.mark.slow
def test_a_byte_more_or_less_is_seen():
    chance = random.Random("lengths")
    for at in chance.sample(range(len(DATA)), 150):
        for bent in (
            DATA[:at] + DATA[at + 1 :],
            DATA[:at] + bytes([chance.randrange(256)]) + DATA[at:],
            DATA[:at] + DATA[at : at + 1] + DATA[at:],
        ):
            report = check(bent)
            # A digit more makes the last time later still; that is all that can pass.
            assert report.verdict != "VALID" or at in [*last_time(DATA), last_time(DATA).stop]
            assert check(bent, short_held()).verdict in {"INVALID", "MALFORMED"} or bent == DATA
