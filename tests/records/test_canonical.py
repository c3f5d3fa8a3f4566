"""Canonical JSON is exact both ways, and everything else is refused with a code (§2.10)."""

import json
from enum import IntEnum, StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.errors import MalformedInput
from fairdeal.records.canonical import (
    MAX_INTEGER,
    check,
    decode,
    decode_canonical,
    decode_loose,
    encode,
)
from tests.published import pfd1

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-MAX_INTEGER, MAX_INTEGER) | TEXTS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(codec="ascii"), max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)


class Letter(StrEnum):
    A = "a"


class Number(IntEnum):
    ONE = 1


def nested(depth):
    return b"[" * depth + b"]" * depth


@pytest.mark.parametrize("case", pfd1()["canonical_json"])
def test_a_value_is_encoded_to_the_published_bytes_and_read_back(case):
    assert encode(case["value"]).hex() == case["bytes_hex"]
    assert decode_canonical(bytes.fromhex(case["bytes_hex"])) == case["value"]


@given(VALUES)
def test_every_value_reads_back_from_its_encoding(value):
    assert decode_canonical(encode(value)) == value


@given(VALUES)
def test_any_spacing_and_escaping_reads_as_the_same_value_and_only_one_is_canonical(value):
    loose = json.dumps(value, indent=1).encode()
    assert decode(loose) == value
    if loose != encode(value):
        with pytest.raises(MalformedInput):
            decode_canonical(loose)


@given(st.binary(max_size=40) | st.text('{}[]":,0123456789eE.-truefalsn\\u ').map(str.encode))
def test_whatever_the_bytes_only_malformed_input_is_raised_and_what_is_read_is_exact(data):
    try:
        value = decode_canonical(data)
    except MalformedInput:
        return
    assert encode(value) == data


def test_tuples_are_arrays():
    assert encode({"a": (1, (2,))}) == b'{"a":[1,[2]]}'


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (1.0, "bad_value"),
        ({"a": [0.5]}, "bad_value"),
        (float("nan"), "bad_value"),
        (b"a", "bad_value"),
        ({1, 2}, "bad_value"),
        (Letter.A, "bad_value"),
        (Number.ONE, "bad_value"),
        (2**53, "bad_number"),
        (-(2**53), "bad_number"),
        ("\ud800", "bad_text"),
        (["a\udfffb"], "bad_text"),
        ({"ä": 1}, "bad_key"),
        ({1: 1}, "bad_key"),
        ({Letter.A: 1}, "bad_key"),
        (json.loads(nested(65)), "too_deep"),
        (json.loads(b'{"a":' * 65 + b"1" + b"}" * 65), "too_deep"),
        (json.loads(b'[{"a":' * 33 + b"1" + b"}]" * 33), "too_deep"),
    ],
)
def test_a_value_without_a_canonical_form_is_refused(value, code):
    with pytest.raises(MalformedInput) as refused:
        encode(value)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "bad_json"),
        (b"{", "bad_json"),
        (b"[1,]", "bad_json"),
        (b"[1] 2", "bad_json"),
        (b"'a'", "bad_json"),
        (b'"a\nb"', "bad_json"),
        (b'"open', "bad_json"),
        (b"\xef\xbb\xbf[]", "bad_json"),
        (b"[NaN]", "bad_json"),
        (b"-Infinity", "bad_json"),
        (b"01", "bad_json"),
        (b'"\xff"', "bad_utf8"),
        (b'"\xed\xa0\x80"', "bad_utf8"),
        (bytes.fromhex("22ff22"), "bad_utf8"),
        (b'"\\ud800"', "bad_text"),
        (b'{"a":1,"a":1}', "duplicate_key"),
        (b'{"a":1,"\\u0061":2}', "duplicate_key"),
        (b'{"\xc3\xa4":1}', "bad_key"),
        (b"1.0", "bad_number"),
        (b"[1e3]", "bad_number"),
        (b"1E400", "bad_number"),
        (b"-0", "bad_number"),
        (b"9007199254740992", "bad_number"),
        (b"-9007199254740992", "bad_number"),
        (b"9" * 100_000, "bad_number"),
        (nested(65), "too_deep"),
        (b'{"a":' * 65 + b"1" + b"}" * 65, "too_deep"),
        (b"[" * 262_144, "too_deep"),
        (b"[" * 70, "too_deep"),
        (b"[" + b"[]," * 1000 + b"[" * 100_000, "too_deep"),
        (b"[" + b"{}," * 1000 + b'{"a":' * 10_000, "too_deep"),
        (b" " * 262_145, "too_large"),
    ],
    ids=lambda value: repr(value[:24]) if isinstance(value, bytes) else value,
)
def test_bytes_that_are_no_restricted_json_are_refused(data, code):
    with pytest.raises(MalformedInput) as refused:
        decode(data)
    assert refused.value.code == code


@pytest.mark.parametrize(
    "data",
    [
        b" 1",
        b"1\n",
        b"[1, 2]",
        b'{"b":1,"a":1}',
        b'"\\u0061"',
        b'"\\/"',
        b'"\\u001F"',
        b'"\\n\\t\\u0008"',
    ],
)
def test_another_form_of_a_value_is_readable_but_not_canonical(data):
    decode(data)
    with pytest.raises(MalformedInput) as refused:
        decode_canonical(data)
    assert refused.value.code == "not_canonical"


@pytest.mark.parametrize(
    "data",
    [
        nested(64),
        b'{"a":' * 64 + b"1" + b"}" * 64,
        b'[{"a":' * 32 + b"1" + b"}]" * 32,
        b"[" + b"[]," * 9 + nested(63) + b"]",
        b"[" + b"{}," * 9 + nested(63) + b"]",
    ],
    ids=["lists", "objects", "both", "lists beside", "objects beside"],
)
def test_64_levels_are_read_and_written(data):
    assert encode(decode_canonical(data)) == data


def test_brackets_in_texts_are_no_levels():
    data = encode(["[" * 100, '\\"[{' * 50])
    assert decode_canonical(data) == ["[" * 100, '\\"[{' * 50]


def test_many_lists_side_by_side_are_not_deep():
    data = encode([[]] * 200)
    assert decode_canonical(data) == [[]] * 200


def test_the_largest_integers_are_read_and_written():
    data = b"[-9007199254740991,9007199254740991]"
    assert encode(decode_canonical(data)) == data


def test_a_smaller_limit_on_bytes_is_kept():
    assert decode(b"[1]", max_bytes=3) == [1]
    with pytest.raises(MalformedInput) as refused:
        decode(b"[1] ", max_bytes=3)
    assert refused.value.facts == {"bytes": 4, "max": 3}


@given(VALUES)
def test_what_has_a_canonical_form_is_read_loosely_as_it_is(value):
    assert decode_loose(encode(value)) == value


def test_what_has_no_canonical_form_is_read_loosely_and_found_by_the_check():
    for text in ("[1.5]", "[1e400]", '{"é":1}', "[9007199254740992]"):
        value = decode_loose(text.encode())
        with pytest.raises(MalformedInput):
            check(value)
    assert decode_loose(b"[96.0,9e1,-0,-0.0,-2.5E1]") == [96, 90, 0, 0, -25]
    check([96, {"a": None}])


@pytest.mark.parametrize(
    "data", [b'{"a":1,"a":1}', b'["\\ud800"]', b'{"\\ud800":1}', b"[NaN]", b"[" * 65]
)
def test_what_is_no_json_in_any_way_is_refused_loosely_too(data):
    with pytest.raises(MalformedInput):
        decode_loose(data)
