"""The generated pages are up to date, and what they say fits docs/rules.md."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from fairdeal.canasta.fields import FIELDS
from fairdeal.canasta.fieldwords import FIELD_WORDS, SECTIONS, phrase
from fairdeal.canasta.pages import pages
from fairdeal.canasta.pages.absent import ABSENT
from fairdeal.canasta.pages.questions import QUESTIONS, answers
from fairdeal.canasta.pages.terms import TERMS
from fairdeal.canasta.presets import PRESETS
from fairdeal.canasta.sentences import CODES, ENGLISH, RULES
from fairdeal.canasta.sources import SOURCES
from fairdeal.cli.rules import rules

DOCS = Path(__file__).resolve().parents[2] / "docs"
RULES_MD = (DOCS / "rules.md").read_text("utf-8")
NUMBERS = set(re.findall(r"^\| (R-X?\d+) \|", RULES_MD, re.MULTILINE))


def run(*words):
    found = CliRunner().invoke(rules, words)
    return found.exit_code, found.output


@pytest.mark.parametrize("name", pages())
def test_a_page_is_as_the_code_writes_it(name):
    assert (DOCS / name).read_text("utf-8") == pages()[name], "run: fairdeal rules page"


def test_no_page_is_left_of_a_preset_that_is_gone():
    there = {f"presets/{path.name}" for path in (DOCS / "presets").iterdir()}
    assert there == {name for name in pages() if name.startswith("presets/")}


@pytest.mark.parametrize("nickname", ["partnership", "basics", "hoyle", "glintwick", "cardems"])
def test_the_kind_of_text_behind_a_nickname_is_said(nickname):
    _, _, section = RULES_MD.partition("\n### Where these names come from\n")
    assert f"\n| {nickname} | " in section.partition("\n## ")[0]


def test_no_address_is_given_of_a_text_whose_address_is_not_known():
    said = [RULES_MD, *(source.words for source in SOURCES.values()), *pages().values()]
    assert not [text for text in said if re.search(r"https?://|www\.", text)]


def test_every_field_has_words_a_rule_and_a_source():
    assert list(FIELD_WORDS) == list(FIELDS)
    assert list(SOURCES) == list(FIELDS)
    assert {words.section for words in FIELD_WORDS.values()} == set(SECTIONS)
    assert all(source.rules and source.words for source in SOURCES.values())


def test_the_rules_of_a_field_are_those_of_the_field_table():
    for field, source in SOURCES.items():
        row = re.search(rf"^\| `{field}` \|(.*)$", RULES_MD, re.MULTILINE)
        assert row, field
        assert set(re.findall(r"R-X?\d+", row[1])) <= {
            *source.rules,
            *(["R-44"] if field == "take_unfrozen" else []),
        }, field
        assert set(source.rules) <= NUMBERS


def test_every_rule_behind_a_code_exists_and_is_named_beside_it():
    assert set(RULES.values()) <= NUMBERS
    for code in CODES:
        assert code in RULES_MD


@pytest.mark.parametrize("name", PRESETS)
def test_every_value_of_a_preset_has_a_phrase(name):
    for field, value in PRESETS[name].items():
        assert phrase(field, value)


def test_two_values_of_a_field_read_differently():
    for field in FIELDS:
        told = {phrase(field, preset[field]) for preset in PRESETS.values()}
        held = {repr(preset[field]) for preset in PRESETS.values()}
        assert len(told) == len(held), field


def test_diff_names_in_words_what_differs():
    code, output = run("diff", "classic", "bicycle@1")
    assert code == 0
    assert output.splitlines()[-1] == (
        "A black three: blocks the pile while it is on top (classic@1); "
        "freezes the pile (bicycle@1)."
    )
    assert len(output.splitlines()) == 4


def test_diff_of_a_ruleset_with_itself_says_so():
    assert run("diff", "pagat", "pagat@1") == (0, "pagat@1 and pagat@1 do not differ.\n")


def test_show_takes_a_preset_with_fields_changed():
    code, output = run("show", "classic;canastas_to_go_out=2")
    assert code == 0
    assert "- Canastas needed to go out: 2 canastas (classic: 1 canasta)." in output


def test_the_list_names_what_a_preset_leaves_to_be_chosen():
    _, output = run("list")
    six = next(line for line in output.splitlines() if line.startswith("six-player"))
    assert six.endswith("to be chosen: decks, jokers, hand_size, red3_all, target")
    assert len(output.splitlines()) == len(PRESETS) == 15


def test_pages_are_written_and_checked(tmp_path):
    assert run("page", str(tmp_path), "--check")[0] == 1
    assert run("page", str(tmp_path))[0] == 0
    assert run("page", str(tmp_path), "--check") == (0, "")
    (tmp_path / "terms.md").write_text("old", "utf-8")
    code, output = run("page", str(tmp_path), "--check")
    assert (code, "terms.md" in output) == (1, True)


def test_terms_and_questions_and_absences_have_no_double():
    assert list(TERMS) == sorted(TERMS)
    assert len({one.name for one in ABSENT}) == len(ABSENT)
    assert len({one.name for one in QUESTIONS}) == len(QUESTIONS) == 10


def test_no_game_that_is_not_offered_is_a_preset():
    names = {name.partition("@")[0].lower() for name in PRESETS}
    assert not names & {one.name.lower() for one in ABSENT}


@pytest.mark.parametrize("one", QUESTIONS, ids=lambda one: one.name)
def test_the_referee_answers_a_question_as_its_page_says(one):
    for case in one.cases:
        assert next(answers(case)) == (case.code, case.sentence)
        assert one.rule in NUMBERS


def test_every_code_has_a_general_sentence_and_at_least_one_case():
    for code in CODES:
        assert set(ENGLISH.texts[code]) > {"help"}


def test_every_template_is_short_before_its_values_are_filled_in():
    for texts in ENGLISH.texts.values():
        for text in texts.values():
            assert len(re.sub(r"\{\w+\}", "", text)) <= 110
