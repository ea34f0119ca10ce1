"""Explanations in ``anchoring``: how they move on same-decision rows, and what a declared lexicon finds in them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.counting.encoded import Encoded, Family
from analysis.frontier.options import ReportOptions
from analysis.frontier.sections.probe_arms import NONE, Arm, FrameRows
from analysis.stats.rationales import explanation_drift, label_alignment, stereotype_intrusion


@dataclass(frozen=True, slots=True)
class Explanations:
    """Scores the rationales of arms; each method gives, by metric, an Estimate or the reason why there is none."""

    encoded: Encoded
    rows: FrameRows
    options: ReportOptions

    def against_blind(self, family: Family, probe: Arm, blind: Arm) -> dict[str, Any]:
        """Drift and label alignment over the rows decided alike under the probe and under Blind."""
        same = probe.decided & (probe.codes == blind.codes)
        found: dict[str, Any] = {"n_same_decision": int(same.sum())}
        embedder = self.options.embedder
        if embedder is None:
            return found | dict.fromkeys(("lai", "drift", "drift_over_tau"), "no scorer for explanations was given")
        places = probe.places[same]
        said = self.rows.texts("rationale", places)
        before = self.rows.texts("rationale", blind.places[same])
        drift = explanation_drift(said, before, embedder=embedder, tau=self.options.tau)
        found |= {"drift": drift.mean, "drift_over_tau": drift.over_tau}
        described = self._descriptors(family, places, probe.favoured_sides()[same], np.nonzero(same)[1])
        if isinstance(described, str):
            return found | {"lai": described}
        return found | {"lai": label_alignment(said, *described, embedder=embedder)}

    def _descriptors(
        self, family: Family, places: NDArray[np.int64], sides: NDArray[np.int8], pairs: NDArray[np.int64]
    ) -> tuple[list[str], list[str]] | str:
        """(favoured, opposite) descriptor by row: of the labels shown, or of an attack and its absence."""
        known = self.options.descriptors
        if family.condition.attack:
            names = (family.condition.attack, f"not {family.condition.attack}")
            if not all(name in known for name in names):
                return f"no descriptors for {names[0]!r} and {names[1]!r}"
            return [known[names[0]]] * len(places), [known[names[1]]] * len(places)
        favoured, opposite = [], []
        for text, side, pair in zip(self.rows.texts("cue", places), sides, pairs, strict=True):
            shown = json.loads(text) if text else {}
            roles = self.encoded.pairs.strata[self.encoded.pairs.stratum[pair]].roles
            labels = [str(shown.get(roles[role], "")) for role in (side, 1 - side)] if side != NONE else [""]
            if not all(labels):
                return "the rows do not show a label on both sides"
            favoured.append(known.get(labels[0], labels[0]))
            opposite.append(known.get(labels[1], labels[1]))
        return favoured, opposite

    def stereotypes(self, arm: Arm) -> dict[str, Any]:
        """The share of an arm's explanations that use a term of the declared lexicon."""
        if self.options.lexicon is None:
            return {"stereotype_intrusion": "no lexicon was given"}
        texts = self.rows.texts("rationale", arm.places[arm.decided])
        return {"stereotype_intrusion": stereotype_intrusion(texts, self.options.lexicon)}
