"""The command line: ``python -m verifier FILE`` (§3.1). Never goes online, asks no clock."""

import argparse
import os
import stat
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, Final, cast

from verifier import VERSION
from verifier.bundle import BundleFault, is_bundle, read_bundle, write_bundle
from verifier.held import HeldFault
from verifier.notes import KeyFault
from verifier.options import UsageFault, add_options, read_held
from verifier.reading import FileChangedError, spool
from verifier.report import to_json, to_text
from verifier.selfhash import self_hash
from verifier.selftest.run import run_selftest
from verifier.story.commands import show, where
from verifier.verdict import USAGE_EXIT, Report
from verifier.verify import verify

PIPE_EXIT: Final = 128 + 13  # what a shell says of SIGPIPE
FAULTS: Final = (UsageFault, HeldFault, KeyFault, BundleFault, FileChangedError, OSError)
_EXAMPLES: Final = """
examples:
  fairdeal-verify game.jsonl --table-code 'SXJR NWT6 BRQ5 K5KR 6SBW BG34 6U'
  fairdeal-verify game.jsonl --log-key "$KEY" --receipts mine.txt --evidence-out fraud.txt
  fairdeal-verify fraud.txt --log-key "$KEY"
  fairdeal-verify selftest
  fairdeal-verify where game.jsonl --hand 2 --card 9H
  fairdeal-verify show game.jsonl --hand 2 --svg hand-2.svg
  fairdeal-verify game.jsonl --seed 'what I typed' --seat 0 --explain
  curl -s ADDRESS | fairdeal-verify - --commit 95d316da... --json

receipts: signed notes one after another, each as it was sent; or a JSON list of such texts.
exit status: 0 VALID, 1 INVALID or FRAUD, 2 wrong arguments or unreadable file,
  3 INCOMPLETE or VALID below --require, 4 MALFORMED.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status (§3.3)."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        try:
            return _dispatch(given)
        finally:  # what argparse printed, too, before the interpreter flushes it on its own
            sys.stdout.flush()
    except BrokenPipeError:
        return _leave_pipe()


def _dispatch(given: Sequence[str]) -> int:
    command = _COMMANDS.get(given[0]) if given else None
    if command is None:
        return _check(given)
    return guarded(f"fairdeal-verify {given[0]}", lambda: command(given[1:]))


def _leave_pipe() -> int:
    """Give the status of a program whose reader went away, as ``head`` does; say nothing."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return PIPE_EXIT


def guarded(name: str, run: Callable[[], int]) -> int:
    """Run something; say what cannot be read, on one line, and return the status for usage."""
    try:
        return run()
    except BrokenPipeError:
        raise
    except FAULTS as fault:
        print(f"{name}: {fault}".encode("ascii", "backslashreplace").decode(), file=sys.stderr)
        return USAGE_EXIT


def _check(given: Sequence[str]) -> int:
    parser = _parser()
    options = parser.parse_args(given)
    if options.version:
        write(f"fairdeal-verify {VERSION} (pfd1), sha256 of its sources {self_hash()}\n")
        return 0
    return guarded(parser.prog, lambda: _run(options))


def _run(options: argparse.Namespace) -> int:
    with ExitStack() as stack:
        file = open_game(options.file, stack)
        bundle = read_bundle(file, stack) if is_bundle(file) else None
        held = read_held(options, bundle, stack)
        game = bundle.game if bundle else file
        report = verify(game, held)
        if options.evidence_out and report.proof:
            with Path(options.evidence_out).open("wb") as target:
                write_bundle(target, report.proof, game, held.log)
    _print(report, options)
    return report.exit_status(options.require)


def open_game(path: str | None, stack: ExitStack) -> BinaryIO:
    """Return a seekable file of a game's record; ``-`` is standard input."""
    if path is None:
        raise UsageFault("no FILE was given; - reads standard input")
    if path == "-":
        return stack.enter_context(spool(sys.stdin.buffer))
    file = stack.enter_context(Path(path).open("rb"))  # noqa: SIM115
    if stat.S_ISREG(Path(path).stat().st_mode):
        return file
    return stack.enter_context(spool(cast("BinaryIO", file)))


def _selftest(given: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="fairdeal-verify selftest",
        description="Runs the vectors and planted faults that this copy carries.",
        allow_abbrev=False,
    )
    parser.parse_args(given)
    return run_selftest(write)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="fairdeal-verify",
        description="Checks a game record of the dealing protocol pfd1.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "file", metavar="FILE", nargs="?", help="the game record (JSON lines); - for standard input"
    )
    add_options(parser)
    text = "print the version and the hash of the sources"
    parser.add_argument("--version", action="store_true", help=text)
    return parser


def _print(report: Report, options: argparse.Namespace) -> None:
    if options.json:
        write(to_json(report) + "\n")
        return
    write(to_text(report, explain=options.explain, require=options.require))
    if options.explain:
        write(f"checked by fairdeal-verify {VERSION}, sha256 {self_hash()}\n")


def write(text: str) -> None:
    """Write ASCII to standard output."""
    sys.stdout.buffer.write(text.encode("ascii"))
    sys.stdout.flush()


# The commands beside the check; a file of such a name is ./NAME.
_COMMANDS: Final[dict[str, Callable[[Sequence[str]], int]]] = {
    "where": lambda given: where(given, open_game, write),
    "selftest": _selftest,
    "show": lambda given: show(given, open_game, write),
}
