"""A mirror is brought to the newest checkpoint by whatever way the service fails, or not at all."""

import gzip
import os
import signal
import subprocess
import sys
import threading
from hashlib import sha256

import pytest

from fairdeal.cli.audit.log.trust import Trust
from fairdeal.cli.mirror.answers import CannotLook
from fairdeal.cli.mirror.asking import Clock, Patience
from fairdeal.cli.mirror.fetching import fetch
from fairdeal.cli.mirror.otherview import ask_also, compare_also
from fairdeal.cli.mirror.prefix import parse_prefix
from fairdeal.errors import MalformedInput
from fairdeal.records.notes import SigningKey
from fairdeal.tlog.bundlefile import BundleDay, BundleIndex
from fairdeal.tlog.policy import Policy
from tests.cli.logserver import served
from tests.tlog.logmaker import make_log, numbered

KEY = SigningKey("log.example/1", bytes(range(32)))
OTHER = SigningKey("log.example/1", bytes(32))
TRUST = Trust(Policy((KEY.verifying_key,)), is_pinned=True)
QUICK = Patience(tries=3, pause=0.5, silence=5)


class Rests:
    """A clock that stands still and remembers how long was waited."""

    def __init__(self):
        self.rests = []

    @property
    def clock(self):
        return Clock(lambda: 1_764_000_000.0, self.rests.append)


@pytest.fixture
def log(tmp_path):
    make_log(tmp_path / "log", numbered(600), key=KEY)
    return tmp_path / "log"


@pytest.fixture
def server(log):
    with served(log) as server:
        yield server


def bring(server, mirror, trust=TRUST, **more):
    more = {"patience": QUICK, "clock": Rests().clock, **more}
    return fetch(server.prefix, mirror, trust, **more)


def files(folder):
    every = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in every}


def own(folder):
    return {name: data for name, data in files(folder).items() if not name.startswith("seen/")}


def codes(fetched):
    return [found.code for found in fetched.findings]


@pytest.mark.parametrize("size", [0, 1, 2, 255, 256, 257, 511, 600, 65_537])
def test_a_mirror_of_any_size_has_the_same_bytes(tmp_path, size):
    make_log(tmp_path / "log", numbered(size), key=KEY)
    with served(tmp_path / "log") as server:
        fetched = bring(server, tmp_path / "mirror")
    assert (fetched.size, fetched.findings) == (size, ())
    assert own(tmp_path / "mirror") == files(tmp_path / "log")


def test_only_what_is_new_is_asked_for(tmp_path, log, server):
    bring(server, tmp_path / "mirror")
    server.asked.clear()
    make_log(log, numbered(700), key=KEY)
    assert bring(server, tmp_path / "mirror").files == 2
    tiles = {path for path in server.asked if path.startswith("tile/")}
    # The tile at the edge of the level above is read for the root; it is wider by no hash.
    assert tiles == {"tile/entries/002.p/188", "tile/0/002.p/188", "tile/1/000.p/2"}


def test_a_log_that_has_not_grown_costs_no_tile(tmp_path, server):
    bring(server, tmp_path / "mirror")
    server.asked.clear()
    assert bring(server, tmp_path / "mirror").files == 0
    assert not any(path.startswith("tile/") for path in server.asked)


def test_partial_tiles_of_an_older_size_are_let_go_of(tmp_path, log, server):
    bring(server, tmp_path / "mirror")
    make_log(log, numbered(1024), key=KEY)
    bring(server, tmp_path / "mirror")
    partial = {name for name in files(tmp_path / "mirror") if ".p/" in name}
    assert partial == {"tile/1/000.p/4"}
    assert {name for name in files(tmp_path / "mirror") if name.startswith("seen/")} == {
        f"seen/{size}-{root}" for size, root in roots(tmp_path / "mirror")
    }


def roots(mirror):
    for size in (600, 1024):
        (name,) = [one.name for one in (mirror / "seen").glob(f"{size}-*")]
        yield size, name.split("-")[1]


@pytest.mark.parametrize("size", [600, 601, 767, 768])
def test_a_partial_tile_that_is_gone_is_cut_off_the_full_one(tmp_path, size):
    make_log(tmp_path / "log", numbered(768), key=KEY, sizes=[size])
    note = (tmp_path / "log" / "checkpoints" / str(size)).read_bytes()
    (tmp_path / "log" / "checkpoint").write_bytes(note)
    for path in (tmp_path / "log" / "tile").rglob("002.p/*"):
        path.unlink()
    with served(tmp_path / "log") as server:
        if size == 768:
            assert bring(server, tmp_path / "mirror").size == size
            return
        assert bring(server, tmp_path / "mirror").size == size
    assert (tmp_path / "mirror" / f"tile/entries/002.p/{size - 512}").is_file()


@pytest.mark.parametrize("kind", ["500", "429", "html", "cut", "silent"])
@pytest.mark.parametrize("path", ["checkpoint", "tile/0/001", "tile/entries/002.p/88", "policy"])
def test_what_passes_is_asked_for_again(tmp_path, log, server, kind, path):
    server.fault(path, kind, times=2)
    fetched = bring(server, tmp_path / "mirror")
    assert (fetched.size, fetched.findings) == (600, ())
    assert own(tmp_path / "mirror") == files(log)


@pytest.mark.parametrize("kind", ["short", "long", "flip", "hidden_html"])
@pytest.mark.parametrize("path", ["tile/0/001", "tile/1/000.p/2", "tile/entries/000"])
def test_other_bytes_are_asked_for_again(tmp_path, log, server, kind, path):
    server.fault(path, kind, times=1)
    assert bring(server, tmp_path / "mirror").size == 600
    assert own(tmp_path / "mirror") == files(log)


def test_the_pause_that_is_asked_for_is_kept(tmp_path, server):
    rests = Rests()
    server.fault("checkpoint", "429", times=2)
    bring(server, tmp_path / "mirror", clock=rests.clock)
    assert rests.rests == [7.0, 7.0]


def test_pauses_grow(tmp_path, server):
    rests = Rests()
    server.fault("checkpoint", "500", times=2)
    bring(server, tmp_path / "mirror", clock=rests.clock)
    assert rests.rests == [0.5, 1.0]


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("500", "refused"),
        ("429", "refused"),
        ("html", "web_page"),
        ("hidden_html", "other_bytes"),
        ("cut", "no_answer"),
        ("silent", "no_answer"),
        ("301", "redirected"),
        ("404", "not_there"),
        ("endless", "too_long"),
    ],
)
def test_a_checkpoint_that_is_not_to_be_had_is_no_finding(tmp_path, server, kind, code):
    server.fault("checkpoint", kind)
    with pytest.raises(CannotLook) as refused:
        bring(server, tmp_path / "mirror")
    assert refused.value.code in {code, "cut_answer"} if kind == "cut" else {code}
    assert server.prefix in refused.value.sentence
    assert not (tmp_path / "mirror" / "checkpoint").exists()


@pytest.mark.parametrize("path", ["tile/0/001", "tile/entries/002.p/88", "tile/1/000.p/2"])
def test_without_a_tile_the_checkpoint_stays_as_it_was(tmp_path, log, server, path):
    mirror = tmp_path / "mirror"
    server.fault(path, "404")
    with pytest.raises(CannotLook):
        bring(server, mirror)
    assert not (mirror / "checkpoint").exists()
    assert [one for one in files(mirror) if one.startswith("seen/600-")]
    server.faults.clear()
    assert bring(server, mirror).size == 600
    assert own(mirror) == files(log)


@pytest.mark.parametrize("path", ["tile/0/001", "tile/entries/000", "tile/1/000.p/2"])
def test_a_tile_that_is_not_the_signed_one_is_a_finding_and_no_part_of_the_mirror(
    tmp_path, server, path
):
    server.fault(path, "flip")
    fetched = bring(server, tmp_path / "mirror")
    assert codes(fetched) == ["E_TILE_WRONG"]
    assert not (tmp_path / "mirror" / "checkpoint").exists()
    assert not (tmp_path / "mirror" / path).exists()


def test_a_full_tile_of_the_mirror_is_never_overwritten(tmp_path, server):
    mirror = tmp_path / "mirror"
    other = bytes(8192)
    (mirror / "tile/0").mkdir(parents=True)
    (mirror / "tile/0/001").write_bytes(other)
    fetched = bring(server, mirror)
    assert codes(fetched) == ["E_TILE_CHANGED"]
    assert (mirror / "tile/0/001").read_bytes() == other


def test_a_smaller_checkpoint_is_a_rollback_and_the_larger_one_is_kept(tmp_path, log, server):
    mirror = tmp_path / "mirror"
    make_log(log, numbered(600), key=KEY, sizes=[300])
    bring(server, mirror)
    (log / "checkpoint").write_bytes((log / "checkpoints/300").read_bytes())
    fetched = bring(server, mirror)
    assert codes(fetched) == ["E_ROLLBACK"]
    assert (mirror / "checkpoint").read_bytes() == (log / "checkpoints/600").read_bytes()
    assert {name.split("-")[0] for name in files(mirror) if "seen/" in name} == {
        "seen/300",
        "seen/600",
    }


def test_a_cache_that_is_behind_for_a_moment_is_no_rollback(tmp_path, log, server):
    mirror = tmp_path / "mirror"
    make_log(log, numbered(600), key=KEY, sizes=[300])
    bring(server, mirror)
    newest = (log / "checkpoint").read_bytes()
    (log / "checkpoint").write_bytes((log / "checkpoints/300").read_bytes())

    def catch_up(seconds):
        (log / "checkpoint").write_bytes(newest)

    fetched = bring(server, mirror, clock=Clock(lambda: 0.0, catch_up))
    assert (codes(fetched), fetched.size) == ([], 600)


@pytest.mark.parametrize("size", [300, 600, 900])
def test_two_histories_are_a_fork_with_both_checkpoints_as_evidence(tmp_path, server, size):
    mirror = tmp_path / "mirror"
    bring(server, mirror)
    kept = own(mirror)
    entries = numbered(900)[:size]
    entries[0] = b"another\n"
    make_log(tmp_path / "fork", entries, key=KEY)
    server.folder = tmp_path / "fork"
    fetched = bring(server, mirror)
    assert codes(fetched) == ["E_SPLIT_VIEW" if size == 600 else "E_LOG_FORK"]
    assert own(mirror) == kept
    (found,) = fetched.findings
    assert len({(mirror / one).read_bytes() for one in found.evidence}) == 2


def test_a_checkpoint_that_was_seen_and_never_reached_counts(tmp_path, log, server):
    mirror = tmp_path / "mirror"
    bring(server, mirror)
    entries = numbered(700)
    entries[650] = b"another\n"
    make_log(log, entries, key=KEY)
    server.fault("tile/entries/002.p/188", "404")
    with pytest.raises(CannotLook):
        bring(server, mirror)
    server.faults.clear()
    make_log(tmp_path / "fork", numbered(800), key=KEY)
    server.folder = tmp_path / "fork"
    assert codes(bring(server, mirror)) == ["E_LOG_FORK"]


def test_a_checkpoint_of_a_key_that_is_not_trusted_is_never_believed(tmp_path, server):
    make_log(tmp_path / "other", numbered(600), key=OTHER)
    server.folder = tmp_path / "other"
    fetched = bring(server, tmp_path / "mirror")
    assert codes(fetched) == ["E_UNTRUSTED"]
    assert not any(path.startswith("tile/") for path in server.asked)
    assert not any(name.startswith("seen/") for name in files(tmp_path / "mirror"))


def test_a_policy_with_another_key_is_told(tmp_path, log, server):
    mirror = tmp_path / "mirror"
    bring(server, mirror, None)
    both = Policy((KEY.verifying_key, OTHER.verifying_key))
    (log / "policy").write_text(both.text)
    assert codes(bring(server, mirror, None)) == ["W_KEY_CHANGED"]
    assert codes(bring(server, mirror, None)) == []


def test_a_mirror_of_another_log_is_refused(tmp_path, server):
    bring(server, tmp_path / "mirror")
    key = SigningKey("else.example/1", bytes(32))
    make_log(tmp_path / "else", numbered(700), key=key)
    server.folder = tmp_path / "else"
    with pytest.raises(MalformedInput) as refused:
        bring(server, tmp_path / "mirror", None)
    assert refused.value.code == "other_log"


DAY = "2026-11-30"


def put_bundle(log, data, first=0, last=99, told=None):
    (log / "bundles").mkdir(exist_ok=True)
    (log / f"bundles/{DAY}.jsonl.gz").write_bytes(data)
    digest = sha256(data).hexdigest() if told is None else told
    day = BundleDay(
        day=DAY, bytes=len(data), sha256=digest, games=2, first_index=first, last_index=last
    )
    (log / "bundles/index.json").write_bytes(BundleIndex(last + 1, (day,)).text)


def test_of_a_bundle_only_what_was_appended_is_asked_for(tmp_path, log, server):
    old = gzip.compress(b"a" * 1000)
    put_bundle(log, old)
    bring(server, tmp_path / "mirror")
    new = old + gzip.compress(b"b" * 1000)
    put_bundle(log, new)
    server.ranges.clear()
    assert codes(bring(server, tmp_path / "mirror")) == []
    assert server.ranges == [f"bytes={len(old)}-{len(new) - 1}"]
    assert own(tmp_path / "mirror") == files(log)


@pytest.mark.parametrize("kind", ["cut", "whole", "500"])
def test_a_bundle_comes_whole_from_any_server(tmp_path, log, server, kind):
    put_bundle(log, bytes(range(256)) * 2000)
    server.fault(f"bundles/{DAY}.jsonl.gz", kind, times=1)
    assert codes(bring(server, tmp_path / "mirror")) == []
    put_bundle(log, bytes(range(256)) * 3000)
    server.fault(f"bundles/{DAY}.jsonl.gz", kind, times=1)
    assert codes(bring(server, tmp_path / "mirror")) == []
    assert own(tmp_path / "mirror") == files(log)


def test_a_bundle_that_is_not_what_its_index_says_is_a_finding(tmp_path, log, server):
    put_bundle(log, b"some bytes", told="0" * 64)
    assert codes(bring(server, tmp_path / "mirror")) == ["E_BUNDLE_CHANGED"]
    assert not (tmp_path / "mirror/bundles/index.json").exists()


def test_a_bundle_that_was_rewritten_is_a_finding_and_the_old_one_is_kept(tmp_path, log, server):
    put_bundle(log, b"some bytes")
    bring(server, tmp_path / "mirror")
    put_bundle(log, b"others, and more")
    assert codes(bring(server, tmp_path / "mirror")) == ["E_BUNDLE_CHANGED"]
    assert b'"bytes":10' in (tmp_path / "mirror/bundles/index.json").read_bytes()


def test_bytes_behind_those_that_count_are_overwritten(tmp_path, log, server):
    put_bundle(log, b"some bytes")
    bring(server, tmp_path / "mirror")
    with (tmp_path / f"mirror/bundles/{DAY}.jsonl.gz").open("ab") as file:
        file.write(b"half of somethi")
    put_bundle(log, b"some bytes and more than that")
    assert codes(bring(server, tmp_path / "mirror")) == []
    assert own(tmp_path / "mirror") == files(log)


def test_another_address_that_shows_another_tree_is_a_fork(tmp_path, server):
    mirror = tmp_path / "mirror"
    bring(server, mirror)
    entries = numbered(500)
    entries[3] = b"for somebody else\n"
    make_log(tmp_path / "other", entries, key=KEY)
    with served(tmp_path / "other") as other:
        ask_also(other.prefix, mirror, TRUST, patience=QUICK)
    assert [found.code for found in compare_also(mirror)] == ["E_LOG_FORK"]
    assert compare_also(mirror) == ()


def test_another_address_that_is_ahead_is_compared_later(tmp_path, log, server):
    mirror = tmp_path / "mirror"
    bring(server, mirror)
    entries = numbered(900)
    make_log(tmp_path / "other", entries, key=KEY)
    with served(tmp_path / "other") as other:
        ask_also(other.prefix, mirror, TRUST, patience=QUICK)
    assert compare_also(mirror) == ()
    entries[700] = b"for us alone\n"
    make_log(log, [*entries, b"more\n"], key=KEY)
    bring(server, mirror)
    assert [found.code for found in compare_also(mirror)] == ["E_LOG_FORK"]


_FETCH = """
import sys
from pathlib import Path
from fairdeal.cli.mirror.fetching import fetch
fetch(sys.argv[1], Path(sys.argv[2]), None)
"""


def test_a_fetch_that_is_killed_at_any_moment_goes_on(tmp_path):
    """At each of some requests the process is killed; in between the mirror is always sound."""
    log, mirror = tmp_path / "log", tmp_path / "mirror"
    make_log(log, numbered(1500), key=KEY)
    put_bundle(log, bytes(range(256)) * 999)
    with served(log) as server:
        for moment in (1, 3, 5, 8, 13):
            running = subprocess.Popen([sys.executable, "-c", _FETCH, server.prefix, str(mirror)])
            left, lock = [moment], threading.Lock()

            def kill(path, left=left, lock=lock, running=running):
                with lock:
                    left[0] -= 1
                    if left[0] == 0:
                        os.kill(running.pid, signal.SIGKILL)

            server.gate = kill
            assert running.wait(60) == -signal.SIGKILL
            for name, data in own(mirror).items():
                if not name.split("/")[-1].startswith(".") and name.startswith("tile/"):
                    assert data == (log / name).read_bytes()
            if (mirror / "checkpoint").exists():
                assert (mirror / "tile/entries/005.p/220").exists()
        server.gate = None
        fetched = bring(server, mirror)
    assert (fetched.size, fetched.findings) == (1500, ())
    kept = {name: data for name, data in own(mirror).items() if "/." not in name}
    assert kept == files(log)


@pytest.mark.parametrize(
    "text",
    ["ftp://a/", "http://", "http://a/?b", "http://u@a/", "http://a/#b", "http://a:0/", "a", "/b"],
)
def test_an_address_that_is_none_is_refused(text):
    with pytest.raises(MalformedInput):
        parse_prefix(text)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("http://a", "http://a/"),
        ("https://a.example:443/b/c", "https://a.example/b/c/"),
        ("http://[::1]:8000/live/", "http://[::1]:8000/live/"),
    ],
)
def test_an_address_has_one_form(text, same):
    assert parse_prefix(text).text == same
