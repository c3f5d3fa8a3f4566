"""Verifier keys, signed notes and receipts (docs/protocol.md 2.10)."""

import base64

import pytest

from tests.verifier.forge import ORIGIN, Signer, honest
from verifier.notes import KeyFault, parse_key, read_receipt, split_notes, verify_note

ME = Signer()
OTHER = Signer("witness.example/w1", seed=2)
DATA = honest().data()
RECEIPT = ME.receipt(DATA, 0)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        "a+b",
        ME.vkey.replace("deal", "meal"),
        ME.vkey[:-4],
        ME.vkey + "=",
        ME.vkey.replace("+", "+0", 1),
        "+".join([ORIGIN, ME.key_id.hex().upper(), ME.vkey.split("+", 2)[2]]),
        f"{ORIGIN}+{ME.key_id.hex()}+{base64.b64encode(bytes(33)).decode()}",
        "a b+00000000+AAAA",
        f"\udc80{ME.vkey}",
        f"+{ME.vkey}",
    ],
)
def test_a_key_that_is_not_of_its_form_is_refused(text):
    with pytest.raises(KeyFault):
        parse_key(text)


def test_a_key_that_is_no_point_of_full_order_is_refused():
    import hashlib

    typed = b"\x01" + bytes(32)
    key_id = hashlib.sha256(b"x\n" + typed).digest()[:4].hex()
    with pytest.raises(KeyFault, match="not a point"):
        parse_key(f"x+{key_id}+{base64.b64encode(typed).decode()}")


def test_a_receipt_says_which_record_has_which_hash():
    receipt = read_receipt(RECEIPT, (OTHER.key, ME.key))
    assert receipt is not None
    assert (receipt.origin, receipt.key_name) == (ORIGIN, ORIGIN)
    assert (receipt.game, receipt.n) == ("forged-game-1", 0)


def test_a_note_may_carry_signatures_of_others():
    text = RECEIPT.split("\n\n")[0] + "\n"
    both = f"{text}\n{OTHER.signature_line(text)}{ME.signature_line(text)}"
    assert read_receipt(both, (ME.key,)) is not None
    assert read_receipt(both, ()) is None


@pytest.mark.parametrize(
    "note",
    [
        "",
        "\n\n",
        RECEIPT[:-1],
        RECEIPT.replace("\n\n", "\n"),
        RECEIPT.replace("\n\n", "\n\n\n"),
        RECEIPT.replace("\u2014", "-"),
        RECEIPT.replace("forged-game-1", "forged-game-2"),
        RECEIPT.replace("\n0\n", "\n00\n"),
        RECEIPT + "no signature\n",
        "\n" + RECEIPT,
        RECEIPT.replace(" deal", "  deal"),
        RECEIPT.replace("pfd1", "pfd2"),
        RECEIPT + "\n",
        OTHER.receipt(DATA, 0),
        ME.note(f"pfd1 receipt\n{ORIGIN}\ngame\n0\n{'0' * 64}\nmore\n"),
        ME.note(f"pfd1 receipt\n{ORIGIN}\ngame\n0\n{'A' * 64}\n"),
        ME.note(f"pfd1 receipt\n{ORIGIN}\ngame\n-1\n{'0' * 64}\n"),
        ME.note("\n"),
        f"pfd1 receipt\n\ud800\ngame\n0\n{'0' * 64}\n\n\u2014 {ORIGIN} {'A' * 92}\n",
        "\u2014 \u2014\n" * 200,
    ],
)
def test_a_note_that_is_no_receipt_of_this_key_is_none(note):
    assert read_receipt(note, (ME.key,)) is None


def test_a_signature_that_is_no_canonical_base64_is_none():
    text = RECEIPT.split("\n\n")[0] + "\n"
    good = ME.signature_line(text)
    for bad in ("A", good.split()[2][:-1] + "==", good.split()[2].rstrip("=")):
        assert read_receipt(f"{text}\n\u2014 {ORIGIN} {bad}\n", (ME.key,)) is None


def test_a_signature_under_another_key_id_does_not_count():
    text = RECEIPT.split("\n\n")[0] + "\n"
    signature = bytes(4) + ME.private.sign(text.encode())
    line = f"\u2014 {ORIGIN} {base64.b64encode(signature).decode()}\n"
    assert read_receipt(f"{text}\n{line}", (ME.key,)) is None


def test_a_note_with_more_than_100_signatures_is_none():
    text = RECEIPT.split("\n\n")[0] + "\n"
    line = ME.signature_line(text)
    assert read_receipt(f"{text}\n{line * 100}", (ME.key,)) is not None
    assert read_receipt(f"{text}\n{line * 101}", (ME.key,)) is None


def test_a_key_of_the_same_name_and_another_id_does_not_count():
    assert read_receipt(Signer(seed=3).receipt(DATA, 0), (ME.key,)) is None


def test_only_the_last_gap_parts_text_from_signatures():
    note = ME.note("a\n\nb\n")
    verified = verify_note(note, (ME.key,))
    assert verified is not None
    assert verified[0] == "a\n\nb\n"


def test_notes_one_after_another_are_told_apart():
    second = ME.receipt(DATA, 1)
    for gap in ("", "\n", "\n\n \n"):
        assert split_notes(RECEIPT + gap + second) == [RECEIPT, second]
    assert split_notes("") == []
    assert split_notes("\n \n") == []
    assert split_notes("garbage") == ["garbage"]
    assert split_notes(RECEIPT + "garbage\n") == [RECEIPT, "garbage\n"]
    assert split_notes("a\u2028b\x85c\r\n") == ["a\u2028b\x85c\r\n"]
