"""Says how the text behind a share most likely differs from the text that was typed (§3.1).

A seed is its bytes (§2.4), and keyboards, phones and shells change bytes without being asked.
Every form here is one such change; where none fits alone, every two of them are tried together.
"""

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

Form: TypeAlias = tuple[str, Callable[[str], str]]

_DASHES: Final = "[\u2010-\u2015\u2212]"
_WIDE_BLANKS: Final = "[\u00a0\u2000-\u200a\u202f\u205f\u3000]"
_UNSEEN: Final = "[\u00ad\u200b-\u200f\u2060\ufeff]"
_STRAIGHT: Final = str.maketrans(
    {**dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb", '"')}
    | dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'")
)


def explain_seed(typed: bytes, seed_sha256: str) -> str:
    """Return a clause that says which form of the typed text has the hash in the share."""
    text = typed.decode()
    for name, form in _forms(text):
        if hashlib.sha256(form).hexdigest() == seed_sha256:
            return f"that hash fits your text {name}"
    return "that hash fits no usual form of your text"


def _forms(text: str) -> Iterator[tuple[str, bytes]]:
    yield "as it is", text.encode()
    for name, change in _CHANGES:
        yield name, change(text).encode()
    for name, codec in (
        ("Latin-1", "latin-1"),
        ("Windows-1252", "cp1252"),
        ("UTF-16", "utf-16-le"),
    ):
        yield f"written in {name} instead of UTF-8", text.encode(codec, "replace")
    for first, change in _CHANGES:
        changed = change(text)
        if changed == text:
            continue
        for second, further in _CHANGES:
            yield f"{first} and {second}", further(changed).encode()


def _normal(form: str) -> Form:
    def normalise(text: str) -> str:
        return unicodedata.normalize(form, text)  # type: ignore[arg-type]  # one of the four

    return f"in the normal form {form}", normalise


def _replaced(name: str, pattern: str, by: str) -> Form:
    return name, lambda text: re.sub(pattern, by, text)


def _quoted(name: str, double: str, single: str) -> Form:
    return name, lambda text: _curl(_curl(text, '"', double), "'", single)


def _curl(text: str, plain: str, pair: str) -> str:
    """Return the text with its straight marks turned into opening and closing ones by turns."""
    parts = text.split(plain)
    made = parts[0]
    for index, part in enumerate(parts[1:]):
        made += pair[index % 2] + part
    return made


# What keyboards, phones, forms and shells do to a text, each by the name of what came out.
_CHANGES: Final[tuple[Form, ...]] = (
    _normal("NFC"),
    _normal("NFD"),
    ("without its last line end", lambda text: text.removesuffix("\n").removesuffix("\r")),
    ("without the blanks around it", str.strip),
    ("without the blanks before it", str.lstrip),
    ("without the blanks after it", str.rstrip),
    ("with a blank after it", lambda text: text + " "),
    ("with a blank before it", lambda text: " " + text),
    ("with a line end (LF)", lambda text: text + "\n"),
    ("with a line end (CR LF)", lambda text: text + "\r\n"),
    ("with its line ends as LF", lambda text: re.sub("\r\n?", "\n", text)),
    ("with its line ends as CR LF", lambda text: re.sub("\r\n?|\n", "\r\n", text)),
    ("with its line ends as blanks", lambda text: re.sub("\r\n?|\n", " ", text)),
    ("without the byte order mark", lambda text: text.removeprefix("\ufeff")),
    ("with a byte order mark", lambda text: "\ufeff" + text),
    ("with straight quotation marks", lambda text: text.translate(_STRAIGHT)),
    _quoted("with typographic quotation marks", "\u201c\u201d", "\u2018\u2019"),
    _quoted("with German quotation marks", "\u201e\u201c", "\u201a\u2018"),
    _quoted("with French quotation marks", "\u00ab\u00bb", "\u2039\u203a"),
    ("with typographic apostrophes", lambda text: text.replace("'", "\u2019")),
    _replaced("with hyphens for its dashes", _DASHES, "-"),
    _replaced("with two hyphens for its dashes", _DASHES, "--"),
    _replaced("with an en dash for its hyphens", "--?", "\u2013"),
    _replaced("with an em dash for its hyphens", "--?", "\u2014"),
    _replaced("with common blanks for its non-breaking ones", _WIDE_BLANKS, " "),
    ("with non-breaking blanks", lambda text: text.replace(" ", "\u00a0")),
    _replaced("with single blanks", "[ \t]+", " "),
    _replaced("with a full stop for two blanks", "  ", ". "),
    _replaced("without its unseen characters", _UNSEEN, ""),
    ("with three dots for its ellipsis", lambda text: text.replace("\u2026", "...")),
    ("with an ellipsis for its three dots", lambda text: text.replace("...", "\u2026")),
    ("in small letters", str.lower),
    ("in capital letters", str.upper),
    ("with its first letter a capital", lambda text: text[:1].upper() + text[1:]),
    ("with its first letter a small one", lambda text: text[:1].lower() + text[1:]),
    ("with a full stop after it", lambda text: text + "."),
    ("without its last full stop", lambda text: text.removesuffix(".")),
    ("with quotation marks around it", lambda text: f'"{text}"'),
    ("with single quotation marks around it", lambda text: f"'{text}'"),
    _normal("NFKC"),
    _normal("NFKD"),
)
