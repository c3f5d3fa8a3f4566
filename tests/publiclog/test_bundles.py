"""Bundles hold each game that is over once and whole, whenever the power goes (decisions 0011)."""

import gzip
import logging
import random
import tracemalloc
from collections.abc import Callable
from hashlib import sha256
from itertools import count
from pathlib import Path

import pytest

from fairdeal.errors import StorageFailure
from fairdeal.service.publiclog.bundles import FAR_BEHIND, Bundles
from fairdeal.store.files import DiskFiles, DurableFiles, Files
from fairdeal.tlog.bundlefile import INDEX, BundleIndex, parse_bundle_index, read_bundle_games
from tests.publiclog.fragile import Cut, FragileDisk, Survivors
from tests.publiclog.games import DAY_MS, T0, GameBook, game_lines


@pytest.fixture
def files(tmp_path: Path) -> DiskFiles:
    return DiskFiles(tmp_path / "public")


def index_of(files: Files) -> BundleIndex:
    text = files.read(INDEX)
    assert text is not None
    return parse_bundle_index(text)


def bundled(files: Files) -> list[tuple[str, bytes]]:
    """Return all games of the bundles, after holding the files to their index."""
    games, places = [], []
    for day in index_of(files).days:
        data = (files.read(day.path) or b"")[: day.bytes]
        assert (len(data), sha256(data).hexdigest()) == (day.bytes, day.sha256)
        found = list(read_bundle_games([data]))
        assert len(found) == day.games
        games += found
        places += [day.first_index, day.last_index]
    assert places == sorted(places)
    return games


def played(book: GameBook) -> list[tuple[str, bytes]]:
    """Return what the bundles of a book have to be."""
    return [(game, b"".join(book.records[game])) for _, game in book.places]


def test_without_a_game_there_is_an_index_of_nothing(files: DiskFiles) -> None:
    Bundles(GameBook(), files).catch_up(0)
    assert files.read(INDEX) == b'{"complete_to_index":0,"days":[]}\n'


def test_the_index_follows_also_while_no_game_ends(files: DiskFiles) -> None:
    book = GameBook()
    bundles = Bundles(book, files)
    for number in range(FAR_BEHIND):
        book.play(game_lines(f"game-{number:04d}")[0])
        bundles.catch_up(len(book.placed))
        assert index_of(files).complete_to_index == (0 if number + 1 < FAR_BEHIND else FAR_BEHIND)


def test_a_game_is_bundled_once_its_master_is_public(files: DiskFiles) -> None:
    book = GameBook()
    *before, master = game_lines("game-0001")
    book.play(*before)
    bundles = Bundles(book, files)
    bundles.catch_up(len(book.placed))
    book.play(master)
    bundles.catch_up(len(book.placed) - 1)
    assert bundled(files) == []
    bundles.catch_up(len(book.placed))
    assert bundled(files) == played(book)
    (day,) = index_of(files).days
    assert (day.day, day.first_index, day.last_index) == ("2024-10-04", 1, 1)
    assert index_of(files).complete_to_index == 2


def test_games_are_in_the_order_of_their_masters(files: DiskFiles) -> None:
    book = GameBook()
    first, second = game_lines("game-0001"), game_lines("game-0002")
    book.play(*first[:-1], *second, first[-1])
    Bundles(book, files).catch_up(len(book.placed))
    assert [game for game, _ in bundled(files)] == ["game-0002", "game-0001"]


def test_a_day_is_that_of_the_master_and_never_an_earlier_one_again(files: DiskFiles) -> None:
    book = GameBook()
    times = [T0 + DAY_MS - 1, T0 + DAY_MS, T0, T0 + 5 * DAY_MS, T0 + DAY_MS]
    for number, t in enumerate(times):
        book.play(*game_lines(f"game-000{number}", t))
    bundles = Bundles(book, files)
    for published in range(len(book.placed) + 1):
        bundles.catch_up(published)
    assert bundled(files) == played(book)
    days = [(day.day, day.games) for day in index_of(files).days]
    assert days == [("2024-10-04", 1), ("2024-10-05", 2), ("2024-10-09", 2)]


@pytest.mark.slow
def test_all_at_once_or_one_by_one_or_by_another_process_the_games_are_the_same(
    tmp_path: Path,
) -> None:
    book = GameBook()
    for number in range(120):
        book.play(*game_lines(f"game-{number:04}", T0 + number * DAY_MS // 50))
    one, other = DiskFiles(tmp_path / "one"), DiskFiles(tmp_path / "other")
    Bundles(book, one).catch_up(len(book.placed))
    pair = [Bundles(book, other, member_bytes=1), Bundles(book, other, member_bytes=5000)]
    for at, published in enumerate(range(0, len(book.placed) + 1, 20)):
        pair[at % 3 == 0].catch_up(published)
    assert bundled(one) == bundled(other) == played(book)


def test_nothing_is_written_where_no_game_ended(files: DiskFiles) -> None:
    book = GameBook()
    book.play(*game_lines("game-0001"))
    bundles = Bundles(book, files)
    bundles.catch_up(2)
    index = files.read(INDEX)
    book.play(*game_lines("game-0002")[:-1])
    bundles.catch_up(3)
    assert files.read(INDEX) == index
    assert book.reads == ["game-0001"]


def test_what_was_public_of_a_bundle_stays_as_it_is(files: DiskFiles) -> None:
    book = GameBook()
    bundles, had = Bundles(book, files), b""
    for number in range(20):
        book.play(*game_lines(f"game-{number:04}"))
        bundles.catch_up(len(book.placed))
        (day,) = index_of(files).days
        data = files.read(day.path) or b""
        assert data.startswith(had)
        # What a reader of the part before asks for by Range is games of their own.
        assert [game for game, _ in read_bundle_games([data[len(had) :]])] == [f"game-{number:04}"]
        had = data


def test_a_bundle_is_what_gunzip_reads_and_has_no_time_in_it(files: DiskFiles) -> None:
    book = GameBook()
    for number in range(3):
        book.play(*game_lines(f"game-{number:04}"))
        Bundles(book, files).catch_up(len(book.placed))
    data = files.read("bundles/2024-10-04.jsonl.gz") or b""
    assert gzip.decompress(data) == b"".join(lines for _, lines in played(book))
    assert data[4:8] == bytes(4)


@pytest.mark.parametrize("fault", ["unreadable", "gone", "bit", "end", "other game"])
def test_a_game_that_cannot_be_read_is_named_and_tried_again_and_none_overtakes_it(
    fault: str, files: DiskFiles, caplog: pytest.LogCaptureFixture
) -> None:
    book = GameBook()
    for number in range(3):
        book.play(*game_lines(f"game-000{number}"))
    whole = list(book.records["game-0001"])
    broken = {
        "gone": [],
        "bit": [whole[0], whole[1].replace(b"d1", b"e1"), *whole[2:]],
        "end": whole[:-1],
        "other game": book.records["game-0002"],
    }
    book.records["game-0001"] = broken.get(fault, whole)
    if fault == "unreadable":
        book.unreadable.add("game-0001")
    bundles = Bundles(book, files)
    with caplog.at_level(logging.ERROR, "fairdeal.bundles"):
        for _ in range(3):
            bundles.catch_up(len(book.placed))
    assert [game for game, _ in bundled(files)] == ["game-0000"]
    assert index_of(files).complete_to_index == 2
    assert len(caplog.records) == 1
    assert "game-0001, ended at 3" in caplog.text
    book.records["game-0001"] = whole
    book.unreadable.clear()
    bundles.catch_up(len(book.placed))
    assert bundled(files) == played(book)


def test_a_bundle_that_is_not_what_its_index_says_is_not_added_to(files: DiskFiles) -> None:
    book = GameBook()
    book.play(*game_lines("game-0001"))
    Bundles(book, files).catch_up(2)
    path = "bundles/2024-10-04.jsonl.gz"
    data = files.read(path) or b""
    for wrong in (data[:-1], data[:-1] + b"?", b""):
        files.write(path, wrong)
        with pytest.raises(StorageFailure) as refused:
            Bundles(book, files).catch_up(2)
        assert refused.value.code == "bundle_altered"
    files.write(INDEX, b"{}\n")
    with pytest.raises(StorageFailure):
        Bundles(book, files).catch_up(2)


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_games(files: DiskFiles) -> None:
    book = GameBook()
    for number in range(60):
        noise = random.Random(number).randbytes(20_000).hex()
        book.play(*game_lines(f"game-{number:04}", acts=5, text=noise))
    bundles = Bundles(book, files, member_bytes=200_000)
    tracemalloc.start()
    bundles.catch_up(len(book.placed))
    Bundles(book, files).catch_up(len(book.placed))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(bundled(files)) == 60
    total = sum(len(lines) for _, lines in played(book))
    assert peak < total / 4


@pytest.mark.slow
@pytest.mark.parametrize("survivors", ["synced", "all", "names", "some"])
def test_after_a_power_cut_at_any_step_each_game_is_bundled_once(survivors: Survivors) -> None:
    chance, cuts = random.Random(7), 0
    for at in count(1):
        disk, book = FragileDisk(), GameBook()
        disk.before = _cut_at(at)
        was_cut = False
        for number in range(4):
            book.play(*game_lines(f"game-{number:04}", T0 + number // 2 * DAY_MS))
        for published in (4, 6, 8):
            files = DurableFiles(disk, threads=1)
            try:
                Bundles(book, files, member_bytes=1).catch_up(published)
            except Cut:
                was_cut = True
                disk = disk.cut(survivors, chance)
                _check_public(DurableFiles(disk, threads=1), book)
        disk.before = _cut_at(0)
        files = DurableFiles(disk, threads=1)
        Bundles(book, files).catch_up(8)
        assert bundled(files) == played(book)
        assert index_of(files).complete_to_index == 8
        if not was_cut:
            break
        cuts += 1
    assert cuts > 30


def _cut_at(at: int) -> Callable[[int, str], None]:
    def before(number: int, _what: str) -> None:
        if number == at:
            raise Cut

    return before


def _check_public(files: Files, book: GameBook) -> None:
    """Whatever was lost, what is public is whole, and a beginning of all."""
    if files.read(INDEX) is not None:
        games = bundled(files)
        assert games == played(book)[: len(games)]
        complete = index_of(files).complete_to_index
        assert [game for place, game in book.places if place < complete] == [g for g, _ in games]


@pytest.mark.slow
def test_after_a_failed_step_nothing_more_is_written_and_a_new_start_makes_it_good() -> None:
    for at in count(1):
        disk, book = FragileDisk(), GameBook()
        disk.before = _fail_at(at)
        for number in range(3):
            book.play(*game_lines(f"game-{number:04}", T0 + number * DAY_MS))
        bundles = Bundles(book, DurableFiles(disk, threads=1), member_bytes=1)
        try:
            bundles.catch_up(6)
        except StorageFailure:
            steps = disk.steps
            with pytest.raises(StorageFailure):
                bundles.catch_up(6)
            assert disk.steps == steps
        else:
            break
        files = DurableFiles(disk, threads=1)
        Bundles(book, files).catch_up(6)
        assert bundled(files) == played(book)
    assert at > 20


def _fail_at(at: int) -> Callable[[int, str], None]:
    def before(number: int, what: str) -> None:
        if number == at:
            raise OSError(28, "no space left", what)

    return before
