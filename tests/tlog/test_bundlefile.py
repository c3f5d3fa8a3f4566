"""Bundles are read game by game however they are cut up, and their index is read strictly."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.errors import MalformedInput
from fairdeal.records.chain import MAX_LINE_BYTES
from fairdeal.tlog.bundlefile import (
    BundleDay,
    BundleIndex,
    bundle_path,
    parse_bundle_index,
    read_bundle_games,
)
from tests.publiclog.games import game_lines

# Texts within a record that look like a record 0, like the end of a line, like a game.
TRAPS = [
    '"game":"game-0009","n":0,"prev":"' + "0" * 64 + '","t":1,"type":"open","v":"pfd1"}\n',
    "\n",
    '"}\n{"',
    "é\u2028",
]
games = st.lists(
    st.tuples(st.integers(0, 3), st.text(max_size=20) | st.sampled_from(TRAPS)), max_size=6
).map(
    lambda made: [
        (
            f"game-{at:04}",
            b"".join(one.line for one in game_lines(f"game-{at:04}", acts=acts, text=text)),
        )
        for at, (acts, text) in enumerate(made)
    ]
)
numbers = st.integers(0, 2**53 - 1)


@st.composite
def indexes(draw):
    places = sorted(draw(st.sets(st.integers(0, 10**6), min_size=2, max_size=12)))
    days = tuple(
        BundleDay(
            day=f"2026-{at:02}-01",
            bytes=draw(numbers),
            sha256=draw(st.binary(min_size=32, max_size=32)).hex(),
            games=draw(st.integers(1, last - first + 1)),
            first_index=first,
            last_index=last,
        )
        for at, (first, last) in enumerate(zip(places[::2], places[1::2], strict=False), 1)
    )
    return BundleIndex(places[-1] + 1 + draw(st.integers(0, 9)), days)


@given(games, st.integers(1, 40), st.data())
def test_a_bundle_gives_back_its_games_whatever_pieces_it_comes_in(made, step, data):
    packed = b""
    while made and data.draw(st.booleans()):
        packed += gzip.compress(b"", mtime=0)  # a member without a game does no harm
    for _, lines in made:
        packed += gzip.compress(lines, mtime=0)
    pieces = [packed[at : at + step] for at in range(0, len(packed), step)]
    assert list(read_bundle_games(pieces)) == made


@given(games.filter(bool))
def test_games_may_share_a_member_and_a_game_may_have_two(made):
    whole = b"".join(lines for _, lines in made)
    half = len(whole) // 2
    packed = gzip.compress(whole[:half]) + gzip.compress(whole[half:])
    assert list(read_bundle_games([packed])) == made


LINES = b"".join(one.line for one in game_lines("game-0001"))
FIRST = game_lines("game-0001")[0].line


@pytest.mark.parametrize(
    "pieces",
    [
        [LINES],
        [gzip.compress(LINES)[:-1]],
        [gzip.compress(LINES)[:-9] + b"x" * 8],
        [gzip.compress(LINES) + b"\n"],
        [gzip.compress(LINES[:-1])],
        [gzip.compress(LINES.partition(b"\n")[2])],
        [gzip.compress(LINES + b"x" * (MAX_LINE_BYTES + 2**18 + 1))],
        [gzip.compress(FIRST + b"{}\n" * 20_000)],
    ],
)
def test_what_is_no_bundle_is_refused(pieces):
    with pytest.raises(MalformedInput) as refused:
        list(read_bundle_games(pieces))
    assert refused.value.code == "bad_bundle"


def test_an_endless_line_is_refused_before_it_is_unpacked():
    bomb = gzip.compress(bytes(20 * 2**20))
    with pytest.raises(MalformedInput):
        list(read_bundle_games([bomb]))


@given(indexes())
def test_an_index_is_read_as_it_was_written(index):
    assert parse_bundle_index(index.text) == index
    for day in index.days:
        assert day.path == bundle_path(day.day)


DAY = BundleDay(day="2026-12-01", bytes=9, sha256="ab" * 32, games=2, first_index=3, last_index=7)
GOOD = BundleIndex(8, (DAY,)).text


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        (b"\n", b""),
        (b"\n", b"\n\n"),
        (b'"complete_to_index":8', b'"complete_to_index":7'),
        (b'"complete_to_index":8', b'"complete_to_index":true'),
        (b'"complete_to_index":8', b'"complete_to":8'),
        (b'"games":2', b'"games":0'),
        (b'"games":2', b'"games":6'),
        (b'"games":2', b'"games":"2"'),
        (b'"bytes":9', b'"bytes":-9'),
        (b'"bytes":9,', b""),
        (b"2026-12-01", b"../../etc"),
        (b"abab", b"ABAB"),
        (b'"first_index":3', b'"first_index":8'),
        (b'"days":[', b'"days":[0,'),
        (GOOD, b""),
        (GOOD, b"[]\n"),
        (GOOD, b'{"complete_to_index":0,"days":{}}\n'),
    ],
)
def test_an_index_of_another_form_is_refused(was, becomes):
    assert was in GOOD
    with pytest.raises(MalformedInput):
        parse_bundle_index(GOOD.replace(was, becomes, 1))


@pytest.mark.parametrize("change", [{"day": "2026-12-01"}, {"first_index": 7, "games": 1}])
def test_days_out_of_order_are_refused(change):
    said = {"day": "2026-12-02", "first_index": 8, "last_index": 9, "games": 1, **change}
    later = BundleDay(bytes=9, sha256="ab" * 32, **said)
    with pytest.raises(MalformedInput):
        parse_bundle_index(BundleIndex(10, (DAY, later)).text)
