"""The conservative extractor: from a judge's raw reply to a verdict, a refusal, or the reason it cannot be read."""

from judging.extractor.extract import extract
from judging.extractor.result import EXTRACTOR_VERSION, LABELS, Extraction

__all__ = ["EXTRACTOR_VERSION", "LABELS", "Extraction", "extract"]
