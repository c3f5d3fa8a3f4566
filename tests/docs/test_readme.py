"""The README's commands exist, and the cheap ones print what it says they print."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]
README = PAGES[0].read_text("utf-8")
TARGETS = re.findall(r"^([a-z]+):.*## ", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)


def console_examples(text):
    """Return (command, the lines shown below it) for each ``console`` block."""
    blocks = re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    examples = []
    for block in blocks:
        first, *shown = block.splitlines()
        assert first.startswith("$ "), f"a console block begins with a command: {first!r}"
        examples.append((first.removeprefix("$ "), [line for line in shown if line != "..."]))
    return examples


EXAMPLES = console_examples(README)


@pytest.mark.slow
@pytest.mark.parametrize(("command", "shown"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_an_example_prints_what_the_readme_shows(command, shown):
    program, *arguments = shlex.split(command)
    assert program == "python3"
    run = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    rest = run.stdout
    assert shown, "an example shows at least its first line"
    assert rest.startswith(shown[0]), rest + run.stderr
    for line in shown:
        assert line in rest, run.stdout
        rest = rest[rest.index(line) + len(line) :]


def test_the_readme_shows_a_game_that_holds_and_one_that_does_not():
    assert {shown[0].split()[0] for _, shown in EXAMPLES} == {"VALID", "INVALID"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_make_target_that_a_page_names_exists(page):
    code = re.findall(r"`([^`\n]+)`|^(make .*)$", page.read_text("utf-8"), re.MULTILINE)
    spans = [inline or line for inline, line in code]
    named = {m[1] for span in spans if (m := re.match(r"make ([a-z]+)", span))}
    assert named, "the page names no target"
    assert named <= set(TARGETS)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_that_a_page_names_exists(page):
    text = page.read_text("utf-8")
    linked = re.findall(r"\]\(([^)#]+)\)", text)
    named = re.findall(r"`((?:docs|tests|fairdeal|api|verifier|scripts)/[^`\s]*)`", text)
    missing = [path for path in (*linked, *named) if not (ROOT / path).exists()]
    assert missing == []


def test_the_readme_says_what_is_not_proved():
    assert "Not proved:" in README
    assert "The service sees all cards." in README


@pytest.mark.parametrize("page", [*PAGES, ROOT / "docs" / "glossary.md"], ids=lambda p: p.name)
def test_no_page_claims_more_than_can_be_proved(page):
    lowered = page.read_text("utf-8").lower()
    assert [
        claim for claim in ("provably random", "100 % fair", "100% fair") if claim in lowered
    ] == []
