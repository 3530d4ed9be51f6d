"""Writing many rows in few statements.

SQLite counts every bound value against a limit, so Django splits a wide insert into batches of
about a hundred rows and an update of ten thousand rows into hundreds of CASE expressions. Here a
batch travels as one JSON parameter, which both SQLite and PostgreSQL unpack in a single statement.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import connections, models, router

from rosters.keys import KeyField, make_row_key

BATCH = 2000


def rows_insert(model: type[models.Model], rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows given as {attname: value}; every row names the same columns.

    Columns left out must have a database default or be the primary key; a `KeyField` gives its keys here as
    it does when a row is saved.
    """
    if not rows:
        return
    key = model._meta.pk
    if isinstance(key, KeyField) and key.attname not in rows[0]:
        rows = [{key.attname: make_row_key(), **row} for row in rows]
    names = list(rows[0])
    columns = ", ".join(_quote_column(model, name) for name in names)
    for batch in _iter_batches(rows):
        selected = ", ".join(_build_value_sql(model, name, index) for index, name in enumerate(names))
        _execute_sql(
            model,
            f"INSERT INTO {_quote_table(model)} ({columns}) "
            f"SELECT {selected} FROM {_build_source_sql(model)} ORDER BY j.ordinal",
            _encode_rows(model, names, batch),
        )


def rows_update(model: type[models.Model], rows: Sequence[Mapping[str, Any]], key: str = "id") -> None:
    """Update rows given as {attname: value}, each found by its `key` column."""
    if not rows:
        return
    names = [key, *(name for name in rows[0] if name != key)]
    assigned = ", ".join(
        f"{_quote_column(model, name)} = {_build_value_sql(model, name, index)}"
        for index, name in enumerate(names)
        if name != key
    )
    for batch in _iter_batches(rows):
        _execute_sql(
            model,
            f"UPDATE {_quote_table(model)} SET {assigned} FROM {_build_source_sql(model)} "
            f"WHERE {_quote_table(model)}.{_quote_column(model, key)} = {_build_value_sql(model, key, 0)}",
            _encode_rows(model, names, batch),
        )


def _iter_batches(rows: Sequence[Mapping[str, Any]]) -> Iterator[Sequence[Mapping[str, Any]]]:
    return (rows[start : start + BATCH] for start in range(0, len(rows), BATCH))


def _encode_rows(model: type[models.Model], names: Iterable[str], batch: Sequence[Mapping[str, Any]]) -> str:
    names = list(names)
    nested = {name for name in names if isinstance(model._meta.get_field(name), models.JSONField)}
    return json.dumps(
        [
            # A JSON column is carried as text, so that `null` in it and SQL's NULL stay apart.
            [
                json.dumps(row[name]) if name in nested and row[name] is not None else row[name]
                for name in names
            ]
            for row in batch
        ],
        cls=DjangoJSONEncoder,
        separators=(",", ":"),
    )


def _get_connection(model: type[models.Model]) -> Any:
    return connections[router.db_for_write(model)]


def _quote_name(model: type[models.Model], name: str) -> str:
    return str(_get_connection(model).ops.quote_name(name))


def _quote_table(model: type[models.Model]) -> str:
    return _quote_name(model, model._meta.db_table)


def _quote_column(model: type[models.Model], name: str) -> str:
    field: Any = model._meta.get_field(name)
    return _quote_name(model, field.column)


def _build_source_sql(model: type[models.Model]) -> str:
    if _get_connection(model).vendor == "postgresql":
        return "jsonb_array_elements(CAST(%s AS jsonb)) WITH ORDINALITY AS j(value, ordinal)"
    return "(SELECT value, key AS ordinal FROM json_each(%s)) AS j"


def _build_value_sql(model: type[models.Model], name: str, index: int) -> str:
    """The value of a column out of the packed row.

    PostgreSQL's arrow gives text, which has to be cast; SQLite's gives its own types.
    """
    connection = _get_connection(model)
    if connection.vendor != "postgresql":
        return f"(j.value ->> {index})"
    field: Any = model._meta.get_field(name)
    kind = (
        field.rel_db_type(connection) if not field.is_relation else field.target_field.rel_db_type(connection)
    )
    if isinstance(field, models.JSONField):
        kind = "jsonb"
    elif isinstance(field, models.CharField):
        kind = "text"  # a cast to varchar(n) would cut what is too long instead of refusing it
    return f"CAST(j.value ->> {index} AS {kind})"


def _execute_sql(model: type[models.Model], sql: str, packed: str) -> None:
    with _get_connection(model).cursor() as cursor:
        cursor.execute(sql, [packed])
