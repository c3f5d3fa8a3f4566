"""One service a test."""

import pytest

from tests.api import recorder
from tests.table import Service, quick_folder


@pytest.fixture
def folder():
    """A folder in memory where there is one: these tests are not about the disk."""
    with quick_folder() as path:
        yield path


@pytest.fixture
def service(folder):
    opened = Service(folder)
    yield opened
    opened.close()


@pytest.fixture(autouse=True)
def _every_answer_is_documented():
    """Fail where an operation answered with a status or a code that its description lacks.

    What a route refuses is declared beside it (`@blueprint.refuses`); what follows from roles,
    paths and bodies stands in api/refusals.py.
    """
    recorder.install()
    recorder.UNDOCUMENTED.clear()
    yield
    assert recorder.UNDOCUMENTED == []
