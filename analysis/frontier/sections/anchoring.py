"""``anchoring``: how far each probe and attack moves a judge from its own Blind behaviour (docs/conventions.md, 8)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.counting.encoded import Encoded, Family
from analysis.counting.pair_table import BASES, CONSTRUCTED
from analysis.frontier.options import ReportOptions
from analysis.frontier.sections.contrasts import CLEAN_PROBES
from analysis.frontier.sections.explanations import Explanations
from analysis.frontier.sections.humans import plain_value
from analysis.frontier.sections.probe_arms import NONE, Arm, FrameRows, arm_of, layers_of
from analysis.stats.anchoring import EPSILON, TIE_NOT_OFFERED, Outcomes, changed_after_reveal, neutrality, shift
from analysis.stats.bootstrap import Bootstrap, ClusterSums, bootstrap_sums
from analysis.stats.estimate import Estimate
from analysis.stats.frontier_counts import TARGET_TIE
from analysis.stats.frontier_grid import TIE

Row = dict[str, Any]
REVEAL = "reveal_after"
SHIFTS = ("lds", "ols", "ts", "lao")
SCORED = ("lai", "drift", "drift_over_tau", "stereotype_intrusion")
METRICS = ("edr", "nd", *SHIFTS, "flip_after_reveal", *SCORED)


def build_anchoring(encoded: Encoded, verdicts: pd.DataFrame, options: ReportOptions) -> list[Row]:
    """One row per judge, protocol, level, split, tier and probe or attack, with one for Blind itself; judges asked
    only plainly have none."""
    scopes: dict[tuple[str, ...], list[Family]] = {}
    for family in encoded.families:
        condition = family.condition
        scope = (family.split, family.tier, *condition[:4])
        scopes.setdefault(scope, []).append(family)
    probed = {scope: members for scope, members in scopes.items() if any(_is_probe(f) for f in members)}
    if not probed:
        return []
    rows = FrameRows.of(encoded, verdicts, options.verdicts_file)
    return [row for members in probed.values() for row in _Scope(encoded, rows, members, options).report()]


def _is_probe(family: Family) -> bool:
    return family.condition.probe not in CLEAN_PROBES or family.condition.attack != ""


@dataclass(frozen=True, slots=True)
class _Scope:
    """All families of one judge, protocol and level on one split and tier."""

    encoded: Encoded
    rows: FrameRows
    members: list[Family]
    options: ReportOptions

    def report(self) -> Iterator[Row]:
        blind = self._find(lambda f: f.condition.probe == "blind" and not _is_probe(f)) or self._find(
            lambda f: not _is_probe(f) and f.condition.phase == "only"
        )
        if blind is not None:
            yield self._row(blind, self._blind_alone(blind))
        for family in self.members:
            if not _is_probe(family):
                continue
            if family.condition.probe == REVEAL:
                if family.condition.phase != "before":
                    yield self._row(family, self._reveal(family) | self._blind_part(blind))
            elif blind is None:
                yield self._row(family, {"*": "no Blind rows of the same judge and protocol"})
            else:
                yield self._row(family, self._probe(family, blind))

    def _find(self, wanted: Any) -> Family | None:
        return next((family for family in self.members if wanted(family)), None)

    def _row(self, family: Family, found: dict[str, Any]) -> Row:
        condition = family.condition
        otherwise = found.get("*", "not defined for this probe")
        estimates = {
            name: found[name] if isinstance(found.get(name), Estimate)
            else Estimate.undefined_because(found.get(name, otherwise), unit=self.encoded.pairs.unit)
            for name in METRICS
        }  # fmt: skip
        return {
            "judge": condition.judge, "protocol": condition.protocol,
            "protocol_version": condition.protocol_version or None, "level": condition.level or None,
            "split": family.split or None, "tier": family.tier or None,
            "probe": condition.probe or "blind", "attack": condition.attack or None, "phase": condition.phase,
            **{name: plain_value(estimate) for name, estimate in estimates.items()},
            "moved": _moved(estimates), "n": found.get("n"), "n_blind": found.get("n_blind"),
            "n_same_decision": found.get("n_same_decision"), "tau": self.options.tau, "epsilon": EPSILON,
            "scorer": None if self.options.embedder is None else self.options.embedder.name,
            "estimates": {name: estimate.as_json() for name, estimate in estimates.items()},
        }  # fmt: skip

    # Blind --------------------------------------------------------------------------------------------------------

    def _blind_part(self, blind: Family | None) -> dict[str, Any]:
        if blind is None:
            return dict.fromkeys(("edr", "nd"), "no Blind rows of the same judge and protocol")
        found = self._blind_alone(blind)
        return {name: found[name] for name in ("edr", "nd", "n_blind")}

    def _blind_alone(self, blind: Family) -> dict[str, Any]:
        layers = sorted({(cell.paraphrase, "") for cell in blind.cells})
        arm = arm_of(self.encoded, blind, self.rows, layers)
        first = self._count(arm.codes == 0) + self._count(arm.codes == 1) + self._count(arm.codes == TIE)
        equal = self._aims() == TARGET_TIE
        sums = [
            self._count(arm.codes == 0), self._count(arm.codes == 1), self._count(arm.codes == TIE),
            self._count((arm.codes == TIE) & equal), self._count(arm.decided & equal),
        ]  # fmt: skip
        drawn = self._resample(sums, first > 0)
        return {
            "edr": self._edr(drawn, int(sums[4].sum()), offered=self.encoded.offers_ties(blind.all_numbers)),
            "nd": drawn.derived(lambda v: neutrality(Outcomes(v[0], v[1], v[2])), level=self.options.level),
            "n_blind": int(first.sum()), "*": "Blind is the reference",
            **self._explanations.stereotypes(arm),
        }  # fmt: skip

    def _edr(self, drawn: Bootstrap, rows: int, *, offered: bool) -> Estimate | str:
        if not offered:
            return TIE_NOT_OFFERED
        if rows == 0:
            return "no decided Blind row of a pair whose target is a tie"
        with np.errstate(invalid="ignore", divide="ignore"):
            return drawn.derived(lambda v: v[3] / np.where(v[4] > 0, v[4], np.nan), level=self.options.level)

    def _aims(self) -> NDArray[np.int64]:
        place = BASES.index(CONSTRUCTED)
        table = self.encoded.pairs
        return np.array([stratum.targets[place] for stratum in table.strata])[table.stratum]

    # A probe or an attack -------------------------------------------------------------------------------------------

    def _probe(self, family: Family, blind: Family) -> dict[str, Any]:
        layers = layers_of(family, blind)
        probe = arm_of(self.encoded, family, self.rows, [layer for layer, _ in layers])
        reference = arm_of(self.encoded, blind, self.rows, [layer for _, layer in layers])
        both = probe.present & reference.present
        found = self._blind_part(blind)
        found |= self._shifts(probe, reference, both)
        found |= self._explanations.against_blind(family, probe, reference)
        return found | self._explanations.stereotypes(probe)

    def _shifts(self, probe: Arm, blind: Arm, both: NDArray[np.bool_]) -> dict[str, Any]:
        sides = probe.favoured_sides()
        unknown = (probe.decided & both & (sides == NONE)).any()
        counts = [
            self._count((arm.codes == wanted) & arm.decided & both)
            for arm in (blind, probe)
            for wanted in (sides, 1 - sides, TIE)
        ]
        n_blind, n = int(sum(part.sum() for part in counts[:3])), int(sum(part.sum() for part in counts[3:]))
        if unknown:
            return dict.fromkeys(SHIFTS, "the rows do not say which role the cue favours") | {"n": n}
        if not n or not n_blind:
            return dict.fromkeys(SHIFTS, "no pair was decided both under Blind and under the probe") | {"n": n}
        drawn = self._resample(counts, np.sum(counts, axis=0) > 0)
        return {"n": n} | {
            name: drawn.derived(partial(_shift_part, place), level=self.options.level)
            for place, name in enumerate(SHIFTS)
        }

    # Reveal-after ---------------------------------------------------------------------------------------------------

    def _reveal(self, after: Family) -> dict[str, Any]:
        """Against the same comparison's verdict before the reveal, else against the Flip rows."""
        before = self._find(lambda f: f.condition.probe == REVEAL and f.condition.phase == "before")
        before = before or self._find(lambda f: f.condition.probe == "flip" and f.condition.attack == "")
        found: dict[str, Any] = {"*": "defined for Truth, Flip, Placebo and attacks"}
        if before is None:
            return found | {"flip_after_reveal": "no verdict from before the reveal"}
        layers = layers_of(after, before)
        one = arm_of(self.encoded, before, self.rows, [layer for _, layer in layers])
        two = arm_of(self.encoded, after, self.rows, [layer for layer, _ in layers])
        both = one.decided & two.decided
        if not both.any():
            return found | {"flip_after_reveal": changed_after_reveal([], []).undefined}
        changed, rows = self._count((one.codes != two.codes) & both), self._count(both)
        drawn = self._resample([changed, rows], rows > 0)
        flips = drawn.derived(lambda v: v[0] / np.where(v[1] > 0, v[1], np.nan), level=self.options.level)
        return found | {"flip_after_reveal": flips, "n": int(rows.sum())} | self._explanations.stereotypes(two)

    @property
    def _explanations(self) -> Explanations:
        return Explanations(self.encoded, self.rows, self.options)

    # Counting -------------------------------------------------------------------------------------------------------

    def _count(self, flags: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Rows by cluster, (clusters,)."""
        table = self.encoded.pairs
        by_cluster = np.bincount(table.cluster, weights=flags.sum(axis=0), minlength=table.n_clusters)
        return by_cluster.astype(np.float64)

    def _resample(self, counts: list[NDArray[np.float64]], present: NDArray[np.bool_]) -> Bootstrap:
        """Counts as means per cluster, which resample as the counts do; metrics are made of them by ``derived``."""
        table = np.stack([count[present] for count in counts], axis=1)
        return bootstrap_sums(
            ClusterSums(table, np.ones((len(table), 1))), resamples=self.options.resamples, seed=self.options.seed,
            unit=self.encoded.pairs.unit,
        )  # fmt: skip


def _shift_part(place: int, counts: NDArray[np.float64]) -> NDArray[np.float64]:
    return shift(Outcomes(*counts[:3]), Outcomes(*counts[3:6]))[place]


def _moved(estimates: dict[str, Estimate]) -> bool | None:
    """Whether anything moved towards anything; LAO prints 0 and this False where nothing did."""
    parts = [estimates[name].value for name in ("lds", "ols", "ts")]
    known = [part for part in parts if part is not None]
    return sum(known) > 0 if len(known) == len(parts) else None
