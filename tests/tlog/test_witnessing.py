"""What is asked of a witness, and what each of its answers means (log.md 3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.tlog.witnessing import FUTURE_S, SIZE_TYPE, request, understand
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
