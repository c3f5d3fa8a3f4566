"""A log with witnesses, all but the database real: whatever they answer, it stays whole."""

import random
from pathlib import Path
from typing import get_args

import pytest

from fairdeal.service.publiclog.bundles import Bundles
from fairdeal.service.publiclog.ports import RefusesToSign, StopSigning
from fairdeal.service.publiclog.sequencer import Sequencer
from fairdeal.service.publiclog.witnesses import PolicyWitnesses
from fairdeal.service.publiclog.witnessmember import Pace
from fairdeal.store.files import DiskFiles
from fairdeal.tlog.checkpoint import Opened, open_checkpoint
from fairdeal.tlog.policy import Policy
from tests.publiclog.fakewitness import NOW, FakeWitness, Fault, running
from tests.publiclog.membook import MemoryBook
from tests.publiclog.smalllog import KEY, OPENING

FATAL = {"ahead", 422}
FAULTS: list[Fault] = [
    fault
    for fault in get_args(Fault)
    # These mean another tree, or keep a thread busy until the test ends.
    if fault not in FATAL and fault not in ("bare 409", "told 2", "told 3", "told 4", "drip")
]


class Service:
    """A log in a folder, which may end and start again.

    Args:
        folder: The log's.
        book: The database.
        fakes: Its witnesses; all of them are the quorum.
    """

    def __init__(self, folder: Path, book: MemoryBook, *fakes: FakeWitness) -> None:
        self.folder, self.book, self.fakes = folder, book, fakes
        self.files, self.now = DiskFiles(folder / "public"), 0.0
        self.start()

    def start(self) -> None:
        """Start, as after a kill."""
        policy = Policy(
            (KEY.verifying_key,), tuple(one.witness for one in self.fakes), len(self.fakes)
        )
        self.asks = PolicyWitnesses(
            policy,
            self.folder,
            opening=OPENING,
            signed=lambda: self.book.head().size,
            pace=Pace(timeout_s=0.05, limit_s=0.5),
            clock=lambda: float(NOW),
            ticks=lambda: self.now,
        )
        bundles = Bundles(self.book, self.files)
        self.sequencer = Sequencer(
            self.book, self.files, KEY, self.asks, bundles, clock=lambda: self.now
        )
        self.sequencer.start()

    def public(self) -> Opened:
        """Return what a reader who trusts the log and all its witnesses gets."""
        note = (self.files.read("checkpoint") or b"").decode()
        return open_checkpoint(note, [KEY.verifying_key], [one.key for one in self.fakes])


@pytest.fixture
def fakes(tmp_path: Path):
    two = [
        FakeWitness(f"witness.example/w{at}", KEY.verifying_key, tmp_path / f"w{at}")
        for at in (1, 2)
    ]
    with running(*two):
        yield two


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_whatever_goes_wrong_each_checkpoint_is_readable_and_in_the_end_all_have_signed(
    seed: int, fakes: list[FakeWitness], tmp_path: Path
) -> None:
    chance, book = random.Random(seed), MemoryBook()
    service = Service(tmp_path / "log", book, *fakes)
    size = 0
    for number in range(40):
        for fake in fakes:
            if chance.random() < 0.5:
                fake.faults.append(chance.choice(FAULTS))
            if chance.random() < 0.05:
                fake.forget()
            fake.go.set() if chance.random() < 0.5 else fake.go.clear()
        book.put(*[b'{"n":%d,"m":%d}\n' % (number, one) for one in range(chance.randrange(3))])
        service.now += chance.choice([0.2, 2.0, 30.0])
        if chance.random() < 0.1:
            service.start()
        service.sequencer.turn()
        if book.placed:
            assert service.public().checkpoint.size >= size
            size = service.public().checkpoint.size
            assert size == len(book.placed)
    for fake in fakes:
        fake.faults.clear()
        fake.go.set()
    book.put(b"the last\n")
    for _ in range(200):
        service.now += 400
        service.sequencer.turn()
        if service.public().checkpoint.size == size + 1 and len(service.public().cosignatures) == 2:
            break
    else:
        pytest.fail("they did not sign in the end")


def grown(service: Service, count: int) -> None:
    for number in range(count):
        service.book.put(b'{"n":%d}\n' % (len(service.book.placed) + number))
        service.now += 2
        service.sequencer.turn()


def test_a_log_whose_database_was_set_back_does_not_start_again(
    fakes: list[FakeWitness], tmp_path: Path
) -> None:
    service = Service(tmp_path / "log", MemoryBook(), *fakes)
    grown(service, 3)
    copy = service.book.copy()
    grown(service, 3)
    # Its whole folder came back with the database, so the witnesses alone know.
    fresh = tmp_path / "restored"
    with pytest.raises(RefusesToSign) as refused:
        Service(fresh, copy, *fakes)
    assert refused.value.code == "log_behind"
    fakes[0].stop()
    with pytest.raises(RefusesToSign):
        Service(fresh, copy, *fakes)


def test_a_log_that_another_tree_was_signed_of_stops_and_does_not_start_again(
    fakes: list[FakeWitness], tmp_path: Path
) -> None:
    service = Service(tmp_path / "log", MemoryBook(), *fakes)
    grown(service, 3)
    other = MemoryBook()
    other.put(b"other 0\n", b"other 1\n", b"other 2\n")
    for fake in fakes:
        fake.faults.append(503)  # or they would tell at the start what they have seen
    started = Service(tmp_path / "other", other, *fakes)
    with pytest.raises(StopSigning):
        started.sequencer.turn()
    assert not (tmp_path / "other" / "public" / "checkpoint").exists()
    with pytest.raises(StopSigning):
        Service(tmp_path / "other", other, *fakes)
