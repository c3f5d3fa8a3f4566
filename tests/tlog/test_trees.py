"""Trees of every awkward size: their roots, tiles, edges and proofs, against the definition."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.errors import MalformedInput
from fairdeal.tlog.growth import Edge, grow, tile_root
from fairdeal.tlog.merkle import EMPTY_ROOT, is_consistent, is_included, leaf_hash, root_of
from fairdeal.tlog.proving import TileTree
from fairdeal.tlog.tiles import ENTRIES, WIDTH, Tile, cut, read_tile, tiles_of, width_at
from tests.tlog.logmaker import numbered
from tests.tlog.reference import Definition
from verifier.merkle import Tree, is_extension, root_by_path

SIZES = (0, 1, 2, 255, 256, 257, 511, 65_536, 70_000)
ENTRIES_ = numbered(70_000)
LEAVES = [leaf_hash(entry) for entry in ENTRIES_]
DEFINED = Definition(ENTRIES_)
_, ALL = grow(Edge(), LEAVES)


def read(tile):
    """Give any tile of any smaller tree out of those of the largest one."""
    wider = Tile(tile.level, tile.number, width_at(tile.level, tile.number, len(LEAVES)))
    return cut(tile, ALL[wider])


def places(size):
    """Give the awkward places of a tree."""
    around = (0, 1, 2, 254, 255, 256, 257, 511, 512, 65_535, 65_536, size // 2, size - 2, size - 1)
    return sorted({place for place in around if 0 <= place < size})


@pytest.mark.parametrize("size", SIZES)
def test_the_root_is_that_of_the_definition(size):
    root = DEFINED.mth(0, size)
    edge, _ = grow(Edge(), LEAVES[:size])
    seen = Tree()
    for entry in ENTRIES_[:size]:
        seen.add(entry)
    assert (root_of(LEAVES[:size]), edge.root, seen.root()) == (root, root, root)
    assert TileTree(size, read).root() == root
    assert TileTree(len(LEAVES), read).root(size) == root


@pytest.mark.parametrize("size", SIZES)
def test_the_tiles_are_those_of_the_definition_and_no_others(size):
    _, made = grow(Edge(), LEAVES[:size])
    assert set(made) == {tile for tile in tiles_of(size) if tile.level != ENTRIES}
    for tile, data in made.items():
        under = WIDTH**tile.level
        for at, one in enumerate(read_tile(data, tile.width), tile.first):
            assert one == DEFINED.mth(at * under, (at + 1) * under)


@pytest.mark.parametrize("size", SIZES)
def test_every_level_has_the_hashes_that_the_size_gives_it(size):
    widths: dict[int, int] = {}
    for tile in tiles_of(size):
        widths[tile.level] = widths.get(tile.level, 0) + tile.width
    expected = {level: size >> 8 * level for level in range(9) if size >> 8 * level}
    assert widths == ({ENTRIES: size} | expected if size else {})


def test_the_tiles_of_the_specifications_example_are_these():
    """C2SP tlog-tiles: 70,000 entries."""
    tiles = [tile.path for tile in tiles_of(70_000) if tile.level != ENTRIES]
    assert tiles[:2] == ["tile/0/000", "tile/0/001"]
    assert tiles[272:] == [
        "tile/0/272", "tile/0/273.p/112", "tile/1/000", "tile/1/001.p/17", "tile/2/000.p/1",
    ]  # fmt: skip


@pytest.mark.parametrize("size", SIZES[1:])
def test_every_proof_of_inclusion_is_that_of_the_definition_and_holds(size):
    tree, root = TileTree(size, read), DEFINED.mth(0, size)
    for index in places(size):
        path = tree.inclusion(index)
        assert list(path) == DEFINED.path(index, size)
        assert is_included(LEAVES[index], index, size, path, root)
        assert root_by_path(LEAVES[index], index, size, path) == root
        assert TileTree(len(LEAVES), read).inclusion(index, size) == path


@pytest.mark.parametrize("size", SIZES[1:])
def test_every_proof_of_consistency_is_that_of_the_definition_and_holds(size):
    tree, root = TileTree(size, read), DEFINED.mth(0, size)
    for old in {place + 1 for place in places(size)}:
        path, older = tree.consistency(old), DEFINED.mth(0, old)
        assert list(path) == DEFINED.proof(old, size)
        assert is_consistent(old, older, size, root, path)
        assert is_extension(old, older, size, root, path)
    assert tree.consistency(0) == ()


def test_nothing_is_proved_of_what_is_not_there():
    tree = TileTree(300, read)
    for index, size in ((300, None), (-1, None), (5, 5), (0, 0), (0, 301), (0, -1)):
        with pytest.raises(ValueError):
            tree.inclusion(index, size)
    for old, size in ((301, None), (-1, None), (6, 5), (0, 301)):
        with pytest.raises(ValueError):
            tree.consistency(old, size)


def test_each_tile_is_read_once():
    asked = []

    def note(tile):
        asked.append(tile)
        return read(tile)

    tree = TileTree(70_000, note)
    for index in range(0, 512, 7):
        tree.inclusion(index)
    assert len(asked) == len(set(asked))
    assert len(asked) <= 2 + 2 + 1 + 1


# --------------------------------------------------------------------------------- in any steps


@settings(deadline=None)
@given(st.lists(st.integers(0, 700), max_size=8))
def test_a_tree_that_grows_in_any_steps_is_the_same_tree(steps):
    made: dict[Tile, bytes] = {}
    edge, size = Edge(), 0
    for step in steps:
        edge, tiles = grow(edge, LEAVES[size : size + step])
        since = {tile for tile in tiles_of(size + step, size) if tile.level != ENTRIES}
        assert set(tiles) == since
        made |= tiles
        size += step
        assert edge.size == size
        assert edge.root == DEFINED.mth(0, size)
        assert Edge.read(size, edge.text) == edge
    whole, tiles = grow(Edge(), LEAVES[:size])
    assert edge == whole
    assert {tile: made[tile] for tile in tiles} == tiles


def test_growing_by_nothing_changes_nothing():
    edge, _ = grow(Edge(), LEAVES[:300])
    assert grow(edge, []) == (edge, {})
    assert grow(Edge(), []) == (Edge(), {})
    assert Edge().root == EMPTY_ROOT == DEFINED.mth(0, 0)


def test_the_edge_has_at_most_255_hashes_a_level():
    for size in SIZES:
        edge, _ = grow(Edge(), LEAVES[:size])
        assert all(len(level) <= 255 * 32 for level in edge.levels)
        assert len(edge.text) == sum(
            32 * (size >> 8 * level & 255) for level in range(len(edge.levels))
        )


@pytest.mark.parametrize("size", [1, 2, 255, 256, 257, 65_536, 70_000])
def test_an_edge_of_another_size_is_refused(size):
    edge, _ = grow(Edge(), LEAVES[:size])
    for text in (edge.text[:-1], edge.text + bytes(1), edge.text + bytes(32), edge.text[32:]):
        with pytest.raises(MalformedInput) as refused:
            Edge.read(size, text)
        assert refused.value.code == "bad_edge"
    with pytest.raises(MalformedInput):
        Edge(size + 1, edge.levels)
    with pytest.raises(MalformedInput):
        Edge(size, (*edge.levels, b""))


def test_the_hash_of_a_full_tile_is_the_root_over_it():
    full = ALL[Tile(0, 3)]
    assert tile_root(full) == root_of(read_tile(full, WIDTH)) == DEFINED.mth(768, 1024)


# ---------------------------------------------------------------------------------- every proof


@settings(deadline=None)
@given(st.data())
def test_an_inclusion_proof_holds_for_its_own_leaf_place_size_and_root_alone(data):
    size = data.draw(st.integers(1, 1500))
    index = data.draw(st.integers(0, size - 1))
    path, root = TileTree(size, read).inclusion(index), DEFINED.mth(0, size)
    leaf = LEAVES[index]
    for verify in (is_included, lambda *said: root_by_path(*said[:4]) == said[4]):
        assert verify(leaf, index, size, path, root)
        assert not verify(LEAVES[index - 1] if size > 1 else root[::-1], index, size, path, root)
        other = data.draw(st.integers(0, 1500).filter(lambda one: one != index))
        assert not verify(leaf, other, size, path, root)
        assert not verify(leaf, index, size, path, DEFINED.mth(0, size + 1))
        assert not verify(leaf, index, size, spoilt(data, path), root)


@settings(deadline=None)
@given(st.data())
def test_a_consistency_proof_holds_for_its_own_sizes_and_roots_alone(data):
    size = data.draw(st.integers(2, 1500))
    old = data.draw(st.integers(1, size - 1))
    path, older, root = (
        TileTree(size, read).consistency(old),
        DEFINED.mth(0, old),
        DEFINED.mth(0, size),
    )
    for verify in (is_consistent, is_extension):
        assert verify(old, older, size, root, path)
        assert not verify(old, DEFINED.mth(0, old + 1), size, root, path)
        assert not verify(old, older, size, DEFINED.mth(0, size + 1), path)
        assert not verify(size, root, old, older, path)
        assert not verify(old, older, size, root, spoilt(data, path))


def spoilt(data, path):
    """Return another path, made of this one."""
    at = data.draw(st.integers(0, len(path)))
    if at == len(path) or not path:
        return (*path[:at], LEAVES[0], *path[at:])
    bit = data.draw(st.integers(0, 255))
    one = int.from_bytes(path[at]) ^ 1 << bit
    changed = (*path[:at], one.to_bytes(32), *path[at + 1 :])
    return data.draw(st.sampled_from([changed, (*path[:at], *path[at + 1 :])]))
