"""Runs statements of SQLAlchemy Core on a driver's own connection.

Core gives the schema, one language for both databases, and connections that are set up as they
must be. What it does around each single statement costs several times what SQLite takes for it, so
statements that run with every act are compiled once and then handed to the driver.
"""

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Dialect, Engine
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.sql import Executable

from fairdeal.store.engines import connect


class Statement:
    """A statement, compiled for each database when it is first needed there.

    Args:
        core: As SQLAlchemy Core says it, with its values as ``bindparam``.
        sets: The columns that an update sets.
    """

    def __init__(self, core: Executable, *, sets: tuple[str, ...] = ()) -> None:
        self._core = core
        self._sets = sets
        self._compiled: dict[str, _Compiled] = {}

    def compiled(self, dialect: Dialect) -> "_Compiled":
        """Return it in the words of a database."""
        found = self._compiled.get(dialect.name)
        if found is None:
            found = self._compiled[dialect.name] = _Compiled(self._core, self._sets, dialect)
        return found


class _Compiled:
    """A statement in the words of one database and its driver.

    Attributes:
        text: The statement.
        names: The columns of its rows.
    """

    __slots__ = ("_fixed", "_order", "names", "text")

    def __init__(self, core: Any, sets: tuple[str, ...], dialect: Dialect) -> None:  # noqa: ANN401  Core's own
        compiled = core.compile(dialect=dialect, column_keys=sets or None)
        self.text = str(compiled)
        self.names = tuple(core.selected_columns.keys()) if core.is_select else ()
        self._order: Sequence[str] | None = compiled.positiontup
        self._fixed = {
            name: bind.value for name, bind in compiled.binds.items() if not bind.required
        }

    def bind(self, values: Mapping[str, object]) -> Any:  # noqa: ANN401  the driver's own
        """Return the values as the driver takes them."""
        given = {**self._fixed, **values} if self._fixed else values
        return given if self._order is None else [given[name] for name in self._order]


class Driven:
    """A connection, driven without SQLAlchemy's own steps in between.

    Args:
        connection: Outside of transactions; it belongs to this from now on.

    Attributes:
        is_postgresql: Which of the two databases it leads to.
        fault: What the driver raises.
        broken_constraint: What it raises for a constraint.
    """

    __slots__ = (
        "_connection", "_dialect", "_driver", "broken_constraint", "fault", "is_postgresql",
    )  # fmt: skip

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.is_postgresql = connection.dialect.name == "postgresql"
        self._dialect = connection.dialect
        self._driver: Any = connection.connection.dbapi_connection
        driver = connection.dialect.loaded_dbapi
        self.fault = driver.Error
        self.broken_constraint = driver.IntegrityError

    def rows(self, statement: Statement, values: Mapping[str, object]) -> list[tuple[Any, ...]]:
        """Return all rows of a statement that reads."""
        compiled = statement.compiled(self._dialect)
        found: list[tuple[Any, ...]]
        found = self._driver.execute(compiled.text, compiled.bind(values)).fetchall()
        return found

    def named(self, statement: Statement, values: Mapping[str, object]) -> list[dict[str, Any]]:
        """Return all rows of a statement that reads, by the names of their columns."""
        names = statement.compiled(self._dialect).names
        return [dict(zip(names, row, strict=True)) for row in self.rows(statement, values)]

    def run(self, statement: Statement, values: Mapping[str, object]) -> int:
        """Run a statement that writes; return how many rows it changed."""
        compiled = statement.compiled(self._dialect)
        changed: int = self._driver.execute(compiled.text, compiled.bind(values)).rowcount
        return changed

    def text(self, statement: str, values: Sequence[object] = ()) -> Any:  # noqa: ANN401  the driver's own
        """Run a statement in the driver's own words; return the driver's cursor."""
        return self._driver.execute(statement, values)

    def many(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        """Run a statement in the driver's own words once for each row of values."""
        self._driver.executemany(statement, rows)

    def begin(self) -> None:
        """Begin a transaction that may write."""
        self._driver.execute("BEGIN" if self.is_postgresql else "BEGIN IMMEDIATE")

    def commit(self) -> None:
        """Make a transaction durable.

        Raises:
            Exception: The driver's own, also where the server answers that it undid it all.
        """
        done = self._driver.execute("COMMIT")
        if self.is_postgresql and done.statusmessage != "COMMIT":
            raise self.fault(f"COMMIT was answered by {done.statusmessage}")

    def rollback(self) -> None:
        """Undo a transaction, if there is one."""
        self._driver.rollback()

    @contextlib.contextmanager
    def savepoint(self) -> Iterator[None]:
        """Undo what is done meanwhile, and only that, where it ends in an error."""
        self._driver.execute("SAVEPOINT one")
        try:
            yield
        except BaseException:
            self._driver.execute("ROLLBACK TO SAVEPOINT one")
            self._driver.execute("RELEASE SAVEPOINT one")
            raise
        self._driver.execute("RELEASE SAVEPOINT one")

    def is_lost(self, error: BaseException) -> bool:
        """Say whether an error means that the connection is of no more use."""
        return isinstance(error, self.fault) and self._dialect.is_disconnect(
            error, self._driver, None
        )

    def drop(self) -> None:
        """Let go of the connection, whatever state it is in."""
        with contextlib.suppress(SQLAlchemyError, self.fault, OSError):
            self._connection.invalidate()
            self._connection.close()


def drive(engine: Engine) -> Driven:
    """Return a connection of an engine.

    Raises:
        StorageFailure: As `engines.connect`.
    """
    return Driven(connect(engine).execution_options(isolation_level="AUTOCOMMIT"))
