"""What a process of the service writes on standard error, and what its requests are called."""

import logging
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from api.hygiene import in_advance, new_request_id
from api.logs import Lines


def write(message, *args):
    Lines().handle(logging.makeLogRecord({"msg": message, "args": args}))


def test_lines_of_many_threads_do_not_mix(capfd):
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: write("%s", str(n % 10) * 300), range(400)))
    lines = capfd.readouterr().err.splitlines()
    assert sorted(lines) == sorted(str(n % 10) * 300 for n in range(400))


def test_a_line_that_cannot_be_made_stops_nothing(capfd):
    write("%d", "no number")
    write("half a character \ud800")
    assert "half a character \\ud800\n" in capfd.readouterr().err


SERVER_S_LINE = """
import logging, os
from gunicorn.glogging import Logger
from api import logs
logs.install()
handler = logging.StreamHandler()
handler.setFormatter(logging.Formatter(Logger.error_fmt))
handler.handle(logging.getLogger("gunicorn.error").makeRecord("", 20, "", 0, "it ends", (), None))
print(os.getpid())
"""


def test_the_server_s_own_lines_name_the_process():
    made = subprocess.run(
        [sys.executable, "-c", SERVER_S_LINE], capture_output=True, text=True, check=True
    )
    assert made.stderr.endswith(f" [{made.stdout.strip()}] [INFO] it ends\n")


def test_names_that_are_drawn_in_advance_are_all_different():
    asked = []

    def entropy(size):
        asked.append(size)
        return b"".join((len(asked) * 10_000 + at).to_bytes(10) for at in range(size // 10))

    given = in_advance(entropy)
    names = [new_request_id(given) for _ in range(500)]
    assert len(set(names)) == 500
    assert len(asked) < 10
    assert in_advance(bytes)(7) == bytes(7)
