"""Inter-rater agreement for any number of raters, with missing cells and a declared category scale."""

from analysis.stats.agreement.coefficients import COEFFICIENTS
from analysis.stats.agreement.encoding import UndeclaredLabelError
from analysis.stats.agreement.inference import Point, point
from analysis.stats.agreement.ratings import Ratings
from analysis.stats.agreement.report import REPORTED, agreement_report, coefficient, pairwise
from analysis.stats.agreement.weights import WEIGHT_NAMES, UnusableWeightsError, Weights, weight_matrix

__all__ = [
    "COEFFICIENTS",
    "REPORTED",
    "WEIGHT_NAMES",
    "Point",
    "Ratings",
    "UndeclaredLabelError",
    "UnusableWeightsError",
    "Weights",
    "agreement_report",
    "coefficient",
    "pairwise",
    "point",
    "weight_matrix",
]
