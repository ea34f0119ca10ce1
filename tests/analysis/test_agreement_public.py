"""manage.py agreement on the rating files of two R packages, against what their manuals and a second library print."""

from __future__ import annotations

import csv
import json
from io import StringIO
from typing import Any

import krippendorff
import numpy as np
import pytest
from django.core.management import call_command

from tests.shared import shared_path

#: Printed by irr (kappam.fleiss, its exact form, kappam.light) and by irrCAC (its manual's four-rater example).
PRINTED = {
    "diagnoses.csv": ({"fleiss_kappa": 0.430, "conger_kappa": 0.442, "light": 0.459}, 5e-4),
    "cac.raw4raters.csv": (
        {
            "raw": 0.8181818, "ac1": 0.77544, "fleiss_kappa": 0.76117, "conger_kappa": 0.76282,
            "alpha_nominal": 0.74342,
        },
        2e-4,
    ),
}  # fmt: skip
FILES = ("anxiety.csv", "cac.raw4raters.csv", "cac.raw5obser.csv", "diagnoses.csv", "video.csv", "raw/cac.raw.g1g2.csv")


def report(name: str, *options: str) -> dict[str, Any]:
    out = StringIO()
    path = shared_path(f"data/r_agreement_datasets/{name}")
    call_command("agreement", str(path), "--json", *options, stdout=out, stderr=StringIO())
    body: dict[str, Any] = json.loads(out.getvalue())
    return body


@pytest.mark.shared
@pytest.mark.parametrize("name", list(PRINTED))
def test_published_coefficients_come_back_from_the_file(name: str) -> None:
    expected, tolerance = PRINTED[name]
    declared = ("--categories", "1,2,3,4,5") if name.startswith("cac") else ()
    body = report(name, *declared)
    found = {key: one["value"] for key, one in body["coefficients"].items()}
    found["light"] = float(np.mean([one["value"] for one in body["pairwise"]]))
    assert {key: found[key] for key in expected} == pytest.approx(expected, abs=tolerance)


@pytest.mark.shared
@pytest.mark.parametrize("name", FILES)
def test_every_file_gives_krippendorffs_alpha_of_a_second_library(name: str) -> None:
    with shared_path(f"data/r_agreement_datasets/{name}").open(encoding="utf-8") as handle:
        table = list(csv.DictReader(handle))
    raters = [column for column in table[0] if column.lower().startswith(("rater", "observer"))]
    words = sorted({row[rater].strip() for row in table for rater in raters} - {""})
    codes = np.array([[words.index(c) if (c := row[rater].strip()) else np.nan for row in table] for rater in raters])
    coefficients = report(name)["coefficients"]
    levels = ("nominal", "ordinal") if all(word.isdigit() for word in words) else ("nominal",)
    for level in levels:
        # codes are ranks, which is all that a nominal or ordinal alpha looks at
        other = krippendorff.alpha(codes, level_of_measurement=level)
        assert coefficients[f"alpha_{level}"]["value"] == pytest.approx(other, abs=1e-9)
