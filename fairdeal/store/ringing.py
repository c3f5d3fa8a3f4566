"""Carries the rings of the bell from one process to the others that read the same database.

PostgreSQL: names are gathered and sent by NOTIFY in a transaction of its own behind the commit
(inside it would take a lock of the whole database across the commit), and heard by LISTEN. SQLite:
a process that only reads looks every few milliseconds whether the file has changed.

Rings may be lost with a process that is killed between commit and NOTIFY, or with a connection;
whoever listens finds out by itself and then wakes everybody.
"""

import contextlib
import json
import select
import socket
import threading
from collections.abc import Iterable
from typing import Any, Final

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from fairdeal.errors import StorageFailure
from fairdeal.store.bell import Bell
from fairdeal.store.engines import autocommit

CHANNEL: Final = "fairdeal_written"
PAYLOAD: Final = 7900
"""A notification holds less than 8,000 bytes."""

ALL: Final = "*"
"""Instead of names that would be too many."""

LOOK_S: Final = 1.0
"""So often somebody who hears nothing looks whether something was written all the same."""

POLL_S: Final = 0.01
PAUSE_S: Final = 0.5
"""Between two tries to reach a server that is away."""

_LAST_SERIAL: Final = (
    "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM records_serial_seq"
)

_STANDS: Final = """
    SELECT value,
        (SELECT max(n) FROM records WHERE game = value),
        (SELECT version FROM rooms WHERE room = value),
        (SELECT count(*) FROM asked WHERE game = value)
    FROM json_each(?)
"""


class Carrier:
    """A thread with a connection of its own, that ends when it is told to.

    Args:
        engine: Gives the connection.
        bell: This process's bell.
    """

    name: str

    def __init__(self, engine: Engine, bell: Bell) -> None:
        self._engine = engine
        self._bell = bell
        self._ended = threading.Event()
        driver = engine.dialect.loaded_dbapi
        self._faults = (SQLAlchemyError, StorageFailure, OSError, driver.Error)
        self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End."""
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.is_set():
            self._try()
            self._ended.wait(PAUSE_S)

    def _try(self) -> None:
        with contextlib.suppress(*self._faults), autocommit(self._engine) as connection:
            self._carry(connection)

    def _carry(self, connection: Connection) -> None:
        """Work until it is told to end, or the connection fails."""
        raise NotImplementedError


class Announcer(Carrier):
    """Sends names to every process that listens; what could not be sent is sent later."""

    name = "fairdeal-announcer"

    def __init__(self, engine: Engine, bell: Bell) -> None:
        super().__init__(engine, bell)
        self._waiting = threading.Condition()
        self._names: set[str] = set()
        self.sender = 0
        """The server's number of the sending connection: its own process need not listen to it."""

    def announce(self, names: Iterable[str]) -> None:
        """Let names be sent, soon."""
        with self._waiting:
            self._names.update(names)
            self._waiting.notify()

    def stop(self) -> None:
        """Try once more to send what waits, and end."""
        self._ended.set()
        with self._waiting:
            self._waiting.notify()
        self._thread.join()

    def _run(self) -> None:
        with self._waiting:
            self._waiting.wait_for(self._is_due)  # until then no connection is needed
        super()._run()
        if self._names:
            self._try()

    def _carry(self, connection: Connection) -> None:
        # A ring need not be durable, so it need not wait for the disk.
        connection.exec_driver_sql("SELECT set_config('synchronous_commit', 'off', false)")
        self.sender = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
        while names := self._take():
            try:
                payload = _payload(names)
                connection.exec_driver_sql("SELECT pg_notify(%s, %s)", (CHANNEL, payload))
            except BaseException:
                self.announce(names)
                raise

    def _is_due(self) -> bool:
        return bool(self._names) or self._ended.is_set()

    def _take(self) -> set[str]:
        """Wait for names and take them; none when it is time to end."""
        with self._waiting:
            self._waiting.wait_for(self._is_due)
            names, self._names = self._names, set()
        return names


class Listener(Carrier):
    """Rings the bell for what other processes announce.

    Args:
        engine: Gives the connection.
        bell: This process's bell.
        announcer: Of this process, which has rung for its own writes already; None for none.
    """

    name = "fairdeal-listener"

    def __init__(self, engine: Engine, bell: Bell, announcer: Announcer | None) -> None:
        super().__init__(engine, bell)
        self._announcer = announcer
        self._woken, self._waker = socket.socketpair()

    def stop(self) -> None:
        """End at once."""
        self._waker.send(b"!")
        super().stop()
        self._waker.close()
        self._woken.close()

    def _carry(self, connection: Connection) -> None:
        driver: Any = connection.connection.dbapi_connection
        connection.exec_driver_sql(f"LISTEN {CHANNEL}")
        serial = self._serial(connection)
        self._bell.ring_all()  # for what was announced before
        waiting = select.poll()  # select() knows no more than 1,024 files, and streams are files
        for file in (driver, self._woken):
            waiting.register(file, select.POLLIN)
        while not self._ended.is_set():
            heard = waiting.poll(1000 * LOOK_S)
            for said in driver.notifies(timeout=0):
                if self._announcer is None or said.pid != self._announcer.sender:
                    self._ring(said.payload)
            if not heard:
                before, serial = serial, self._serial(connection)
                if serial != before:
                    # Somebody was stopped between writing and announcing.
                    self._bell.ring_all()

    def _ring(self, payload: str) -> None:
        if payload == ALL:
            self._bell.ring_all()
        else:
            self._bell.ring(payload.split(","))

    def _serial(self, connection: Connection) -> int:
        return int(connection.exec_driver_sql(_LAST_SERIAL).scalar_one())


class Poller(Carrier):
    """Rings the bell of a process that only reads a SQLite file, while anybody listens."""

    name = "fairdeal-poller"

    def stop(self) -> None:
        """End at once: an ear wakes whoever waits for one."""
        with self._bell.listen(self.name):
            super().stop()

    def _carry(self, connection: Connection) -> None:
        version, known = 0, dict[str, Any]()
        while not self._ended.is_set():
            if not self._bell.wait_for_ears(LOOK_S):
                continue
            before = version
            version = connection.exec_driver_sql("PRAGMA data_version").scalar_one()
            names = self._bell.names()
            if version != before or not known.keys() >= set(names):
                rows = connection.exec_driver_sql(_STANDS, (json.dumps(names),))
                stands = {name: tuple(row) for name, *row in rows}
                self._bell.ring(name for name, now in stands.items() if known.get(name) != now)
                known = stands
            self._ended.wait(POLL_S)


def _payload(names: Iterable[str]) -> str:
    payload = ",".join(sorted(names))
    return payload if len(payload.encode()) < PAYLOAD else ALL
