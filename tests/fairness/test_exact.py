"""Exact proofs: no statistics, every case is counted (protocol §4, numbers 1, 2 and 4)."""

from collections import Counter
from itertools import permutations, product
from math import factorial
from typing import Any

import pytest
from cryptography.hazmat.primitives.hashes import SHA512
from cryptography.hazmat.primitives.kdf.kbkdf import KBKDFHMAC, CounterLocation, Mode

from fairdeal.fairness.keys import Secret
from fairdeal.fairness.shuffle import order, shuffle
from fairdeal.fairness.stream import WORD_VALUES, below, block, words

PARTS = 8


class RecordingWord:
    """A word that notes what `below` compares it with and divides it by."""

    def __init__(self):
        self.limit = self.divisor = 0

    def __lt__(self, limit):
        self.limit = limit
        return True

    def __mod__(self, divisor):
        self.divisor = divisor
        return 0


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_over_all_words_each_result_of_every_bound_comes_equally_often(part):
    """All bounds to 1,024, all 65,536 words, through the code that deals (§4, number 1)."""
    for m in range(2 + part, 1025, PARTS):
        counts = [0] * m
        all_words = iter(range(WORD_VALUES))
        try:
            while True:
                counts[below(m, all_words)] += 1
        except StopIteration:  # The words that are left at the end are rejected ones.
            pass
        assert counts == [WORD_VALUES // m] * m, m


def test_every_bound_accepts_a_whole_number_of_turns_and_all_but_less_than_one():
    for m in range(2, 1025):
        word: Any = RecordingWord()
        below(m, iter([word]))
        # `below` is then "the word mod m, for words under the limit": so many words a result.
        assert word.divisor == m
        assert word.limit % m == 0
        assert WORD_VALUES - m < word.limit <= WORD_VALUES


def test_every_bound_rejects_from_its_limit_on_and_reads_the_next_word():
    for m in range(2, 1025):
        limit = WORD_VALUES // m * m
        assert below(m, iter([limit - 1])) == m - 1
        assert below(m, iter([*range(limit, WORD_VALUES), 1])) == 1


def test_below_one_reads_nothing():
    assert below(1, iter(())) == 0


@pytest.mark.parametrize("m", [0, -1, WORD_VALUES + 1])
def test_below_refuses_a_bound_out_of_range(m):
    with pytest.raises(ValueError, match="65536"):
        below(m, iter([0]))


@pytest.mark.parametrize("n", range(1, 8))
def test_all_orders_come_out_once_each(n):
    indexes = product(*(range(m) for m in range(n, 1, -1)))
    orders = Counter(tuple(shuffle(n, iter(index))) for index in indexes)
    assert orders == dict.fromkeys(permutations(range(n)), 1)
    assert len(orders) == factorial(n)


@pytest.mark.parametrize("n", [0, -1, 1025])
def test_a_deck_out_of_range_is_refused_by_both_shuffles(n):
    with pytest.raises(ValueError, match="1024"):
        shuffle(n, iter(()))
    with pytest.raises(ValueError, match="1024"):
        order(Secret(bytes(64)), bytes(64), n)


def test_blocks_are_those_of_sp_800_108_counter_mode():
    secret, mix = Secret(bytes(range(64))), bytes(range(100, 164))
    kdf = KBKDFHMAC(
        algorithm=SHA512(),
        mode=Mode.CounterMode,
        length=64 * 40,
        rlen=4,
        llen=None,
        location=CounterLocation.BeforeFixed,
        label=None,
        context=None,
        fixed=b"pfd1/stream\0" + mix,
    )
    blocks = [block(secret, mix, index) for index in range(1, 41)]
    assert b"".join(blocks) == kdf.derive(secret.raw)


def test_words_are_the_bytes_of_the_blocks_two_at_a_time():
    secret, mix = Secret(bytes(range(64))), bytes(64)
    stream = words(secret, mix)
    taken = b"".join(next(stream).to_bytes(2, "big") for _ in range(32 * 3))
    assert taken == b"".join(block(secret, mix, index) for index in (1, 2, 3))


@pytest.mark.parametrize("size", [0, 63, 65])
def test_a_mix_of_another_length_is_refused_at_once(size):
    with pytest.raises(ValueError, match="64 bytes"):
        words(Secret(bytes(64)), bytes(size))
    with pytest.raises(ValueError, match="64 bytes"):
        order(Secret(bytes(64)), bytes(size), 52)
