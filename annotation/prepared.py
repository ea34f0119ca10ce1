"""Queries that Django writes once. On the labelling path, writing a query costs more CPU than the database's answer.

A prepared query is declared as an ordinary queryset. Its first use on a connection compiles it with stand-ins for the
parameters; from then on only their values change, and Django reads the rows as it always does.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.models.query import ModelIterable, QuerySet
from django.db.models.sql.compiler import SQLCompiler

Row = TypeVar("Row", bound=models.Model)

#: By kind of parameter, what stands in for it while the query is compiled: a value that nobody passes.
_STAND_INS: dict[type, Callable[[int], Any]] = {
    int: lambda place: -9_000_000_000 - place,
    str: lambda place: f"parameter {place} of a prepared query",
}


@dataclass(frozen=True, slots=True)
class _Compiled(Generic[Row]):
    """``params`` holds, per placeholder of ``sql``, the name of a parameter or a value that never changes."""

    queryset: QuerySet[Row]
    compiler: SQLCompiler
    sql: str
    params: tuple[tuple[str, Any], ...]


class Prepared(Generic[Row]):
    """``first(**parameters)`` of the queryset that ``build(**parameters)`` makes; ``kinds`` gives each one's type.

    Neither the joins nor the number of placeholders may depend on a parameter's value.
    """

    def __init__(self, build: Callable[..., QuerySet[Row]], **kinds: type) -> None:
        self._build = build
        self._kinds = kinds
        self._of_thread = threading.local()

    def first(self, **parameters: Any) -> Row | None:
        """The first row with these parameters, or None. One query."""
        compiled = self._compiled()
        values = tuple(parameters[name] if name else value for name, value in compiled.params)
        compiled.compiler.as_sql = lambda *_, **__: (compiled.sql, values)  # type: ignore[method-assign]
        return next(iter(ModelIterable(compiled.queryset)), None)

    def _compiled(self) -> _Compiled[Row]:
        # A compiler belongs to one connection, and a connection to one thread.
        connection = connections[DEFAULT_DB_ALIAS]
        known: _Compiled[Row] | None = getattr(self._of_thread, "compiled", None)
        if known is None or known.compiler.connection is not connection:
            known = self._of_thread.compiled = self._compile(connection)
        return known

    def _compile(self, connection: Any) -> _Compiled[Row]:
        stand_ins = {name: _STAND_INS[kind](place) for place, (name, kind) in enumerate(self._kinds.items())}
        queryset = self._build(**stand_ins).using(DEFAULT_DB_ALIAS)[:1]
        compiler = queryset.query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        names = {value: name for name, value in stand_ins.items()}
        queryset.query.get_compiler = lambda *_, **__: compiler  # type: ignore[method-assign]
        return _Compiled(queryset, compiler, sql, tuple((names.get(param, ""), param) for param in params))
