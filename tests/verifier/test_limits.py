"""Files beyond the limits are answered within a second and 200 MB (docs/protocol.md 2.10)."""

import io
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.verifier.forge import check, codes, honest
from verifier.reading import ENOUGH, MAX_LINE, MAX_RECORDS, spool

ROOT = Path(__file__).parents[2]
MEGABYTE = 2**20


def fault(data: bytes) -> tuple[str, int | None]:
    report = check(data)
    assert report.verdict == "MALFORMED"
    assert len(report.errors) == 1
    return report.errors[0].code, report.errors[0].at


def test_faults_of_the_whole_file_come_first():
    assert fault(b"") == ("E_EMPTY", None)
    assert fault(b"{") == ("E_PARTIAL_LINE", 0)
    assert fault(b"garbage\ngarbage") == ("E_PARTIAL_LINE", 1)
    assert fault(b"\n" * (MAX_RECORDS + 1)) == ("E_LIMIT", MAX_RECORDS)
    assert fault(b"\n" * MAX_RECORDS) == ("E_JSON", 0)
    assert fault(b"\n" * (MAX_RECORDS + 5) + b"x")[0] == "E_PARTIAL_LINE"


def test_a_line_has_at_most_262144_bytes_with_its_end():
    longest = b'"' + b"a" * (MAX_LINE - 3) + b'"\n'
    assert fault(longest) == ("E_SCHEMA", 0)
    assert fault(b'"a' + longest[1:]) == ("E_LIMIT", 0)
    assert fault(honest().data() + b"\xff" * MAX_LINE + b"\n") == ("E_LIMIT", 9 - 1)
    assert fault(b"\xff" * (MAX_LINE - 1) + b"\n") == ("E_UTF8", 0)


def test_utf8_comes_before_depth_and_depth_before_json():
    assert fault(b"\xff" + b"[" * 65 + b"\n") == ("E_UTF8", 0)
    assert fault(b"x" + b"[" * 65 + b"\n") == ("E_LIMIT", 0)
    assert fault(b"\xed\xa0\x80\n") == ("E_UTF8", 0)  # a surrogate, encoded
    assert fault(b"\xc0\x80\n") == ("E_UTF8", 0)  # a zero in two bytes


def test_a_file_of_exactly_the_limit_is_read():
    data = honest().data()
    kept = data.splitlines(keepends=True)
    more = kept[-1] * (MAX_RECORDS - len(kept))
    assert codes(check(data + more))[0] == "E_SEQUENCE"


class Endless(io.RawIOBase):
    """A stream that never ends; counts what was asked of it."""

    def __init__(self, pattern: bytes) -> None:
        self.pattern = pattern
        self.given = 0

    def read(self, size: int = -1) -> bytes:
        assert size > 0
        self.given += size
        return (self.pattern * (size // len(self.pattern) + 1))[:size]


@pytest.mark.slow
@pytest.mark.parametrize(("pattern", "code"), [(b"\0", "E_LIMIT"), (b"\n", "E_LIMIT")])
def test_an_endless_stream_is_left_in_time(pattern, code):
    stream = Endless(pattern)
    with spool(stream) as file:  # type: ignore[arg-type]
        report = check_file(file)
    assert codes(report) == [code]
    assert stream.given <= ENOUGH + MEGABYTE


def check_file(file):
    from verifier.held import Held
    from verifier.verify import verify

    return verify(file, Held())


def test_a_stream_is_read_as_the_file_would_be():
    data = honest().data()
    with spool(io.BytesIO(data)) as file:
        assert check_file(file).verdict == "VALID"
    with spool(io.BytesIO(data[:-1])) as file:
        assert codes(check_file(file)) == ["E_PARTIAL_LINE"]
    with spool(io.BytesIO(b"")) as file:
        assert codes(check_file(file)) == ["E_EMPTY"]


def write_sparse(path: Path, size: int) -> None:
    with path.open("wb") as file:
        file.truncate(size - 1)
        file.seek(size - 1)
        file.write(b"\n")


LARGE = {
    "one line of 3 GB": (lambda path: write_sparse(path, 3 * 2**30), "E_LIMIT"),
    "no line end at all": (lambda path: os.truncate(path, 3 * 2**30), "E_PARTIAL_LINE"),
    "a million short lines": (lambda path: path.write_bytes(b"{}\n" * 10**6), "E_LIMIT"),
    "220 MB of long lines": (
        lambda path: path.write_bytes((b'"' + b"a" * (MAX_LINE - 3) + b'"\n') * 850),
        "E_SCHEMA",
    ),
    "a line of brackets": (lambda path: path.write_bytes(b"[" * (MAX_LINE - 1) + b"\n"), "E_LIMIT"),
    "a line of brackets side by side": (
        lambda path: path.write_bytes(b"[" + b"[]," * 87_000 + b"[]]\n"),
        "E_SCHEMA",
    ),
    "a line of quotes": (lambda path: path.write_bytes(b'"' * (MAX_LINE - 1) + b"\n"), "E_JSON"),
    "a line of backslashes": (
        lambda path: path.write_bytes(b'"' + b"\\" * (MAX_LINE - 2) + b"\n"),
        "E_JSON",
    ),
    "an integer as long as a line": (
        lambda path: path.write_bytes(b"9" * (MAX_LINE - 1) + b"\n"),
        "E_NOT_CANONICAL",
    ),
    "a number with a point as long as a line": (
        lambda path: path.write_bytes(b"9" * (MAX_LINE - 3) + b".5\n"),
        "E_SCHEMA",
    ),
    "many keys, the last one twice": (
        lambda path: path.write_bytes(
            b"{" + b"".join(b'"%d":1,' % key for key in range(20_000)) + b'"0":1}\n'
        ),
        "E_DUPLICATE_KEY",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_a_large_file_is_answered_in_a_second_and_200_megabytes(name, tmp_path):
    make, code = LARGE[name]
    path = tmp_path / "game.jsonl"
    path.touch()
    make(path)
    # VmHWM and not ru_maxrss: the latter starts at what the process of the tests had at its fork.
    script = (
        "import resource, sys; from verifier.cli import main; code = main(sys.argv[1:]);"
        " used = resource.getrusage(resource.RUSAGE_SELF);"
        " most = next(x for x in open('/proc/self/status') if x.startswith('VmHWM')).split()[1];"
        " print(most, used.ru_utime + used.ru_stime, file=sys.stderr);"
        " sys.exit(code)"
    )
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-c", script, str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (200 * MEGABYTE,) * 2),
    )
    took = time.monotonic() - began
    assert done.returncode == 4, done.stderr
    assert done.stdout.splitlines()[1].startswith(code)
    kilobytes, seconds = done.stderr.split()
    assert int(kilobytes) < 200 * 1024
    # Processor time: other programs on the machine do not count, and a second is the limit.
    assert float(seconds) < 1
    assert took < 30


def test_many_records_take_memory_by_their_number_only(tmp_path):
    """Bodies are read again when wanted, so long lines do not pile up."""
    forge = honest()
    filler = {"hand": 1, "result": "x" * 100_000}
    forge.records += [("score", filler)] * 600
    path = tmp_path / "game.jsonl"
    path.write_bytes(forge.data())
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-m", "verifier", str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (60 * MEGABYTE,) * 2),
    )
    assert done.stdout.splitlines()[1].startswith("E_AFTER_END ")
    assert done.returncode == 1
