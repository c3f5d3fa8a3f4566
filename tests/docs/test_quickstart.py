"""docs/quickstart.md works as it is written."""

import os
import re
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest

from tests.table import quick_folder

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "quickstart.md").read_text("utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
PATIENCE_S = 240


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return str(listening.getsockname()[1])


def ends(group):
    """Say whether nothing that was started is left, after as long as a service takes to stop."""
    deadline = time.monotonic() + 15
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    os.killpg(group, signal.SIGKILL)
    return False


@pytest.mark.slow
@pytest.mark.suite("curl")
def test_a_site_s_developer_gets_from_nothing_to_a_verified_game():
    clean = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    with quick_folder() as folder:
        mine = {"PORT": free_port(), "FAIRDEAL_DATA": str(folder / "data"), "TMPDIR": str(folder)}
        shell = subprocess.Popen(
            ["bash", "-euo", "pipefail", "-c", "".join(BLOCKS)], cwd=ROOT, env=clean | mine,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            start_new_session=True,
        )  # fmt: skip
        try:
            said, _ = shell.communicate(timeout=PATIENCE_S)
        finally:
            # The service, where the page did not come to stop it.
            if shell.poll() != 0:
                os.killpg(shell.pid, signal.SIGKILL)
    assert shell.returncode == 0, said
    assert 'event: end\ndata: {"reason":"game_over"}' in said
    assert "VALID [pinned]" in said
    signed = re.search(r"^Signed by the server up to record (\d+) of (\d+)\.$", said, re.MULTILINE)
    assert signed is not None
    assert signed[1] == signed[2]
    assert ends(shell.pid), "the service is still there"


def test_every_block_of_the_page_is_run_but_the_one_that_gets_the_files():
    assert len(BLOCKS) >= 12
    others = re.findall(r"^```(?!sh$)(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert [kind for kind, _ in others] == ["console"]


def test_every_page_that_it_leads_to_is_there():
    for target in re.findall(r"\]\(([^)#]+)", PAGE):
        assert (ROOT / "docs" / target).is_file()
