"""Rows that are only ever added: the database itself refuses to change them, in SQLite and PostgreSQL alike.

Installed after every migration, because SQLite drops a table's triggers whenever Django rebuilds it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import connections

from annotation.models import (
    Amendment,
    AuditEntry,
    Guideline,
    Label,
    Pair,
    Resolution,
    ValidatedPair,
    ValidatedSplit,
)

TABLES = tuple(
    model._meta.db_table
    for model in (Amendment, AuditEntry, Guideline, Label, Pair, Resolution, ValidatedPair, ValidatedSplit)
)


def install(*, tables: Sequence[str], using: str) -> None:
    """Make ``tables`` refuse UPDATE. Safe to run again."""
    connection = connections[using]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "CREATE OR REPLACE FUNCTION tiebreak_refuse_update() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RAISE EXCEPTION '% rows are never changed', TG_TABLE_NAME; END $$"
            )
        for table in tables:
            name = f"{table}_is_append_only"
            if connection.vendor == "postgresql":
                cursor.execute(f'DROP TRIGGER IF EXISTS "{name}" ON "{table}"')
                cursor.execute(
                    f'CREATE TRIGGER "{name}" BEFORE UPDATE ON "{table}" '
                    "FOR EACH ROW EXECUTE FUNCTION tiebreak_refuse_update()"
                )
            else:
                cursor.execute(
                    f'CREATE TRIGGER IF NOT EXISTS "{name}" BEFORE UPDATE ON "{table}" '
                    f"BEGIN SELECT RAISE(ABORT, '{table} rows are never changed'); END"
                )


def after_migrate(*, using: str, **_: Any) -> None:
    """Signal handler of the annotation app's post_migrate."""
    existing = connections[using].introspection.table_names()
    install(tables=[table for table in TABLES if table in existing], using=using)
