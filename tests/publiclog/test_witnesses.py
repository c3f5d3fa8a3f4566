"""Witnesses are asked as C2SP tlog-witness says, and each answer has its consequence (log.md 3)."""

import logging
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from threading import Timer
from typing import Final

import pytest

from fairdeal.errors import MalformedInput
from fairdeal.service.publiclog.ports import QuorumUnmet, StopSigning
from fairdeal.service.publiclog.witnesses import PolicyWitnesses
from fairdeal.service.publiclog.witnesshttp import check_prefix
from fairdeal.service.publiclog.witnessmember import Pace
from fairdeal.tlog.checkpoint import open_checkpoint
from fairdeal.tlog.cosignature import Cosignature
from fairdeal.tlog.policy import Policy, Witness
from tests.publiclog.fakewitness import NOW, FakeWitness, Fault, running, until
from tests.publiclog.smalllog import KEY, OPENING, Head, SmallLog

LOG: Final = SmallLog([b'{"n":%d}\n' % n for n in range(200)])
OTHER: Final = SmallLog([b'{"n":%d}\n' % (n if n < 4 else -n) for n in range(200)])
PACE: Final = Pace(timeout_s=20, limit_s=20)
HASTY: Final = Pace(timeout_s=0.05, limit_s=20)


class Ticks:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Desk:
    """The log's side: its folder, and the witnesses it asks, whom it may come to anew.

    Args:
        folder: Of the log.
        fakes: Who is asked.
        pace: How.
    """

    def __init__(self, folder: Path, *fakes: FakeWitness, pace: Pace = PACE) -> None:
        self.folder, self.fakes, self.ticks = folder, fakes, Ticks()
        self.quorum, self.pace, self.signed = len(fakes), pace, 0
        self.open()

    def open(self) -> None:
        """Start, or start anew."""
        policy = Policy((KEY.verifying_key,), tuple(one.witness for one in self.fakes), self.quorum)
        self.asks = PolicyWitnesses(
            policy,
            self.folder,
            opening=OPENING,
            signed=lambda: self.signed,
            pace=self.pace,
            clock=lambda: float(NOW),
            ticks=self.ticks,
        )

    def show(self, head: Head, note: str = "") -> tuple[Cosignature, ...]:
        """Return what the witnesses have said of a head; the note has to be good for a reader."""
        return self.read(self.asks.cosign(note or head.note, head.checkpoint, head.proof))

    def read(self, note: str) -> tuple[Cosignature, ...]:
        """Return the cosignatures of a note."""
        keys = [one.key for one in self.fakes]
        return open_checkpoint(note, [KEY.verifying_key], keys).cosignatures

    def later(self, seconds: float = 2) -> None:
        """Let time pass."""
        self.ticks.now += seconds


@pytest.fixture
def fake(tmp_path: Path) -> Iterator[FakeWitness]:
    one = FakeWitness("witness.example/w1", KEY.verifying_key, tmp_path / "w1")
    with running(one):
        yield one


@pytest.fixture
def second(tmp_path: Path) -> Iterator[FakeWitness]:
    one = FakeWitness("witness.example/w2", KEY.verifying_key, tmp_path / "w2")
    with running(one):
        yield one


@pytest.fixture
def desk(fake: FakeWitness, tmp_path: Path) -> Iterator[Desk]:
    one = Desk(tmp_path, fake)
    yield one
    one.asks.close()


def test_all_witnesses_cosign_a_tree_as_it_grows(
    fake: FakeWitness, second: FakeWitness, tmp_path: Path
) -> None:
    desk = Desk(tmp_path, fake, second)
    sizes = [1, 2, 3, 7, 8, 64, 65, 200]
    for size in sizes:
        assert {one.witness for one in desk.show(LOG.at(size))} == {fake.key, second.key}
        desk.later()
    assert fake.asked == second.asked == [*pairwise([0, *sizes])]


def test_a_quorum_is_enough_where_another_witness_is_slow(
    fake: FakeWitness, second: FakeWitness, tmp_path: Path
) -> None:
    desk = Desk(tmp_path, fake, second)
    desk.quorum = 1
    desk.open()
    second.faults.append("slow")
    head = LOG.at(5)
    assert [one.witness for one in desk.show(head)] == [fake.key]
    second.go.set()
    until(lambda: len(desk.show(head)) == 2)
    assert len(second.asked) == 1


def test_a_late_line_is_merged_into_the_same_checkpoint(fake: FakeWitness, tmp_path: Path) -> None:
    desk = Desk(tmp_path, fake, pace=HASTY)
    fake.faults.append("slow")
    head = LOG.at(5)
    assert desk.show(head) == ()
    fake.go.set()
    until(lambda: len(desk.show(head)) == 1)
    assert fake.asked == [(0, 5)]


def test_without_its_quorum_nothing_is_public_where_one_is_required(
    fake: FakeWitness, second: FakeWitness, tmp_path: Path
) -> None:
    desk = Desk(tmp_path, fake, second, pace=replace(PACE, require_quorum=True))
    fake.faults.append("broken")
    head = LOG.at(5)
    with pytest.raises(QuorumUnmet):
        desk.show(head)
    desk.later()
    assert len(desk.show(head)) == 2
    assert second.asked == [(0, 5)]


def test_a_slow_witness_is_waited_for_where_its_word_is_required(
    fake: FakeWitness, tmp_path: Path
) -> None:
    desk = Desk(tmp_path, fake, pace=replace(HASTY, require_quorum=True))
    fake.faults.append("slow")
    late = Timer(0.3, fake.go.set)
    late.start()
    assert len(desk.show(LOG.at(5))) == 1
    late.join()


def test_a_witness_that_hangs_is_not_waited_for_for_ever(fake: FakeWitness, tmp_path: Path) -> None:
    desk = Desk(tmp_path, fake, pace=replace(HASTY, require_quorum=True, limit_s=0.05))
    fake.faults.append("slow")
    with pytest.raises(QuorumUnmet):
        desk.show(LOG.at(5))


def test_a_checkpoint_in_between_is_shown_to_nobody(desk: Desk, fake: FakeWitness) -> None:
    assert len(desk.show(LOG.at(5))) == 1
    desk.later(1.9)
    assert desk.show(LOG.at(6)) == ()
    desk.later(0.1)
    assert len(desk.show(LOG.at(7))) == 1
    assert fake.asked == [(0, 5), (5, 7)]


def test_a_smaller_checkpoint_is_not_shown_after_a_larger_one(
    desk: Desk, fake: FakeWitness
) -> None:
    desk.show(LOG.at(7))
    desk.later()
    assert desk.show(LOG.at(5)) == ()
    assert fake.asked == [(0, 7)]


def test_an_unchanged_tree_is_shown_again_after_ten_minutes_for_a_fresher_time(
    desk: Desk, fake: FakeWitness
) -> None:
    head = LOG.at(5)
    note = desk.asks.cosign(head.note, head.checkpoint, head.proof)
    desk.later(599)
    fake.time += 60
    assert [one.time for one in desk.show(head, note)] == [NOW]
    desk.later(1)
    until(lambda: [one.time for one in desk.show(head, note)] == [NOW + 60])
    assert fake.asked == [(0, 5), (5, 5)]


def test_a_lost_answer_is_made_good_by_the_next_question(desk: Desk, fake: FakeWitness) -> None:
    fake.faults.append("lost")
    assert desk.show(LOG.at(5)) == ()
    desk.later()
    assert len(desk.show(LOG.at(5))) == 1
    fake.faults.append("lost")
    desk.later()
    assert desk.show(LOG.at(9)) == ()
    desk.later()
    assert len(desk.show(LOG.at(12))) == 1
    assert fake.asked == [(0, 5), (0, 5), (5, 5), (5, 9), (5, 12), (9, 12)]


def test_sizes_are_kept_over_a_restart_of_the_log(desk: Desk, fake: FakeWitness) -> None:
    desk.show(LOG.at(5))
    desk.open()
    desk.later()
    assert len(desk.show(LOG.at(9))) == 1
    assert fake.asked == [(0, 5), (5, 9)]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"x": -1}', '{"x": "5"}'])
def test_sizes_that_are_lost_or_spoilt_are_told_by_the_witness(
    text: str, desk: Desk, fake: FakeWitness
) -> None:
    desk.show(LOG.at(5))
    (desk.folder / "witnesses.json").write_text(text)
    desk.open()
    desk.later()
    assert len(desk.show(LOG.at(9))) == 1
    assert fake.asked == [(0, 5), (0, 9), (5, 9)]


def test_a_witness_may_start_anew(desk: Desk, fake: FakeWitness) -> None:
    desk.show(LOG.at(5))
    fake.stop()
    desk.later()
    assert desk.show(LOG.at(6)) == ()
    fake.start()
    desk.later()
    assert len(desk.show(LOG.at(7))) == 1
    assert fake.asked == [(0, 5), (5, 7)]


def test_a_witness_that_lost_its_memory_is_shown_the_tree_from_the_start(
    desk: Desk, fake: FakeWitness
) -> None:
    desk.show(LOG.at(5))
    fake.forget()
    desk.later()
    assert len(desk.show(LOG.at(7))) == 1
    assert fake.asked == [(0, 5), (5, 7), (0, 7)]


@pytest.mark.parametrize("fault", ["broken", "hung up", "not HTTP", 503])
def test_after_a_passing_failure_a_witness_is_left_alone_for_twice_as_long_each_time(
    fault: Fault, desk: Desk, fake: FakeWitness
) -> None:
    fake.faults.extend([fault] * 3)
    for wait in (2, 4, 8):
        assert desk.show(LOG.at(5)) == ()
        met = len(fake.paths)
        desk.later(wait - 0.1)
        assert desk.show(LOG.at(5)) == ()
        assert len(fake.paths) == met
        desk.later(0.1)
    assert len(desk.show(LOG.at(5))) == 1


def test_the_log_says_once_what_is_wrong_with_a_witness_and_once_that_it_signs_again(
    desk: Desk, fake: FakeWitness, caplog: pytest.LogCaptureFixture
) -> None:
    fake.faults.extend(["broken", "broken", "broken", "busy"])
    with caplog.at_level(logging.INFO, "fairdeal.witnesses"):
        for _ in range(6):
            desk.show(LOG.at(5))
            desk.later(1000)
    said = [
        record.getMessage().removeprefix("witness witness.example/w1") for record in caplog.records
    ]
    assert said == [": the witness answered 500", ": the witness answered 429", " signs again"]


def test_a_time_to_come_is_not_taken(desk: Desk, fake: FakeWitness) -> None:
    fake.faults.append("future")
    assert desk.show(LOG.at(5)) == ()
    fake.time += 300
    desk.later()
    assert [one.time for one in desk.show(LOG.at(5))] == [NOW + 300]


def test_a_witness_is_left_alone_for_as_long_as_it_says(desk: Desk, fake: FakeWitness) -> None:
    fake.faults.append("busy")
    assert desk.show(LOG.at(5)) == ()
    desk.later(59.9)
    assert desk.show(LOG.at(6)) == ()
    assert len(fake.paths) == 1
    desk.later(0.1)
    assert len(desk.show(LOG.at(6))) == 1


def test_the_old_cosignature_stays_valid_while_a_witness_fails(
    desk: Desk, fake: FakeWitness
) -> None:
    head = LOG.at(5)
    note = desk.asks.cosign(head.note, head.checkpoint, head.proof)
    desk.later(600)
    fake.faults.append("broken")
    assert [one.time for one in desk.show(head, note)] == [NOW]
    until(lambda: len(fake.paths) == 2)
    assert [one.time for one in desk.show(head, note)] == [NOW]


@pytest.mark.parametrize(
    "fault", [400, 403, 404, "redirect", "garbage", "empty", "huge", "false", "other key"]
)
def test_what_a_witness_does_not_take_is_not_shown_to_it_again(
    fault: Fault, desk: Desk, fake: FakeWitness, caplog: pytest.LogCaptureFixture
) -> None:
    fake.faults.append(fault)
    with caplog.at_level(logging.WARNING, "fairdeal.witnesses"):
        for _ in range(4):
            assert desk.show(LOG.at(5)) == ()
            desk.later(1000)
    assert len(caplog.records) == 1
    assert fake.key.name in caplog.text
    assert fake.paths == ["/w/add-checkpoint"]
    assert len(desk.show(LOG.at(6))) == 1


def _stops(desk: Desk, head: Head) -> str:
    """Return why a head stops all signing, now and after a restart until the mark is taken away."""
    with pytest.raises(StopSigning) as stopped:
        desk.show(head)
    for _ in range(2):
        with pytest.raises(StopSigning):
            desk.show(LOG.at(150))
        with pytest.raises(StopSigning):
            desk.asks.probe()
        desk.open()
    (desk.folder / "stopped").unlink()
    desk.later(1000)
    desk.asks.probe()
    return stopped.value.sentence


@pytest.mark.parametrize("fault", ["ahead", 422])
def test_an_answer_of_another_tree_stops_the_log(
    fault: Fault, desk: Desk, fake: FakeWitness
) -> None:
    desk.show(LOG.at(5))
    desk.later()
    fake.faults.append(fault)
    assert fake.key.text in _stops(desk, LOG.at(6))


def test_a_conflict_without_a_size_stops_the_log_where_both_have_one_size(
    desk: Desk, fake: FakeWitness
) -> None:
    desk.show(LOG.at(5))
    desk.later(600)
    fake.faults.append("bare 409")
    desk.open()
    assert "another tree" in _stops(desk, LOG.at(5))


def test_a_conflict_without_a_size_is_waited_out_where_the_sizes_differ(
    desk: Desk, fake: FakeWitness
) -> None:
    fake.faults.append("bare 409")
    assert desk.show(LOG.at(5)) == ()
    desk.later()
    assert len(desk.show(LOG.at(5))) == 1


def test_a_fork_of_one_size_stops_the_log(desk: Desk) -> None:
    desk.show(LOG.at(9))
    desk.open()
    desk.later()
    assert "another tree" in _stops(desk, OTHER.at(9))


def test_a_fork_that_grew_stops_the_log(desk: Desk) -> None:
    desk.show(LOG.at(9))
    desk.open()
    desk.later()
    assert "another tree" in _stops(desk, OTHER.at(12))


def test_a_log_that_was_set_back_stops(desk: Desk) -> None:
    desk.show(LOG.at(9))
    desk.open()
    desk.later()
    assert "seen 9 leaves, we have 6" in _stops(desk, LOG.at(6))


def test_what_another_sequencer_of_the_same_database_showed_is_no_rollback(
    desk: Desk, fake: FakeWitness
) -> None:
    desk.show(LOG.at(9))
    desk.open()
    desk.later()
    desk.signed = 9
    assert desk.show(LOG.at(6)) == ()
    desk.later()
    assert len(desk.show(LOG.at(10))) == 1
    desk.open()
    desk.later()
    assert "seen 10 leaves, we have 9" in _stops(desk, LOG.at(8))
    assert fake.size == 10


def test_a_log_that_was_set_back_and_grew_the_same_again_goes_on(desk: Desk) -> None:
    desk.show(LOG.at(9))
    (desk.folder / "witnesses.json").unlink()
    desk.open()
    desk.later()
    assert len(desk.show(LOG.at(10))) == 1


def test_what_means_a_stop_is_heard_also_when_it_comes_late(
    fake: FakeWitness, tmp_path: Path
) -> None:
    desk = Desk(tmp_path, fake, pace=HASTY)
    fake.go.set()
    until(lambda: len(desk.show(LOG.at(9))) == 1)
    fake.go.clear()
    fake.faults.append("slow")
    desk.open()
    desk.later()
    assert desk.show(OTHER.at(12)) == ()
    fake.go.set()
    with pytest.raises(StopSigning):
        until(lambda: desk.show(OTHER.at(13)) != ())


def test_a_witness_that_names_another_size_each_time_is_asked_thrice_at_most(
    desk: Desk, fake: FakeWitness
) -> None:
    desk.show(LOG.at(5))
    fake.faults.extend(["told 3", "told 4", "told 2", "told 3"])
    desk.later()
    assert desk.show(LOG.at(6)) == ()
    assert len(fake.paths) == 1 + 3


def test_a_probe_tells_the_sizes_of_those_that_answer(
    fake: FakeWitness, second: FakeWitness, tmp_path: Path
) -> None:
    desk = Desk(tmp_path, fake, second)
    assert desk.asks.probe() == (0, 0)
    desk.show(LOG.at(5))
    assert desk.asks.probe() == (5, 5)
    second.stop()
    assert desk.asks.probe() == (5,)
    fake.faults.append("garbage")
    assert desk.asks.probe() == (0,)
    fake.faults.append(404)
    assert desk.asks.probe() == ()


def test_a_probe_rebuilds_the_sizes(desk: Desk, fake: FakeWitness) -> None:
    desk.show(LOG.at(5))
    (desk.folder / "witnesses.json").unlink()
    desk.open()
    desk.asks.probe()
    fake.asked.clear()
    desk.later()
    desk.show(LOG.at(6))
    assert fake.asked == [(5, 6)]


@pytest.mark.slow
def test_an_answer_that_drips_is_cut_off(fake: FakeWitness, tmp_path: Path) -> None:
    desk = Desk(tmp_path, fake, pace=replace(PACE, limit_s=1))
    fake.faults.append("drip")
    assert desk.show(LOG.at(5)) == ()
    desk.later()
    assert len(desk.show(LOG.at(5))) == 1


def test_closing_does_not_wait_for_a_witness(fake: FakeWitness, tmp_path: Path) -> None:
    desk = Desk(tmp_path, fake, pace=HASTY)
    fake.faults.append("slow")
    desk.show(LOG.at(5))
    (way,) = desk.asks._on_way()
    desk.asks.close()
    until(way.future.done, seconds=5)


@pytest.mark.parametrize(
    "url",
    [
        "http://witness.example/w", "http://127.0.0.1.example/", "ftp://127.0.0.1/", "https:///w",
        "https://witness.example:x/", "https://witness.example/w?x=1", "//witness.example/w", "",
    ],
)  # fmt: skip
def test_an_address_that_is_neither_https_nor_on_this_machine_is_refused(url: str) -> None:
    with pytest.raises(MalformedInput) as refused:
        check_prefix(url)
    assert refused.value.code == "bad_policy"


@pytest.mark.parametrize(
    "url",
    ["https://witness.example/w/", "http://127.0.0.1:1/w", "http://localhost", "http://[::1]:2"],
)
def test_an_address_by_https_or_on_this_machine_is_taken(url: str) -> None:
    check_prefix(url)


def test_a_witness_without_an_address_is_not_asked(tmp_path: Path) -> None:
    silent = FakeWitness("witness.example/w3", KEY.verifying_key, tmp_path / "w3")
    policy = Policy((KEY.verifying_key,), (Witness(silent.key),), 1)
    asks = PolicyWitnesses(policy, tmp_path, opening=OPENING)
    head = LOG.at(5)
    assert asks.cosign(head.note, head.checkpoint, head.proof) == head.note
    assert asks.probe() == ()
