"""The table code is the first 130 bits of open_hash, read as people write it (§2.10)."""

from string import ascii_uppercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.errors import MalformedInput
from fairdeal.records.tablecode import grouped, parse_table_code, table_code
from tests.published import pfd1

CASE = pfd1()["table_code"]
HASHES = st.binary(min_size=32, max_size=32).map(bytes.hex)


def test_the_code_is_as_published():
    assert table_code(CASE["open_hash"]) == CASE["code"]


@given(HASHES)
def test_the_code_spells_the_first_130_bits(open_hash):
    alphabet = ascii_uppercase + "234567"
    spelt = 0
    for letter in table_code(open_hash):
        spelt = spelt << 5 | alphabet.index(letter)
    assert spelt == int(open_hash, 16) >> (256 - 130)


@given(HASHES, st.data())
def test_a_code_is_read_in_any_case_with_blanks_and_hyphens(open_hash, data):
    code = table_code(open_hash)
    assert parse_table_code(grouped(code)) == code
    written = "".join(
        data.draw(st.sampled_from(["", " ", "-", " - "]))
        + data.draw(st.sampled_from([a, a.lower()]))
        for a in code
    )
    assert parse_table_code(written) == code


def test_a_code_is_grouped_by_four_the_last_group_of_two():
    assert grouped(CASE["code"]) == "UES5 Z3JO PDH7 VSCJ L57R RSIM UM"


@pytest.mark.parametrize(
    "text",
    ["", CASE["code"][:-1], CASE["code"] + "A", "0" + CASE["code"][1:], "1" + CASE["code"][1:],
     "ı" + CASE["code"][1:], "ß" + CASE["code"][2:], CASE["code"] + "\n", CASE["code"] + "="],
)  # fmt: skip
def test_what_is_not_26_letters_of_the_alphabet_is_refused(text):
    with pytest.raises(MalformedInput) as refused:
        parse_table_code(text)
    assert refused.value.code == "bad_table_code"


@pytest.mark.parametrize("open_hash", ["", "ab" * 31, "ab" * 33, "xy" * 32])
def test_only_32_bytes_in_hex_have_a_code(open_hash):
    with pytest.raises(ValueError, match=r"hex|64"):
        table_code(open_hash)
