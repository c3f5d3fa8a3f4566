"""What every test shares: fixed seeds, and suites that are never skipped in silence."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.postgres import postgres_cluster, postgres_url  # noqa: F401  fixtures
from tests.suites import ALL_SUITES, SUITES, absent_programs, closing_line

# Derandomised: the same examples everywhere; a failure prints the blob that repeats it.
# HYPOTHESIS_PROFILE=wide looks further, by hand, with new seeds each time.
settings.register_profile(
    "ci",
    derandomize=True,
    deadline=None,
    print_blob=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("wide", deadline=None, print_blob=True, max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

OBLIGED = os.environ.get(ALL_SUITES, "") not in ("", "0")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests of suites whose program is absent; refuse names the table does not hold."""
    absent = absent_programs()
    for item in items:
        for mark in item.iter_markers("suite"):
            (name,) = mark.args
            if name not in SUITES:
                message = f"{item.nodeid}: tests/suites.py knows no suite {name!r}"
                raise pytest.UsageError(message)
            if name in absent:
                item.add_marker(pytest.mark.skip(reason=f"{name}: {absent[name]} absent"))


@pytest.hookimpl(wrapper=True)
def pytest_sessionfinish(session: pytest.Session) -> Iterator[None]:
    """Turn a skipped test into a failure of the run where every suite is obliged to run."""
    yield
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if not OBLIGED or reporter is None or hasattr(session.config, "workerinput"):
        return
    skipped = len(reporter.stats.get("skipped", ()))
    if (skipped or absent_programs()) and session.exitstatus == pytest.ExitCode.OK:
        reporter.write_line("")
        reporter.write_line(f"{ALL_SUITES} is set: {skipped} skipped, so this run fails", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_unconfigure(config: pytest.Config) -> None:
    """Print the line on suites after pytest's own closing line, once a run."""
    if not hasattr(config, "workerinput") and not config.option.collectonly:
        print(closing_line(absent_programs()), flush=True)
