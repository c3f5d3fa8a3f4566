"""Checkpoints and what witnesses add to them: what is taken, and what spoils a note."""

import contextlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.errors import MalformedInput
from fairdeal.records.noteform import MAX_SIGNATURES, Note, Signature, format_note, parse_note
from fairdeal.tlog.checkpoint import Checkpoint, open_checkpoint, parse_body
from fairdeal.tlog.cosignature import (
    MAX_TIME,
    WitnessKey,
    parse_witness_key,
    verify_cosignature,
)
from tests.tlog.signers import (
    CHECKPOINT,
    KEY,
    NEXT_KEY,
    ORIGIN,
    ROOT,
    SEEDS,
    STRANGER,
    TIME,
    WITNESSES,
    cosign,
    line,
    noted,
)

TRUSTED = [KEY.verifying_key]
NAMES = st.from_regex(r"[!-*,-~]{1,200}", fullmatch=True)


def refused(code, note, keys=TRUSTED, witnesses=WITNESSES):
    with pytest.raises(MalformedInput) as caught:
        open_checkpoint(note, keys, witnesses)
    assert caught.value.code == code


# ----------------------------------------------------------------------------------------- body


@given(NAMES, st.integers(0, 2**63 - 1), st.binary(min_size=32, max_size=32))
def test_a_body_is_read_as_it_was_written(origin, size, root):
    checkpoint = Checkpoint(origin, size, root)
    assert parse_body(checkpoint.text) == checkpoint


@given(st.text(max_size=120) | st.from_regex(r"[a-z/]{1,9}\n[0-9]{1,21}\n[A-Za-z0-9+/]{42,44}=*\n"))
def test_what_is_read_is_what_would_be_written(text):
    with contextlib.suppress(MalformedInput):
        assert parse_body(text).text == text


GOOD = CHECKPOINT.text


@pytest.mark.parametrize(
    "text",
    [
        GOOD + "an extension\n",
        GOOD[:-1],
        GOOD.replace("300", "0300"),
        GOOD.replace("300", "+300"),
        GOOD.replace("300", "-1"),
        GOOD.replace("300", str(2**63)),
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("=", ""),
        GOOD.replace("8=", "9="),
        GOOD.replace(ORIGIN, ""),
        GOOD.replace(ORIGIN, "two words"),
        GOOD.replace(ORIGIN, "a+b"),
        "\n" + GOOD,
        "",
    ],
)
def test_another_form_is_no_checkpoint(text):
    assert text != GOOD
    with pytest.raises(MalformedInput) as caught:
        parse_body(text)
    assert caught.value.code == "bad_checkpoint"


# ----------------------------------------------------------------------------------------- note


def test_a_checkpoint_is_opened_with_the_keys_of_its_log():
    opened = open_checkpoint(noted(line(0), line(2)), TRUSTED, WITNESSES)
    assert opened.checkpoint == CHECKPOINT
    assert [(one.witness, one.time) for one in opened.cosignatures] == [
        (WITNESSES[0], TIME),
        (WITNESSES[2], TIME),
    ]
    assert opened.note == noted(line(0), line(2))


def test_signing_twice_gives_the_same_bytes():
    assert CHECKPOINT.sign(KEY) == CHECKPOINT.sign(KEY)


def test_a_reader_with_either_key_accepts_a_note_of_both():
    note = noted(keys=(KEY, NEXT_KEY))
    for key in (KEY, NEXT_KEY):
        assert open_checkpoint(note, [key.verifying_key]).checkpoint == CHECKPOINT
    both = [KEY.verifying_key, NEXT_KEY.verifying_key]
    assert open_checkpoint(note, both).checkpoint == CHECKPOINT
    assert open_checkpoint(noted(), both).checkpoint == CHECKPOINT


def test_lines_of_unknown_keys_are_passed_over():
    note = noted(line(0), line(1))
    assert open_checkpoint(note, TRUSTED).cosignatures == ()
    assert len(open_checkpoint(note, TRUSTED, WITNESSES[1:]).cosignatures) == 1
    strange = Signature("witness.example/w3", b"\0\0\0\0", b"whatever it is")
    assert open_checkpoint(noted(strange), TRUSTED, WITNESSES).cosignatures == ()


def test_a_false_line_of_a_known_key_spoils_the_note():
    good = line(0)
    false = replace(good, signature=good.signature[:-1] + bytes([good.signature[-1] ^ 1]))
    refused("bad_signature", noted(false))
    assert open_checkpoint(noted(false), TRUSTED).checkpoint == CHECKPOINT
    refused("bad_signature", noted(line(0, text=replace(CHECKPOINT, size=301).text)))
    signed = parse_note(noted())
    (own,) = signed.signatures
    other = replace(own, signature=bytes(64))
    spoilt = format_note(replace(signed, signatures=(other,)))
    refused("bad_signature", spoilt)
    # One good key beside a false one does not help.
    beside = (*parse_note(CHECKPOINT.sign(NEXT_KEY)).signatures, other)
    both = [KEY.verifying_key, NEXT_KEY.verifying_key]
    refused("bad_signature", format_note(replace(signed, signatures=beside)), both)


@pytest.mark.parametrize("twice", [line(0), line(0, time=TIME + 1)])
def test_two_lines_of_one_key_are_refused_also_where_both_hold(twice):
    signed = parse_note(noted(line(0)))
    refused("bad_note", format_note(replace(signed, signatures=(*signed.signatures, twice))))
    double = format_note(Note(signed.text, signed.signatures[:1] * 2))
    refused("bad_note", double)


def test_a_note_without_a_line_of_the_log_is_refused():
    refused("bad_signature", noted(), [NEXT_KEY.verifying_key])
    refused("bad_signature", noted(), [])
    only = format_note(Note(GOOD, (line(0),)))
    refused("bad_signature", only)


def test_a_checkpoint_of_another_origin_than_its_key_is_refused():
    note = noted(keys=(STRANGER,))
    refused("other_origin", note, [STRANGER.verifying_key])
    refused("other_origin", noted(keys=(KEY, STRANGER)), [*TRUSTED, STRANGER.verifying_key])
    assert open_checkpoint(noted(keys=(KEY, STRANGER)), TRUSTED).checkpoint == CHECKPOINT


def test_a_note_that_is_no_checkpoint_is_refused():
    refused("bad_checkpoint", KEY.sign("hello\n"))
    refused("bad_checkpoint", KEY.sign(GOOD + "extension\n"))
    refused("bad_note", GOOD)
    refused("bad_note", "")


def test_as_many_lines_as_the_specifications_demand_are_read():
    strangers = [Signature(f"w{at}", bytes([at] * 4), b"x") for at in range(MAX_SIGNATURES - 1)]
    note = noted(*strangers)
    assert MAX_SIGNATURES >= 16
    assert open_checkpoint(note, TRUSTED, WITNESSES).checkpoint == CHECKPOINT
    refused("bad_note", noted(*strangers, line(0)))


@given(st.data())
def test_a_note_with_any_byte_changed_is_refused_or_says_the_same(data):
    note = noted(line(0)).encode()
    at = data.draw(st.integers(0, len(note) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda one: one != note[at]))
    changed = note[:at] + bytes([byte]) + note[at + 1 :]
    try:
        opened = open_checkpoint(changed.decode(), TRUSTED, WITNESSES)
    except (MalformedInput, UnicodeDecodeError):
        return
    assert opened.checkpoint == CHECKPOINT
    assert len(opened.cosignatures) == 0  # Its name or its key ID is another's now.


# ---------------------------------------------------------------------------------- cosignature


@given(NAMES, st.binary(min_size=32, max_size=32))
def test_the_key_of_a_witness_is_read_as_it_was_written(name, public):
    key = WitnessKey(name, public)
    assert parse_witness_key(key.text) == key


@pytest.mark.parametrize(
    "text",
    [
        KEY.vkey,
        "",
        WITNESSES[0].text + "\n",
        WITNESSES[0].text[:-1],
        WITNESSES[0].text.replace("w3", "w4"),
        WITNESSES[0].text.replace("+", " ", 1),
    ],
)
def test_another_text_is_no_key_of_a_witness(text):
    with pytest.raises(MalformedInput) as caught:
        parse_witness_key(text)
    assert caught.value.code == "bad_vkey"


@pytest.mark.parametrize("time", [0, 1, TIME, MAX_TIME])
def test_a_cosignature_tells_its_time(time):
    made = line(0, time=time)
    assert len(made.signature) == 72
    assert made.signature[:8] == time.to_bytes(8)
    told = verify_cosignature(GOOD, made, WITNESSES[0])
    assert (told.time, told.witness, told.line) == (time, WITNESSES[0], made)


def test_the_largest_time_is_below_2_to_the_63():
    assert MAX_TIME == 2**63 - 1
    with pytest.raises(MalformedInput):
        verify_cosignature(GOOD, line(0, time=MAX_TIME + 1), WITNESSES[0])


@given(st.integers(0, 71), st.integers(1, 255))
def test_a_cosignature_with_any_byte_changed_is_false(at, change):
    good = line(0)
    changed = bytearray(good.signature)
    changed[at] ^= change
    with pytest.raises(MalformedInput) as caught:
        verify_cosignature(GOOD, replace(good, signature=bytes(changed)), WITNESSES[0])
    assert caught.value.code == "bad_signature"


@pytest.mark.parametrize("length", [0, 8, 64, 71, 73])
def test_a_cosignature_of_another_length_is_false(length):
    good = line(0)
    wrong = replace(good, signature=(good.signature + bytes(9))[:length])
    with pytest.raises(MalformedInput):
        verify_cosignature(GOOD, wrong, WITNESSES[0])


def test_a_cosignature_is_of_one_witness_and_one_body():
    with pytest.raises(MalformedInput):
        verify_cosignature(GOOD, line(0), WITNESSES[1])
    with pytest.raises(MalformedInput):
        verify_cosignature(replace(CHECKPOINT, root=ROOT[::-1]).text, line(0), WITNESSES[0])
    # The log's own signature is none of a witness, whoever's key it is.
    name = WITNESSES[0].name
    assert cosign(name, SEEDS[name], GOOD, TIME).key_id == WITNESSES[0].key_id
    assert KEY.verifying_key.key_id != WitnessKey(ORIGIN, KEY.verifying_key.public).key_id
