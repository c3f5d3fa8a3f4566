"""Every error and warning of docs/protocol.md is one that the verifier can give, and no other."""

import re
from pathlib import Path

from verifier.checkname import CODES

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "protocol.md").read_text("utf-8")
SOURCES = "".join(path.read_text("utf-8") for path in (ROOT / "verifier").rglob("*.py"))
CODE = re.compile(r"\b[EW]_[A-Z0-9]+(?:_[A-Z0-9]+)*\b")
# Stage 6, across games: an auditor's (3.2).
ACROSS_GAMES = {
    "E_MASTER_REUSED",
    "E_SPLIT_VIEW",
    "E_LOG_FORK",
    "W_GAME_DANGLING",
    "W_ABORT_RATE",
    "W_ABORT_BIAS",
}


def test_the_verifier_gives_every_code_of_the_page_and_no_other():
    assert set(CODE.findall(PAGE)) - ACROSS_GAMES == set(CODE.findall(SOURCES))


def test_every_code_of_a_check_is_one_of_the_page():
    assert set().union(*CODES.values()) <= set(CODE.findall(PAGE))
