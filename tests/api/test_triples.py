"""Every documented status and code of every operation is answered to somebody here.

tests/api/test_refused.py asks for what follows from what an operation is; here is the rest. That
nothing is answered which is not documented, conftest.py sees to in every test of this folder.
"""

import pytest

from tests.api import recorder
from tests.api.deeds import send
from tests.api.scenes import SCENES
from tests.api.test_refused import DERIVED, REQUESTS
from tests.table import Service, application, quick_folder

OPERATIONS = sorted(recorder.documented())
ENDPOINTS = {
    (method, recorder.path_of(rule)): rule.endpoint
    for rule in application().url_map.iter_rules()
    for method in rule.methods or ()
}
NO_ROUTES = {
    "/v1/rules/rummy": ("GET", "/v1/rules/{preset}", 404, "no_such_page"),
    "/v1/bots/nobody/measurements": (
        "GET", "/v1/bots/{bot}/measurements", 404, "no_such_page",
    ),
}  # fmt: skip
"""Of addresses that are not even a preset's or a bot's: no route is asked, none is recorded."""


def documented(operation):
    """Return the statuses and codes of an operation that only a scene can bring about."""
    for status, codes in recorder.documented()[operation].items():
        yield from ((*operation, status, code) for code in codes if code not in DERIVED)
        if not codes:
            yield (*operation, status, None)
    if "{game}" not in operation[1] and "no_such_game" in recorder.documented()[operation].get(
        404, ()
    ):
        yield (*operation, 404, "no_such_game")


@pytest.mark.parametrize("operation", OPERATIONS, ids=" ".join)
def test_whatever_is_documented_of_an_operation_is_answered_to_somebody(operation):
    reached: set[tuple[str, str, int, str | None]] = {*NO_ROUTES.values()}
    scenes = SCENES.get(" ".join(operation), [])
    request = REQUESTS[ENDPOINTS[operation]]
    for scene in (lambda service: send(service, request(service)), *scenes):
        recorder.SEEN.clear()
        with quick_folder() as folder:
            service = Service(folder)
            scene(service)
            service.close()
        reached |= set(recorder.SEEN)
    assert set(documented(operation)) - reached == set()


def test_every_scene_is_of_an_operation():
    assert set(SCENES) <= {" ".join(operation) for operation in OPERATIONS}


@pytest.mark.parametrize("path", NO_ROUTES)
def test_an_address_that_is_no_presets_and_no_bots_is_nothing(service, path):
    answer = service.call("GET", path)
    assert (answer.status_code, answer.json["code"]) == NO_ROUTES[path][2:]
