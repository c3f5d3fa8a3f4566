"""Secrets stay silent, and nothing but 64 bytes is one."""

import logging
import traceback

import pytest

from fairdeal.fairness.keys import Secret, hand_secret

RAW = bytes(range(64))


def test_a_secret_has_no_text_form_that_shows_it():
    secret = Secret(RAW)
    forms = [repr(secret), str(secret), f"{secret}", repr([secret]), "%s" % secret]  # noqa: UP031
    for form in forms:
        assert "000102" not in form
        assert r"\x01" not in form


def test_a_secret_in_a_log_line_is_silent(caplog):
    logging.getLogger("test").warning("secret %r %s", Secret(RAW), Secret(RAW))
    assert "000102" not in caplog.text


@pytest.mark.parametrize("raw", [b"", RAW[:63], RAW + b"x", bytearray(RAW), RAW.hex()])
def test_anything_but_64_bytes_is_no_secret_and_is_not_quoted(raw):
    with pytest.raises(ValueError, match="a secret has 64 bytes") as refused:
        Secret(raw)
    assert "\\x01" not in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        RAW.hex()[:-1],
        RAW.hex().upper(),
        " " + RAW.hex(),
        RAW.hex() + "\n",
        RAW.hex()[:-1] + "g",
    ],
)
def test_a_secret_is_read_from_128_lower_case_digits_only_and_not_quoted(text):
    with pytest.raises(ValueError, match="a secret") as refused:
        Secret.from_hex(text)
    shown = "".join(traceback.format_exception(refused.value))
    assert "000102" not in shown


def test_a_secret_reads_back_from_its_hex():
    assert Secret.from_hex(Secret(RAW).hex()) == Secret(RAW)


def test_secrets_are_equal_by_their_bytes_and_equal_to_nothing_else():
    assert Secret(RAW) == Secret(bytes(RAW))
    assert Secret(RAW) != Secret(RAW[::-1])
    assert Secret(RAW) != RAW


def test_a_secret_is_no_key_of_a_dict():
    # A hash would be a second, unguarded way to compare.
    with pytest.raises(TypeError, match="unhashable"):
        hash(Secret(RAW))


def test_a_secret_cannot_be_changed():
    with pytest.raises(AttributeError):
        Secret(RAW).raw = bytes(64)  # type: ignore[misc]


def test_hands_count_from_one():
    with pytest.raises(ValueError, match="count from 1"):
        hand_secret(Secret(RAW), "vector-game-1", 0)
