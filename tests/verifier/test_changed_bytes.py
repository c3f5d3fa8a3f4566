"""Damaged and invented files never pass and never crash the verifier (docs/protocol.md 3.3)."""

import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.held import Held
from verifier.notes import parse_key
from verifier.verify import verify

VECTORS = json.loads((Path(__file__).parents[1] / "vectors/pfd1-vectors.json").read_bytes())
SOLO = VECTORS["transcripts"]["solo-0001"]
DATA = "".join(f"{line}\n" for line in SOLO["lines"]).encode()
LINES = DATA.splitlines(keepends=True)
KEY = parse_key(VECTORS["signed_note"]["vkey"])
SIGNED = Held(notes=(SOLO["head_receipt"],), receipt_keys=(KEY,))
UNSIGNED = Held()


def test_the_game_itself_is_valid():
    assert verify(io.BytesIO(DATA), SIGNED).verdict == "VALID"


def replacements(at: int) -> list[int]:
    """A digit or letter near by, one of another kind, and the largest digit."""
    byte = DATA[at]
    kin = ord("1") if byte == ord("0") else byte - 1
    return [new for new in (kin, byte ^ 0x20, ord("9")) if new != byte]


def last_times() -> range:
    start = DATA.index(b'"t":', DATA.rindex(b'"prev":')) + 4
    return range(start, DATA.index(b",", start))


@pytest.mark.slow
@pytest.mark.parametrize("record", range(len(LINES)))
def test_of_all_single_bytes_only_digits_of_the_last_time_may_change_unnoticed(record):
    survivors = set()
    start = sum(map(len, LINES[:record]))
    for at in range(start, start + len(LINES[record])):
        for new in replacements(at):
            changed = DATA[:at] + bytes([new]) + DATA[at + 1 :]
            if verify(io.BytesIO(changed), UNSIGNED).verdict == "VALID":
                survivors.add((at, new))
    assert bool(survivors) == (record == len(LINES) - 1)
    assert {at for at, _ in survivors} <= set(last_times())
    assert all(chr(new).isdigit() for _, new in survivors)
    for at, new in survivors:
        changed = DATA[:at] + bytes([new]) + DATA[at + 1 :]
        assert verify(io.BytesIO(changed), SIGNED).verdict == "INVALID"


@pytest.mark.slow
def test_with_the_receipt_of_the_last_record_no_single_byte_may_change():
    for at in last_times():
        for new in range(256):
            if new == DATA[at]:
                continue
            changed = DATA[:at] + bytes([new]) + DATA[at + 1 :]
            assert verify(io.BytesIO(changed), SIGNED).verdict in {"INVALID", "MALFORMED"}


@pytest.mark.slow
def test_every_cut_of_the_file_is_malformed_or_incomplete_and_truncated_when_signed():
    for end in range(len(DATA)):
        cut = io.BytesIO(DATA[:end])
        whole_lines = end > 0 and DATA[end - 1 : end] == b"\n"
        assert verify(cut, UNSIGNED).verdict == ("INCOMPLETE" if whole_lines else "MALFORMED")
        assert verify(cut, SIGNED).verdict == ("INVALID" if whole_lines else "MALFORMED")


@given(st.binary(max_size=400))
def test_bytes_at_random_are_malformed(data):
    assert verify(io.BytesIO(data), UNSIGNED).verdict == "MALFORMED"


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["pfd1", "open", "0" * 64, "solo-0001", "player"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["v", "game", "n", "prev", "t", "type", "body", "play"]) | st.text(),
            inner,
            max_size=8,
        )
    ),
    max_leaves=20,
)


@given(st.lists(JSON, min_size=1, max_size=3))
def test_json_at_random_is_malformed(values):
    data = b"".join(
        json.dumps(value, sort_keys=True, separators=(",", ":")).encode() + b"\n"
        for value in values
    )
    assert verify(io.BytesIO(data), UNSIGNED).verdict == "MALFORMED"


RECORDS = [json.loads(line) for line in SOLO["lines"]]


def paths(value, so_far=()):
    made = [so_far]
    if isinstance(value, dict):
        for key, inner in value.items():
            made += paths(inner, (*so_far, key))
    if isinstance(value, list):
        for index, inner in enumerate(value[:3]):
            made += paths(inner, (*so_far, index))
    return made


@given(st.data(), JSON)
def test_any_value_put_anywhere_is_a_verdict_other_than_valid(data, new):
    records = json.loads(json.dumps(RECORDS))
    at = data.draw(st.integers(0, len(records) - 1))
    path = data.draw(st.sampled_from(paths(records[at])[1:]))
    place = records[at]
    for key in path[:-1]:
        place = place[key]
    if place[path[-1]] == new and type(place[path[-1]]) is type(new):
        return
    place[path[-1]] = new
    lines = (
        json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        for record in records
    )
    raw = "".join(f"{line}\n" for line in lines).encode(errors="surrogatepass")
    report = verify(io.BytesIO(raw), SIGNED)
    assert report.verdict in {"MALFORMED", "INVALID"}
