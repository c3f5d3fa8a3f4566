"""The search itself: it finds any 16 bytes of a secret in any dress, and nothing else."""

import base64

import pytest

from tests.secrecy.needles import Needles

SECRET = bytes((value * 37 + 11) % 256 for value in range(64))
DRESSES = {
    "raw": bytes,
    "hex": lambda piece: piece.hex().encode(),
    "upper hex": lambda piece: piece.hex().upper().encode(),
    "base64": base64.b64encode,
    "urlsafe base64": base64.urlsafe_b64encode,
    "base64 behind a byte": lambda piece: base64.b64encode(b"?" + piece),
    "base64 behind two bytes": lambda piece: base64.b64encode(b"??" + piece),
}


@pytest.fixture
def needles():
    made = Needles()
    made.add("the secret", SECRET)
    return made


@pytest.mark.parametrize("dress", DRESSES.values(), ids=DRESSES)
def test_every_piece_of_16_bytes_is_found(needles, dress):
    for at in range(len(SECRET) - 15):
        sink = b'{"a":"' + dress(SECRET[at : at + 16]) + b'"}'
        assert needles.found_in(sink) == {"the secret"}, at


def test_other_bytes_are_not_found(needles):
    assert needles.found_in(bytes(range(256)) * 4 + SECRET[::-1].hex().encode()) == set()


def test_a_token_is_found(needles):
    needles.add_text("a token", "cd_live_seat_" + "abcdefghij" * 4)
    assert needles.found_in(b"xx" + b"abcdefghij" * 4) == {"a token"}


@pytest.mark.parametrize("dress", ["[{}]", "({})", "x {} y"])
@pytest.mark.parametrize("between", [",", ", ", '","', "', '", '",\n "'])
def test_a_row_of_cards_is_found(needles, dress, between):
    needles.add_row("a hand", ["4C", "5D", "JK", "2S", "TH", "9C", "9D", "QS"])
    text = dress.format(between.join(["5D", "JK", "2S", "TH", "9C", "9D"]))
    assert needles.found_in(text.encode()) == {"a hand"}


def test_five_cards_and_a_meld_are_no_row(needles):
    needles.add_row("a hand", ["4C", "4C", "4D", "4D", "4H", "4S", "5S", "6D", "7C", "8D"])
    assert needles.found_in(b"lay 4:4C,4C,4D,4D,4H,4S") == set()
    assert needles.found_in(b"4S,5S,6D,7C,8D") == set()
