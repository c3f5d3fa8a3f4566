"""docs/http-api.md runs, and leaves out no route and no code."""

import re
import threading
from pathlib import Path

import pytest
from werkzeug.serving import make_server

from api.codes import CODES, RULES
from api.openapi import description
from tests.table import OPERATOR, Service, quick_folder

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "http-api.md").read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def service():
    with quick_folder() as folder:
        opened = Service(folder)
        yield opened
        opened.close()


def test_the_examples_run_in_order(service):
    service.call("GET", "/healthz")  # Puts this service behind the application.
    server = make_server("127.0.0.1", 0, service.app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        names = {"BASE": f"http://127.0.0.1:{server.server_port}", "OPERATOR": OPERATOR}
        for block in BLOCKS:
            exec(compile(block, "docs/http-api.md", "exec"), names)
    finally:
        service.dealer.feed.stop()
        server.shutdown()
        thread.join()
        server.server_close()
    assert len(BLOCKS) >= 10


def test_every_route_is_listed_and_no_other(service):
    listed = set(
        re.findall(r"`((?:GET|POST|PUT|PATCH|DELETE) /[^ `]*)`", PAGE.split("## Every route")[1])
    )
    described = {
        f"{method.upper()} {path}"
        for path, methods in description(service.app)["paths"].items()
        for method in methods
        if method != "parameters"
    }
    assert listed == described


def test_every_code_is_listed_with_its_status_and_no_other():
    table = PAGE.split("## Refusals")[1].split("## Every route")[0]
    rows = re.findall(r"^\| ([0-9]+) \| (.*) \|$", table, re.MULTILINE)
    listed = {
        (code, int(status)) for status, row in rows for code in re.findall(r"`([a-z_]+)`", row)
    }
    assert listed == {(c.code, c.status) for c in CODES.values() if c.code not in RULES}
