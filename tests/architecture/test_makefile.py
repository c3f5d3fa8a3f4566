"""The Makefile: seeds of any text, and no more set-up than a target needs."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
PROBE = "probe:;@printenv FAIRDEAL_SEED"
SEEDS = [
    "Wolf Moon",
    'it\'s "quoted"',
    "$HOME $(shell touch pwned) ${PATH} $$ $x",
    "`touch pwned`; touch pwned & # no comment",
    "back\\slash \\n",
    "Grüße 🂡 ½",
    " leading and trailing ",
    "100%_done! *?[a-z]",
    "a=b:c,d",
]

pytestmark = pytest.mark.suite("makefile")


def make(*arguments, **environment):
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS", "SEED"))}
    clean.pop("FAIRDEAL_SEED", None)
    return subprocess.run(
        ["make", "--no-print-directory", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        env=clean | environment,
    )


# make itself drops blanks at the start of a value on its command line.
@pytest.mark.parametrize("seed", [seed.lstrip() for seed in SEEDS])
def test_a_seed_on_the_command_line_reaches_the_demo_as_typed(seed):
    run = make("-s", "--eval", PROBE, "probe", f"SEED={seed}")
    assert run.stdout == f"{seed}\n"
    assert not (ROOT / "pwned").exists()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_seed_in_the_environment_reaches_the_demo_as_typed(seed):
    assert make("-s", "--eval", PROBE, "probe", SEED=seed).stdout == f"{seed}\n"


def test_without_a_seed_the_demo_is_given_none():
    run = make("-s", "--eval", "probe:;@printenv FAIRDEAL_SEED || echo absent", "probe")
    assert run.stdout == "absent\n"


def test_make_alone_lists_every_target():
    phony = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    assert phony is not None
    listed = re.findall(r"^  make ([a-z]+)", make().stdout, re.MULTILINE)
    assert sorted(listed) == sorted(phony[1].split())


@pytest.mark.parametrize("target", ["demo", "play", "serve"])
def test_playing_installs_the_runtime_lock_only(target):
    planned = make("--dry-run", "--always-make", target).stdout
    assert "environment.py run" in planned
    assert "environment.py dev" not in planned
