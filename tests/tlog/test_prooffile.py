"""Proof files: what a player keeps, and what of it is believed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.errors import MalformedInput
from fairdeal.tlog.checkpoint import Checkpoint
from fairdeal.tlog.prooffile import ProofFile, parse_proof
from tests.tlog.reference import Definition
from tests.tlog.signers import KEY, ORIGIN, WITNESSES, line, noted

ENTRIES = [b'{"n":%d}\n' % number for number in range(300)]
TREE = Definition(ENTRIES)
CHECKPOINT = Checkpoint(ORIGIN, 300, TREE.mth())
NOTE = noted(line(0, text=CHECKPOINT.text), checkpoint=CHECKPOINT)
TRUSTED = [KEY.verifying_key]


def proof(index=7, **more):
    return ProofFile(index=index, path=tuple(TREE.path(index, 300)), note=NOTE, **more)


@given(
    st.builds(
        ProofFile,
        index=st.integers(0, 10**19 - 1),
        path=st.lists(st.binary(min_size=32, max_size=32), max_size=63).map(tuple),
        note=st.just(NOTE),
        extra=st.none() | st.binary(max_size=3072),
    )
)
def test_a_file_is_read_as_it_was_written(made):
    assert parse_proof(made.text) == made
    assert parse_proof(made.text).text == made.text


@given(st.text(max_size=200) | st.text("c2sp.org/tlog-proof@v1\nindex 0123=", max_size=200))
def test_another_text_is_no_proof(text):
    with pytest.raises(MalformedInput) as refused:
        parse_proof(text)
    assert refused.value.code == "bad_proof"


GOOD = proof(extra=b"hello").text


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ("proof@v1", "proof@v2"),
        ("c2sp.org", "\nc2sp.org"),
        ("index 7", "index 07"),
        ("index 7", "index -7"),
        ("index 7", "index  7"),
        ("index 7\n", "index 7\r\n"),
        ("index 7\n", ""),
        ("index 7\n", "index 7\nindex 7\n"),
        ("extra aGVsbG8=", "extra aGVsbG9="),
        ("extra aGVsbG8=", "extra aGVsbG8"),
        ("extra aGVsbG8=\nindex 7\n", "index 7\nextra aGVsbG8=\n"),
        ("=\n\n", "=\n"),
        (NOTE, ""),
    ],
)
def test_a_file_written_otherwise_is_refused(was, becomes):
    assert was in GOOD
    changed = GOOD.replace(was, becomes, 1)
    try:
        read = parse_proof(changed)
    except MalformedInput:
        return
    # A blank line more or less moves what the checkpoint is: then that is none.
    with pytest.raises(MalformedInput):
        read.holds(ENTRIES[7], TRUSTED)


def test_a_file_of_more_hashes_than_any_tree_needs_is_refused():
    path = (bytes(32),) * 63
    assert parse_proof(ProofFile(index=1, path=path, note=NOTE).text).path == path
    with pytest.raises(MalformedInput):
        parse_proof(ProofFile(index=1, path=(*path, bytes(32)), note=NOTE).text)


def test_a_proof_holds_for_its_entry_and_tells_the_checkpoint():
    for index in (0, 1, 255, 256, 299):
        opened = proof(index).holds(ENTRIES[index], TRUSTED, WITNESSES)
        assert opened.checkpoint == CHECKPOINT
        assert [one.witness for one in opened.cosignatures] == [WITNESSES[0]]


def test_the_extra_bytes_are_nobodys_word():
    assert proof(extra=b"anything").holds(ENTRIES[7], TRUSTED).checkpoint == CHECKPOINT
    assert parse_proof(GOOD).extra == b"hello"


@given(st.integers(0, 299), st.integers(0, 299))
def test_a_proof_holds_for_no_other_entry_and_at_no_other_place(index, other):
    made = proof(index)
    at_other = ProofFile(index=other, path=made.path, note=NOTE)
    if other == index:
        return
    for one, entry in ((made, ENTRIES[other]), (at_other, ENTRIES[index])):
        with pytest.raises(MalformedInput) as refused:
            one.holds(entry, TRUSTED)
        assert refused.value.code == "not_included"


def test_a_proof_whose_checkpoint_is_not_signed_by_a_trusted_key_is_refused():
    for keys in ([], [KEY.verifying_key.__class__(ORIGIN, bytes(32))]):
        with pytest.raises(MalformedInput) as refused:
            proof().holds(ENTRIES[7], keys)
        assert refused.value.code == "bad_signature"
