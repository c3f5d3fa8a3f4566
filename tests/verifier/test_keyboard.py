"""A typed seed that differs only by the keyboard is named (docs/protocol.md 3.1)."""

import hashlib

import pytest

from tests.verifier.forge import Forge, check
from verifier.held import Held, OwnSeed
from verifier.keyboard import explain_seed

# What was typed, what was sent, and how the report names it.
DIFFERENCES = [
    ("Zoe\u0308 7", "Zo\u00eb 7", "in the normal form NFC"),
    ("Zo\u00eb 7", "Zoe\u0308 7", "in the normal form NFD"),
    ("\ufb01ve \u2460", "five 1", "in the normal form NFKC"),
    ("\ufb01ve Zo\u00eb", "five Zoe\u0308", "in the normal form NFKD"),
    (" luck ", "luck", "without the blanks around it"),
    (" luck ", "luck ", "without the blanks before it"),
    (" luck ", " luck", "without the blanks after it"),
    ("luck", "luck ", "with a blank after it"),
    ("luck", "luck\n", "with a line end (LF)"),
    ("luck", "luck\r\n", "with a line end (CR LF)"),
    ("luck\r\n", "luck", "without its last line end"),
    ("a\r\nb", "a\nb", "with its line ends as LF"),
    ("a\nb", "a\r\nb", "with its line ends as CR LF"),
    ("\ufeffluck", "luck", "without the byte order mark"),
    ("luck", "\ufeffluck", "with a byte order mark"),
    ("\u201cno\u201d, it\u2019s", '"no", it\'s', "with straight quotation marks"),
    ('"no" now', "\u201cno\u201d now", "with typographic quotation marks"),
    ('"nein"', "\u201enein\u201c", "with German quotation marks"),
    ("it's, that's", "it\u2019s, that\u2019s", "with typographic apostrophes"),
    ("7 \u2013 9", "7 - 9", "with hyphens for its dashes"),
    ("7 -- 9", "7 \u2014 9", "with an em dash for its hyphens"),
    ("7\u00a09", "7 9", "with common blanks for its non-breaking ones"),
    ("7 9", "7\u00a09", "with non-breaking blanks"),
    ("7  9", "7. 9", "with a full stop for two blanks"),
    ("7\t 9", "7 9", "with single blanks"),
    ("7\u200b9", "79", "without its unseen characters"),
    ("well...", "well\u2026", "with an ellipsis for its three dots"),
    ("Luck", "luck", "in small letters"),
    ("luck", "LUCK", "in capital letters"),
    ("luck be", "Luck be", "with its first letter a capital"),
    ("Zo\u00eb", "Zo\u00eb".encode("latin-1"), "written in Latin-1 instead of UTF-8"),
    ("luck", '"luck"', "with quotation marks around it"),
    (" Zoe\u0308", "Zo\u00eb", "in the normal form NFC and without the blanks around it"),
]


def clause(typed: str, sent: str | bytes) -> str:
    data = sent if isinstance(sent, bytes) else sent.encode()
    return explain_seed(typed.encode(), hashlib.sha256(data).hexdigest())


@pytest.mark.parametrize(("typed", "sent", "name"), DIFFERENCES, ids=ascii)
def test_the_difference_is_named(typed, sent, name):
    assert clause(typed, sent) == f"that hash fits your text {name}"


def test_twenty_keyboards_and_more_are_told_apart():
    assert len({name for _, _, name in DIFFERENCES}) == len(DIFFERENCES) >= 20


def test_another_text_fits_no_form():
    assert clause("luck", "skill") == "that hash fits no usual form of your text"
    assert clause("", "skill") == "that hash fits no usual form of your text"


def test_the_report_of_a_seed_that_does_not_fit_says_which_form_does():
    game = Forge().share(text="luck").lock().play().end()
    report = check(game, Held(own_seed=OwnSeed(seat=0, texts={None: b" luck"})))
    assert [error.code for error in report.errors] == ["E_OWN_SEED"]
    assert report.errors[0].detail.endswith("fits your text without the blanks around it")
