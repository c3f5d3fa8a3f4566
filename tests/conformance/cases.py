"""The published cases as command lines: a folder's evidence.json to flags, its answer to compare.

Any verifier can be tried: FAIRDEAL_VERIFIER names the program and its first arguments. It gets the
flags of docs/protocol.md 3.1 and `--json`, and must print the object of 3.4.
"""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
VECTORS: Final = ROOT / "tests" / "vectors"
PROGRAM: Final = "FAIRDEAL_VERIFIER"
DEFAULT: Final = (sys.executable, "-E", "-m", "verifier")
EXITS: Final = {"VALID": 0, "INVALID": 1, "FRAUD": 1, "INCOMPLETE": 3, "MALFORMED": 4}


@dataclass(frozen=True)
class Case:
    folder: Path
    evidence: dict[str, Any]
    expect: dict[str, Any]

    @property
    def name(self) -> str:
        return f"{self.folder.parent.name}-{self.folder.name}"


def all_cases(name: str) -> Iterator[Case]:
    for path in sorted((VECTORS / name).glob("*/expect.json")):
        folder = path.parent
        evidence = json.loads((folder / "evidence.json").read_bytes())
        yield Case(folder, evidence, json.loads(path.read_bytes()))


def flags(case: Case, scratch: Path) -> list[str]:
    """Return the arguments that hand over a case's evidence; files are written to scratch."""
    evidence = case.evidence
    made: list[str] = []
    for key, flag in (("commit", "--commit"), ("table_code", "--table-code")):
        if key in evidence:
            made.append(f"{flag}={evidence[key]}")
    for index, note in enumerate(evidence.get("receipts", [])):
        path = scratch / f"receipt-{index}"
        path.write_bytes(note.encode())
        made += ["--receipts", str(path)]
    if "log_vkey" in evidence:
        made.append(f"--log-key={evidence['log_vkey']}")
    if "own_seed" in evidence:
        seed = evidence["own_seed"]
        text = f"{seed['epoch']}:{seed['text']}" if "epoch" in seed else f":{seed['text']}"
        made += [f"--seed={text}", f"--seat={seed['seat']}"]
    if "hand_cards" in evidence:
        path = scratch / "hand-cards"
        path.write_text(json.dumps(evidence["hand_cards"]))
        made += ["--hand-cards", str(path)]
    for index, note in enumerate(evidence.get("checkpoints", [])):
        path = scratch / f"checkpoint-{index}"
        path.write_bytes(note.encode())
        made += ["--checkpoint", str(path)]
    if "log_lines_file" in evidence:
        made += ["--log", str(case.folder / evidence["log_lines_file"])]
    made += [f"--witness={key}" for key in evidence.get("witness_vkeys", [])]
    if "witness_quorum" in evidence:
        made.append(f"--quorum={evidence['witness_quorum']}")
    if "now_ms" in evidence:
        made.append(f"--now={evidence['now_ms']}")
    return made


def program() -> list[str]:
    named = os.environ.get(PROGRAM)
    return shlex.split(named) if named else list(DEFAULT)


def run(arguments: list[str], given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*program(), *arguments], cwd=ROOT, input=given, capture_output=True, timeout=60
    )
