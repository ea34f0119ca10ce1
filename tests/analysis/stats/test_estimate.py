"""The one shape of a result: a number or a reason, never NaN or infinity."""

from __future__ import annotations

import json

import pytest

from analysis.stats.estimate import Estimate


@pytest.mark.parametrize("name", ["value", "low", "high", "se", "p"])
@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_no_number_of_an_estimate_is_nan_or_infinite(name: str, number: float) -> None:
    with pytest.raises(ValueError, match=name):
        Estimate(**{"value": 0.5, name: number})


def test_an_estimate_has_either_a_value_or_a_reason() -> None:
    with pytest.raises(ValueError, match="either a value or a reason"):
        Estimate(value=None)
    with pytest.raises(ValueError, match="either a value or a reason"):
        Estimate(value=0.5, undefined="why")


def test_json_always_names_n_and_unit_and_gives_null_with_the_reason() -> None:
    defined = Estimate(value=0.5, low=0.4, high=0.6, n=7, unit="pair", method="m", se=0.1).as_json()
    assert set(defined) == {"value", "low", "high", "level", "se", "n", "unit", "method"}
    undefined = Estimate.undefined_because("no row", n=0, unit="pair", method="m").as_json()
    assert json.loads(json.dumps(undefined, allow_nan=False)) == {
        "value": None, "undefined": "no row", "n": 0, "unit": "pair", "method": "m"
    }  # fmt: skip
