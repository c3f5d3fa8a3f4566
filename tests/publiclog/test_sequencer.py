"""What the sequencer publishes, turn by turn."""

import pytest

from fairdeal.errors import StorageFailure
from fairdeal.service.publiclog.ports import QuorumUnmet, RefusesToSign, StopSigning
from fairdeal.service.publiclog.sequencer import Sequencer
from fairdeal.store.files import DiskFiles
from fairdeal.store.logport import LogEntry
from fairdeal.tlog.checkpoint import Checkpoint
from fairdeal.tlog.merkle import is_consistent, leaf_hash
from tests.publiclog.membook import MemoryBook
from tests.publiclog.reading import KEY, audited, tile_paths
from tests.tlog.logmaker import numbered

SIZES = [1, 2, 255, 256, 257, 511, 65_536, 70_000]


@pytest.fixture
def files(tmp_path):
    return DiskFiles(tmp_path / "public")


def sequencer(book, files, **ports):
    made = Sequencer(book, files, KEY, clock=lambda: 0.0, **ports)
    made.start()
    return made


def note_of(book, size):
    return str(book.note(size)).encode()


def run_dry(made):
    while made.turn():
        pass


def test_an_empty_log_publishes_nothing(files):
    made = sequencer(MemoryBook(), files)
    assert made.turn() is False
    assert files.read("checkpoint") is None


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_all_tiles_of_a_size_are_public_and_hash_to_its_root(files, size):
    book = MemoryBook()
    book.put(*numbered(size))
    run_dry(sequencer(book, files))
    checkpoint, entries = audited(files.read)
    assert (checkpoint.size, entries) == (size, numbered(size))
    assert book.published == size


def test_each_checkpoint_is_consistent_with_the_one_before_it_and_stays_readable(
    files, monkeypatch
):
    book = MemoryBook()
    made = sequencer(book, files)
    told: list[Checkpoint] = []
    for count in [1, 3, 252, 1, 255, 600]:
        at = len(book.placed)
        book.put(*numbered(at + count)[at:])
        proofs: list[tuple[bytes, ...]] = []

        class Asking:
            def cosign(self, note, checkpoint, proof, proofs=proofs):
                proofs.append(proof(told[-1].size if told else 0))
                return note

            def probe(self):
                return ()

        monkeypatch.setattr(made, "_witnesses", Asking())
        made.turn()
        checkpoint, _ = audited(files.read)
        old = told[-1] if told else checkpoint
        path = proofs[0] if told else ()
        assert is_consistent(old.size, old.root, checkpoint.size, checkpoint.root, path)
        told.append(checkpoint)
    for one in told:
        assert files.read(f"checkpoints/{one.size}") is not None


def test_a_turn_takes_no_more_leaves_than_it_may(files, monkeypatch):
    monkeypatch.setattr("fairdeal.service.publiclog.sequencer.MOST_LEAVES", 10)
    book = MemoryBook()
    book.put(*numbered(25))
    made = sequencer(book, files)
    assert [made.turn() for _ in range(4)] == [True, True, True, False]
    assert sorted(book.signed) == [10, 20, 25]


def test_a_start_publishes_the_note_that_was_kept_and_signs_nothing(files, monkeypatch):
    book = MemoryBook()
    book.put(*numbered(300))
    sequencer(book, files).turn()
    newer = book.copy()
    newer.put(*numbered(700)[300:])
    cut = Sequencer(newer, files, KEY, clock=lambda: 0.0)
    cut.start()
    newer.advance(5000, cut._sign)
    assert files.read("checkpoint") == note_of(book, 300)
    again = Sequencer(newer, files, KEY, clock=lambda: 0.0)
    monkeypatch.setattr(again, "_sign", None)  # not to be called
    again.start()
    assert files.read("checkpoint") == note_of(newer, 700)
    assert audited(files.read)[0].size == newer.published == 700


def test_a_start_writes_everything_again_where_the_folder_is_gone(files, tmp_path):
    book = MemoryBook()
    for end in (10, 300, 700):
        book.put(*numbered(end)[len(book.placed) :])
        sequencer(book, files).turn()
    fresh = DiskFiles(tmp_path / "another")
    sequencer(book, fresh)
    assert audited(fresh.read) == audited(files.read)
    assert [fresh.exists(f"checkpoints/{size}") for size in (10, 300, 700)] == [True] * 3


def test_a_start_writes_again_what_is_missing_at_the_edge_of_the_public_tree(files, tmp_path):
    book = MemoryBook()
    book.put(*numbered(600))
    sequencer(book, files).turn()
    for path in tile_paths(600):
        (tmp_path / "public" / path).unlink()
    sequencer(book, files)
    assert audited(files.read)[0].size == 600


def test_a_database_from_an_older_copy_is_refused_and_nothing_is_signed(files):
    book = MemoryBook()
    book.put(*numbered(10))
    made = sequencer(book, files)
    made.turn()
    older = book.copy()
    book.put(*numbered(20)[10:])
    made.turn()
    older.put(b"another\n")
    with pytest.raises(RefusesToSign, match="log_behind"):
        sequencer(older, files)
    assert sorted(older.signed) == [10]


def test_a_database_that_is_set_back_under_a_running_sequencer_is_refused(files, monkeypatch):
    book = MemoryBook()
    book.put(*numbered(10))
    made = sequencer(book, files)
    made.turn()
    older = book.copy()
    book.put(*numbered(20)[10:])
    made.turn()
    older.put(b"another\n")
    monkeypatch.setattr(made, "_book", older)
    with pytest.raises(RefusesToSign, match="log_behind"):
        made.turn()
    assert sorted(older.signed) == [10]


def grown_apart(files, sizes):
    """Return the book of a database that has other leaves than the public folder."""
    book, other = MemoryBook(), MemoryBook()
    book.put(*numbered(10))
    sequencer(book, files).turn()
    other.put(*[b"other %d\n" % at for at in range(sizes[0])])
    other.advance(5000, Sequencer(other, files, KEY, clock=lambda: 0.0)._sign)
    if sizes[1:]:
        other.put(*[b"more %d\n" % at for at in range(sizes[1] - sizes[0])])
        other.advance(5000, Sequencer(other, files, KEY, clock=lambda: 0.0)._sign)
    return other


@pytest.mark.parametrize("sizes", [(10,), (12,), (10, 12)])
def test_another_tree_than_the_public_one_is_refused_and_not_published(files, sizes):
    other = grown_apart(files, sizes)
    was = files.read("checkpoint")
    with pytest.raises((RefusesToSign, StorageFailure), match=r"other_root|tile_differs"):
        sequencer(other, files)
    assert files.read("checkpoint") == was


def test_a_witness_that_has_seen_more_than_the_database_has_is_believed(files):
    class Ahead:
        def cosign(self, note, checkpoint, proof):
            return note

        def probe(self):
            return (0, 11)

    book = MemoryBook()
    book.put(*numbered(10))
    with pytest.raises(RefusesToSign, match="a witness has seen 11"):
        sequencer(book, files, witnesses=Ahead())
    assert book.signed == {}


def test_an_entry_that_was_altered_is_not_published(files):
    book = MemoryBook()
    book.put(*numbered(10))
    made = sequencer(book, files)
    made.turn()
    book.placed[3] = LogEntry(3, b"altered\n", leaf_hash(numbered(10)[3]))
    book.put(b"one more\n")
    with pytest.raises(RefusesToSign, match="entry_altered"):
        made.turn()
    assert audited(files.read)[0].size == 10


def test_a_public_checkpoint_of_another_key_is_refused(files):
    files.write("checkpoint", b"something\n")
    with pytest.raises(RefusesToSign, match="other_checkpoint"):
        sequencer(MemoryBook(), files)


class Quorum:
    """Cosigns only when told to."""

    def __init__(self):
        self.is_met = False
        self.asked = 0

    def cosign(self, note, checkpoint, proof):
        self.asked += 1
        if not self.is_met:
            raise QuorumUnmet("quorum_unmet", "Not enough.")
        return note

    def probe(self):
        return ()


def test_without_its_quorum_a_checkpoint_is_kept_and_asked_for_again(files):
    book, quorum = MemoryBook(), Quorum()
    book.put(*numbered(10))
    now = [0.0]
    made = Sequencer(book, files, KEY, quorum, clock=lambda: now[0])
    made.start()
    made.turn()
    assert files.read("checkpoint") is None
    assert book.published == 0
    made.turn()
    assert quorum.asked == 1
    quorum.is_met, now[0] = True, 2.0
    made.turn()
    assert audited(files.read)[0].size == book.published == 10


def test_a_witness_that_says_stop_ends_the_signing_before_the_checkpoint_is_public(files):
    class Stops(Quorum):
        def cosign(self, note, checkpoint, proof):
            raise StopSigning("log_stopped", "A witness has seen another tree.")

    book = MemoryBook()
    book.put(*numbered(10))
    made = sequencer(book, files, witnesses=Stops())
    with pytest.raises(RefusesToSign):
        made.turn()
    assert files.read("checkpoint") is None


def test_a_public_checkpoint_is_never_replaced_by_a_smaller_one(files):
    book = MemoryBook()
    book.put(*numbered(10))
    slow = sequencer(book, files)
    signed = book.advance(5000, slow._sign)
    assert signed is not None
    book.put(*numbered(20)[10:])
    sequencer(book, files).turn()
    assert audited(files.read)[0].size == 20
    from fairdeal.service.publiclog.publishing import opened, publish

    publish(files, KEY.verifying_key, opened(signed.note, KEY.verifying_key, "It"))
    assert audited(files.read)[0].size == 20
    assert files.read("checkpoints/10") == signed.note.encode()


def test_the_bundler_is_told_of_what_is_public_and_at_the_start(files):
    class Bundles:
        def __init__(self):
            self.told = []

        def catch_up(self, published):
            assert audited(files.read)[0].size == published
            self.told.append(published)

    book, bundles = MemoryBook(), Bundles()
    made = sequencer(book, files, bundler=bundles)
    book.put(*numbered(10))
    made.turn()
    sequencer(book, files, bundler=bundles)
    assert bundles.told == [0, 10, 10]


def test_no_tile_is_written_that_no_checkpoint_has(files, tmp_path):
    book = MemoryBook()
    book.put(*numbered(4_900))
    sequencer(book, files).turn()
    root = tmp_path / "public"
    written = {str(one.relative_to(root)) for one in root.rglob("tile/**/*") if one.is_file()}
    assert written == set(tile_paths(4_900))
