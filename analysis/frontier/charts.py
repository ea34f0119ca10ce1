"""Figures as Vega-Lite specifications, drawn offline: the same specification for the page, the SVG and the PNG."""

from __future__ import annotations

import json
from typing import Any

import altair as alt
import vl_convert

from analysis.frontier.sections.contrasts import CLEAN_PROBES

Row = dict[str, Any]

#: Okabe and Ito's colours, which colour-blind readers can tell apart; shape and dash say the same again.
_COLOURS = ["#D55E00", "#0072B2", "#009E73"]
_SERIES = ["Tie", "Target wins", "Second role wins"]


def frontier_points(rows: list[Row]) -> list[Row]:
    """The points of the frontier figure: per judge, tier and condition the tie rate and the target's wins (the second
    role's where the pairs aim at a tie), with intervals, from the rows of the default basis."""
    points: list[Row] = []
    plain = [row for row in rows if _is_plain(row)]
    one_ladder = len({row["protocol"] for row in plain if row["level"]}) < 2
    for row in plain:
        panel = " · ".join(part for part in (row["split"], row["tier"]) if part) or "all pairs"
        place = {"judge": row["judge"], "panel": panel, "condition": _condition(row, one_ladder)}
        place |= {"level": row["level"], "n": row["n_decided"]}
        aimed = row["target_win"]["value"] is not None
        second = row["rates"].get(row["roles"][1]) if row["roles"] else None
        for series, estimate in (
            ("Tie", row["rates"]["tie"]),
            ("Target wins", row["target_win"] if aimed else None),
            ("Second role wins", None if aimed else second),
        ):
            if estimate is not None and estimate["value"] is not None:
                bounds = {name: estimate.get(name) for name in ("value", "low", "high")}
                points.append({**place, "series": series, **bounds})
    return points


def frontier_spec(report: dict[str, Any]) -> dict[str, Any]:
    """The bias-resolution frontier (TRACE, Figure 3): tie and better-plain over L0-L4 and the protocols beside them."""
    points = frontier_points(report["rows"])
    # levels first, in their order; protocols without levels after them
    order = [name for _, name in sorted({(not point["level"], point["condition"]) for point in points})]
    shown = [name for name in _SERIES if any(point["series"] == name for point in points)]
    colours = [_COLOURS[_SERIES.index(name)] for name in shown]
    data = alt.Data(values=points)
    x = alt.X("condition:N", sort=order, title="Protocol level", axis=alt.Axis(labelAngle=0))
    y = alt.Y("value:Q", title="Share of decided rows", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%"))
    colour = alt.Color("series:N", title=None, scale=alt.Scale(domain=shown, range=colours))
    base = alt.Chart(data).encode(x=x, color=colour)
    dash = alt.StrokeDash("series:N", title=None, scale=alt.Scale(domain=shown))
    # a line joins the steps of a ladder; a protocol beside it is no further step
    lines = base.transform_filter("datum.level").mark_line().encode(y=y, strokeDash=dash)
    marks = base.mark_point(filled=True, size=60).encode(
        y=y,
        shape=alt.Shape("series:N", title=None, scale=alt.Scale(domain=shown)),
        tooltip=["judge:N", "panel:N", "condition:N", "series:N", "value:Q", "low:Q", "high:Q", "n:Q"],
    )
    bars = base.mark_rule().encode(y=alt.Y("low:Q", title=None), y2="high:Q")
    layered = alt.layer(bars, lines, marks).properties(width=180, height=160)
    figure = layered.facet(column=alt.Column("judge:N", title=None), row=alt.Row("panel:N", title=None))
    spec: dict[str, Any] = figure.properties(title=_title(report), description=_description(points)).to_dict()
    return spec


def as_svg(spec: dict[str, Any]) -> str:
    return str(vl_convert.vegalite_to_svg(json.dumps(spec)))


def as_png(spec: dict[str, Any], *, scale: float = 2.0) -> bytes:
    return bytes(vl_convert.vegalite_to_png(json.dumps(spec), scale=scale))


def _is_plain(row: Row) -> bool:
    return bool(
        row["default"] and row["order"] is None and row["broken_down_by"] is None
        and row["attack"] is None and row["phase"] == "only" and (row["probe"] or "") in CLEAN_PROBES
    )  # fmt: skip


def _condition(row: Row, one_ladder: bool) -> str:
    """The level alone where only one protocol has levels, else protocol and level."""
    if row["level"] and one_ladder:
        return str(row["level"])
    return " ".join(str(part) for part in (row["protocol"], row["level"]) if part)


def _title(report: dict[str, Any]) -> str:
    simulated = any(row["simulated"] for row in report["rows"])
    return "Tie and resolution by protocol" + (" (simulated verdicts)" if simulated else "")


def _description(points: list[Row]) -> str:
    """The figure's alternative text, with its numbers."""
    parts = [
        f"{point['judge']}, {point['panel']}, {point['condition']}: {point['series'].lower()} {point['value']:.1%}"
        for point in points
    ]
    return "Shares of decided rows by judge and protocol level. " + "; ".join(parts) + "."
