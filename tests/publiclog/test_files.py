"""Files that are durable once they are written, on a real disk."""

import errno
import os
from pathlib import Path

import pytest

from fairdeal.errors import StorageFailure
from fairdeal.store.files import DiskFiles


def test_what_was_written_is_read_also_in_new_folders_and_by_many_threads(tmp_path):
    files = DiskFiles(tmp_path / "a" / "public")
    many = {f"tile/{at % 5}/x{at:03d}/00{at % 7}": b"%d" % at for at in range(60)}
    files.write_many(many)
    assert {path: files.read(path) for path in many} == many
    assert files.size("tile/0/x000/000") == 1
    assert files.read("tile/0/x000/999") is None
    assert files.size("tile/9/none") is None
    assert not files.exists("none")


def test_a_file_that_never_changes_is_left_as_it_is_and_no_other_is_written(tmp_path):
    files = DiskFiles(tmp_path)
    files.write_many({"tile": b"one"})
    files.write_many({"tile": b"one"})
    with pytest.raises(StorageFailure, match="tile_differs"):
        files.write_many({"another": b"new", "tile": b"two"})
    assert files.read("tile") == b"one"
    assert not files.exists("another")
    files.write("tile", b"two")
    assert files.read("tile") == b"two"


def test_a_file_is_added_to_and_cut_off(tmp_path):
    files = DiskFiles(tmp_path)
    files.append("bundles/day", b"one")
    files.append("bundles/day", b"two")
    assert files.read("bundles/day") == b"onetwo"
    files.truncate("bundles/day", 4)
    assert files.read("bundles/day") == b"onet"
    assert files.part("bundles/day", 1, 2) == b"ne"


def test_a_sync_that_failed_is_never_tried_again(tmp_path, monkeypatch):
    files = DiskFiles(tmp_path)
    files.write("checkpoint", b"old")
    real, failures = os.fsync, [OSError(errno.EIO, "the disk is ill")]

    def failing(descriptor):
        if failures:
            raise failures.pop()
        real(descriptor)

    monkeypatch.setattr(os, "fsync", failing)
    with pytest.raises(StorageFailure, match="log_not_durable"):
        files.write("checkpoint", b"new")
    assert not failures
    for write in (files.write, files.append):
        with pytest.raises(StorageFailure, match="the disk is ill"):
            write("checkpoint", b"new")
    with pytest.raises(StorageFailure, match="log_not_durable"):
        files.write_many({"tile": b"new"})
    assert files.read("checkpoint") == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["checkpoint"]
    DiskFiles(tmp_path).write("checkpoint", b"new")


def test_a_folder_is_opened_before_and_synced_after_what_it_gets_is_renamed(tmp_path, monkeypatch):
    files = DiskFiles(tmp_path)
    files.write("tile/old", b"")
    told = []
    real_open, real_fsync, real_rename = os.open, os.fsync, os.rename

    def path_of(descriptor):
        return str(Path(f"/proc/self/fd/{descriptor}").readlink()).removeprefix(str(tmp_path))

    def opened(path, flags, *more, **named):
        descriptor = real_open(path, flags, *more, **named)
        told.append(("open", descriptor, path_of(descriptor).partition(".")[0]))
        return descriptor

    def synced(descriptor):
        told.append(("sync", descriptor, path_of(descriptor).partition(".")[0]))
        real_fsync(descriptor)

    def renamed(old, new):
        told.append(("rename", -1, str(new).removeprefix(str(tmp_path))))
        real_rename(old, new)

    monkeypatch.setattr(os, "open", opened)
    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "rename", renamed)
    files.write("tile/new", b"bytes")
    assert [(what, path) for what, _, path in told] == [
        ("open", "/tile"),
        ("open", "/tile/"),
        ("sync", "/tile/"),
        ("rename", "/tile/new"),
        ("sync", "/tile"),
    ]
    assert told[0][1] == told[-1][1]
