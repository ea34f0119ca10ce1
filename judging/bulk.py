"""Writing many rows in few statements, on SQLite and PostgreSQL alike, where an instance a row costs too much."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any

from django.db import connection, models
from django.db.backends.base.operations import BaseDatabaseOperations

#: Below the parameter limits of both databases (SQLite 32,766, PostgreSQL 65,535).
MAX_PARAMETERS = 9_000

_ENCODER = json.JSONEncoder(ensure_ascii=False)
_EMPTY = {dict: "{}", list: "[]", tuple: "[]", str: '""', bool: "false", int: "0", float: "0.0"}


def insert(
    model: type[models.Model],
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    ignore_conflicts: bool = False,
    returning: Sequence[str] = (),
) -> list[tuple[Any, ...]]:
    """Insert ``rows`` (values in the order of ``columns``, which name database columns); the ``returning`` columns.

    Returned rows come in no promised order, and with ``ignore_conflicts`` only the rows that were new come back.
    Values must be plain: see ``moment`` and ``json_text``.
    """
    quote = connection.ops.quote_name
    table = quote(model._meta.db_table)
    head = f"INSERT INTO {table} ({', '.join(quote(column) for column in columns)}) VALUES "  # noqa: S608 - no input
    tail = " ON CONFLICT DO NOTHING" if ignore_conflicts else ""
    if returning:
        tail += f" RETURNING {', '.join(quote(column) for column in returning)}"
    one = f"({', '.join(['%s'] * len(columns))})"
    back: list[tuple[Any, ...]] = []
    with connection.cursor() as cursor:
        for chunk in chunks(rows, MAX_PARAMETERS // len(columns)):
            cursor.execute(head + ", ".join([one] * len(chunk)) + tail, [value for row in chunk for value in row])
            if returning:
                back += cursor.fetchall()
    return back


def update(
    model: type[models.Model], keys: Sequence[str], columns: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Update ``columns`` of the rows that ``keys`` name; each row holds the keys' values and then the columns'.

    One statement for many rows: every statement lets the other threads in, and coming back costs a wait.
    """
    quote = connection.ops.quote_name
    names = [*keys, *columns]
    given = {name: f"given.column{place}{_as_type(model, name)}" for place, name in enumerate(names, start=1)}
    head = f"UPDATE {quote(model._meta.db_table)} AS stored SET "  # noqa: S608 - names of our own models
    head += ", ".join(f"{quote(name)} = {given[name]}" for name in columns) + " FROM (VALUES "
    tail = ") AS given WHERE " + " AND ".join(f"stored.{quote(name)} = {given[name]}" for name in keys)
    one = f"({', '.join(['%s'] * len(names))})"
    with connection.cursor() as cursor:
        for chunk in chunks(rows, MAX_PARAMETERS // len(names)):
            cursor.execute(head + ", ".join([one] * len(chunk)) + tail, [value for row in chunk for value in row])


def _as_type(model: type[models.Model], column: str) -> str:
    """A cast to the column's type where the database does not find it out by itself."""
    if connection.vendor != "postgresql":
        return ""
    field = next(field for field in model._meta.concrete_fields if field.column == column)
    return f"::{field.rel_db_type(connection) if field.primary_key else field.db_type(connection)}"


def execute_in(sql: str, values: Sequence[Any], before: Sequence[Any] = ()) -> None:
    """Run a statement that holds ``{in}`` where the list of ``values`` goes; ``before`` are earlier parameters."""
    with connection.cursor() as cursor:
        for chunk in chunks(values, MAX_PARAMETERS):
            cursor.execute(sql.replace("{in}", ", ".join(["%s"] * len(chunk))), [*before, *chunk])


def select_in(sql: str, values: Sequence[Any], before: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
    """Rows of a query that holds ``{in}`` where the list of ``values`` goes; ``before`` are earlier parameters."""
    with connection.cursor() as cursor:
        for chunk in chunks(values, MAX_PARAMETERS):
            cursor.execute(sql.replace("{in}", ", ".join(["%s"] * len(chunk))), [*before, *chunk])
            yield from cursor.fetchall()


def chunks(rows: Iterable[Any], size: int) -> Iterator[list[Any]]:
    iterator = iter(rows)
    while chunk := list(islice(iterator, size)):
        yield chunk


@cache
def _operations() -> BaseDatabaseOperations:
    # Asked for several times a row; the connection itself is looked up anew by every thread, its dialect need not be.
    return connection.ops


def moment(value: dt.datetime | None) -> Any:
    """A moment as this database takes it."""
    return None if value is None else _operations().adapt_datetimefield_value(value)


def json_text(value: Any) -> str:
    """A JSON column's text; both databases take it."""
    if not value:
        return _EMPTY.get(type(value), "null")
    text = _ENCODER.encode(value)
    if "\\u0000" in text or not _encodes(text):
        return _ENCODER.encode(_cleaned(value))
    return text


def plain_text(value: str) -> str:
    """``value`` with what no text column can hold (U+0000, half a surrogate pair) replaced by U+FFFD."""
    if "\x00" not in value and _encodes(value):
        return value
    return value.replace("\x00", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _encodes(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _cleaned(value: Any) -> Any:
    match value:
        case str():
            return plain_text(value)
        case Mapping():
            return {plain_text(str(key)): _cleaned(each) for key, each in value.items()}
        case list() | tuple():
            return [_cleaned(each) for each in value]
    return value
