"""The agreement report as JSON, plain text, CSV and LaTeX: one line per coefficient."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

from analysis.agreement.of_labels import LabelAgreement
from analysis.stats.estimate import Estimate

Line = tuple[str, Estimate]

_CSV_COLUMNS = (
    "coefficient", "annotators", "value", "low", "high", "level", "se", "p", "n", "unit", "method", "undefined",
    "warning",
)  # fmt: skip


def agreement_json(report: LabelAgreement) -> dict[str, Any]:
    """The public contract of ``manage.py agreement --json``. Undefined is null with a reason, never NaN."""
    return {
        "question": report.question,
        "n_items": report.n_items,
        "n_items_with_two_labels": report.n_pairable,
        "n_raters": len(report.annotators),
        "categories": list(report.categories),
        "categories_declared": report.declared,
        "coefficients": {name: estimate.as_json() for name, estimate in report.coefficients.items()},
        "pairwise": [
            {"coefficient": "cohen_kappa", "raters": list(raters), **estimate.as_json()}
            for raters, estimate in report.pairwise.items()
        ],
    }


def agreement_json_text(report: LabelAgreement) -> str:
    return json.dumps(agreement_json(report), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def agreement_text(report: LabelAgreement) -> str:
    """A plain table: value, interval, standard error, p and n, then how, or why not."""
    rows = [("coefficient", "value", "interval", "se", "p", "n", "method")]
    for name, one in _lines(report):
        if one.value is None:
            rows.append((name, "undefined", "", "", "", str(one.n), one.undefined or ""))
        else:
            rows.append((name, f"{one.value:.4f}", _interval(one), _se(one), _p(one), str(one.n), one.method))
    widths = [max(len(row[column]) for row in rows) for column in range(6)]
    table = [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[6]]).rstrip()
        for row in rows
    ]
    warnings = sorted({one.warning for _, one in _lines(report) if one.warning})
    return "\n".join([_headline(report), "", *table, *(f"Note: {warning}." for warning in warnings)])


def agreement_csv(report: LabelAgreement) -> str:
    """One row per coefficient and pair of annotators; an undefined value is an empty cell beside its reason."""
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=_CSV_COLUMNS, lineterminator="\n")
    writer.writeheader()
    for name, annotators, estimate in _named(report):
        cells = {"coefficient": name, "annotators": annotators}
        cells |= {column: getattr(estimate, column) for column in _CSV_COLUMNS[2:]}
        writer.writerow({column: _safe(value) for column, value in cells.items()})
    return out.getvalue()


def agreement_latex(report: LabelAgreement) -> str:
    """A booktabs table; undefined is a dash, and its reason stands in a comment beside it."""
    lines = [
        "% " + " ".join(_headline(report).split()),
        r"\begin{tabular}{lrrrr}",
        r"\toprule",
        r"Coefficient & Value & Interval & SE & $n$ \\",
        r"\midrule",
    ]
    for name, one in _lines(report):
        if one.value is None:
            lines.append(rf"{_tex(name)} & -- & & & {one.n} \\ % {' '.join((one.undefined or '').split())}")
        else:
            lines.append(
                rf"{_tex(name)} & {one.value:.3f} & {_tex(_interval(one, digits=3))} & {_se(one)} & {one.n} \\"
            )
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def _named(report: LabelAgreement) -> Iterator[tuple[str, str, Estimate]]:
    for name, estimate in report.coefficients.items():
        yield name, "", estimate
    for raters, estimate in report.pairwise.items():
        yield "cohen_kappa", " / ".join(raters), estimate


def _lines(report: LabelAgreement) -> Iterator[Line]:
    for name, annotators, estimate in _named(report):
        yield f"{name} {annotators}".rstrip(), estimate


def _headline(report: LabelAgreement) -> str:
    listed = ", ".join(str(category) for category in report.categories)
    kind = "declared" if report.declared else "none declared; seen"
    of = f" on {report.question!r}" if report.question else ""
    return (
        f"Agreement{of}: {report.n_items} pairs ({report.n_pairable} with two labels or more), "
        f"{len(report.annotators)} annotators, categories ({kind}): {listed}"
    )


def _interval(one: Estimate, *, digits: int = 4) -> str:
    if one.low is None or one.high is None:
        return ""
    return f"[{one.low:.{digits}f}, {one.high:.{digits}f}]"


def _se(one: Estimate) -> str:
    return "" if one.se is None else f"{one.se:.4f}"


def _p(one: Estimate) -> str:
    if one.p is None:
        return ""
    return "<.0001" if one.p < 0.0001 else f"{one.p:.4f}"


def _safe(value: Any) -> Any:
    """Names come from files: a leading =, +, - or @ would make a spreadsheet compute them."""
    return f"'{value}" if isinstance(value, str) and value[:1] in {"=", "+", "-", "@", "\t", "\r"} else value


def _tex(text: str) -> str:
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return "".join(special.get(letter, f"\\{letter}" if letter in "&%$#_{}" else letter) for letter in text)
