"""A database that is locked, away, full or damaged: how to tell that from a fault, and how not to wait."""

import errno
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError, connection

#: What SQLite calls a lock that did not end within the busy timeout.
SQLITE_LOCKS = ("SQLITE_BUSY", "SQLITE_LOCKED")
#: What PostgreSQL says of locks, of too many connections, of its own end or start: SQLSTATE or its class.
POSTGRES_STATES = ("08", "40001", "40P01", "53300", "55P03", "57P01", "57P02", "57P03")


def is_database_busy(error: BaseException | None) -> bool:
    """True when a database error only says that the database is not available now."""
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


def is_disk_full(error: BaseException | None) -> bool:
    """True when there was no room to write, in the database or in a file."""
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    cause: Any = error.__cause__ if isinstance(error, DatabaseError) else None
    if getattr(cause, "sqlite_errorname", "") == "SQLITE_FULL":
        return True
    return getattr(cause, "sqlstate", None) == "53100"


def is_database_damaged(error: BaseException | None) -> bool:
    """True when the database says that its own files cannot be read."""
    cause: Any = error.__cause__ if isinstance(error, DatabaseError) else None
    if str(getattr(cause, "sqlite_errorname", "")).startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return True
    return getattr(cause, "sqlstate", None) in ("XX001", "XX002")


def damage_advice() -> str:
    """A sentence for the site's keeper about a damaged database: which it is, and how to restore a backup."""
    database = settings.DATABASES["default"]
    backups = sorted(Path(settings.BACKUP_DIR).glob("campaign-*.zip"))
    restore = f"python manage.py restore {shlex.quote(str(backups[-1])) if backups else 'FILE'}"
    told = "" if backups else f" (there is none in {settings.BACKUP_DIR})"
    if not database["ENGINE"].endswith("sqlite3"):
        return (
            f"The database is damaged. Stop the site and restore the newest backup{told}: {restore} --force"
        )
    file = Path(database["NAME"])
    aside = shlex.quote(f"{file.parent}/damaged")
    move = f"mkdir {aside} && mv {shlex.quote(str(file))}* {aside} && {restore}"
    return (
        f"The database {file} is damaged. Stop the site, move the file aside and restore the newest "
        f"backup{told}: {move}"
    )


@contextmanager
def refuse_locked_writes() -> Iterator[None]:
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
