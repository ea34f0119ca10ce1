"""How rows of pairs reach the table: by COPY on PostgreSQL, in batches elsewhere."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.db import connection

from annotation.models import Pair, Split, Study
from annotation.records import PairRecord

#: Rows of one INSERT where there is no COPY.
INSERTED_TOGETHER = 500
_FIELDS = [field for field in Pair._meta.concrete_fields if not field.primary_key]
#: {attribute of a record as it lands in the table: how many characters the column holds}
LIMITS = {field.attname: field.max_length for field in _FIELDS if field.max_length}


def row_of(record: PairRecord, *, study: Study, split: Split, place: int, digest: str) -> dict[str, Any]:
    """The record as {column attribute: value}, its cluster filled in."""
    return {
        "study_id": study.pk,
        "split_id": split.pk,
        "pair_id": record.pair_id,
        "position": place,
        "role_1": record.roles[0],
        "role_2": record.roles[1],
        "tier": None if record.tier is None else str(record.tier),
        "target": record.target,
        "cluster": record.cluster or record.pair_id,
        "artifact_kind": record.artifact_kind,
        "artifact_role": record.artifact_role,
        "domain": record.domain,
        "source_dataset": record.source_dataset,
        "source_id": record.source_id,
        "source_licence": record.source_licence,
        "content_hash": digest,
        "meta": dict(record.meta),
        "task": record.task,
        "context": record.context,
        "candidate_1": record.candidates[0],
        "candidate_2": record.candidates[1],
    }


def store(rows: Sequence[dict[str, Any]]) -> None:
    """Add the rows, inside the caller's transaction. Raises IntegrityError for an id that is there already."""
    if not rows:
        return
    if connection.vendor == "postgresql":
        _copy(rows)
    else:
        Pair.objects.bulk_create((Pair(**row) for row in rows), batch_size=INSERTED_TOGETHER)


def _copy(rows: Sequence[dict[str, Any]]) -> None:
    quoted = ", ".join(connection.ops.quote_name(str(field.column)) for field in _FIELDS)
    table = connection.ops.quote_name(Pair._meta.db_table)
    names = [field.attname for field in _FIELDS]
    statement = f"COPY {table} ({quoted}) FROM STDIN"
    # Django turns the driver's errors into its own only where it runs the statement itself.
    with connection.wrap_database_errors, connection.cursor() as cursor, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row([_copied(row[name]) for name in names])


def _copied(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value
