"""Every write over a network that loses, doubles and delays: `python -m benchmarks.faults`."""

import pytest

from api.app import openapi_document
from benchmarks import faultdeeds
from benchmarks.faults import deeds, network
from benchmarks.faultsender import Wrong

WRITES = {"post", "put", "patch", "delete"}


@pytest.fixture(scope="module")
def sender():
    with network(seed=7) as behind:
        yield behind


@pytest.mark.slow
def test_every_write_happens_once_however_often_it_arrives(sender):
    for deed in deeds().values():
        deed(sender, 3)
    sender.proxy.flush()
    assert len(sender.proxy.fates) == 6
    # As many routes as the interface has; two stages of one route are counted as two.
    routes = {
        (method, path)
        for path, methods in openapi_document()["paths"].items()
        for method in methods
        if method in WRITES and path != "/v1/rules/validate"
    }
    assert len(sender.sent) == len(routes) + 1, sorted(sender.sent)


def test_a_write_without_a_key_that_needs_one_is_found_doubled(sender, monkeypatch):
    write = type(sender).write

    def careless(self, route, path, body, token=None, **_):
        return write(self, route, path, body, token, keyed=False)

    monkeypatch.setattr(type(sender), "write", careless)
    with pytest.raises(Wrong, match="games were doubled"):
        faultdeeds.games(sender, 10)
