"""`fairdeal streams`: beside a service that was started once, and not before."""

import contextlib
import os
import re
import resource
import subprocess
import sys
from http.client import HTTPConnection

import pytest

from fairdeal.cli.server import LOOPBACK, Server
from tests.table import quick_folder

pytestmark = pytest.mark.slow

PROGRAM = "from fairdeal.cli.main import main; raise SystemExit(main())"
ORIGIN = "fairdeal.localhost/aside"
_PORT = re.compile(r"Listening at: http://127\.0\.0\.1:(\d+)")


def command(folder, *words):
    return [
        sys.executable, "-c", PROGRAM, "streams", "--folder", str(folder), "--origin", ORIGIN,
        "--port", "0", *words,
    ]  # fmt: skip


@pytest.fixture
def folder():
    with quick_folder() as path:
        yield path / "service"


def test_before_the_service_was_ever_started_it_says_what_is_missing(folder):
    done = subprocess.run(command(folder), capture_output=True, text=True, timeout=60)
    assert done.returncode != 0
    assert "cannot start" in done.stderr
    assert f"There is no service in {folder}: it has to be started once before." in done.stderr
    assert not folder.exists()


def test_a_service_of_another_name_is_not_streamed(folder):
    with Server(folder, "fairdeal.localhost/other"):
        pass
    done = subprocess.run(command(folder), capture_output=True, text=True, timeout=60)
    assert done.returncode != 0
    assert "fairdeal.localhost/other" in done.stderr


def test_beside_a_service_it_answers_with_as_many_connections_as_the_system_allows(folder):
    with Server(folder, ORIGIN):
        process = subprocess.Popen(
            command(folder), stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        try:
            assert process.stderr is not None
            port = next(int(m[1]) for line in process.stderr if (m := _PORT.search(line)))
            for line in process.stderr:
                if "ASGI server listening" in line:
                    break
            connection = HTTPConnection(LOOPBACK, port, timeout=30)
            connection.request("GET", "/readyz")
            assert connection.getresponse().status == 200
            connection.close()
            soft, hard = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
            assert soft == hard
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, 15)
            process.communicate(timeout=30)
    assert process.returncode == 0
