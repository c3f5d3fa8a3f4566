"""Several processes on one PostgreSQL database: asked at once, cut off, waited for."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

from fairdeal.errors import Conflict, StorageFailure


def name_of(url):
    return url.partition("@/")[2].partition("?")[0]


def cut(cluster, url, kind="true"):
    """End every connection to a database that the service made, on the server."""
    cluster.sql(
        f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        f" WHERE datname = '{name_of(url)}' AND {kind}"
    )


def at_once(asks):
    """Ask all at the same moment; give what came of each."""
    start = threading.Barrier(len(asks))

    def ask(one):
        start.wait()
        try:
            one()
        except (Conflict, StorageFailure) as refusal:
            return refusal.code
        return "kept"

    with ThreadPoolExecutor(len(asks)) as pool:
        return sorted(pool.map(ask, asks))


def comes_true(asked):
    """Wait, half a minute at most, until something holds that another thread brings about."""
    pause, deadline = threading.Event(), time.monotonic() + 30
    while not asked():
        if time.monotonic() > deadline:
            return False
        pause.wait(0.005)
    return True
