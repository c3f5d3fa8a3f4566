"""The test vector of the design (log.md 2.10), byte for byte; two other programs agreed on it."""

from base64 import b64decode

import pytest

from fairdeal.records.notes import SigningKey, parse_vkey
from fairdeal.tlog.checkpoint import Checkpoint, open_checkpoint
from fairdeal.tlog.cosignature import parse_witness_key
from fairdeal.tlog.growth import Edge, grow
from fairdeal.tlog.merkle import is_consistent, is_included, leaf_hash
from fairdeal.tlog.prooffile import ProofFile, parse_proof
from fairdeal.tlog.proving import TileTree
from fairdeal.tlog.tiles import ENTRIES, Tile
from tests.tlog.logmaker import make_log
from tests.tlog.signers import cosign, with_lines
from verifier import merkle as others

ENTRIES_ = (b"", b'{"n":1}', b'{"n":2}')
TIME = 1_764_000_000
SEED, WITNESS_SEED = bytes(range(32)), bytes(range(32, 64))
KEY = SigningKey("deal.example.com/log/1", SEED)
VKEY = "deal.example.com/log/1+d874f966+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"
WITNESS = "witness.example.net/w1+669be294+BCmsuuFBvMrwsi4alNNNC8c2HlJtC/4SyJeUvJMilm3X"
LEAVES = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fb5d93e6cf90bc9470cd9ea9d9e12348993db3e854ab2b7660e3594767045f6c",
    "3d1de776df086c1ae9f7049d2bb0c0475ad14185f987e064e8d10dcb2db4a322",
)
BUNDLE = "000000077b226e223a317d00077b226e223a327d"
NOTE = """\
deal.example.com/log/1
3
wZuTrPGAOM5D7fHm0iyU5OoQwo9WPU5f+76WzbDVM2I=

— deal.example.com/log/1 2HT5ZtJu4iuc/szs/kREa8dnj3fQNlZohb5uuGWXbBvONrf8Fq7w6INhk6qA9JUBCJW0MS+s\
CCweM8cSw3UzFVm7IwE=
— witness.example.net/w1 ZpvilAAAAABpJIEABPgyZdnWaiSG3FzxULyQbbS3mCRunUiP9ksorbK0cLkgTdG6gBEeu5JA\
9QFIw2WeL30Blm4wtrPMf1FBrPjYDw==
"""
CONSISTENCY = (
    "+12T5s+QvJRwzZ6p2eEjSJk9s+hUqyt2YONZR2cEX2w=",
    "PR3ndt8IbBrp9wSdK7DAR1rRQYX5h+Bk6NENyy20oyI=",
)
INCLUSION = (
    "bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0=",
    "PR3ndt8IbBrp9wSdK7DAR1rRQYX5h+Bk6NENyy20oyI=",
)


def hashes(texts):
    return tuple(map(b64decode, texts))


@pytest.fixture
def folder(tmp_path):
    witness = ("witness.example.net/w1", WITNESS_SEED)
    make_log(tmp_path, ENTRIES_, key=KEY, witnesses=[witness], times=[TIME])
    return tmp_path


@pytest.fixture
def tree(folder):
    return TileTree(3, lambda tile: (folder / tile.path).read_bytes())


def test_the_keys_are_those_of_the_vector():
    assert KEY.vkey == VKEY
    assert parse_witness_key(WITNESS).text == WITNESS


def test_the_leaves_and_the_root_are_those_of_the_vector():
    assert tuple(leaf_hash(entry).hex() for entry in ENTRIES_) == LEAVES
    edge, tiles = grow(Edge(), map(leaf_hash, ENTRIES_))
    assert edge.root == b64decode("wZuTrPGAOM5D7fHm0iyU5OoQwo9WPU5f+76WzbDVM2I=")
    assert {tile.path: data.hex() for tile, data in tiles.items()} == {
        "tile/0/000.p/3": "".join(LEAVES)
    }


def test_the_files_are_those_of_the_vector(folder):
    assert (folder / "tile/entries/000.p/3").read_bytes().hex() == BUNDLE
    assert Tile(ENTRIES, 0, 3).path == "tile/entries/000.p/3"
    assert (folder / "tile/0/000.p/3").read_bytes().hex() == "".join(LEAVES)
    assert (folder / "checkpoint").read_text("utf-8") == NOTE


def test_the_checkpoint_is_signed_and_cosigned_as_in_the_vector():
    edge, _ = grow(Edge(), map(leaf_hash, ENTRIES_))
    checkpoint = Checkpoint(KEY.name, 3, edge.root)
    line = cosign("witness.example.net/w1", WITNESS_SEED, checkpoint.text, TIME)
    assert with_lines(checkpoint.sign(KEY), [line]) == NOTE
    opened = open_checkpoint(NOTE, [parse_vkey(VKEY)], [parse_witness_key(WITNESS)])
    assert opened.checkpoint == checkpoint
    assert [(one.witness.text, one.time) for one in opened.cosignatures] == [(WITNESS, TIME)]


def test_the_proofs_are_those_of_the_vector(tree):
    assert tree.consistency(1) == hashes(CONSISTENCY)
    assert tree.inclusion(1) == hashes(INCLUSION)


def test_both_readings_accept_the_proofs_of_the_vector(tree):
    leaves, root, first = list(map(leaf_hash, ENTRIES_)), tree.root(), tree.root(1)
    assert is_included(leaves[1], 1, 3, hashes(INCLUSION), root)
    assert others.root_by_path(leaves[1], 1, 3, hashes(INCLUSION)) == root
    assert is_consistent(1, first, 3, root, hashes(CONSISTENCY))
    assert others.is_extension(1, first, 3, root, hashes(CONSISTENCY))


def test_the_proof_file_of_the_vector_holds(tree):
    made = ProofFile(index=1, path=tree.inclusion(1), note=NOTE)
    lines = "".join(f"{line}\n" for line in INCLUSION)
    assert made.text == f"c2sp.org/tlog-proof@v1\nindex 1\n{lines}\n{NOTE}"
    assert parse_proof(made.text).holds(ENTRIES_[1], [KEY.verifying_key]).checkpoint.size == 3


def test_what_the_specifications_show_is_read_as_they_say():
    """The example's key of C2SP signed-note, and the checksum database's key ID."""
    vkey = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8"
    assert parse_vkey(vkey).key_id.hex() == "033de0ae"
