"""The command line: ``python -m verifier FILE`` (§3.1). Never goes online, asks no clock."""

import argparse
import json
import stat
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, Final, cast

from verifier import VERSION
from verifier.held import (
    Held,
    HeldFault,
    OwnSeed,
    parse_commit,
    parse_hand_cards,
    parse_note_list,
    parse_seed,
    parse_table_code,
)
from verifier.notes import KeyFault, VerifierKey, parse_key, split_notes
from verifier.reading import FileChangedError, spool
from verifier.report import to_json, to_text
from verifier.selfhash import self_hash
from verifier.verdict import LEVELS, USAGE_EXIT, Report
from verifier.verify import verify

_MAX_EVIDENCE: Final = 16 * 2**20  # bytes of one file of receipts or cards
_EXAMPLES: Final = """
examples:
  fairdeal-verify game.jsonl --table-code 'SXJR NWT6 BRQ5 K5KR 6SBW BG34 6U'
  fairdeal-verify game.jsonl --log-key "$KEY" --receipts mine.txt
  fairdeal-verify game.jsonl --seed 'what I typed' --seat 0 --explain
  curl -s ADDRESS | fairdeal-verify - --commit 95d316da... --json

receipts: signed notes one after another, each as it was sent; or a JSON list of such texts.
exit status: 0 VALID, 1 INVALID or FRAUD, 2 wrong arguments or unreadable file,
  3 INCOMPLETE or VALID below --require, 4 MALFORMED.
"""


class UsageFault(Exception):
    """The arguments are wrong or a file cannot be read; nothing was judged."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status (§3.3)."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.version:
        _print(f"fairdeal-verify {VERSION} (pfd1), sha256 of its sources {self_hash()}\n")
        return 0
    try:
        report = _run(options)
        if options.proof and report.proof:
            Path(options.proof).write_text(json.dumps(report.proof, indent=1) + "\n")
    except (UsageFault, HeldFault, KeyFault, FileChangedError, OSError) as fault:
        print(
            f"{parser.prog}: {fault}".encode("ascii", "backslashreplace").decode(), file=sys.stderr
        )
        return USAGE_EXIT
    if options.json:
        _print(to_json(report) + "\n")
    else:
        _print(to_text(report, explain=options.explain))
        if options.explain:
            _print(f"checked by fairdeal-verify {VERSION}, sha256 {self_hash()}\n")
    return report.exit_status(options.require)


def _run(options: argparse.Namespace) -> Report:
    held = _held(options)
    if options.file is None:
        raise UsageFault("no FILE was given; - reads standard input")
    if options.file == "-":
        return verify(spool(sys.stdin.buffer), held)
    with Path(options.file).open("rb") as file:
        if stat.S_ISREG(Path(options.file).stat().st_mode):
            return verify(file, held)
        return verify(spool(cast("BinaryIO", file)), held)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="fairdeal-verify",
        description="Checks a game record of the dealing protocol pfd1.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add(
        "file", metavar="FILE", nargs="?", help="the game record (JSON lines); - for standard input"
    )
    add("--commit", metavar="HEX", help="a hash you noted: that of record 0, or master_commit")
    add(
        "--table-code", metavar="CODE", help="the table code you noted; blanks and hyphens are free"
    )
    add(
        "--receipts",
        metavar="FILE",
        action="append",
        default=[],
        help="signed receipts; repeatable",
    )
    add("--log-key", metavar="VKEY", help="the log's public key, NAME+KEYID+BASE64")
    add(
        "--receipt-key",
        metavar="VKEY",
        action="append",
        default=[],
        help="a key that signs receipts; repeatable; without it, the log's key",
    )
    add(
        "--seed",
        metavar="[EPOCH:]TEXT",
        action="append",
        default=[],
        help="the text you typed, exactly; :TEXT where it begins with a number and a colon",
    )
    add("--seat", metavar="N", type=_number, help="the seat you typed it for, from 0")
    add("--hand-cards", metavar="FILE", help="JSON list of {hand, seat, cards, salt}: what you saw")
    add("--now", metavar="MS", type=_number, help="a trusted time, ms since 1970, for the deadline")
    add("--checkpoint", metavar="FILE", action="append", default=[], help="not judged yet")
    add("--log", metavar="FILE", help="not judged yet")
    add("--witness", metavar="VKEY", action="append", default=[], help="not judged yet")
    add("--quorum", metavar="K", type=_number, help="not judged yet")
    add("--require", choices=LEVELS, help="exit with 3 if VALID comes with a lower level")
    add("--proof", metavar="FILE", help="where to write lines, notes and key if it is FRAUD")
    add("--json", action="store_true", help="print one JSON object")
    add("--explain", action="store_true", help="say how each check went; show all hands")
    add("--version", action="store_true", help="print the version and the hash of the sources")
    return parser


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 16:
        raise argparse.ArgumentTypeError("not a number from 0")
    return int(text)


def _held(options: argparse.Namespace) -> Held:
    notes: list[str] = []
    for path in options.receipts:
        notes += _read_notes(path)
    cards = options.hand_cards
    return Held(
        commit=None if options.commit is None else parse_commit(options.commit),
        table_code=None if options.table_code is None else parse_table_code(options.table_code),
        notes=tuple(notes),
        receipt_keys=_receipt_keys(options),
        own_seed=_own_seed(options),
        hand_cards=() if cards is None else parse_hand_cards(_read_text(cards)),
        now=options.now,
        unread=_unread(options),
    )


def _receipt_keys(options: argparse.Namespace) -> tuple[VerifierKey, ...]:
    log_key = () if options.log_key is None else (_key("--log-key", options.log_key),)
    return tuple(_key("--receipt-key", text) for text in options.receipt_key) or log_key


def _key(option: str, text: str) -> VerifierKey:
    try:
        return parse_key(text)
    except KeyFault as fault:
        raise UsageFault(f"{option}: {fault}") from None


def _own_seed(options: argparse.Namespace) -> OwnSeed | None:
    if not options.seed and options.seat is None:
        return None
    if not options.seed or options.seat is None:
        raise UsageFault("--seed and --seat go together")
    texts: dict[int | None, bytes] = {}
    for argument in options.seed:
        epoch, text = parse_seed(argument)
        if epoch in texts:
            raise UsageFault("--seed: two texts for one epoch")
        texts[epoch] = text
    return OwnSeed(seat=options.seat, texts=texts)


def _unread(options: argparse.Namespace) -> tuple[str, ...]:
    for path in (*options.checkpoint, *([options.log] if options.log else [])):
        with Path(path).open("rb"):
            pass
    for text in options.witness:
        if text.count("+") < 2:
            raise UsageFault("--witness: not of the form NAME+KEYID+BASE64")
    given = {
        "--checkpoint": options.checkpoint,
        "--log": options.log,
        "--witness": options.witness,
        "--quorum": options.quorum is not None,
    }
    return tuple(name for name, value in given.items() if value)


def _read_notes(path: str) -> Sequence[str]:
    text = _read_text(path)
    if text.lstrip(" \t\r\n").startswith("["):
        return parse_note_list(text)
    return split_notes(text)


def _read_text(path: str) -> str:
    with Path(path).open("rb") as file:
        data = file.read(_MAX_EVIDENCE + 1)
    if len(data) > _MAX_EVIDENCE:
        raise UsageFault(f"{path}: more than {_MAX_EVIDENCE} bytes")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise UsageFault(f"{path}: no UTF-8") from None


def _print(text: str) -> None:
    sys.stdout.buffer.write(text.encode("ascii"))
    sys.stdout.flush()
