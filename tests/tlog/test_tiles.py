"""Names and bytes of tiles and bundles: one spelling for each, and nothing but that is read."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fairdeal.errors import MalformedInput
from fairdeal.tlog.tiles import (
    ENTRIES,
    MAX_ENTRY,
    WIDTH,
    Tile,
    bundle,
    cut,
    parse_path,
    read_bundle,
    read_tile,
    tiles_of,
    width_at,
)

PATTERN = re.compile(
    r"tile/(?:entries|[0-9]|[1-5][0-9]|6[0-3])/(?!x000/)(?:x[0-9]{3}/)*[0-9]{3}"
    r"(?:\.p/(?:[1-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5]))?"
)
"""As log.md 1 writes it."""

TILES = st.builds(Tile, st.integers(ENTRIES, 63), st.integers(0, 10**18 - 1), st.integers(1, WIDTH))
ENTRY = st.binary(max_size=300)


@given(TILES)
def test_a_path_names_one_tile_and_a_tile_has_one_path(tile):
    assert PATTERN.fullmatch(tile.path)
    assert parse_path(tile.path) == tile


@given(st.text("tile/entrsx0123456789.p", max_size=40) | st.from_regex(PATTERN, fullmatch=True))
def test_what_is_read_is_what_would_be_written(text):
    tile = parse_path(text)
    assert tile is None or tile.path == text
    assert PATTERN.fullmatch(text) or tile is None


@pytest.mark.parametrize(
    ("tile", "path"),
    [
        (Tile(0, 0), "tile/0/000"),
        (Tile(0, 1_234_067), "tile/0/x001/x234/067"),
        (Tile(63, 999, 255), "tile/63/999.p/255"),
        (Tile(ENTRIES, 1000, 1), "tile/entries/x001/000.p/1"),
        (Tile(1, 1_000_000), "tile/1/x001/x000/000"),
    ],
)
def test_paths_are_written_in_groups_of_three_digits(tile, path):
    assert tile.path == path
    assert parse_path(path) == tile


@pytest.mark.parametrize(
    "path",
    ["tile/0/x000/000", "tile/0/000.p/0", "tile/0/000.p/256", "tile/00/000", "tile/64/000", "",
     "tile/0/..", "/tile/0/000", "tile/0/000\n", "tile/0/000.p/1\n", "tile/0/٠٠٠", "tile/0/1000",
     "tile/8/0/000", "tile/0/000.p/1/", "tile/data/000", "tile/0/x12/000",
     "tile/0/" + "x001/" * 7 + "000"],
)  # fmt: skip
def test_another_spelling_names_no_tile(path):
    assert parse_path(path) is None


# ------------------------------------------------------------------------------------- bundles


@given(st.lists(ENTRY, max_size=WIDTH))
def test_a_bundle_is_read_as_it_was_made(entries):
    data = bundle(entries)
    assert read_bundle(data, len(entries)) == entries
    assert len(data) == sum(2 + len(entry) for entry in entries)


def test_an_entry_has_at_most_65535_bytes():
    largest = bytes(MAX_ENTRY)
    assert read_bundle(bundle([largest, b""]), 2) == [largest, b""]
    assert bundle([largest])[:2] == b"\xff\xff"
    with pytest.raises(MalformedInput) as refused:
        bundle([largest + b"x"])
    assert refused.value.code == "entry_too_large"


@given(st.lists(ENTRY, min_size=1, max_size=9), st.data())
def test_a_bundle_that_is_cut_off_or_goes_on_is_refused(entries, data):
    made = bundle(entries)
    for wrong in (made[: data.draw(st.integers(0, len(made) - 1))], made + b"\0", made + b"\0\0"):
        with pytest.raises(MalformedInput) as refused:
            read_bundle(wrong, len(entries))
        assert refused.value.code == "bad_bundle"


@given(st.lists(ENTRY, min_size=1, max_size=20), st.data())
def test_the_narrower_bundle_is_the_beginning_of_the_wider(entries, data):
    width = data.draw(st.integers(1, len(entries)))
    tile = Tile(ENTRIES, 0, width)
    assert cut(tile, bundle(entries)) == bundle(entries[:width])
    for wrong, short in ((len(entries) + 1, bundle(entries)), (len(entries), bundle(entries)[:-1])):
        with pytest.raises(MalformedInput):
            cut(Tile(ENTRIES, 0, wrong), short)


# --------------------------------------------------------------------------------------- tiles


@given(st.integers(1, WIDTH), st.data())
def test_the_narrower_tile_is_the_beginning_of_the_wider(wide, data):
    hashes = [bytes([n]) * 32 for n in range(wide)]
    width = data.draw(st.integers(1, wide))
    assert cut(Tile(3, 7, width), b"".join(hashes)) == b"".join(hashes[:width])
    assert read_tile(b"".join(hashes), wide) == hashes
    if wide < WIDTH:
        with pytest.raises(MalformedInput):
            cut(Tile(3, 7, wide + 1), b"".join(hashes))


@given(st.integers(1, WIDTH), st.integers(0, 9000))
def test_a_tile_of_another_length_is_refused(width, length):
    assume(length != width * 32)
    with pytest.raises(MalformedInput) as refused:
        read_tile(bytes(length), width)
    assert refused.value.code == "bad_tile"


@given(st.integers(0, 3_000_000), st.integers(0, 3_000_000))
def test_the_tiles_since_a_size_are_those_that_it_did_not_have(one, other):
    since, size = sorted((one, other))
    since = max(since, size - 200_000)
    assert set(tiles_of(size, since)) == set(tiles_of(size)) - set(tiles_of(since))


@given(TILES, st.integers(0, 2**40))
def test_a_tile_is_as_wide_as_its_level_reaches(tile, size):
    hashes = size >> 8 * max(0, tile.level)
    width = width_at(tile.level, tile.number, size)
    assert width == len(range(tile.first, min(tile.first + WIDTH, hashes)))
