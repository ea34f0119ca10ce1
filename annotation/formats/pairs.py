"""The public pairs format: JSON Lines with roles and candidates, or columns role_1, role_2, candidate_1,
candidate_2."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from annotation.enums import (
    DEFAULT_TARGETS,
    RESERVED_ROLE_NAMES,
    ROLE_TARGET_TIERS,
    TARGET_BOUNDARY,
    TARGET_TIE,
    Tier,
)
from annotation.formats.cells import Cells
from annotation.formats.registry import Format, PairRows
from annotation.formats.seen import Seen
from annotation.formats.source import Sample, Source
from annotation.formats.tabular import rows
from annotation.formats.unknown_names import unknown_names
from annotation.records import PairRecord

#: Every name the format knows: the JSON keys, and the columns that stand for nested keys in tables.
NAMES = frozenset(
    {
        "pair_id",
        "task",
        "context",
        "roles",
        "candidates",
        "split",
        "tier",
        "target",
        "cluster",
        "domain",
        "meta",
    }
    | {"role_1", "role_2", "candidate_1", "candidate_2", "artifact", "artifact_kind", "artifact_role"}
    | {"source", "source_dataset", "source_id", "source_licence"}
)
_TIERS = frozenset(Tier.values())
_RESERVED = frozenset(name.casefold() for name in RESERVED_ROLE_NAMES)

#: Targets that are not roles, by the tiers they make sense in; the tiers of ROLE_TARGET_TIERS take a role
#: only.
_TIE_ONLY = frozenset({Tier.EQUIVALENCE, Tier.IDENTICAL})
_TIE_OR_BOUNDARY = frozenset({Tier.NATURAL})


def read(source: Source) -> PairRows:
    """One ``PairRecord`` a row, each followed by its oddities; names the format does not know are told
    once."""
    ids = Seen()
    unknown: dict[str, int] = {}
    try:
        for row in rows(source):
            for name in row.cells.keys() - NAMES:
                unknown.setdefault(name, row.number)
            cells = Cells(row, source.problems)
            record = _record(cells)
            if record is not None:
                before = ids.earlier(row.number, record.pair_id)
                if before is not None:
                    cells.refuse(
                        "pair_id",
                        f"{record.pair_id!r} was used in row {before}.",
                        "Give every pair its own id.",
                    )
                else:
                    yield record
                    yield from cells.oddities
    finally:
        ids.close()
    yield from unknown_names(unknown, NAMES)


def _record(cells: Cells) -> PairRecord | None:
    pair_id = cells.word("pair_id", required=True)
    task = cells.passage("task", required=True)
    if cells.ok and task is None:
        cells.refuse("task", "is null.", "Every pair needs the task its candidates answer.")
    roles = _roles(cells)
    candidates = _candidates(cells, roles) if roles else None
    tier = _tier(cells)
    target = _target(cells, tier, roles) if roles and tier else None
    artifact_kind, artifact_role = _artifact(cells, roles)
    dataset, source_id, licence = _source(cells)
    meta = cells.structure("meta")
    if meta is not None and not isinstance(meta, Mapping):
        cells.refuse("meta", "is not a JSON object.", 'Write it like {"key": "value"}.')
    context = cells.passage("context")
    if not cells.ok or roles is None or candidates is None or task is None:
        return None
    return PairRecord(
        pair_id=pair_id,
        task=task,
        roles=roles,
        candidates=candidates,
        context=context or None,
        split=cells.word("split"),
        tier=tier,
        target=target,
        cluster=cells.word("cluster"),
        artifact_kind=artifact_kind,
        artifact_role=artifact_role,
        domain=cells.word("domain"),
        source_dataset=dataset,
        source_id=source_id,
        source_licence=licence,
        meta=dict(meta) if meta else {},
    )


def _roles(cells: Cells) -> tuple[str, str] | None:
    given = cells.structure("roles")
    if given is None:
        names = [cells.word("role_1", required=True), cells.word("role_2", required=True)]
        if not all(names):
            return None
    elif isinstance(given, list) and len(given) == 2 and all(isinstance(name, str) for name in given):
        names = [name.strip() for name in given]
    else:
        cells.refuse("roles", "is not a list of two names.", 'Write it like ["plain", "cited"].')
        return None
    for name in names:
        if name.casefold() in _RESERVED:
            cells.refuse(
                "roles",
                f"{name!r} is a reserved word.",
                "Name roles by what they are, such as plain and cited.",
            )
            return None
    if names[0] == names[1]:
        cells.refuse("roles", f"both are {names[0]!r}.", "The two roles need two names.")
        return None
    return names[0], names[1]


def _candidates(cells: Cells, roles: tuple[str, str]) -> tuple[str | None, str | None] | None:
    given = cells.row.cells.get("candidates")
    if given is None:
        first = cells.passage("candidate_1", required=True)
        second = cells.passage("candidate_2", required=True)
        return first, second
    given = cells.structure("candidates")
    if not isinstance(given, Mapping) or {str(key).strip() for key in given} != set(roles):
        keys = ", ".join(map(str, given)) if isinstance(given, Mapping) else "no object"
        cells.refuse(
            "candidates",
            f"has {keys or 'no keys'}; the roles are {', '.join(roles)}.",
            "Give one text a role.",
        )
        return None
    texts = {str(key).strip(): value for key, value in given.items()}
    first, second = (cells.as_passage(f"candidates.{role}", texts[role]) for role in roles)
    return first, second


def _tier(cells: Cells) -> Tier | None:
    name = cells.word("tier")
    if not name:
        return Tier.PREFERENCE
    if name not in _TIERS:
        near = difflib.get_close_matches(name.lower(), Tier.values(), n=1)
        hint = f"Did you mean {near[0]}? " if near else ""
        cells.refuse("tier", f"{name!r} is not a tier.", f"{hint}Tiers are {', '.join(Tier.values())}.")
        return None
    return Tier(name)


def _target(cells: Cells, tier: Tier, roles: tuple[str, str]) -> str | None:
    target = cells.word("target")
    if not target:
        if tier in ROLE_TARGET_TIERS:
            cells.refuse(
                "target",
                f"is missing; a {tier} pair needs one.",
                f"Name the sound side: {' or '.join(roles)}.",
            )
        return DEFAULT_TARGETS.get(tier)
    if target not in {*roles, TARGET_TIE, TARGET_BOUNDARY}:
        cells.refuse("target", f"{target!r} is neither a role nor tie nor boundary.", f"Roles are {', '.join(roles)}.")
        return None
    allowed = _allowed_targets(tier, roles)
    if target not in allowed:
        cells.refuse("target", f"{target!r} contradicts the tier {tier}.", f"It takes {' or '.join(allowed)}.")
        return None
    return target


def _allowed_targets(tier: Tier, roles: tuple[str, str]) -> tuple[str, ...]:
    if tier in ROLE_TARGET_TIERS:
        return roles
    if tier in _TIE_ONLY:
        return (TARGET_TIE,)
    if tier in _TIE_OR_BOUNDARY:
        return TARGET_TIE, TARGET_BOUNDARY
    return *roles, TARGET_TIE, TARGET_BOUNDARY


def _artifact(cells: Cells, roles: tuple[str, str] | None) -> tuple[str, str]:
    kind, role = _nested(cells, "artifact", ("kind", "role"))
    if role and roles and role not in roles:
        cells.refuse("artifact.role", f"{role!r} is not a role of the pair.", f"Roles are {', '.join(roles)}.")
    return kind, role


def _source(cells: Cells) -> tuple[str, str, str]:
    dataset, source_id, licence = _nested(cells, "source", ("dataset", "id", "licence"))
    return dataset, source_id, licence


def _nested(cells: Cells, name: str, keys: tuple[str, ...]) -> tuple[str, ...]:
    """The parts of an object field: from the object, or from columns named ``name_key``."""
    given: Any = cells.structure(name)
    if given is None:
        return tuple(cells.word(f"{name}_{key}") for key in keys)
    if not isinstance(given, Mapping) or not given.keys() <= set(keys):
        cells.refuse(name, "is not an object of " + ", ".join(keys) + ".", f"Or use the columns {name}_{keys[0]} ...")
        return ("",) * len(keys)
    return tuple(_scalar(cells, f"{name}.{key}", given.get(key)) for key in keys)


def _scalar(cells: Cells, field: str, value: Any) -> str:
    return "" if value is None else cells.as_text(field, value, count_numbers=False).strip()


def _recognises(sample: Sample) -> bool:
    # any two of the four will do, so that a file that lacks one is told which instead of "unknown format"
    parts = (
        {"pair_id"},
        {"task"},
        {"roles", "role_1", "role_2"},
        {"candidates", "candidate_1", "candidate_2"},
    )
    return sum(bool(sample.names & part) for part in parts) >= 2


FORMAT = Format(
    name="pairs", words="Tiebreak pairs (JSONL, CSV, TSV, XLSX, Parquet)", recognises=_recognises, pairs=read
)
