"""Statements of the hot path: SQLAlchemy Core compiled once, then run on the driver itself.

The door's write runs about a dozen small statements. Executing each through Core costs about 0.3 ms of Python, ten
times what SQLite needs for it; the text that Core compiles is the same either way.
"""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.sql import ClauseElement
from sqlalchemy.sql.compiler import SQLCompiler

from surefoot.persistence.sealing import SealedJSON

Convert = Callable[[Any], Any]


class Prepared:
    """One Core statement, compiled for a dialect on first use.

    ``columns`` are the selected or returned columns, so that sealed values are opened on the way out.
    """

    def __init__(self, statement: ClauseElement, columns: Any = ()) -> None:
        self._statement, self._columns = statement, list(columns)
        self._compiled: tuple[Any, str, list[tuple[str, Any, Convert | None]], list[tuple[int, Convert]]] | None = None

    def rows(self, connection: Connection, **values: Any) -> list[tuple[Any, ...]]:
        """Run the statement and return its rows, sealed values opened."""
        _, sql, binds, opened = self._for(connection)
        parameters = [
            convert(values.get(name, default)) if convert else values.get(name, default)
            for name, default, convert in binds
        ]
        cursor = driver(connection).execute(sql, parameters)
        found = cursor.fetchall()
        if not opened:
            return list(found)
        return [self._open(row, opened) for row in found]

    def first(self, connection: Connection, **values: Any) -> tuple[Any, ...] | None:
        """Run the statement and return its first row, or ``None``."""
        found = self.rows(connection, **values)
        return found[0] if found else None

    def _open(self, row: tuple[Any, ...], opened: list[tuple[int, Convert]]) -> tuple[Any, ...]:
        values = list(row)
        for at, convert in opened:
            values[at] = convert(values[at])
        return tuple(values)

    def _for(self, connection: Connection) -> Any:
        dialect = connection.dialect
        if self._compiled is None or self._compiled[0] is not dialect:
            self._compiled = (dialect, *self._compile(dialect))
        return self._compiled

    def _compile(self, dialect: Any) -> Any:
        compiled: Any = self._statement.compile(dialect=dialect)
        assert isinstance(compiled, SQLCompiler)
        binds = []
        for name in compiled.positiontup or ():
            bind = compiled.binds[name]
            sealed = isinstance(bind.type, SealedJSON)
            convert = (lambda value, kind=bind.type: kind.process_bind_param(value, dialect)) if sealed else None
            binds.append((bind.key, bind.effective_value, convert))
        opened = [
            (at, lambda value, kind=column.type: kind.process_result_value(value, dialect))
            for at, column in enumerate(self._columns)
            if isinstance(column.type, SealedJSON)
        ]
        return compiled.string, binds, opened


def driver(connection: Connection) -> Any:
    """Return the driver's own connection behind SQLAlchemy's, inside the same transaction."""
    return connection.connection.dbapi_connection
