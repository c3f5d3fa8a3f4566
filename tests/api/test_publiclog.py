"""The public log over HTTP: every path and header that auditors' own programs rely on."""

import gzip
import hashlib
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from api import wsgi
from api.app import create_app
from api.config import FOLDER, ORIGIN
from api.logsite import check_path
from fairdeal.errors import StorageFailure
from fairdeal.records.notes import SigningKey
from fairdeal.service import PublicFolder, path_of_origin
from fairdeal.tlog.growth import Edge, grow
from fairdeal.tlog.merkle import leaf_hash
from fairdeal.tlog.prooffile import parse_proof
from fairdeal.tlog.tiles import ENTRIES, Tile, bundle, tiles_of
from tests.table import OPERATOR, Entropy, Service
from tests.table import ORIGIN as NAME
from tests.tlog.logmaker import make_log, numbered

SIZE = 70_000
ENTRIES_OF_LOG = numbered(SIZE)
KEY = SigningKey(NAME, bytes(32))
PREFIX = path_of_origin(NAME)
TEXT = "text/plain; charset=utf-8"
LASTING = "public, max-age=604800, immutable"
DAY = b"".join(gzip.compress(line, mtime=0) for line in numbered(3000))
BEHIND = b"not announced yet"
SHA = hashlib.sha256(DAY).hexdigest()


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """The public folder of a log of 70,000 entries, with a day of transcripts."""
    folder = tmp_path_factory.mktemp("log")
    make_log(folder, ENTRIES_OF_LOG, key=KEY, sizes=[0, 1, 300, 65_536])
    (folder / "log.json").write_text("{}\n")
    (folder / "bundles").mkdir()
    day = {"bytes": len(DAY), "day": "2026-12-01", "first_index": 0, "games": 1, "last_index": 5}
    index = {"complete_to_index": 9, "days": [{**day, "sha256": SHA}]}
    (folder / "bundles" / "index.json").write_text(json.dumps(index))
    (folder / "bundles" / "2026-12-01.jsonl.gz").write_bytes(DAY + BEHIND)
    return folder


@pytest.fixture(scope="module")
def log(published, tmp_path_factory):
    """Ask for what lies below the prefix."""
    service = Service(tmp_path_factory.mktemp("games"), log_folder=PublicFolder(published))

    def ask(path, method="GET", **headers):
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return service.call(method, f"{PREFIX}/{path}", headers=named)

    yield ask
    service.close()


def assert_absent(answer):
    assert answer.status_code == 404
    assert answer.headers["Cache-Control"] == "no-store"
    assert_dressed(answer)


def assert_dressed(answer):
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert re.fullmatch("req_[a-z2-7]{16}", answer.headers["Request-Id"])
    assert "Set-Cookie" not in answer.headers
    assert "Location" not in answer.headers


# ------------------------------------------------------------------------------- what is there

FOUND = {
    "checkpoint": (TEXT, "no-cache, max-age=1"),
    "checkpoints/0": (TEXT, LASTING),
    "checkpoints/300": (TEXT, LASTING),
    f"checkpoints/{SIZE}": (TEXT, LASTING),
    "tile/0/000": ("application/octet-stream", LASTING),
    "tile/0/000.p/7": ("application/octet-stream", LASTING),
    "tile/2/000.p/1": ("application/octet-stream", LASTING),
    "tile/entries/273.p/112": ("application/octet-stream", LASTING),
    "proof/0": (TEXT, "no-cache"),
    "proof/69999": (TEXT, "no-cache"),
    "policy": (TEXT, "max-age=300"),
    "log.json": ("application/json", "max-age=300"),
    "bundles/index.json": ("application/json", "no-cache"),
    "bundles/2026-12-01.jsonl.gz": ("application/gzip", "no-cache"),
}


@pytest.mark.parametrize("path", FOUND)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_what_is_there_has_its_type_and_its_caching(log, path, method):
    answer = log(path, method)
    kind, caching = FOUND[path]
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == kind
    assert answer.headers["Cache-Control"] == caching
    assert int(answer.headers["Content-Length"]) > 0
    assert bool(answer.data) == (method == "GET")
    assert_dressed(answer)


def test_the_head_of_an_answer_is_that_of_its_get(log):
    for path in FOUND:
        got, head = log(path), log(path, "HEAD")
        same = [dict(one.headers) for one in (got, head)]
        for headers in same:
            headers.pop("Request-Id")
        assert same[0] == same[1], path
        assert int(head.headers["Content-Length"]) == len(got.data)


def test_every_tile_of_the_tree_and_every_older_width_of_it_is_served(log):
    _, hashes = grow(Edge(), map(leaf_hash, ENTRIES_OF_LOG))
    for tile in tiles_of(SIZE):
        if tile.level == ENTRIES:
            body = bundle(ENTRIES_OF_LOG[tile.first : tile.first + tile.width])
        else:
            body = hashes[tile]
        assert log(tile.path).data == body, tile
    for size in (1, 255, 257, 511, 4_099, 66_000):
        _, older = grow(Edge(), map(leaf_hash, ENTRIES_OF_LOG[:size]))
        for tile, body in older.items():
            assert log(tile.path).data == body, tile


def test_a_width_that_was_never_written_is_cut_off_a_wider_tile(log, published):
    for width in (1, 2, 99, 111):
        path = Tile(ENTRIES, 273, width).path
        assert not (published / path).exists()
        first = 273 * 256
        assert log(path).data == bundle(ENTRIES_OF_LOG[first : first + width])


def test_no_tile_reaches_beyond_the_published_size(log, published):
    """The next checkpoint's tiles are on the disk before it is."""
    for path in ("tile/0/273", "tile/entries/273", "tile/0/274.p/1", "tile/2/000.p/2", "tile/3/000",
                 "tile/3/000.p/1", "tile/63/000.p/1", "tile/0/273.p/113"):  # fmt: skip
        assert not (published / path).is_file()
        (published / path).parent.mkdir(parents=True, exist_ok=True)
        if not (published / path).exists():
            (published / path).write_bytes(bytes(8192))
        assert_absent(log(path))
        if (published / path).is_file():
            (published / path).unlink()


def test_a_tile_is_cut_off_one_that_is_ahead_of_the_checkpoint(log, published):
    path = published / "tile/0/273.p/112"
    kept = path.read_bytes()
    path.rename(published / "tile/0/273.p/200")
    (published / "tile/0/273.p/200").write_bytes(kept + bytes(32 * 88))
    assert log("tile/0/273.p/112").data == kept
    (published / "tile/0/273.p/200").unlink()
    path.write_bytes(kept)


@pytest.mark.parametrize(
    "path",
    [
        "", "/", "checkpoint/", "Checkpoint", "checkpoints", "checkpoints/", "checkpoints/00",
        "checkpoints/2", "checkpoints/70001", "checkpoints/-1", "checkpoints/٣", "policy.txt",
        "tile/0/0", "tile/0/0000", "tile/00/000", "tile/64/000", "tile/-1/000", "tile/0/x000/000",
        "tile/0/000.p", "tile/0/000.p/", "tile/0/000.p/0", "tile/0/000.p/256", "tile/0/000.p/01",
        "tile/0/000/", "tile/0/001.p/+1", "tile/data/000", "tile/8/0/000", "tile/entries/000.gz",
        "tile/0/../0/000", "tile/0/./000", "tile//0/000", "../public/checkpoint", "./checkpoint",
        "state.json", "log.key", "proof/", "proof/00", "proof/70000", "proof/-1", "proof/1/",
        "bundles", "bundles/", "bundles/2026-12-02.jsonl.gz", "bundles/2026-12-01.jsonl",
        "bundles/2026-12-1.jsonl.gz", "bundles/../checkpoint", "tile/0/x999/x999/x999/x999/999",
    ],
)  # fmt: skip
def test_what_is_absent_or_written_otherwise_is_404_and_kept_by_nobody(log, path):
    assert_absent(log(path))


@pytest.mark.parametrize("path", ["checkpoint", "tile/0/000", "nowhere", "proof/1"])
def test_an_address_with_a_query_is_nothing(log, path):
    assert_absent(log(f"{path}?x=1"))


def test_an_address_with_an_empty_query_is_nothing(published, tmp_path):
    service = Service(tmp_path, log_folder=PublicFolder(published))
    for sent in (f"{PREFIX}/checkpoint?", f"http://fairdeal.localhost{PREFIX}/checkpoint?"):
        environ = {"RAW_URI": sent, "REQUEST_URI": sent}
        assert_absent(service.call("GET", f"{PREFIX}/checkpoint", environ_overrides=environ))
    # Not every server leaves the address as it was sent.
    bare = {"RAW_URI": "", "REQUEST_URI": ""}
    assert_absent(service.call("GET", f"{PREFIX}/checkpoint?x", environ_overrides=bare))
    service.close()


@pytest.mark.parametrize("path", ["pol%69cy", "tile%2F0/000", "tile/0/00%30", "%63heckpoint"])
def test_an_escaped_spelling_of_an_address_is_nothing(log, path):
    assert_absent(log(path))


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
@pytest.mark.parametrize("path", ["checkpoint", "nowhere"])
def test_another_method_is_405(log, path, method):
    answer = log(path, method)
    assert answer.status_code == 405
    assert answer.headers["Allow"] == "GET, HEAD"
    assert answer.headers["Cache-Control"] == "no-store"
    assert_dressed(answer)


def test_the_prefix_without_its_slash_leads_nowhere(log, published, tmp_path):
    service = Service(tmp_path, log_folder=PublicFolder(published))
    assert_absent(service.call("GET", PREFIX))
    beside = service.call("GET", f"{PREFIX}s/checkpoint")
    assert (beside.status_code, beside.json["code"]) == (404, "no_such_page")
    service.close()


def test_a_token_in_the_address_is_refused_as_elsewhere(log):
    for path in (f"{OPERATOR}/checkpoint", f"checkpoint?key={OPERATOR}"):
        answer = log(path)
        assert (answer.status_code, answer.json["code"]) == (400, "token_in_address")
        assert answer.headers["Cache-Control"] == "no-store"
        assert OPERATOR not in answer.text
        assert_dressed(answer)


def test_no_token_is_looked_at(log):
    for token in ("Bearer cd_live_op_nobody", "nonsense"):
        assert log("checkpoint", Authorization=token).status_code == 200


def test_a_request_for_the_log_is_logged_without_what_was_asked(log, caplog):
    caplog.set_level("INFO")
    log("tile/0/x123/456")
    assert re.search(r"req_[a-z2-7]{16} GET LOG 404 \d+ms", caplog.text)
    assert "x123" not in caplog.text


# ----------------------------------------------------------------------------- checkpoint, tags


def test_a_checkpoint_that_is_known_is_not_sent_again(log, published):
    answer = log("checkpoint")
    assert answer.data == (published / "checkpoint").read_bytes()
    again = log("checkpoint", If_None_Match=answer.headers["ETag"])
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["Cache-Control"] == "no-cache, max-age=1"
    assert again.headers["ETag"] == answer.headers["ETag"]
    assert log("checkpoint", If_None_Match='"other"').status_code == 200


def test_each_earlier_checkpoint_is_served_as_it_was(log, published):
    for size in (0, 1, 300, 65_536, SIZE):
        answer = log(f"checkpoints/{size}")
        assert answer.data == (published / "checkpoints" / str(size)).read_bytes()
        assert answer.text.split("\n")[1] == str(size)


def test_a_checkpoint_that_is_not_public_yet_is_not_served(log, published):
    """It is on the disk before it is public, and its witnesses may still be asked."""
    ahead = published / "checkpoints" / str(SIZE + 1)
    ahead.write_text("not yet\n")
    assert_absent(log(f"checkpoints/{SIZE + 1}"))
    ahead.unlink()


def test_a_new_checkpoint_is_served_at_once(tmp_path):
    service = Service(tmp_path, log_folder=PublicFolder(tmp_path / "public"))
    path = f"{PREFIX}/checkpoint"
    assert_absent(service.call("GET", path))
    for size in (1, 2, 300):
        make_log(tmp_path / "public", numbered(size), key=KEY)
        assert service.call("GET", path).text.split("\n")[1] == str(size)
        assert service.call("GET", f"{PREFIX}/tile/entries/000.p/1").data == bundle(numbered(1))
    service.close()


# ------------------------------------------------------------------------------ bundles, ranges


def test_bundles_of_entries_are_compressed_for_whoever_takes_it(log):
    plain = log("tile/entries/000")
    assert "Content-Encoding" not in plain.headers
    assert "Accept-Encoding" in plain.headers["Vary"]
    small = log("tile/entries/000", Accept_Encoding="br, gzip")
    assert small.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in small.headers["Vary"]
    assert len(small.data) < len(plain.data) / 2
    assert gzip.decompress(small.data) == plain.data
    for refused in ("gzip;q=0", "identity", "br", "*;q=0"):
        assert log("tile/entries/000", Accept_Encoding=refused).data == plain.data


@pytest.mark.parametrize("path", ["tile/0/000", "checkpoint", "bundles/2026-12-01.jsonl.gz"])
def test_nothing_else_is_compressed(log, path):
    assert "Content-Encoding" not in log(path, Accept_Encoding="gzip").headers


def test_a_day_of_transcripts_ends_where_the_index_says(log):
    answer = log("bundles/2026-12-01.jsonl.gz")
    assert answer.data == DAY
    assert answer.headers["Accept-Ranges"] == "bytes"
    assert gzip.decompress(answer.data) == b"".join(numbered(3000))


@pytest.mark.parametrize(
    ("asked", "begin", "end"),
    [
        ("bytes=0-0", 0, 1),
        ("bytes=100-199", 100, 200),
        ("bytes=100-", 100, len(DAY)),
        ("bytes=-7", len(DAY) - 7, len(DAY)),
        (f"bytes=5-{len(DAY) + 99}", 5, len(DAY)),
        (f"bytes=-{len(DAY) + 1}", 0, len(DAY)),
    ],
)
def test_a_range_of_a_day_is_sent_alone(log, asked, begin, end):
    answer = log("bundles/2026-12-01.jsonl.gz", Range=asked)
    assert answer.status_code == 206
    assert answer.data == DAY[begin:end]
    assert answer.headers["Content-Range"] == f"bytes {begin}-{end - 1}/{len(DAY)}"
    assert answer.headers["Content-Length"] == str(end - begin)
    assert answer.headers["Cache-Control"] == "no-cache"


def test_a_range_behind_the_end_is_refused(log):
    answer = log("bundles/2026-12-01.jsonl.gz", Range=f"bytes={len(DAY)}-")
    assert answer.status_code == 416
    assert answer.headers["Content-Range"] == f"bytes */{len(DAY)}"
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("asked", ["bytes=0-1,5-6", "lines=0-1", "bytes=x", "bytes=9-2"])
def test_a_range_that_is_not_understood_is_passed_over(log, asked):
    answer = log("bundles/2026-12-01.jsonl.gz", Range=asked)
    assert (answer.status_code, answer.data) == (200, DAY)


def test_a_day_that_grew_is_not_continued_with_bytes_of_another(log):
    path = "bundles/2026-12-01.jsonl.gz"
    tag = log(path).headers["ETag"]
    assert log(path, Range="bytes=5-9", If_Range=tag).status_code == 206
    assert log(path, Range="bytes=5-9", If_Range='"older"').status_code == 200
    assert log(path, If_None_Match=tag).status_code == 304


# ---------------------------------------------------------------------------------------- proofs


@settings(max_examples=25, deadline=None)
@given(st.integers(0, SIZE - 1))
def test_the_proof_of_every_entry_holds(log, index):
    proof = parse_proof(log(f"proof/{index}").text)
    assert proof.index == index
    opened = proof.holds(ENTRIES_OF_LOG[index], [KEY.verifying_key])
    assert opened.checkpoint.size == SIZE


# ---------------------------------------------------------------------- damage, absence, starts


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("checkpoint", "checkpoint"),
        ("checkpoint", "tile/0/000"),
        ("checkpoint", "proof/0"),
        ("tile/0/000.p/3", "tile/0/000.p/2"),
        ("bundles/index.json", "bundles/2026-12-01.jsonl.gz"),
        ("bundles/2026-12-01.jsonl.gz", "bundles/2026-12-01.jsonl.gz"),
    ],
)
def test_a_damaged_file_is_a_failure_and_no_absence(tmp_path, path, asked):
    public = tmp_path / "public"
    make_log(public, numbered(3), key=KEY)
    (public / "bundles").mkdir()
    index = {"days": [{"day": "2026-12-01", "bytes": 2, "sha256": SHA}]}
    (public / "bundles" / "index.json").write_text(json.dumps(index))
    (public / path).parent.mkdir(parents=True, exist_ok=True)
    (public / path).write_bytes(b"x")
    service = Service(tmp_path, log_folder=PublicFolder(public))
    answer = service.call("GET", f"{PREFIX}/{asked}")
    assert (answer.status_code, answer.json["code"]) == (503, "log_unreadable")
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Retry-After"] == "1"
    assert_dressed(answer)
    service.close()


def test_a_tile_that_is_missing_under_a_checkpoint_is_a_failure(tmp_path):
    make_log(tmp_path / "public", numbered(300), key=KEY)
    (tmp_path / "public/tile/0/000").unlink()
    service = Service(tmp_path, log_folder=PublicFolder(tmp_path / "public"))
    for asked in ("tile/0/000", "proof/3"):
        assert service.call("GET", f"{PREFIX}/{asked}").status_code == 503
    service.close()


def test_without_a_folder_there_is_no_log(tmp_path):
    service = Service(tmp_path, log_folder=PublicFolder(tmp_path / "elsewhere"))
    for path in FOUND:
        assert_absent(service.call("GET", f"{PREFIX}/{path}"))
    service.close()


@pytest.mark.parametrize(
    "origin", ["cards.example", "cards.example/", "cards.example/a//b", "cards.example/a/",
               "cards.example/..", "cards.example/a/./b", "cards.example/{a}", "cards.example/%61"],
)  # fmt: skip
def test_an_origin_without_a_plain_path_is_refused(origin):
    with pytest.raises(StorageFailure) as refused:
        path_of_origin(origin)
    assert refused.value.code == "bad_log_path"


@pytest.mark.parametrize("path", ["v1", "v1/log", "docs", "help/x", "healthz", "readyz",
                                  "openapi.json", ".well-known"])  # fmt: skip
def test_an_origin_whose_path_is_the_interfaces_own_is_refused(path):
    app = create_app(None, entropy=Entropy("a log"))
    check_path(app, "cards.example/log/1")
    with pytest.raises(StorageFailure) as refused:
        check_path(app, f"cards.example/{path}")
    assert refused.value.code == "bad_log_path"


@pytest.mark.parametrize("origin", ["cards.example", "cards.example/v1/log"])
def test_a_service_that_cannot_serve_its_log_does_not_start(tmp_path, monkeypatch, capsys, origin):
    monkeypatch.setenv(FOLDER, str(tmp_path))
    monkeypatch.setenv(ORIGIN, origin)
    with pytest.raises(SystemExit) as end:
        wsgi.app()
    assert end.value.code == wsgi.CANNOT_START
    said = capsys.readouterr().err
    assert said.startswith("fairdeal cannot start: bad_log_path: ")
    assert said.count("\n") == 1
