"""Canonical lines and the first fault of others (docs/protocol.md 2.10, 3.2 stage 1)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.strictjson import MAX_INTEGER, LineFault, parse_canonical, write_canonical

MAX = MAX_INTEGER
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-MAX, MAX) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(max_codepoint=127), max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)

FAULTS = {
    "nothing": ("", "E_JSON"),
    "blank": (" ", "E_JSON"),
    "cut object": ('{"a":1', "E_JSON"),
    "cut string": ('"abc', "E_JSON"),
    "no comma": ("[1 2]", "E_JSON"),
    "comma too many": ("[1,]", "E_JSON"),
    "comma too many in an object": ('{"a":1,}', "E_JSON"),
    "a key that is none": ("{1:2}", "E_JSON"),
    "no colon": ('{"a" 1}', "E_JSON"),
    "two values": ("1 2", "E_JSON"),
    "byte order mark": ("\ufeff{}", "E_JSON"),
    "NaN": ("NaN", "E_JSON"),
    "Infinity": ("[Infinity]", "E_JSON"),
    "minus Infinity": ("[-Infinity]", "E_JSON"),
    "leading zero": ("01", "E_JSON"),
    "plus": ("+1", "E_JSON"),
    "minus alone": ("-", "E_JSON"),
    "point without digits": ("1.", "E_JSON"),
    "no digits before the point": (".5", "E_JSON"),
    "exponent without digits": ("1e", "E_JSON"),
    "hexadecimal": ("0x10", "E_JSON"),
    "other digits": ("\u0661", "E_JSON"),
    "a word in capitals": ("True", "E_JSON"),
    "a word cut": ("tru", "E_JSON"),
    "a word with a tail": ("nullx", "E_JSON"),
    "tab in a string": ('"a\tb"', "E_JSON"),
    "an escape that is none": ('"\\x41"', "E_JSON"),
    "a short escape": ('"\\u12"', "E_JSON"),
    "single quotes": ("'a'", "E_JSON"),
    "a comment": ("1 //", "E_JSON"),
    "blank of another kind": ("1\u00a0", "E_JSON"),
    "a bracket of the wrong kind": ('{"a":[1}]', "E_JSON"),
    "a key twice": ('{"a":1,"a":1}', "E_DUPLICATE_KEY"),
    "a key twice, once escaped": ('{"a":1,"\\u0061":1}', "E_DUPLICATE_KEY"),
    "a key twice inside": ('[{"b":{"a":1,"a":2}}]', "E_DUPLICATE_KEY"),
    "point": ("1.0", "E_SCHEMA"),
    "exponent": ("1e1", "E_SCHEMA"),
    "large exponent": ("1E+400", "E_SCHEMA"),
    "negative zero with a point": ("-0.0", "E_SCHEMA"),
    "blank inside": ('{"a": 1}', "E_NOT_CANONICAL"),
    "carriage return": ("{}\r", "E_NOT_CANONICAL"),
    "keys in another order": ('{"b":1,"a":1}', "E_NOT_CANONICAL"),
    "an escape for a plain letter": ('"\\u0061"', "E_NOT_CANONICAL"),
    "an escaped slash": ('"\\/"', "E_NOT_CANONICAL"),
    "an escape in capitals": ('"\\u001F"', "E_NOT_CANONICAL"),
    "an escape for a line end": ('"\\u000a"', "E_NOT_CANONICAL"),
    "a pair of surrogates escaped": ('"\\ud83c\\udccf"', "E_NOT_CANONICAL"),
    "an unpaired surrogate": ('"\\ud800"', "E_NOT_CANONICAL"),
    "a key that is not ASCII": ('{"\u00e9":1}', "E_NOT_CANONICAL"),
    "negative zero": ("-0", "E_NOT_CANONICAL"),
    "2^53": (str(2**53), "E_NOT_CANONICAL"),
    "-2^53": (str(-(2**53)), "E_NOT_CANONICAL"),
    "an integer of 100,000 digits": ("9" * 100_000, "E_NOT_CANONICAL"),
    "17 digits with zeros": ("[-99999999999999999]", "E_NOT_CANONICAL"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_line_that_is_not_canonical_has_its_code(name):
    text, code = FAULTS[name]
    with pytest.raises(LineFault) as caught:
        parse_canonical(text)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"a":1,"a":1.5,', "E_DUPLICATE_KEY"),
        ('{"a":1.5,"a":1,', "E_SCHEMA"),
        ('{"a":1,,"a":1.5}', "E_JSON"),
        ('[{"a":1,"a":2},1.5', "E_DUPLICATE_KEY"),
        ('{"a":{"b":1e5},"a":1}', "E_SCHEMA"),
        ("[1.5,", "E_SCHEMA"),
        ("[ 1,2.5]", "E_SCHEMA"),
    ],
)
def test_the_fault_that_comes_first_in_the_text_is_the_one_named(text, code):
    with pytest.raises(LineFault) as caught:
        parse_canonical(text)
    assert caught.value.code == code


@pytest.mark.parametrize("brackets", ["[]", "{}"])
def test_64_levels_are_read_and_65_are_beyond_the_limit(brackets):
    opening = brackets[0] if brackets == "[]" else '{"a":'
    inner = brackets

    def nested(depth):
        return opening * (depth - 1) + inner + brackets[1] * (depth - 1)

    parse_canonical(nested(64))
    for text in (nested(65), nested(65)[:-3], nested(100_000), opening * 100_000):
        with pytest.raises(LineFault) as caught:
            parse_canonical(text)
        assert caught.value.code == "E_LIMIT"


def test_brackets_in_strings_and_side_by_side_are_no_depth():
    assert parse_canonical('"' + "[" * 1000 + '"') == "[" * 1000
    assert parse_canonical("[" + ",".join(["[]"] * 1000) + "]") == [[]] * 1000
    assert parse_canonical('["' + '\\"[' * 100 + '"]') == ['"[' * 100]


@pytest.mark.parametrize("text", ['"' + "a" * 200_000, '"' + "\\" * 200_001, '{"' * 60, '"\\'])
def test_an_unending_string_is_refused_in_one_pass(text):
    with pytest.raises(LineFault) as caught:
        parse_canonical(text)
    assert caught.value.code == "E_JSON"


@given(VALUES)
def test_what_is_written_is_what_is_read(value):
    assert parse_canonical(write_canonical(value).decode()) == value


@given(VALUES, st.data())
def test_a_canonical_text_with_one_character_changed_is_canonical_or_a_fault(value, data):
    text = write_canonical(value).decode()
    at = data.draw(st.integers(0, len(text) - 1))
    new = data.draw(st.sampled_from('"\\{}[]:,0123456789.eE-+ \ttfna\x00\u00e9'))
    changed = text[:at] + new + text[at + 1 :]
    try:
        parsed = parse_canonical(changed)
    except LineFault:
        return
    assert write_canonical(parsed).decode() == changed
    assert parsed == json.loads(changed)


@given(st.text(st.sampled_from('{}[]",:0123456789.eE-\\ua truefalsn \n')))
def test_a_text_is_no_json_here_exactly_where_the_standard_library_says_so(text):
    """Words like NaN cannot be spelled with these letters."""
    try:
        json.loads(text)
        is_json = True
    except ValueError:
        is_json = False
    try:
        parse_canonical(text)
        code = None
    except LineFault as fault:
        code = fault.code
    assert code != "E_JSON" or not is_json
    assert is_json or code in {"E_JSON", "E_DUPLICATE_KEY", "E_SCHEMA", "E_LIMIT"}
