"""What annotators agree on: the coefficients over the labels in force."""

from __future__ import annotations

from analysis.stats.agreement import agreement_report
from analysis.stats.estimate import Estimate
from annotation import schemes
from annotation.errors import Refused
from annotation.models import Round
from annotation.steps.in_force import labels_in_force


def agreement_of(round: Round, question: str = "", *, tier: str | None = None) -> dict[str, Estimate]:
    """The coefficients of one question (the primary one where none is named) over the labels in force.

    q is the number of categories that the scheme declares, seen or not. Raises Refused for a question that is not
    in the scheme, or that has no one category per pair.
    """
    scheme = schemes.from_canonical(round.scheme)
    name = question or scheme.primary
    asked = scheme.question(name)
    if asked.kind not in {"single", "scale"} or asked.per_candidate:
        raise Refused(f"“{asked.ask}” has no single category per pair to agree on.", code="no_coefficient")
    labels = [label for label in labels_in_force(round) if tier is None or label.tier == tier]
    roles = labels[0].roles if labels else (round.split.roles[0], round.split.roles[1])
    categories = _declared(round, name, roles)
    raters = sorted({label.annotator for label in labels})
    items = list(dict.fromkeys(label.item_id for label in labels))
    column = {item: place for place, item in enumerate(items)}
    matrix: list[list[str | None]] = [[None] * len(items) for _ in raters]
    for label in labels:
        given = label.answers.get(name)
        if given is not None:
            matrix[raters.index(label.annotator)][column[label.item_id]] = str(given)
    return agreement_report(matrix, categories=categories)


def _declared(round: Round, question: str, roles: tuple[str, str]) -> list[str]:
    """The declared categories; over a split of more than two roles, those of all its roles."""
    scheme = schemes.from_canonical(round.scheme)
    found = scheme.categories(question, roles)
    for role in round.split.roles:
        for category in scheme.categories(question, (role, role)):
            if category not in found:
                found.append(category)
    return found
