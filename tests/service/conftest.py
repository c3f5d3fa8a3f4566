"""One service a test."""

import pytest

from tests.table import Service


@pytest.fixture
def service(tmp_path):
    opened = Service(tmp_path)
    yield opened
    opened.close()
