"""The frontier figure's data and specification."""

from __future__ import annotations

import pandas as pd

from analysis.frontier.charts import frontier_points, frontier_spec
from analysis.frontier.options import ReportOptions
from analysis.frontier.report import frontier_report
from tests.analysis.rebuild import pairs_frame, rows

QUICK = ReportOptions(resamples=20)


def test_points_are_the_default_basis_of_plain_conditions_in_ladder_order() -> None:
    pairs = pairs_frame(10, tier="moderate", target="plain")
    found = rows(pairs, (5, 0), judge="j", protocol="trace", level="")
    found += rows(pairs, (20, 0), judge="j", protocol="ladder", level="L0")
    found += rows(pairs, (10, 0), judge="j", protocol="ladder", level="L4")
    found += rows(pairs, (20, 0), judge="j", protocol="ladder", level="L0", probe="truth")
    report = frontier_report(pairs=pairs, verdicts=pd.DataFrame(found), options=QUICK)
    points = frontier_points(report["rows"])
    values = {(point["condition"], point["series"]): point["value"] for point in points}
    assert values == {
        ("L0", "Target wins"): 1.0, ("L0", "Tie"): 0.0, ("L4", "Target wins"): 0.5, ("L4", "Tie"): 0.5,
        ("trace", "Target wins"): 0.25, ("trace", "Tie"): 0.75,
    }  # fmt: skip
    spec = frontier_spec(report)
    x = spec["spec"]["layer"][0]["encoding"]["x"]
    assert x["sort"] == ["L0", "L4", "trace"]
    assert "l4: target wins 50.0%".lower() in spec["description"].lower()


def test_points_of_equivalence_pairs_show_the_second_roles_wins() -> None:
    pairs = pairs_frame(10, tier="equivalence")
    report = frontier_report(
        pairs=pairs, verdicts=pd.DataFrame(rows(pairs, (0, 15), judge="j", protocol="plain")), options=QUICK
    )
    found = {point["series"]: point["value"] for point in frontier_points(report["rows"])}
    assert found == {"Second role wins": 0.75, "Tie": 0.25}


def test_two_ladders_keep_their_names() -> None:
    pairs = pairs_frame(4, tier="moderate", target="plain")
    found = rows(pairs, (4, 0), judge="j", protocol="one", level="L0")
    found += rows(pairs, (4, 0), judge="j", protocol="two", level="L0")
    report = frontier_report(pairs=pairs, verdicts=pd.DataFrame(found), options=QUICK)
    assert {point["condition"] for point in frontier_points(report["rows"])} == {"one L0", "two L0"}
