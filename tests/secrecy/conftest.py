"""One service a test."""

import pytest

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
