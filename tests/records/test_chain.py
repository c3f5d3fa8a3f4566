"""Records are numbered, linked and hashed, and read back strictly (§2.10)."""

from hashlib import sha256

import pytest

from fairdeal.errors import MalformedInput
from fairdeal.records import chain
from fairdeal.records.canonical import decode, encode
from fairdeal.records.chain import HASH_OF_NOTHING, MAX_LINE_BYTES, make, parse, read

GAME = "vector-game-1"


def abort(previous, t=5, **body):
    return make(previous, GAME, t, "abort", {"hand": 1, "reason": "rain"} | body)


def short_chain():
    first = abort(None)
    second = abort(first, 6)
    return first, second, abort(second, 6)


def changed(record, **fields):
    """Return the record's line with fields changed, canonical again."""
    whole = decode(record.line)
    assert isinstance(whole, dict)
    return encode(whole | fields) + b"\n"


def test_a_record_is_one_canonical_line_with_its_hash():
    record = abort(None)
    assert record.line == (
        b'{"body":{"hand":1,"reason":"rain"},"game":"vector-game-1","n":0,"prev":"'
        + b"0" * 64
        + b'","t":5,"type":"abort","v":"pfd1"}\n'
    )
    assert record.hash == sha256(record.line).hexdigest()


def test_records_are_numbered_and_linked():
    first, second, third = short_chain()
    assert [record.n for record in (first, second, third)] == [0, 1, 2]
    assert first.prev == HASH_OF_NOTHING == "0" * 64
    assert (second.prev, third.prev) == (first.hash, second.hash)


def test_records_read_back_as_they_were_made():
    records = short_chain()
    assert read(b"".join(record.line for record in records)) == records


def test_no_lines_are_no_records():
    assert read(b"") == ()


def test_a_record_holds_no_part_of_what_it_was_made_from():
    taken = [1]
    record = make(None, GAME, 0, "score", {"hand": 1, "result": {"taken": taken}})
    taken.append(2)
    assert record.body["result"] == {"taken": [1]}


def test_the_text_of_a_record_shows_no_body():
    record = make(None, GAME, 0, "master", {"secret": "5ec2e7" * 20})
    assert "5ec2e7" not in repr(record)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"t": 4}, "the record before has 5"),
        ({"t": 2**53}, "t is"),
        ({"game": "another-game"}, "cannot follow"),
        ({"game": "Short"}, "no name of a game"),
        ({"type": "entry"}, "no type of record"),
    ],
)
def test_a_record_that_cannot_follow_is_not_made(arguments, message):
    given = {"game": GAME, "t": 5, "type": "abort", "body": {}} | arguments
    with pytest.raises(ValueError, match=message):
        make(abort(None), **given)


def test_time_ends_with_the_largest_integer():
    assert abort(None, 2**53 - 1).t == 2**53 - 1


def test_the_limits_are_those_of_the_protocol():
    assert (chain.MAX_RECORDS, chain.MAX_LINE_BYTES) == (20_000, 256 * 1024)


def test_time_begins_at_zero():
    assert abort(None, 0).t == 0
    with pytest.raises(ValueError, match="t is -1"):
        abort(None, -1)


def test_a_body_without_a_canonical_form_is_refused():
    with pytest.raises(MalformedInput) as refused:
        abort(None, reason=0.5)
    assert refused.value.code == "bad_value"


def test_a_line_may_have_256_kib_and_not_one_byte_more():
    room = MAX_LINE_BYTES - len(abort(None, reason="").line)
    assert len(abort(None, reason="x" * room).line) == MAX_LINE_BYTES
    with pytest.raises(MalformedInput) as refused:
        abort(None, reason="x" * (room + 1))
    assert refused.value.code == "too_large"


def test_a_line_of_256_kib_reads_back():
    room = MAX_LINE_BYTES - len(abort(None, reason="").line)
    record = abort(None, reason="x" * room)
    assert parse(record.line, None) == record
    with pytest.raises(MalformedInput):
        parse(record.line.replace(b"xx", b"xxx", 1), None)


def test_a_game_has_at_most_so_many_records(monkeypatch):
    first, second, third = short_chain()
    monkeypatch.setattr(chain, "MAX_RECORDS", 2)
    with pytest.raises(ValueError, match="there may be no more"):
        abort(second)
    assert read(first.line + second.line) == (first, second)
    with pytest.raises(MalformedInput, match="one too many"):
        read(first.line + second.line + third.line)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"n": 2}, "numbered 2"),
        ({"n": True}, "numbered True"),
        ({"prev": HASH_OF_NOTHING}, "follows"),
        ({"prev": None}, "follows None"),
        ({"game": "another-game"}, "belongs to"),
        ({"game": 7}, "names no game"),
        ({"t": 4}, "has the time 4"),
        ({"t": True}, "has the time True"),
        ({"t": "5"}, "has the time '5'"),
        ({"type": "entry"}, "unknown type"),
        ({"type": ["abort"]}, "unknown type"),
        ({"v": "pfd2"}, "not of pfd1"),
        ({"body": []}, "no object as its body"),
        ({"extra": 1}, "exactly the fields"),
    ],
)
def test_a_line_that_does_not_follow_is_refused_with_its_number(fields, message):
    first, second, _ = short_chain()
    with pytest.raises(MalformedInput, match=message) as refused:
        read(first.line + changed(second, **fields))
    assert refused.value.code == "bad_record"
    assert refused.value.facts == {"n": 1}


def test_a_missing_field_is_refused():
    fields = decode(abort(None).line)
    assert isinstance(fields, dict)
    del fields["t"]
    with pytest.raises(MalformedInput, match="exactly the fields"):
        read(encode(fields) + b"\n")


@pytest.mark.parametrize(
    "alter",
    [
        lambda line: line[:-1],
        lambda line: line + b"\n",
        lambda line: line.replace(b":", b": ", 1),
        lambda line: line[:-1] + b"\r\n",
        lambda line: b" " + line,
        lambda line: line.replace(b'"rain"', b'"r\\u0061in"'),
        lambda line: b"[]\n",
        lambda line: b"\n",
    ],
)
def test_a_line_in_another_form_is_refused(alter):
    with pytest.raises(MalformedInput):
        read(alter(abort(None).line))


def test_every_changed_byte_of_a_chain_but_digits_of_the_last_time_is_noticed():
    records = short_chain()
    lines = b"".join(record.line for record in records)
    survived = set()
    for at in range(len(lines)):
        for flipped in (lines[at] ^ 1, lines[at] ^ 0x20, ord("7")):
            altered = lines[:at] + bytes([flipped]) + lines[at + 1 :]
            if altered == lines:
                continue
            try:
                read(altered)
            except MalformedInput:
                continue
            survived.add(at)
    # Only the newest record's own values are bound by nothing yet: that is what receipts are for.
    last = len(records[0].line) + len(records[1].line)
    assert min(survived) > last
    fields = records[2].line
    free = [range(fields.index(b'"hand"'), fields.index(b'},"game"'))]
    free.append(range(fields.index(b'"t":'), fields.index(b',"type"')))
    assert all(any(at - last in part for part in free) for at in survived)
