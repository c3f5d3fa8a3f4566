"""Lines refuse what could be read as another line."""

from typing import Any

import pytest

from fairdeal.errors import MalformedInput
from fairdeal.fairness.keys import Secret
from fairdeal.fairness.lines import card_line, hand_line, master_line, seat_line, seed_sha256

GAME, HASH, SECRET = "vector-game-1", "ab" * 32, Secret(bytes(64))


def seat(**changed):
    fields: dict[str, Any] = {
        "game": GAME, "epoch": 1, "seat": 0, "open_hash": HASH, "nonce": HASH, "seed_sha256": HASH,
    }  # fmt: skip
    return seat_line(**(fields | changed))


@pytest.mark.parametrize(
    "game", ["", "a" * 7, "a" * 65, "-abcdefg", "Abcdefgh", "abcd:efgh", "abcdefgh\n", "äbcdefgh"]
)
def test_a_line_refuses_what_is_no_name_of_a_game(game):
    for write in (
        lambda: master_line(game, SECRET),
        lambda: hand_line(game, 1, SECRET),
        lambda: seat(game=game),
        lambda: card_line(game, 1, 0, HASH, [1]),
    ):
        with pytest.raises(MalformedInput, match="field game"):
            write()


@pytest.mark.parametrize("game", ["a" * 8, "0" * 64, "a._-a._-"])
def test_a_line_takes_a_name_within_the_bounds(game):
    assert master_line(game, SECRET).startswith(f"pfd1:master:{game}:".encode())


@pytest.mark.parametrize("field", ["open_hash", "nonce", "seed_sha256"])
@pytest.mark.parametrize("value", ["", "ab" * 31, "AB" * 32, "ab" * 33, "ab" * 32 + "\n", "g" * 64])
def test_a_seat_line_names_the_field_that_is_not_32_bytes_in_hex(field, value):
    with pytest.raises(MalformedInput) as refused:
        seat(**{field: value})
    assert refused.value.code == "bad_field"
    assert refused.value.facts == {"field": field}


@pytest.mark.parametrize(("field", "value"), [("epoch", 0), ("seat", -1), ("epoch", True)])
def test_a_seat_line_refuses_numbers_out_of_range(field, value):
    with pytest.raises(MalformedInput, match=f"field {field}"):
        seat(**{field: value})


def test_a_card_line_refuses_a_card_that_is_no_position():
    with pytest.raises(MalformedInput, match="field cards"):
        card_line(GAME, 1, 0, HASH, [3, -1])


def test_a_card_line_of_an_empty_hand_has_an_empty_list():
    assert card_line(GAME, 1, 0, HASH, []).endswith(HASH.encode() + b":\n")


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb", "x" * 1025, "é" * 513])
def test_a_bad_seed_text_is_refused_without_being_quoted(text):
    with pytest.raises(MalformedInput) as refused:
        seed_sha256(text)
    assert refused.value.code == "bad_seed_text"
    assert text not in refused.value.sentence
    assert refused.value.__cause__ is None
    assert refused.value.__suppress_context__ or refused.value.__context__ is None


def test_a_seed_text_of_1024_bytes_is_taken():
    assert len(seed_sha256("é" * 512)) == 64


def test_one_text_in_two_normal_forms_has_two_hashes():
    assert seed_sha256("h\u00f6") != seed_sha256("ho\u0308")
