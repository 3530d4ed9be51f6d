"""A database that is locked or away for a while: how to tell it from a fault, and how not to wait for it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import DatabaseError, InterfaceError, OperationalError, connection

#: What SQLite calls a lock that did not end within the busy timeout.
SQLITE_LOCKS = ("SQLITE_BUSY", "SQLITE_LOCKED")
#: What PostgreSQL says of locks, of too many connections, of its own end or start: SQLSTATE or its class.
POSTGRES_STATES = ("08", "40001", "40P01", "53300", "55P03", "57P01", "57P02", "57P03")


def is_database_busy(error: BaseException | None) -> bool:
    """Whether a database error says no more than that the database cannot be had now."""
    if not isinstance(error, DatabaseError | InterfaceError):
        return False
    cause: Any = error.__cause__
    if name := getattr(cause, "sqlite_errorname", ""):
        return str(name).startswith(SQLITE_LOCKS)
    if not hasattr(cause, "sqlstate"):
        return False
    state = cause.sqlstate
    if state is None:  # there was no server to say more
        return isinstance(error, OperationalError | InterfaceError)
    return str(state).startswith(POSTGRES_STATES)


@contextmanager
def lock_refused() -> Iterator[None]:
    """SQLite refuses at once (OperationalError) what would wait for a lock."""
    if connection.vendor != "sqlite":
        yield
        return
    connection.ensure_connection()
    database = connection.connection  # asked past Django, which would count and log it as a query
    (patience,) = database.execute("PRAGMA busy_timeout").fetchone()
    database.execute("PRAGMA busy_timeout = 0")
    try:
        yield
    finally:
        database.execute(f"PRAGMA busy_timeout = {patience}")
