"""Leaves of the service's own: one form of each kind, one line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.errors import MalformedInput
from fairdeal.records.canonical import encode
from fairdeal.tlog.leaves import ServiceLeaf, key_leaf, read_service_leaf
from tests.tlog.signers import KEY

BODIES = {
    "key": {"action": "add", "use": "log", "vkey": KEY.vkey},
    "closed": {"reason": "a new shard", "successor": "cards.example/log/2"},
    "dispute": {"game": "gaaaaaaaa", "id": "d1", "outcome": "", "state": "open"},
    "notice": {"text": "hello"},
}
WORDS = st.text("abc é/", max_size=200)


@given(st.sampled_from(sorted(BODIES)), st.integers(0, 2**53 - 1), st.data())
def test_a_leaf_is_read_as_it_was_written(kind, t, data):
    body = {name: data.draw(WORDS) for name in BODIES[kind]}
    leaf = ServiceLeaf(t, kind, body)
    assert read_service_leaf(leaf.entry) == leaf
    assert leaf.entry.count(b"\n") == 1
    assert leaf.entry.endswith(b"\n")


def test_the_leaf_of_a_key_says_whose_it_is():
    leaf = key_leaf(5, "receipt", KEY.vkey)
    assert json.loads(leaf.entry) == {
        "v": "pfd1-log", "t": 5, "type": "key",
        "body": {"action": "add", "use": "receipt", "vkey": KEY.vkey},
    }  # fmt: skip
    assert key_leaf(5, "log", KEY.vkey, retired=True).body["action"] == "retire"


def entry(**changes):
    said = {"v": "pfd1-log", "t": 5, "type": "notice", "body": BODIES["notice"], **changes}
    return encode({name: value for name, value in said.items() if value is not None}) + b"\n"


@pytest.mark.parametrize(
    "wrong",
    [
        entry()[:-1],
        entry() + b"\n",
        b" " + entry(),
        b"",
        b"[]\n",
        entry(v="pfd1"),
        entry(t=-1),
        entry(t=True),
        entry(t="5"),
        entry(type="act"),
        entry(type=["notice"]),
        entry(body={}),
        entry(body={"text": 5}),
        entry(body={"text": "x" * 201}),
        entry(body={"text": "x", "more": "y"}),
        entry(body="hello"),
        entry(more=1),
        entry(t=None),
    ],
)
def test_another_form_is_no_leaf(wrong):
    assert read_service_leaf(entry()).type == "notice"
    with pytest.raises(MalformedInput):
        read_service_leaf(wrong)
