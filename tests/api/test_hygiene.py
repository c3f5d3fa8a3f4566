"""What every answer has, whoever asks and whatever comes of it."""

import logging
import re
from base64 import b64encode
from hashlib import sha256

import pytest

from api.hygiene import hide_tokens
from tests.table import OPERATOR

PATHS = ["/healthz", "/docs", "/openapi.json", "/help/frozen", "/nowhere", "/v1/games/gaaaaaaaa",
         "/.well-known/canasta-dealer.json", "/v1/games"]  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", ["GET", "POST", "HEAD", "OPTIONS"])
def test_every_answer_is_named_private_and_varies_by_token(service, path, method):
    headers = service.call(method, path).headers
    assert re.fullmatch("req_[a-z2-7]{16}", headers["Request-Id"])
    assert headers["Cache-Control"] == "private, no-store"
    assert "Authorization" in headers["Vary"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "Set-Cookie" not in headers


def test_every_request_has_a_name_of_its_own(service):
    names = [service.call("GET", "/healthz").headers["Request-Id"] for _ in range(50)]
    assert len(set(names)) == 50


def test_pages_run_no_code_and_load_nothing(service):
    for path in ("/docs", "/help/frozen"):
        answer = service.call("GET", path)
        style = answer.text.partition("<style>")[2].partition("</style>")[0]
        digest = b64encode(sha256(style.encode()).digest()).decode()
        policy = f"default-src 'none'; style-src 'sha256-{digest}'"
        assert answer.headers["Content-Security-Policy"] == policy
        assert "<script" not in answer.text
        assert "http" not in answer.text.replace("HTTP", "")


def test_a_request_is_logged_with_its_route_and_without_what_was_sent(service, caplog):
    caplog.set_level("INFO")
    created = service.create()
    service.call("GET", f"/v1/games/{created['id']}/events?after=3", token=None)
    assert "GET /v1/games/<game>/events 200" in caplog.text
    assert created["claims"][0]["claim"] not in caplog.text
    assert OPERATOR not in caplog.text
    assert created["id"] not in caplog.text


def test_the_log_of_the_server_quotes_no_token(caplog):
    log = logging.getLogger("tests.server")
    log.addFilter(hide_tokens)
    log.warning("Invalid HTTP Header: %r", f"Bearer {OPERATOR}")
    log.warning("100%")
    log.removeFilter(hide_tokens)
    assert [record.getMessage() for record in caplog.records] == [
        "Invalid HTTP Header: 'Bearer cd_live_op_...'",
        "100%",
    ]


def test_the_service_says_who_it_is(service):
    answer = service.call("GET", "/.well-known/canasta-dealer.json").json
    assert answer == {
        "origin": service.key.name,
        "receipt_key": service.key.vkey,
        "earlier_receipt_keys": [],
    }


def test_health_reads_the_store(service):
    assert service.call("GET", "/healthz").json["status"] == "ok"
    service.store.close()
    assert service.call("GET", "/healthz").status_code == 503
