"""Deals in bulk give exactly what the readable reference gives, whatever is rejected."""

import subprocess
import sys
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.fairness import bulk
from fairdeal.fairness.keys import Secret
from fairdeal.fairness.shuffle import shuffle
from fairdeal.fairness.stream import words

ODD_SIZES = [1, 2, 3, 31, 32, 33, 34, 64, 65, 97, 108, 129, 513, 1000, 1023, 1024]


def drawn(seed, hands):
    chance = Random(seed)
    return (
        [Secret(chance.randbytes(64)) for _ in range(hands)],
        [chance.randbytes(64) for _ in range(hands)],
    )


def reference(secrets, mixes, n):
    return [shuffle(n, words(secret, mix)) for secret, mix in zip(secrets, mixes, strict=True)]


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 1024), st.integers(0, 12), st.integers(0, 2**32))
def test_bulk_equals_the_reference_for_any_size_and_number_of_hands(n, hands, seed):
    secrets, mixes = drawn(seed, hands)
    assert list(bulk.orders(secrets, mixes, n)) == reference(secrets, mixes, n)


@pytest.mark.parametrize("n", ODD_SIZES)
def test_bulk_equals_the_reference_where_blocks_end_and_rejections_are_many(n):
    secrets, mixes = drawn(n, 40)
    assert list(bulk.orders(secrets, mixes, n)) == reference(secrets, mixes, n)


def test_chunks_leave_no_hand_out_and_keep_the_order(monkeypatch):
    monkeypatch.setattr(bulk, "CHUNK_CELLS", 7 * 108)
    secrets, mixes = drawn(5, 40)
    assert [table.shape[1] for table in bulk.tables(secrets, mixes, 108)] == [7] * 5 + [5]
    assert list(bulk.orders(secrets, mixes, 108)) == reference(secrets, mixes, 108)


def compacted(lanes, limits):
    """Run the compaction over lanes given as lists; None for one whose words ran out."""
    table = np.array(lanes, np.uint32).T.copy()
    column = np.array(limits, np.uint32)[:, None]
    short = bulk._compact(table, np.arange(len(lanes)), column)
    return [
        None if lane in short else table[: len(limits), lane].tolist() for lane in range(len(lanes))
    ]


def picked(lane, limits):
    """Take words as `below` does."""
    left, taken = iter(lane), []
    for limit in limits:
        for word in left:
            if word < limit:
                taken.append(word)
                break
        else:
            return None
    return taken


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_compaction_takes_the_words_that_below_takes_whatever_the_limits(data):
    draws = data.draw(st.integers(1, 6))
    spare = data.draw(st.integers(0, 6))
    limits = data.draw(st.lists(st.integers(1, 9), min_size=draws, max_size=draws))
    lane = st.lists(st.integers(0, 9), min_size=draws + spare, max_size=draws + spare)
    lanes = data.draw(st.lists(lane, min_size=1, max_size=8))
    assert compacted(lanes, limits) == [picked(one, limits) for one in lanes]


def test_a_lane_that_runs_out_of_words_is_dealt_the_scalar_way():
    # 33 cards read exactly one block: any rejection runs out of it. One in 250 hands has one.
    secrets, mixes = drawn(11, 2000)
    limits = [65536 - 65536 % m for m in range(33, 1, -1)]
    rejecting = [
        at
        for at, (secret, mix) in enumerate(zip(secrets, mixes, strict=True))
        if any(word >= limit for word, limit in zip(words(secret, mix), limits, strict=False))
    ]
    assert rejecting
    found = list(bulk.orders(secrets, mixes, 33))
    assert [found[at] for at in rejecting] == [
        shuffle(33, words(secrets[at], mixes[at])) for at in rejecting
    ]


def test_without_numpy_the_orders_are_the_same_and_the_way_says_so():
    script = (
        "import sys; sys.modules['numpy'] = None\n"
        "from fairdeal.fairness import bulk\n"
        "from fairdeal.fairness.keys import Secret\n"
        "print(bulk.HAS_NUMPY, bulk.WAY)\n"
        "print(next(bulk.orders([Secret(bytes(64))], [bytes(64)], 108)))\n"
        "try: bulk.tables([], [], 1)\n"
        "except RuntimeError as error: print(error)\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    way, order, refused = run.stdout.splitlines()
    assert way.startswith("False one by one")
    assert "numpy" in way
    assert order == str(shuffle(108, words(Secret(bytes(64)), bytes(64))))
    assert refused == "numpy is not installed"


def test_with_numpy_the_way_says_so():
    assert (bulk.HAS_NUMPY, bulk.WAY) == (True, "in bulk, with numpy")


@pytest.mark.parametrize(
    ("mixes", "n", "why"),
    [
        ([bytes(64)], 0, "1 to 1024"),
        ([bytes(64)], 1025, "1 to 1024"),
        ([bytes(63)], 108, "64 bytes"),
        ([], 108, "1 secrets do not go with 0 mixes"),
    ],
)
def test_what_is_out_of_range_is_refused_at_once(mixes, n, why):
    with pytest.raises(ValueError, match=why):
        bulk.orders([Secret(bytes(64))], mixes, n)
