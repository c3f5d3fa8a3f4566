"""Every refusal passes between processes as it is: an audit's workers raise them."""

import pickle

import pytest

from fairdeal.errors import Busy, Conflict, MalformedInput, RuleBroken, StaleVersion, StorageFailure

REFUSALS = [
    MalformedInput("bad_note", "It is none."),
    Conflict("key_taken", "Somebody was first.", {"n": 3}),
    Busy("busy", "No room."),
    StorageFailure("store_failed", "The disk is full."),
    StaleVersion(3, 5, {"events": []}),
    RuleBroken(("MELD_SIZE", "OPENING"), "Too few.", "R-31", {"cards": 2}),
]


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda one: type(one).__name__)
def test_a_refusal_comes_out_of_another_process_as_it_went_in(refusal):
    back = pickle.loads(pickle.dumps(refusal))
    assert type(back) is type(refusal)
    assert (str(back), vars(back)) == (str(refusal), vars(refusal))
