"""Signed notes are exact both ways and open only under a known key (§2.10)."""

from base64 import b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.errors import MalformedInput
from fairdeal.records.chain import make
from fairdeal.records.noteform import Note, Signature, format_note, parse_note
from fairdeal.records.notes import (
    SigningKey,
    VerifyingKey,
    card_text,
    open_note,
    parse_key_file,
    parse_vkey,
    receipt,
    receipt_text,
)
from tests.published import pfd1

CASE = pfd1()["signed_note"]
SEED = bytes.fromhex(CASE["private_seed_hex"])
KEY = SigningKey(CASE["name"], SEED)
OTHER = SigningKey("other.example", bytes(32))
NOTE = CASE["note"]

#: RFC 8032, 7.1: secret key, public key, message, signature of tests 1 to 3.
RFC_8032 = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        (
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701c"
            "f9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        (
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0"
            "f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        (
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984"
            "dc6594a7c15e9716ed28dc027beceea1ec40a"
        ),
    ),
]


def refusal(call, *arguments):
    with pytest.raises(MalformedInput) as refused:
        call(*arguments)
    return refused.value.code


def test_a_note_is_signed_to_the_published_bytes():
    assert KEY.vkey == CASE["vkey"]
    assert KEY.sign(CASE["text"]) == NOTE
    assert open_note(NOTE, [parse_vkey(CASE["vkey"])]) == CASE["text"]


def test_a_receipt_has_the_published_text_and_note():
    _, origin, game, n, record_hash, _ = CASE["receipt_text"].split("\n")
    assert receipt_text(origin, game, int(n), record_hash) == CASE["receipt_text"]
    assert KEY.sign(CASE["receipt_text"]) == CASE["receipt"]


def test_a_receipt_names_the_record_it_covers():
    record = make(None, "vector-game-1", 0, "abort", {"hand": 1, "reason": ""})
    text = open_note(receipt(KEY, record), [KEY.verifying_key])
    assert text == f"pfd1 receipt\n{KEY.name}\nvector-game-1\n0\n{record.hash}\n"


def test_a_card_note_says_what_one_seat_saw():
    text = card_text("deal.example/pfd1", "vector-game-1", 2, 3, 17, "JK")
    assert text == "pfd1 card\ndeal.example/pfd1\nvector-game-1\n2\n3\n17\nJK\n"


@pytest.mark.parametrize(("seed", "public", "message", "signature"), RFC_8032)
def test_keys_are_those_of_rfc_8032(seed, public, message, signature):
    key = SigningKey("rfc.example", bytes.fromhex(seed))
    assert key.verifying_key.public.hex() == public
    # A note's text ends with a line feed, so the RFC's messages are signed below `sign`.
    assert key._private.sign(bytes.fromhex(message)).hex() == signature


@given(
    st.lists(
        st.builds(
            Signature,
            st.from_regex(r"[!-*,-~]{1,8}", fullmatch=True),
            st.binary(min_size=4, max_size=4),
            st.binary(min_size=1, max_size=70),
        ),
        min_size=1,
        max_size=4,
    ),
    st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.just("\n"), max_size=30),
)
def test_a_note_reads_back_from_its_text_form(signatures, text):
    note = Note(text + "\n", tuple(signatures))
    assert parse_note(format_note(note)) == note


@given(st.text("ab— +=\n0A/", max_size=40), st.integers(0, len(NOTE)), st.integers(0, len(NOTE)))
def test_whatever_parses_formats_to_the_same_text(inserted, start, end):
    altered = NOTE[:start] + inserted + NOTE[end:]
    try:
        note = parse_note(altered)
    except MalformedInput:
        return
    assert format_note(note) == altered


def test_no_character_of_a_note_can_change():
    for at in range(len(NOTE)):
        for other in "A1 \n":
            altered = NOTE[:at] + other + NOTE[at + 1 :]
            if altered != NOTE:
                assert refusal(open_note, altered, [KEY.verifying_key]).startswith("bad_")


def test_a_note_under_none_of_the_known_keys_does_not_open():
    assert refusal(open_note, NOTE, []) == "bad_signature"
    assert refusal(open_note, NOTE, [OTHER.verifying_key]) == "bad_signature"
    # The same key under another name is another key.
    renamed = VerifyingKey("deal.example/pfd2", KEY.verifying_key.public)
    assert refusal(open_note, NOTE, [renamed]) == "bad_signature"


def test_a_false_signature_under_a_known_key_spoils_the_note():
    text = CASE["text"]
    good = parse_note(OTHER.sign(text)).signatures
    false = Signature(KEY.name, KEY.verifying_key.key_id, bytes(64))
    note = format_note(Note(text, (*good, false)))
    assert open_note(note, [OTHER.verifying_key]) == text  # KEY is unknown here: skipped.
    assert refusal(open_note, note, [OTHER.verifying_key, KEY.verifying_key]) == "bad_signature"


def test_one_known_key_of_several_is_enough():
    signatures = parse_note(OTHER.sign(CASE["text"])).signatures + parse_note(NOTE).signatures
    note = format_note(Note(CASE["text"], signatures))
    assert open_note(note, [KEY.verifying_key]) == CASE["text"]


@pytest.mark.parametrize("public", [b"\xff" * 32, bytes(32), b"\x02" + bytes(31)])
def test_a_public_key_that_is_none_verifies_nothing(public):
    key = VerifyingKey("bad.example", public)
    note = format_note(Note("a\n", (Signature(key.name, key.key_id, bytes(range(64))),)))
    assert refusal(open_note, note, [key]) == "bad_signature"


@pytest.mark.parametrize("size", [1, 63, 65])
def test_a_signature_of_another_length_is_false(size):
    signature = Signature(KEY.name, KEY.verifying_key.key_id, bytes(size))
    note = format_note(Note("a\n", (signature,)))
    assert refusal(open_note, note, [KEY.verifying_key]) == "bad_signature"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a\n",
        "a\n\n",
        NOTE[:-1],
        NOTE + "\n",
        NOTE + "x",
        NOTE.replace("— ", "- "),
        NOTE.replace("— ", "—  "),
        NOTE.replace(" 9b", "  9b"),
        NOTE.replace("=\n", "==\n"),
        NOTE.replace("=\n", "\n"),
        NOTE.replace("PPQs=", "PPQt="),  # Other bits behind the last byte: not canonical base64.
        NOTE.replace("\n\n", "\n"),
        NOTE.replace("7\n", "7\r\n", 1),
        NOTE.replace("7\n", "\t7\n", 1),
        "\ud800" + NOTE,
        NOTE + NOTE.split("\n\n")[1] * 64,
        "a" * 65_537 + "\n\n" + NOTE.split("\n\n")[1],
        "a\n\n— k AAAAAA==\n",  # A key id and no signature.
        "a\n\n— k\u2003k AAAAAAA=\n",
    ],
    ids=lambda text: repr(text[-30:]),
)
def test_a_note_of_another_form_is_refused(text):
    assert refusal(parse_note, text) == "bad_note"


def test_a_note_on_its_bounds_is_read():
    line = NOTE.split("\n\n")[1]
    assert len(parse_note("a\n\n" + line * 64).signatures) == 64
    text = "a" * (65_536 - len("\n\n" + line)) + "\n\n" + line
    assert format_note(parse_note(text)) == text
    assert refusal(parse_note, "a" + text) == "bad_note"


def test_a_text_may_hold_blank_lines():
    for text in ("a\n\nb\n", "a\n\n", "\n", "a\n\n— b c\n"):
        assert open_note(KEY.sign(text), [KEY.verifying_key]) == text


@pytest.mark.parametrize("text", ["", "a", "a\x00\n", "a\r\n", "\ud800\n"])
def test_a_text_that_no_note_can_hold_is_not_signed(text):
    assert refusal(KEY.sign, text) == "bad_note"


def test_a_vkey_reads_back():
    read = parse_vkey(CASE["vkey"])
    assert (read, read.text) == (KEY.verifying_key, CASE["vkey"])


@pytest.mark.parametrize(
    "text",
    [
        "",
        CASE["vkey"] + "\n",
        CASE["vkey"].replace("+f5", "+F5"),
        CASE["vkey"].replace("+f5", "+f6"),
        CASE["vkey"].replace("deal", "dea l"),
        CASE["vkey"].replace("deal", "de+al"),
        CASE["vkey"].replace("+Aa9", "+Ba9"),  # Another kind of key (0x05).
        CASE["vkey"][:-4],
        CASE["vkey"].partition("+")[2],
        "a" * 201 + CASE["vkey"],
        KEY.key_file().strip(),
    ],
)
def test_a_vkey_of_another_form_is_refused(text):
    assert refusal(parse_vkey, text) == "bad_vkey"


def test_a_key_file_begins_with_unmistakable_words_and_reads_back():
    text = KEY.key_file()
    assert text.startswith("PRIVATE+KEY+deal.example/pfd1+f5b16852+")
    assert text.count("\n") == 1
    again = parse_key_file(text)
    assert (again.vkey, again.key_file()) == (KEY.vkey, text)
    assert again.sign(CASE["text"]) == NOTE


@pytest.mark.parametrize(
    "text",
    [
        "",
        KEY.key_file().strip(),
        KEY.key_file() + "\n",
        KEY.key_file().removeprefix("PRIVATE+KEY+"),
        KEY.key_file().replace("+f5", "+f6"),
        KEY.key_file().replace("deal", "daal"),
        KEY.key_file().replace("deal", "de al"),
        KEY.key_file().replace("deal", "a" * 200),
        KEY.key_file().replace("+AS", "+BS"),  # Another kind of key (0x05).
        KEY.key_file().replace("PRIVATE+KEY+", "PRIVATE+KEY+PRIVATE+KEY+"),
        KEY.vkey,
        "PRIVATE+KEY+" + KEY.vkey + "\n",
    ],
)
def test_a_key_file_of_another_form_is_refused_and_not_quoted(text):
    with pytest.raises(MalformedInput) as refused:
        parse_key_file(text)
    assert refused.value.code == "bad_key_file"
    assert b64encode(SEED).decode()[4:20] not in str(refused.value)


def test_a_signing_key_shows_its_public_half_only():
    shown = f"{KEY!r} {KEY} {[KEY]}"
    assert KEY.vkey in shown
    for secret in (SEED.hex(), b64encode(SEED).decode()[:20], b64encode(b"\x01" + SEED).decode()):
        assert secret not in shown


@pytest.mark.parametrize("name", ["", "a b", "a+b", "é", "a\n", "a" * 201])
def test_a_key_has_a_name_that_can_be_an_origin(name):
    assert refusal(SigningKey, name, SEED) == "bad_key_name"


@pytest.mark.parametrize("size", [0, 31, 33])
def test_seed_and_public_key_have_32_bytes(size):
    with pytest.raises(ValueError, match="32 bytes"):
        VerifyingKey("a.example", bytes(size))
    with pytest.raises(ValueError, match="32 bytes"):
        SigningKey("a.example", bytes(size))
