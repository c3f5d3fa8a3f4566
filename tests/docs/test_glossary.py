"""The glossary explains every kind of record that the protocol has."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROTOCOL = (ROOT / "docs" / "protocol.md").read_text("utf-8")
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text("utf-8")


def test_every_kind_of_record_is_explained_and_no_other():
    table = PROTOCOL.split("| type | body |", 1)[1].split("\n\n", 1)[0]
    kinds = re.findall(r"^\| ([a-z]+) \|", table, re.MULTILINE)
    section = GLOSSARY.split("## The kinds of record", 1)[1]
    first_cells = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    assert [kind for cell in first_cells for kind in re.findall(r"`([a-z]+)`", cell)] == kinds


def test_no_word_is_both_said_and_avoided():
    rows = re.findall(r"^\| (\*\*.*?) \| .*? \| (.*?) \|$", GLOSSARY, re.MULTILINE)
    said = {word for cell, _ in rows for word in re.findall(r"\*\*([^*]+)\*\*", cell)}
    assert len(said) > 50
    # A word may be avoided for one thing and said for another, if the table says so in brackets.
    avoided = {word.strip() for _, cell in rows for word in cell.split(",") if "(" not in word}
    assert said & avoided == set()
