"""A throw-away PostgreSQL for the tests that need one, and a fresh database for each of them.

One cluster a test process, started by the first test that asks. It keeps every setting that
makes a commit durable; what is lost with the machine is only the folder it lies in (/dev/shm where
there is one). A shell of its own holds it and reads a pipe from this process: at its end, however
this process ended, the cluster is stopped and its folder removed.
"""

import contextlib
import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import pytest

from tests.suites import find_program

ROLE: Final = "fairdeal"
"""Whom the service logs in as: owner of its database, and nothing else."""

PATIENCE_S: Final = 60.0

SETTINGS: Final = (
    "listen_addresses=",
    "max_connections=200",
    "fsync=on",
    "full_page_writes=on",
    "synchronous_commit=on",
    "shared_buffers=32MB",
    "autovacuum_naptime=10s",
    "log_min_messages=fatal",
)

# Ends by the closing of the pipe. -INT disconnects everybody and shuts down in good order.
KEEPER: Final = """
trap '' INT HUP TERM
"$@" & server=$!
cat >/dev/null
kill -INT $server; wait $server
rm -rf "$FOLDER"
"""


class Cluster:
    """A PostgreSQL server on a unix socket, reached by nobody else.

    Args:
        on_disk: Whether a commit has to wait for a disk.

    Raises:
        RuntimeError: It did not start; the message holds what it said.
    """

    def __init__(self, *, on_disk: bool = False) -> None:
        postgres = find_program("postgres")
        if postgres is None:
            raise RuntimeError("there is no PostgreSQL on this machine")
        # Not what is on PATH: that may be a script that looks for a server's version first.
        self._binaries = Path(postgres).resolve().parent
        # The server refuses to run as root.
        self._user = "postgres" if os.geteuid() == 0 else None
        memory = Path("/dev/shm")  # a tmpfs: what is synced there costs nothing
        self.folder = Path(
            tempfile.mkdtemp(
                prefix="fairdeal-pg-", dir=memory if memory.is_dir() and not on_disk else None
            )
        )
        self._numbers = itertools.count(1)
        try:
            if self._user is not None:
                account = pwd.getpwnam(self._user)
                os.chown(self.folder, account.pw_uid, account.pw_gid)
            self._keeper = self._start()
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise
        try:
            self._wait()
            self.sql(f"CREATE ROLE {ROLE} LOGIN")
        except BaseException:
            self.stop()
            raise

    @property
    def process_id(self) -> int:
        """The process below which all of the server's are."""
        return self._keeper.pid

    def create(self) -> str:
        """Make an empty database that the role owns; return its name."""
        name = f"t{next(self._numbers)}"
        self.sql(f"CREATE DATABASE {name} OWNER {ROLE} TEMPLATE template0")
        return name

    def drop(self, name: str) -> None:
        """Remove a database, whoever is connected to it."""
        self.sql(f"DROP DATABASE {name} WITH (FORCE)")

    def url(self, name: str) -> str:
        """Return the address of a database as SQLAlchemy takes it."""
        return f"postgresql+psycopg://{ROLE}@/{name}?host={self.folder}"

    def sql(self, statement: str, database: str = "postgres") -> str:
        """Return what a statement of the superuser answers, bare, one row a line.

        Raises:
            RuntimeError: The server refused it.
        """
        run = subprocess.run(
            [self._binaries / "psql", "-XqAt", "-h", self.folder, "-U", "postgres",
             "-v", "ON_ERROR_STOP=1", "-c", statement, database],
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )  # fmt: skip
        if run.returncode:
            raise RuntimeError(run.stderr)
        return run.stdout.strip()

    def stop(self) -> None:
        """Stop the server and remove its folder; once is enough."""
        assert self._keeper.stdin is not None
        with contextlib.suppress(OSError):
            self._keeper.stdin.close()
        self._keeper.wait(PATIENCE_S)

    def __enter__(self) -> Self:
        """Return the running server."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop it."""
        self.stop()

    def _start(self) -> "subprocess.Popen[bytes]":
        data = self.folder / "data"
        made = subprocess.run(
            [self._binaries / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8",
             "--locale=C", "--no-sync", "--no-instructions"],
            user=self._user, cwd="/", env=os.environ | {"LC_ALL": "C"},
            capture_output=True, text=True, timeout=PATIENCE_S,
        )  # fmt: skip
        if made.returncode:
            raise RuntimeError(made.stderr)
        settings = [word for setting in SETTINGS for word in ("-c", setting)]
        with (self.folder / "log").open("wb") as log:
            return subprocess.Popen(
                ["/bin/sh", "-c", KEEPER, "keeper", self._binaries / "postgres", "-D", data,
                 "-k", self.folder, *settings],
                user=self._user, cwd="/", env={"FOLDER": str(self.folder), "PATH": os.defpath},
                stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip

    def _wait(self) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                self.sql("SELECT 1")
            except RuntimeError as error:
                if self._keeper.poll() is not None or time.monotonic() > deadline:
                    said = (self.folder / "log").read_text("utf-8", "replace")
                    raise RuntimeError(f"PostgreSQL does not answer: {said}") from error
                time.sleep(0.02)
            else:
                return


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[Cluster]:
    """A server for the tests of this process."""
    with Cluster() as cluster:
        yield cluster


@pytest.fixture
def postgres_url(postgres_cluster: Cluster) -> Iterator[str]:
    """The address of an empty database of this test's own."""
    name = postgres_cluster.create()
    yield postgres_cluster.url(name)
    postgres_cluster.drop(name)
