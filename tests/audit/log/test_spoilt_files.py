"""Each way to spoil a log's files is named by the audit, with its code and the file."""

import json

import pytest

from fairdeal.records.notes import SigningKey
from fairdeal.tlog.checkpoint import Checkpoint
from fairdeal.tlog.merkle import leaf_hash, root_of
from tests.audit.log.made import (
    KEY,
    NOW_S,
    WITNESS,
    audit,
    honest,
)
from tests.tlog.logmaker import put
from tests.tlog.signers import cosign, with_lines

PARTIAL = "tile/0/001.p/30"


def flip(path, at=-1, bit=1):
    data = bytearray(path.read_bytes())
    data[at] ^= bit
    path.write_bytes(data)


def codes(result, kinds="EM"):
    return {one.code for one in result.findings if one.code[0] in kinds}


@pytest.fixture
def log(tmp_path):
    """Return an honest log of 286 leaves in two tiles, at four sizes."""
    made = large()
    assert len(made.entries) == 286
    return made.write(tmp_path / "log")


def large(**more):
    return honest(26, 2, sizes=[100, 256], **more)


def swap(one, other):
    def spoil(log):
        left, right = (log / one).read_bytes(), (log / other).read_bytes()
        (log / one).write_bytes(right)
        (log / other).write_bytes(left)

    return spoil


def remove(path):
    return lambda log: (log / path).unlink()


def flipped(path, at):
    return lambda log: flip(log / path, at)


def longer(path):
    return lambda log: (log / path).write_bytes((log / path).read_bytes() + bytes(32))


def shorter(path):
    return lambda log: (log / path).write_bytes((log / path).read_bytes()[:-32])


def empty(path):
    return lambda log: (log / path).write_bytes(b"")


def signed(checkpoint, *, key=KEY, seed=WITNESS[1], time=NOW_S, name=WITNESS[0]):
    return with_lines(checkpoint.sign(key), [cosign(name, seed, checkpoint.text, time)]).encode()


def head_of(log):
    lines = (log / "checkpoint").read_text().splitlines()
    entries = large().entries
    return Checkpoint(lines[0], int(lines[1]), root_of([*map(leaf_hash, entries)]))


def other_root(log):
    head = head_of(log)
    put(log / "checkpoint", signed(Checkpoint(head.origin, head.size, bytes(32))))


def other_origin(log):
    head = head_of(log)
    key = SigningKey("fairdeal.localhost/other", bytes(range(32)))
    put(log / "checkpoint", signed(Checkpoint(key.name, head.size, head.root), key=key))


def origin_of_another_key(log):
    head = head_of(log)
    put(log / "checkpoint", signed(Checkpoint("fairdeal.localhost/other", head.size, head.root)))


def own_key(log):
    head = head_of(log)
    put(log / "checkpoint", signed(head, key=SigningKey(KEY.name, bytes(32))))


def cosigned_by_another_key(log):
    put(log / "checkpoint", signed(head_of(log), seed=bytes(32)))


def false_cosignature(log):
    note = signed(head_of(log)).decode().splitlines()
    time, line = note[-1][:-4], note[-1][-4:]
    note[-1] = time + ("AAA=" if line != "AAA=" else "BBA=")
    put(log / "checkpoint", "".join(f"{one}\n" for one in note).encode())


def line_twice(log):
    note = (log / "checkpoint").read_text().splitlines(keepends=True)
    put(log / "checkpoint", "".join([*note, note[-1]]).encode())


def log_line_twice(log):
    note = (log / "checkpoint").read_text().splitlines(keepends=True)
    put(log / "checkpoint", "".join([*note, note[4]]).encode())


def cosigned_at(time):
    return lambda log: put(log / "checkpoint", signed(head_of(log), time=time))


def no_cosignature(log):
    put(log / "checkpoint", head_of(log).sign(KEY).encode())


def extension(log):
    head = head_of(log)
    put(log / "checkpoint", KEY.sign(head.text + "more\n").encode())


def size_told_otherwise(log):
    put(log / "checkpoint", (log / "checkpoint").read_bytes().replace(b"\n286\n", b"\n285\n"))


def forked_older(log):
    put(log / "checkpoints" / "100", signed(Checkpoint(KEY.name, 100, bytes(32))))


def of_another_size(log):
    put(log / "checkpoints" / "100", (log / "checkpoints" / "256").read_bytes())


def larger_older(log):
    put(log / "checkpoints" / "400", signed(Checkpoint(KEY.name, 400, bytes(32))))


def rolled_back(log):
    put(log / "checkpoint", (log / "checkpoints" / "256").read_bytes())


def index_with(change):
    def spoil(log):
        place = log / "bundles" / "index.json"
        said = json.loads(place.read_bytes())
        change(said)
        text = json.dumps(said, sort_keys=True, separators=(",", ":"))
        place.write_text(f"{text}\n")

    return spoil


def set_in_day(field, value, day=0):
    def change(said):
        said["days"][day][field] = value

    return index_with(change)


FIRST = "bundles/2026-11-29.jsonl.gz"
INDEX = "bundles/index.json"
FILES = {
    "a bit of a full bundle": (flipped("tile/entries/000", 300), "E_LEAF_HASH", "tile/0/000"),
    "a bit of its last entry": (flipped("tile/entries/000", -3), "E_LEAF_HASH", "tile/0/000"),
    "a bit of a length": (flipped("tile/entries/000", 1), "E_BUNDLE_WIDTH", "tile/entries/000"),
    "a bit of a partial bundle": (
        flipped("tile/entries/001.p/30", 50),
        "E_LEAF_HASH",
        PARTIAL,
    ),
    "a bit of a full tile": (flipped("tile/0/000", 32 * 7), "E_LEAF_HASH", "tile/0/000"),
    "a bit of a partial tile": (flipped(PARTIAL, -1), "E_LEAF_HASH", PARTIAL),
    "a bit of an upper tile": (flipped("tile/1/000.p/1", 5), "E_TILE_HASH", "tile/1/000.p/1"),
    "a missing full bundle": (remove("tile/entries/000"), "E_BUNDLE_MISSING", "tile/entries/000"),
    "a missing partial bundle": (
        remove("tile/entries/001.p/30"),
        "E_BUNDLE_MISSING",
        "tile/entries/001.p/30",
    ),
    "a missing full tile": (remove("tile/0/000"), "E_TILE_MISSING", "tile/0/000"),
    "a missing partial tile": (remove(PARTIAL), "E_TILE_MISSING", PARTIAL),
    "a missing upper tile": (remove("tile/1/000.p/1"), "E_TILE_MISSING", "tile/1/000.p/1"),
    "a tile that is longer": (longer(PARTIAL), "E_TILE_WIDTH", PARTIAL),
    "a tile that is shorter": (shorter("tile/0/000"), "E_TILE_WIDTH", "tile/0/000"),
    "a tile that is empty": (empty("tile/0/000"), "E_TILE_WIDTH", "tile/0/000"),
    "an upper tile that is longer": (longer("tile/1/000.p/1"), "E_TILE_WIDTH", "tile/1/000.p/1"),
    "a bundle that is longer": (
        longer("tile/entries/000"),
        "E_BUNDLE_WIDTH",
        "tile/entries/000",
    ),
    "a bundle that is shorter": (
        shorter("tile/entries/000"),
        "E_BUNDLE_WIDTH",
        "tile/entries/000",
    ),
    "a bundle that is empty": (empty("tile/entries/000"), "E_BUNDLE_WIDTH", "tile/entries/000"),
    "two tiles swapped": (swap("tile/0/000", PARTIAL), "E_TILE_WIDTH", "tile/0/000"),
    "two bundles swapped": (
        swap("tile/entries/000", "tile/entries/001.p/30"),
        "E_BUNDLE_WIDTH",
        "tile/entries/000",
    ),
    "no checkpoint": (remove("checkpoint"), "M_CHECKPOINT", "checkpoint"),
    "an empty checkpoint": (empty("checkpoint"), "E_NOTE", "checkpoint"),
    "a bit of the checkpoint's root": (flipped("checkpoint", 40), "E_SIGNATURE", "checkpoint"),
    "a checkpoint that is not UTF-8": (
        lambda log: flip(log / "checkpoint", 3, 128),
        "E_NOTE",
        "checkpoint",
    ),
    "another size under the signature": (size_told_otherwise, "E_SIGNATURE", "checkpoint"),
    "another root, signed": (other_root, "E_ROOT", "checkpoint"),
    "a log of another name": (other_origin, "E_SIGNATURE", "checkpoint"),
    "an origin that is not the key's": (origin_of_another_key, "E_ORIGIN", "checkpoint"),
    "a key of its own": (own_key, "E_SIGNATURE", "checkpoint"),
    "an extension line": (extension, "E_CHECKPOINT", "checkpoint"),
    "a false line of a known witness": (false_cosignature, "E_SIGNATURE", "checkpoint"),
    "a witness' line twice": (line_twice, "E_NOTE", "checkpoint"),
    "the log's line twice": (log_line_twice, "E_NOTE", "checkpoint"),
    "a witness of another key": (cosigned_by_another_key, "E_QUORUM", "checkpoint"),
    "no witness": (no_cosignature, "E_QUORUM", "checkpoint"),
    "a cosignature from the future": (
        cosigned_at(NOW_S + 301),
        "E_COSIGNATURE_FUTURE",
        "checkpoint",
    ),
    "a stale cosignature": (cosigned_at(NOW_S - 3601), "E_STALE", "checkpoint"),
    "an older tree that is another": (forked_older, "E_LOG_FORK", "checkpoints/100"),
    "an older checkpoint in another's place": (
        of_another_size,
        "E_CHECKPOINT",
        "checkpoints/100",
    ),
    "a larger tree than the checkpoint": (larger_older, "E_ROLLBACK", "checkpoints/400"),
    "a checkpoint that was rolled back": (rolled_back, "E_ROLLBACK", "checkpoints/286"),
    "a bit of an older checkpoint": (
        flipped("checkpoints/100", 30),
        "E_SIGNATURE",
        "checkpoints/100",
    ),
    "a bit of a day's bundle": (flipped(FIRST, 200), "E_BUNDLE_FILE", FIRST),
    "a missing day": (remove(FIRST), "E_BUNDLE_FILE", FIRST),
    "a day that ends early": (shorter(FIRST), "E_BUNDLE_FILE", FIRST),
    "an index that is none": (flipped(INDEX, 0), "E_BUNDLE_INDEX", INDEX),
    "an index that lies of games": (set_in_day("games", 12), "E_BUNDLE_INDEX", INDEX),
    "an index that lies of its first": (set_in_day("first_index", 3), "E_BUNDLE_INDEX", INDEX),
    "an index that lies of a digest": (set_in_day("sha256", "0" * 64), "E_BUNDLE_FILE", FIRST),
    "an index without a day": (
        index_with(lambda said: said["days"].pop(0)),
        "E_TRANSCRIPT_MISSING",
        INDEX,
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_spoilt_file_is_named(log, name):
    spoil, code, path = FILES[name]
    spoil(log)
    found = audit(log, max_age_s=3600)
    named = {(one.code, one.path) for one in found.findings}
    assert (code, path) in named, found.findings
    assert found.exit_status == (4 if code[0] == "M" else 1)
    assert not found.is_saved
