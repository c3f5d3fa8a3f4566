"""Both databases: whatever the contract says is asked of each of them."""

import pytest

from fairdeal.store.sql import SqlStore

BOTH = ["sqlite", pytest.param("postgres", marks=pytest.mark.suite("postgres"))]


@pytest.fixture(params=BOTH)
def where(request, tmp_path):
    """Where an empty database is: a path that is not there yet, or an address."""
    if request.param == "sqlite":
        return tmp_path / "games.db"
    return request.getfixturevalue("postgres_url")


@pytest.fixture
def store(where):
    opened = SqlStore(where)
    yield opened
    opened.close()
