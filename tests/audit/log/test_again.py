"""A second audit looks at what is new, and at nothing that contradicts what was seen before."""

from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

import pytest
from distributed import Client, LocalCluster

from fairdeal.tlog.checkpoint import Checkpoint
from tests.audit.log.made import KEY, audit, honest
from tests.tlog.logmaker import put


def part(made, size):
    """Return the log as it was at a size."""
    entries = made.entries[:size]
    days = {
        day: kept
        for day, games in made.days.items()
        if (kept := [lines for lines in games if lines[-1] in entries])
    }
    return replace(made, entries=entries, days=days, complete_to=size)


@pytest.mark.parametrize("sizes", [(0, 5, 20, 44), (40, 44), (43, 44), (44, 44)])
def test_audits_of_a_growing_log_come_to_what_one_audit_comes_to(tmp_path, sizes):
    made, book = honest(4), tmp_path / "state" / "book"
    before = None
    for size in sizes:
        log = part(made, size).write(tmp_path / "log")
        found = audit(log, book=book)
        assert (found.findings, found.since, found.is_saved) == ((), before, True)
        before = size
    whole = audit(log)
    for field in ("opened", "closed", "hands", "leaves", "open"):
        assert getattr(found.counts, field) == getattr(whole.counts, field)


def test_what_was_verified_is_not_verified_again(tmp_path):
    book, log = tmp_path / "book", honest(4).write(tmp_path / "log")
    assert audit(log, book=book).counts.verdicts == {"VALID": 4}
    assert audit(log, book=book).counts.verdicts == {}


def test_a_log_that_was_rolled_back_since_the_last_audit_is_named(tmp_path):
    made, book = honest(4), tmp_path / "book"
    audit(made.write(tmp_path / "log"), book=book)
    found = audit(part(made, 20).write(tmp_path / "older"), book=book)
    assert [one.code for one in found.findings] == ["E_ROLLBACK"]
    assert not found.is_saved


def test_another_root_of_the_same_size_is_named(tmp_path):
    made, book = honest(4), tmp_path / "book"
    audit(made.write(tmp_path / "log"), book=book)
    made.entries = honest(8).entries[:44]
    made.days, made.complete_to = {}, 0
    found = audit(made.write(tmp_path / "fork"), book=book)
    assert [one.code for one in found.findings] == ["E_SPLIT_VIEW"]


def test_a_larger_tree_that_does_not_begin_with_the_one_seen_is_named(tmp_path):
    book = tmp_path / "book"
    audit(honest(4).write(tmp_path / "log"), book=book)
    fork = honest(8)
    assert fork.entries[:44] != honest(4).entries
    found = audit(fork.write(tmp_path / "fork"), book=book)
    assert "E_ROOT" in {one.code for one in found.findings} or "E_LOG_FORK" in {
        one.code for one in found.findings
    }
    assert found.exit_status == 1


def test_a_split_view_is_named_by_a_checkpoint_from_elsewhere(tmp_path):
    log = honest(4).write(tmp_path / "log")
    for size, code in ((44, "E_SPLIT_VIEW"), (20, "E_LOG_FORK"), (99, "E_ROLLBACK")):
        note = Checkpoint(KEY.name, size, bytes(32)).sign(KEY)
        assert [one.code for one in audit(log, seen=[note]).findings] == [code]
    same = (log / "checkpoint").read_text()
    assert audit(log, seen=[same]).findings == ()
    strange = same.replace("44", "45")
    assert [one.code for one in audit(log, seen=[strange]).findings] == ["W_SEEN"]


def test_an_audit_that_finds_something_leaves_the_state_as_it_was(tmp_path):
    made, book = honest(4), tmp_path / "book"
    audit(part(made, 20).write(tmp_path / "log"), book=book)
    before = book.read_bytes()
    log = made.write(tmp_path / "log")
    put(log / "tile/0/000.p/44", bytes(44 * 32))
    assert audit(log, book=book).exit_status == 1
    assert book.read_bytes() == before
    made.write(tmp_path / "log")
    assert audit(log, book=book).since == 20


def test_a_state_of_something_else_is_left_as_it_was(tmp_path):
    book, log = tmp_path / "book", honest(1).write(tmp_path / "log")
    book.write_bytes(b"precious" * 1000)
    with pytest.raises(OSError, match="cannot be used"):
        audit(log, book=book)
    assert book.read_bytes() == b"precious" * 1000


@pytest.fixture(scope="module")
def spoilt(tmp_path_factory):
    """Return a log with something wrong in it, of two tiles."""
    made = honest(26)
    made.entries[270] = made.entries[2]
    made.days, made.complete_to = {}, 0
    return made.write(tmp_path_factory.mktemp("spoilt") / "log")


@pytest.mark.slow
def test_processes_come_to_the_same_report(tmp_path, spoilt):
    good = honest(26).write(tmp_path / "log")
    with ProcessPoolExecutor(2) as pool:
        for log in (good, spoilt):
            assert audit(log, executor=pool) == audit(log)


@pytest.mark.slow
def test_two_dask_workers_come_to_the_same_report(tmp_path, spoilt):
    good = honest(26).write(tmp_path / "log")
    with (
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=False,
            protocol="tcp://",
            host="127.0.0.1",
            dashboard_address=None,
        ) as cluster,
        Client(cluster) as client,
        client.get_executor(pure=False) as executor,
    ):
        for log in (good, spoilt):
            assert audit(log, executor=executor) == audit(log)
