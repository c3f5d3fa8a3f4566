"""Asks the whole description of the interface for what it promises: `python -m benchmarks.schema`.

schemathesis makes the requests, right ones and wrong ones, and holds every answer against the
description with every check that it has. One setting differs from its own: 422, by which the rules
of a game refuse, is an answer that a well-formed request may get. The service is a process of its
own on loopback. The first run shows what token each operation wants; the others show one token
everywhere, so that every operation is asked by every role.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.schema.world import World, prepare
from fairdeal.cli.server import Server

ORIGIN: Final = "fairdeal.localhost/schema"
SEED: Final = 5
WORLD: Final = "FAIRDEAL_SCHEMA_WORLD"
HOOKS: Final = Path(__file__).with_name("hooks.py")

#: What a well-formed request may be answered with: as schemathesis has it, and 422.
_EXPECTED: Final = ("2xx", "3xx", "401", "403", "404", "409", "422", "429")

_ANSWER: Final = re.compile(r"fairdeal\.access req_\w+ (?P<what>\S+ \S+) (?P<status>\d+) ")

DESCRIBED: Final = "as described"
NOBODY: Final = "nobody"


@dataclass(frozen=True, slots=True)
class Run:
    """One run of schemathesis.

    Attributes:
        name: What is shown: what each operation wants, nothing, or a token by its name.
        phases: Of schemathesis.
        token: What is shown everywhere, or None.
    """

    name: str
    phases: str
    token: str | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """What came of a run.

    Attributes:
        name: Of the run.
        passed: Whether every check passed.
        text: What schemathesis says.
        answers: How many answers of each status, by operation as the service's log names it.
    """

    name: str
    passed: bool
    text: str
    answers: Counter[tuple[str, int]]


def runs(world: World) -> tuple[Run, ...]:
    """Return the runs."""
    roles = (Run(name, "fuzzing", token) for name, token in world.tokens.items())
    described = Run(DESCRIBED, "examples,coverage,fuzzing,stateful")
    return (described, Run(NOBODY, "fuzzing"), *roles)


def ask(examples: int, only: Collection[str] = ()) -> Iterator[Said]:
    """Start a service, run, and yield what came of each run.

    Args:
        examples: How many requests an operation, a phase and a run.
        only: Names of runs; all of them if empty.

    Raises:
        RuntimeError: The service did not start.
    """
    with tempfile.TemporaryDirectory(prefix="fairdeal-schema-") as home:
        folder = Path(home)
        log = folder / "log"
        served = folder / "service"
        with log.open("wb") as sink, Server(served, ORIGIN, sink, has_log=True) as server:
            world = prepare(server)
            for run in runs(world):
                if not only or run.name in only:
                    begun = log.stat().st_size
                    passed, text = _ask(server.url, world, run, examples, folder)
                    with log.open("rb") as written:
                        written.seek(begun)
                        answers = Counter(_answered(written.read().decode()))
                    yield Said(run.name, passed, text, answers)


def never(answers: Iterable[tuple[str, int]]) -> list[str]:
    """Return the operations that were asked and never answered with success."""
    asked = list(answers)
    succeeded = {what for what, status in asked if status < 300}
    return sorted({what for what, _ in asked if "/" in what} - succeeded)


def _answered(log: str) -> Iterator[tuple[str, int]]:
    """Yield the operation and the status of each answer in the service's log."""
    for line in log.splitlines():
        found = _ANSWER.search(line)
        if found is not None:
            yield found["what"], int(found["status"])


def _ask(url: str, world: World, run: Run, examples: int, folder: Path) -> tuple[bool, str]:
    world.write(folder / "world.json", run.name, url)
    config = folder / "schemathesis.toml"
    config.write_text(_configuration(world, run, examples), "utf-8")
    ended = subprocess.run(
        [sys.executable, "-m", "schemathesis.cli", "--config-file", config, "--no-color", "run",
         f"{url}/openapi.json", "--checks", "all", "--phases", run.phases, "--warnings", "off",
         *(() if run.token is None else ("--header", f"Authorization: Bearer {run.token}"))],
        cwd=folder,
        env={**os.environ, WORLD: str(folder / "world.json"), "SCHEMATHESIS_HOOKS": str(HOOKS)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )  # fmt: skip
    return ended.returncode == 0, ended.stdout


def _configuration(world: World, run: Run, examples: int) -> str:
    told: dict[str, Any] = {
        "seed": SEED,
        "workers": 1,
        "continue-on-failure": True,
        "request-timeout": 30.0,
        "generation": {"max-examples": examples},
        "checks": {"positive_data_acceptance": {"expected-statuses": list(_EXPECTED)}},
    }
    if run.name == DESCRIBED:
        schemes = {name: {"bearer": token} for name, token in world.schemes.items()}
        told["auth"] = {"openapi": schemes}
    return "".join(f"{json.dumps(name)} = {_toml(value)}\n" for name, value in told.items())


def _toml(value: object) -> str:
    """Write a value as TOML; JSON's texts, numbers and lists are TOML too."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(k)} = {_toml(v)}" for k, v in value.items()) + "}"
    return json.dumps(value)
