"""The judges' rows that are only ever added; see annotation.append_only."""

from __future__ import annotations

from typing import Any

from django.db import connections

from annotation.append_only import install
from judging.models import Payload, Reading

TABLES = tuple(model._meta.db_table for model in (Payload, Reading))


def after_migrate(*, using: str, **_: Any) -> None:
    """Signal handler of the judging app's post_migrate."""
    existing = connections[using].introspection.table_names()
    install(tables=[table for table in TABLES if table in existing], using=using)
