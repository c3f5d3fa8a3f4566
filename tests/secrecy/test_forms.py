"""The comparison of two answers: it leaves out the listed fields, at their place, and no more."""

import json

import pytest

from fairdeal.records.notes import SigningKey
from tests.secrecy.forms import Differs, compare
from tests.secrecy.worlds import Reply

A, B, C, D = ("abcd"[at] * 64 for at in range(4))
KEY = SigningKey("fairdeal.localhost/demo", bytes(32))
OTHER_KEY = SigningKey("fairdeal.localhost/demo", bytes(31) + b"1")
JSON, SSE = "application/json", "text/event-stream; charset=utf-8"


def reply(body, kind=JSON, status="200 OK"):
    text = body if isinstance(body, str) else json.dumps(body)
    return Reply(
        status, (("Content-Type", kind), ("Content-Length", str(len(text)))), text.encode()
    )


def receipt(record_hash, key=KEY, n=7):
    return key.sign(f"pfd1 receipt\n{key.name}\ng\n{n}\n{record_hash}\n")


def deal(*hands, **more):
    return {"body": {"hand": 1, "hands": list(hands)}, "n": 5, "type": "deal", **more}


ALIKE = {
    "a record's prev": ({"events": [{"n": 1, "prev": A}]}, {"events": [{"n": 1, "prev": B}]}, 1),
    "another's holding": ({"events": [deal(C, A)]}, {"events": [deal(C, B)]}, 1),
    "records of a refusal": (
        {"facts": {"events": [{"prev": A}]}}, {"facts": {"events": [{"prev": B}]}}, 1,
    ),
    "a receipt": ({"receipts": [receipt(A)]}, {"receipts": [receipt(B)]}, 2),
    "nothing": ({"view": [1, 2]}, {"view": [1, 2]}, 0),
}  # fmt: skip

APART = {
    "the own holding": ({"events": [deal(A, A)]}, {"events": [deal(B, A)]}),
    "a hash elsewhere": ({"events": [{"prev": A, "x": A}]}, {"events": [{"prev": B, "x": B}]}),
    "a hash before it": ({"a": A, "events": [{"prev": A}]}, {"a": B, "events": [{"prev": B}]}),
    "hands of no deal": ({"events": [deal(C, A, type="x")]}, {"events": [deal(C, B, type="x")]}),
    "what is no hash": ({"events": [{"prev": "5" * 63 + "x"}]}, {"events": [{"prev": A}]}),
    "a shorter one": ({"events": [{"prev": A[:63]}]}, {"events": [{"prev": A}]}),
    "another order": ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    "a space": ('{"events": []}', '{"events":  []}'),
    "one record more": ({"events": [{"prev": A}]}, {"events": [{"prev": A}, {"prev": B}]}),
    "the number in a receipt": ({"receipts": [receipt(A)]}, {"receipts": [receipt(B, n=8)]}),
    "the key of a receipt": ({"receipts": [receipt(A)]}, {"receipts": [receipt(B, OTHER_KEY)]}),
    "a note over a card": ({"private": {"note": receipt(A)}}, {"private": {"note": receipt(B)}}),
}  # fmt: skip


@pytest.mark.parametrize(("one", "other", "replaced"), ALIKE.values(), ids=ALIKE)
def test_these_answers_are_alike(one, other, replaced):
    assert compare(reply(one), reply(other), 0) == replaced


@pytest.mark.parametrize(("one", "other"), APART.values(), ids=APART)
def test_these_answers_differ(one, other):
    with pytest.raises(Differs):
        compare(reply(one), reply(other), 0)


def test_a_status_a_header_and_the_order_of_headers_are_compared():
    one = reply({"events": []})
    for other in (
        Reply("201 CREATED", one.headers, one.body),
        Reply(one.status, (*one.headers, ("X", "1")), one.body),
        Reply(one.status, one.headers[::-1], one.body),
    ):
        with pytest.raises(Differs):
            compare(one, other, None)


@pytest.mark.parametrize(
    ("kind", "form"),
    [
        (SSE, "id: 5\ndata: {}\n\n"),
        ("application/x-ndjson", '{{"data":{},"id":5}}\n'),
        ("application/jsonl", "{}\n"),
    ],
)
def test_streams_and_lines_are_compared_record_by_record(kind, form):
    one, other, own = (
        reply(form.format(json.dumps(deal(*hands, prev=prev))), kind)
        for hands, prev in (((C, A), D), ((C, B), "e" * 64), ((B, A), D))
    )
    assert compare(one, other, 0) == 2
    with pytest.raises(Differs):
        compare(one, own, 0)
