"""tlog-scales, a reader that nobody here wrote, reads our logs, makes proofs and checks ours."""

import subprocess
import sys

import pytest
from cryptography.exceptions import InvalidSignature
from tlog_scales.backend import make_backend
from tlog_scales.reader import TilesReader
from tlog_scales.signing import Vkey, VkeySet
from tlog_scales.tiles import leaf_hash
from tlog_scales.tlog import Checkpoint, ConsistencyProof, InclusionProof

from fairdeal.errors import MalformedInput
from fairdeal.tlog.checkpoint import open_checkpoint
from fairdeal.tlog.merkle import is_consistent, is_included
from fairdeal.tlog.prooffile import parse_proof
from fairdeal.tlog.proving import TileTree
from fairdeal.tlog.tiles import cut
from tests.third_party.conftest import ENTRIES, KEY, SIZES, WITNESSES

VKEY = Vkey.from_string(KEY.vkey)
TRUSTED = [Vkey.from_string(key.text) for key in WITNESSES]


def audit(location, size):
    """Read a log with their code alone; return how much of it was looked at."""
    reader = TilesReader(make_backend(str(location)))
    checkpoint = reader.get_checkpoint()
    assert (checkpoint.origin, checkpoint.size) == (KEY.name, size)
    checkpoint.verify(VKEY)
    signed = VkeySet(VKEY, *TRUSTED).verify(checkpoint.signatures, checkpoint)
    assert {key.name for key, _ in signed} == {KEY.name, *(key.name for key in WITNESSES)}
    assert reader.calculate_root_hash() == checkpoint.root_hash
    places = [at for at in (0, 1, 254, 255, 256, 65_535, size // 2, size - 1) if 0 <= at < size]
    for at in places:
        entry = reader.get_entry(at)
        assert entry == ENTRIES[at]
        reader.get_inclusion_proof(at, size).check(leaf_hash(entry), checkpoint.root_hash)
    older = [old for old in SIZES if old <= size]
    for old in older:
        note = reader.backend.get("checkpoints", str(old))
        assert note is not None
        past = Checkpoint.from_text(note.decode())
        past.verify(VKEY)
        if old:
            proof = reader.get_consistency_proof(old, size)
            proof.check(past.root_hash, checkpoint.root_hash)
    return len(places), len(older)


@pytest.mark.parametrize("size", SIZES)
def test_it_accepts_a_folder_of_ours(logs, size):
    places, older = audit(logs(size), size)
    assert places == sum(
        at in range(size) for at in (0, 1, 254, 255, 256, 65_535, size // 2, size - 1)
    )
    assert older == SIZES.index(size) + 1


@pytest.mark.slow
def test_it_accepts_what_a_server_of_ours_serves(logs, serve):
    for size in SIZES:
        audit(serve(logs(size)), size)


@pytest.mark.slow
def test_the_proof_files_of_its_command_and_of_our_server_are_the_same(logs, serve):
    """Its command writes one of a log that it reads over HTTP; ours is served beside the log."""
    location = serve(logs(511))
    command = [sys.executable, "-c", "from tlog_scales.cli import main; main()"]
    for index in (0, 256, 510):
        run = subprocess.run([*command, "gen-proof", location, str(index)], capture_output=True)
        assert run.returncode == 0, run.stderr
        assert run.stdout == make_backend(location).get("proof", str(index))
        opened = parse_proof(run.stdout.decode()).holds(
            ENTRIES[index], [KEY.verifying_key], WITNESSES
        )
        assert len(opened.cosignatures) == 2
    checked = subprocess.run([*command, "get-leaf", "--check", location, "-1"], capture_output=True)
    assert (checked.returncode, checked.stdout) == (0, ENTRIES[510])


@pytest.mark.parametrize("size", SIZES[1:])
def test_our_proofs_are_its_proofs(logs, size):
    folder = logs(size)
    reader = TilesReader(make_backend(str(folder)))
    root = reader.get_checkpoint().root_hash
    tree = TileTree(size, lambda tile: (folder / tile.path).read_bytes())
    assert tree.root() == root
    for at in {0, size // 3, size // 2, size - 1}:
        theirs, ours = reader.get_inclusion_proof(at, size).node_hashes, tree.inclusion(at)
        assert theirs == list(ours)
        assert is_included(leaf_hash(ENTRIES[at]), at, size, theirs, root)
        InclusionProof(at, size, list(ours)).check(leaf_hash(ENTRIES[at]), root)
    for old in {1, (size + 1) // 2, size}:
        theirs, ours = reader.get_consistency_proof(old, size).node_hashes, tree.consistency(old)
        assert theirs == list(ours)
        assert is_consistent(old, tree.root(old), size, root, theirs)
        ConsistencyProof(old, size, list(ours)).check(tree.root(old), root)


def test_it_and_we_read_the_same_checkpoint(logs):
    text = (logs(256) / "checkpoint").read_text("utf-8")
    theirs, ours = Checkpoint.from_text(text), open_checkpoint(text, [KEY.verifying_key], WITNESSES)
    assert theirs.serialize() == text == ours.note
    assert theirs.root_hash == ours.checkpoint.root
    with pytest.raises(InvalidSignature):
        Checkpoint.from_text(text.replace("\n256\n", "\n255\n")).verify(VKEY)
    with pytest.raises(MalformedInput):
        open_checkpoint(text.replace("\n256\n", "\n255\n"), [KEY.verifying_key])


def test_it_refuses_a_log_in_which_an_entry_is_another(logs):
    folder = logs(257)
    reader = TilesReader(make_backend(str(folder)))
    root = reader.get_checkpoint().root_hash
    with pytest.raises(Exception, match="root_hash"):
        reader.get_inclusion_proof(5, 257).check(leaf_hash(b"another"), root)


@pytest.mark.slow
def test_a_width_that_was_never_written_is_served_to_it(logs, serve):
    """An auditor's old checkpoint stays readable where its partial tiles are gone (log.md 5.4)."""
    folder = logs(511)
    backend = make_backend(serve(folder))
    assert not (folder / "tile/0/001.p/7").exists()
    got = backend.get("tile", "0", "001.p", "7")
    assert got == (folder / "tile/0/001.p/255").read_bytes()[: 7 * 32]
    reader = TilesReader(backend)
    reader.set_size(263)
    tree = TileTree(263, lambda tile: cut(tile, wider(folder, tile)))
    assert reader.calculate_root_hash() == tree.root()


def wider(folder, tile):
    """Return a tile of the log of 511, at least as wide."""
    for width in (tile.width, 255, 256):
        path = folder / tile.path.partition(".p")[0]
        path = path if width == 256 else path.with_name(f"{path.name}.p") / str(width)
        if path.is_file():
            return path.read_bytes()
    raise FileNotFoundError(tile.path)
