"""What is asked of a witness, and what each of its answers means (log.md 3)."""

from base64 import b64decode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.records.noteform import parse_note
from fairdeal.tlog.cosignature import read_cosignatures, verify_cosignature
from fairdeal.tlog.witnessing import (
    FUTURE_S,
    SIZE_TYPE,
    request,
    told_size,
    understand,
    with_latest,
)
from tests.tlog.signers import CHECKPOINT, TIME, WITNESSES, line, noted

SIZE = CHECKPOINT.size
PLAIN = "text/plain; charset=utf-8"


def said(status, body=b"", kind=PLAIN, old=200, size=SIZE, now=TIME):
    return understand(
        status, kind, body, witness=WITNESSES[0], text=CHECKPOINT.text, old=old, size=size, now=now
    )


def lines(*made):
    head = len(f"{CHECKPOINT.text}\n")
    return noted(*made)[head:].partition("\n")[2].encode()


def test_a_request_has_the_old_size_the_proof_and_the_checkpoint():
    body = request(200, [bytes(32), bytes([1]) * 32], noted()).decode()
    hashes = "A" * 43 + "=\n" + "AQEB" * 10 + "AQE=\n"
    assert body == f"old 200\n{hashes}\n{noted()}"
    assert request(0, [], noted()).decode() == f"old 0\n\n{noted()}"


def test_a_cosignature_is_taken_where_it_is_the_witness_own():
    answer = said(200, lines(line(1), line(0)))
    assert answer.outcome == "cosigned"
    assert answer.cosignature is not None
    assert answer.cosignature.witness == WITNESSES[0]


@pytest.mark.parametrize(
    "body",
    [b"", b"\n", b"nonsense", b"\xff", lines(line(1)), lines(line(0))[:-1],
     lines(line(0, text=CHECKPOINT.text.replace("300", "301")))],
)  # fmt: skip
def test_an_answer_without_a_true_line_of_the_witness_is_refused(body):
    answer = said(200, body)
    assert (answer.outcome, answer.cosignature) == ("refused", None)


def test_a_cosignature_of_the_future_waits():
    body = lines(line(0, time=TIME + FUTURE_S))
    assert said(200, body).outcome == "cosigned"
    assert said(200, body, now=TIME - 1).outcome == "later"


@pytest.mark.parametrize(
    ("status", "kind", "body", "old", "outcome", "size"),
    [
        (409, SIZE_TYPE, b"250\n", 200, "stale", 250),
        (409, f"{SIZE_TYPE}; charset=utf-8", b"0\n", 200, "stale", 0),
        (409, "Text/X.Tlog.Size", b"300\n", 200, "stale", 300),
        (409, SIZE_TYPE, b"301\n", 200, "stop", None),
        (409, SIZE_TYPE, b"301\n", 0, "stop", None),
        (409, SIZE_TYPE, b"300\n", 300, "stop", None),
        (409, SIZE_TYPE, b"200\n", 200, "later", None),
        (409, SIZE_TYPE, b"0250\n", 200, "later", None),
        (409, SIZE_TYPE, b"250", 200, "later", None),
        (409, PLAIN, b"250\n", 200, "later", None),
        (409, PLAIN, b"", 300, "stop", None),
        (422, PLAIN, b"", 200, "stop", None),
        (429, PLAIN, b"", 200, "later", None),
        (500, PLAIN, b"", 200, "later", None),
        (503, PLAIN, b"", 200, "later", None),
        (400, PLAIN, b"", 200, "refused", None),
        (403, PLAIN, b"", 200, "refused", None),
        (404, PLAIN, b"", 200, "refused", None),
        (413, PLAIN, b"", 200, "refused", None),
    ],
)
def test_each_refusal_says_what_is_to_be_done(status, kind, body, old, outcome, size):
    answer = said(status, body, kind, old)
    assert (answer.outcome, answer.size, answer.cosignature) == (outcome, size, None)
    assert answer.sentence


@given(st.integers(100, 599), st.text(max_size=30), st.binary(max_size=99))
def test_whatever_is_answered_nothing_but_a_signature_is_a_cosignature(status, kind, body):
    answer = said(status, body, kind)
    assert answer.cosignature is None
    assert (answer.size is not None) == (answer.outcome == "stale")


@given(
    st.integers(0, 2**63 - 1),
    st.lists(st.binary(min_size=32, max_size=32), max_size=63),
    st.lists(st.sampled_from([0, 1, 2]), unique=True),
)
def test_a_request_can_be_read_back(old, path, signers):
    note = noted(*map(line, signers))
    head, _, rest = request(old, path, note).decode().partition("\n\n")
    first, *hashes = head.split("\n")
    assert (first, rest) == (f"old {old}", note)
    assert [b64decode(one) for one in hashes] == path


@given(
    st.dictionaries(st.sampled_from([0, 1, 2]), st.integers(0, 2**63 - 1)),
    st.dictionaries(st.sampled_from([0, 1, 2]), st.integers(0, 2**63 - 1)),
)
def test_the_later_of_two_cosignatures_of_a_witness_is_kept(had, found):
    note = noted(*(line(at, time=time) for at, time in had.items()))
    fresh = [
        verify_cosignature(CHECKPOINT.text, line(at, time=time), WITNESSES[at])
        for at, time in found.items()
    ]
    merged = parse_note(with_latest(note, fresh))
    times = {one.witness: one.time for one in read_cosignatures(merged, WITNESSES)}
    latest = {at: max(had.get(at, 0), found.get(at, 0)) for at in {*had, *found}}
    assert times == {WITNESSES[at]: time for at, time in latest.items()}
    assert len(merged.signatures) == 1 + len(latest)
    assert (merged.text, merged.signatures[0]) == (CHECKPOINT.text, parse_note(note).signatures[0])


@given(st.integers(0, 2**63 - 1), st.text(max_size=30), st.binary(max_size=30))
def test_a_size_is_told_in_one_form_only(size, kind, body):
    assert told_size(SIZE_TYPE, f"{size}\n".encode()) == size
    told = told_size(SIZE_TYPE, body)
    assert told is None or body == f"{told}\n".encode()
    assert told_size(kind, f"{size}\n".encode()) is None
