"""The power is cut, the disk fails or is full, at every single step of several turns."""

import errno
import random

import pytest

from fairdeal.errors import StorageFailure
from fairdeal.service.publiclog.sequencer import Sequencer
from fairdeal.store.files import DurableFiles
from fairdeal.tlog.checkpoint import Checkpoint, open_checkpoint
from tests.publiclog.fragile import Cut, FragileDisk
from tests.publiclog.membook import MemoryBook
from tests.publiclog.reading import KEY, audited
from tests.tlog.logmaker import numbered

TURNS = (3, 252, 2)
ENTRIES = numbered(sum(TURNS))


class Run:
    """A sequencer on a fragile disk, and all checkpoints that anybody could have read."""

    def __init__(self):
        self.disk = FragileDisk()
        self.book = MemoryBook(self._step)
        self.seen: list[Checkpoint] = []
        self.given = 0

    def _step(self, what):
        self.disk.step(what)  # of the disk as it is by then

    def look(self):
        note = self.disk.read("checkpoint")
        if note is not None:
            found = open_checkpoint(note.decode(), [KEY.verifying_key]).checkpoint
            if found not in self.seen:
                self.seen.append(found)

    def start(self):
        self.sequencer = Sequencer(
            self.book, DurableFiles(self.disk, threads=1), KEY, clock=lambda: 0.0
        )
        self.sequencer.start()

    def go_on(self):
        """Start, and take what turns are left; after each turn its checkpoint is public."""
        self.start()
        while self.given < len(ENTRIES) or self.book.waiting:
            self.give()
            self.sequencer.turn()
            assert audited(self.disk.read)[0].size == self.book.head().size

    def give(self):
        ends = [sum(TURNS[: at + 1]) for at in range(len(TURNS))]
        end = next((end for end in ends if end > self.given), self.given)
        self.book.put(*ENTRIES[self.given : end])
        self.given = end

    def ended_at(self, number, error):
        """Run until a step, before which an error is raised; say which step it was."""
        came = []

        def before(step, what):
            self.look()
            if step == number:
                came.append(what)
                raise error

        self.disk.before = before
        with pytest.raises((Cut, StorageFailure)):
            self.go_on()
        self.look()
        self.disk.before = lambda _step, _what: None
        return came[0]

    def check(self):
        """Hold what is public to all that was read before, and to the entries."""
        checkpoint, entries = audited(self.disk.read)
        assert entries == ENTRIES[: checkpoint.size]
        if checkpoint.size:
            assert self.disk.read(f"checkpoints/{checkpoint.size}") is not None
        assert [one.root for one in self.seen] == [
            self.book.signed[one.size].root for one in self.seen
        ]
        return checkpoint


def steps():
    """Return what happens at each step of a whole run."""
    run = Run()
    told: list[str] = []
    run.disk.before = lambda _step, what: told.append(what)
    run.go_on()
    return told


STEPS = steps()


def test_a_run_has_every_kind_of_step():
    kinds = {what.rpartition(" ")[0] or what for what in STEPS}
    assert kinds >= {"advance", "advanced", "create", "write", "sync", "rename", "mkdir"}
    assert kinds >= {"publish", "published", "sync folder"}


@pytest.mark.slow
@pytest.mark.parametrize("survivors", ["synced", "names", "some", "all"])
def test_after_a_power_cut_at_any_step_what_is_public_is_whole_and_all_goes_on(survivors):
    for number in range(1, len(STEPS) + 1):
        run = Run()
        run.ended_at(number, Cut())
        run.disk = run.disk.cut(survivors, random.Random(number))
        run.check()
        run.go_on()
        assert run.check().size == len(ENTRIES)


@pytest.mark.slow
def test_a_power_cut_right_after_the_restart_of_a_killed_sequencer_takes_nothing_public_back():
    for number in range(1, len(STEPS) + 1):
        run = Run()
        run.ended_at(number, Cut())
        run.start()
        run.disk = run.disk.cut("synced", random.Random(number))
        assert run.check().size == run.book.head().size


@pytest.mark.slow
@pytest.mark.parametrize("code", [errno.EIO, errno.ENOSPC])
def test_a_disk_that_fails_at_any_step_ends_the_sequencer_and_leaves_what_is_public_whole(code):
    for number in range(1, len(STEPS) + 1):
        if STEPS[number - 1] in ("advance", "advanced", "publish", "published"):
            continue
        run = Run()
        run.ended_at(number, OSError(code, "the disk says no"))
        with pytest.raises(StorageFailure, match="log_not_durable"):
            run.sequencer._files.write("another", b"try")  # nothing is tried again
        assert not [
            path
            for path in run.disk.folders
            for name in run.disk.folders[path].seen
            if name.endswith(".new")
        ]
        run.check()
        run.go_on()
        assert run.check().size == len(ENTRIES)


def test_what_was_read_once_is_never_taken_back_by_a_start():
    for number in range(1, len(STEPS) + 1, 7):
        run = Run()
        run.ended_at(number, Cut())
        run.disk = run.disk.cut("synced", random.Random(number))
        run.start()
        newest = audited(run.disk.read)[0].size
        assert newest >= max((one.size for one in run.seen), default=0)
