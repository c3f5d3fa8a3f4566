"""Every case of a proof, true or spoilt, put to both of our verifiers (log.md 2.10)."""

import pytest

from fairdeal.tlog import merkle
from tests.tlog import reference
from tests.tlog.cases import TREE, consistencies, inclusions
from verifier import merkle as others

INCLUSIONS = list(inclusions())
CONSISTENCIES = list(consistencies())


def verify_inclusion_again(leaf, index, size, path, root):
    return others.root_by_path(leaf, index, size, path) == root


INCLUDED = {
    "fairdeal": merkle.is_included,
    "verifier": verify_inclusion_again,
    "the definition": reference.includes,
}
CONSISTENT = {
    "fairdeal": merkle.is_consistent,
    "verifier": others.is_extension,
    "the definition": reference.extends,
}


def test_there_are_as_many_cases_as_are_published_elsewhere():
    assert len(INCLUSIONS) + len(CONSISTENCIES) >= 196
    for cases in (INCLUSIONS, CONSISTENCIES):
        assert sum(case.holds for case in cases) == 9 - (cases is CONSISTENCIES)
        assert len({case.name for case in cases}) >= 25


@pytest.mark.parametrize("who", INCLUDED)
def test_a_proof_of_inclusion_is_taken_exactly_where_it_is_one(who):
    for case in INCLUSIONS:
        said = INCLUDED[who](case.leaf, case.index, case.size, case.path, case.root)
        assert said is case.holds, case


@pytest.mark.parametrize("who", CONSISTENT)
def test_a_proof_of_consistency_is_taken_exactly_where_it_is_one(who):
    for case in CONSISTENCIES:
        said = CONSISTENT[who](case.old, case.old_root, case.new, case.new_root, case.path)
        assert said is case.holds, case


# --------------------------------------------------------------------------------- the policies


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_policy_hashes_that_are_not_of_32_bytes_make_no_proof(length):
    other = bytes(length)
    root = reference.sha(b"\x01", TREE.leaves[0], other)
    assert not merkle.is_included(TREE.leaves[0], 0, 2, [other], root)
    assert not merkle.is_consistent(1, TREE.leaves[0], 2, root, [other])
    assert not merkle.is_included(other, 0, 1, [], other)
    assert not merkle.is_consistent(3, other, 3, other, [])


def test_policy_every_tree_begins_with_the_empty_one():
    """C2SP tlog-witness: the proof from size 0 has no hash."""
    root = TREE.mth(0, 5)
    assert merkle.is_consistent(0, merkle.EMPTY_ROOT, 5, root, [])
    assert not merkle.is_consistent(0, merkle.EMPTY_ROOT, 5, root, [root])
    assert not merkle.is_consistent(0, root, 5, root, [])
    assert not others.is_extension(0, merkle.EMPTY_ROOT, 5, root, [])


def test_policy_the_empty_tree_is_consistent_with_itself_alone():
    empty = merkle.EMPTY_ROOT
    assert merkle.is_consistent(0, empty, 0, empty, [])
    assert not merkle.is_consistent(0, empty, 0, TREE.leaves[0], [])
    assert not merkle.is_consistent(1, TREE.leaves[0], 0, empty, [])
    assert not merkle.is_included(TREE.leaves[0], 0, 0, [], empty)


def test_policy_a_proof_of_more_hashes_than_any_tree_needs_is_none():
    path = [TREE.leaves[0]] * 70
    assert not merkle.is_included(TREE.leaves[0], 0, 2**63 - 1, path, TREE.leaves[0])
