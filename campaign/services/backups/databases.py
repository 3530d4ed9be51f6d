"""Database backup and restore: SQLite's format, PostgreSQL's format, and a portable one that fits both."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from django.apps import apps
from django.core import serializers
from django.core.management.color import no_style
from django.core.serializers.json import DjangoJSONEncoder
from django.db import DatabaseError, connection, models, transaction
from django.db.backends.postgresql.client import DatabaseClient

from campaign.services.backups.files import BackupRefused


class WholeMoments(DjangoJSONEncoder):
    """Moments to the microsecond: Django cuts them to thousandths, and records vouch for them whole."""

    def default(self, o: Any) -> Any:
        return o.isoformat() if isinstance(o, datetime) else super().default(o)


SQLITE, POSTGRES, PORTABLE = "database.sqlite3", "database.dump", "database.jsonl"
#: Signed-in browsers: nothing is lost with them, and a dump is read by more eyes than a database.
LEFT_OUT = ("sessions.Session",)
Tally = Callable[[], dict[str, Any]]


def choose_dump_name(*, portable: bool) -> str:
    """Choose the file name, and with it the format, for a backup of this site's database."""
    if portable:
        return PORTABLE
    if connection.vendor == "sqlite":
        return SQLITE
    return POSTGRES if connection.vendor == "postgresql" and shutil.which("pg_dump") else PORTABLE


def database_write(file: Path, tally: Tally) -> dict[str, Any]:
    """Write the database to a file whose name says how, and what `tally` counts of the same moment."""
    if file.name == SQLITE:
        _sqlite_write(file)
        return _sqlite_tally(file)
    with _one_moment() as snapshot:
        facts = tally()
        if file.name == POSTGRES:
            _pg_write(file, snapshot)
        else:
            with file.open("wb") as stream:
                _portable_write(stream)
    return facts


def database_read(file: Path) -> None:
    """Replace this site's database with the one in the file, whole or not at all.

    PostgreSQL's own form is checked first; where putting it back fails after all, the message says so.
    """
    wanted = {SQLITE: "sqlite", POSTGRES: "postgresql"}.get(file.name, connection.vendor)
    if wanted != connection.vendor:
        raise BackupRefused(
            f"The backup is one of {NAMES[wanted]}, and this site is set to {NAMES[connection.vendor]}. "
            "Set DATABASE_URL for it; or make the backup with --portable, which fits both."
        )
    try:
        {SQLITE: _restore_sqlite, POSTGRES: _restore_postgres, PORTABLE: _restore_portable}[file.name](file)
    except (DatabaseError, sqlite3.Error) as error:
        raise BackupRefused(f"The database could not be put back, and is as it was: {error}") from error


NAMES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


def list_table_names() -> list[str]:
    """List every table of the installed models, including many-to-many tables."""
    return sorted({model._meta.db_table for model in apps.get_models(include_auto_created=True)})


# --- SQLite ---


def _sqlite_write(file: Path) -> None:
    """A copy by SQLite's own means: writers go on meanwhile, and it is of one moment."""
    connection.ensure_connection()
    with closing(sqlite3.connect(file)) as target:
        connection.connection.backup(target)
        target.execute("PRAGMA journal_mode=DELETE")
    _sqlite_check(file)


def _sqlite_check(file: Path) -> None:
    with closing(sqlite3.connect(file)) as copy:
        found = copy.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise BackupRefused(f"The database is damaged: {found}. Use the newest backup that is not.")


def _sqlite_tally(file: Path) -> dict[str, Any]:
    with closing(sqlite3.connect(file)) as copy:
        there = {name for (name,) in copy.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}

        def ask(query: str) -> list[tuple[Any, ...]]:
            return copy.execute(query).fetchall()

        return tally_of(ask, there)


def _restore_sqlite(file: Path) -> None:
    _sqlite_check(file)
    connection.ensure_connection()
    with closing(sqlite3.connect(file)) as source:
        source.backup(connection.connection)
    connection.close()


# --- PostgreSQL ---


@contextmanager
def _one_moment() -> Iterator[str]:
    """A transaction that sees the database of one moment; its name is one that pg_dump can share."""
    if connection.vendor != "postgresql":
        with transaction.atomic():
            yield ""
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        cursor.execute("SELECT pg_export_snapshot()")
        yield str(cursor.fetchone()[0])


def _pg_write(file: Path, snapshot: str) -> None:
    _run_postgres_tool("pg_dump", "--format=custom", f"--snapshot={snapshot}", f"--file={file}")


def _restore_postgres(file: Path) -> None:
    """Drop all tables, which must belong to this site alone, and restore those of the file."""
    if not shutil.which("pg_restore"):
        raise BackupRefused("pg_restore is not installed; on Debian: apt-get install postgresql-client")
    _pg_check(file)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout = '10s'")
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"DROP TABLE {connection.ops.quote_name(table)} CASCADE")
    connection.close()
    try:
        _run_postgres_tool(
            "pg_restore", "--single-transaction", "--exit-on-error", str(file), into="--dbname"
        )
    except BackupRefused as error:
        raise BackupRefused(
            f"{error} The database is empty now: mend what is said, then put the newest backup back."
        ) from error


def _pg_check(file: Path) -> None:
    """Read the file's list of contents and nothing else, before anything is dropped for it."""
    done = subprocess.run(["pg_restore", "--list", str(file)], capture_output=True, text=True, check=False)
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise BackupRefused(f"The backup cannot be read, and nothing was changed: {said[0] if said else ''}")


def _run_postgres_tool(program: str, *arguments: str, into: str = "") -> None:
    """Run one of PostgreSQL's programs on this site's database; the password stays off the command line."""
    told, environment = DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, [])
    *address, name = told[1:]
    command = [program, "--no-password", "--no-owner", "--no-privileges", *address, *arguments]
    command += [into, name] if into else [name]
    done = subprocess.run(
        command, env={**os.environ, **(environment or {})}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise BackupRefused(f"{program} failed: {said[0] if said else done.returncode}")


# --- a form that fits both: each row as a line of JSON ---


def _portable_models() -> list[type[models.Model]]:
    every = apps.get_models()
    return [m for m in every if m._meta.managed and not m._meta.proxy and m._meta.label not in LEFT_OUT]


def _portable_write(stream: IO[bytes]) -> None:
    for model in _portable_models():
        rows = model._base_manager.order_by("pk").iterator(chunk_size=500)
        for row in rows:
            stream.write(serializers.serialize("jsonl", [row], cls=WholeMoments).encode())


def _restore_portable(file: Path) -> None:
    """Empty every table and fill it from the file, in one transaction."""
    kept = [model._meta.db_table for model in apps.get_models() if model._meta.label in LEFT_OUT]
    with transaction.atomic(), connection.cursor() as cursor:
        flush = connection.ops.sql_flush(
            no_style(), list_table_names(), reset_sequences=True, allow_cascade=True
        )
        for statement in flush:
            cursor.execute(statement)
        with file.open(encoding="utf-8") as stream:
            for row in serializers.deserialize("jsonl", stream):
                row.save(force_insert=True)
        full = [name for name in list_table_names() if name not in kept]
        connection.check_constraints(table_names=full)
        for statement in connection.ops.sequence_reset_sql(no_style(), list(apps.get_models())):
            cursor.execute(statement)


# --- what was in it ---


def tally_of(ask: Callable[[str], list[tuple[Any, ...]]], there: set[str]) -> dict[str, Any]:
    """Rows of each table, migrations applied, and where the chain of each campaign stands."""
    found: dict[str, Any] = {
        "rows": {
            name: ask(f'SELECT COUNT(*) FROM "{name}"')[0][0] for name in list_table_names() if name in there
        },
        "migrations": [],
        "heads": {},
    }
    if "django_migrations" in there:
        found["migrations"] = sorted(
            f"{app}.{name}" for app, name in ask("SELECT app, name FROM django_migrations")
        )
    if "campaign_campaign" in there:
        query = (
            "SELECT slug, record_hash FROM campaign_campaign JOIN campaign_dayrecord "
            "ON campaign_dayrecord.id = campaign_campaign.head_id"
        )
        found["heads"] = dict(ask(query))
    return found


def tally_database() -> dict[str, Any]:
    """Count the rows of this site's database as it is now, in the form of `tally_of`."""
    with connection.cursor() as cursor:

        def ask(query: str) -> list[tuple[Any, ...]]:
            cursor.execute(query)
            rows: list[tuple[Any, ...]] = cursor.fetchall()
            return rows

        return tally_of(ask, set(connection.introspection.table_names(cursor)))
