"""Extractive summaries by the sumy package, over sentences split here: sumy's own splitter wants a download.

sumy is optional (requirements-summaries.txt). TextRank (Mihalcea & Tarau 2004), LexRank (Erkan & Radev 2004),
KL-Sum (Haghighi & Vanderwende 2009), SumBasic (Nenkova & Vanderwende 2005): CUE's four baselines (section V-A).
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from annotation.construction.sentences import split_sentences, split_words
from annotation.errors import Refused

METHODS = ("textrank", "lexrank", "klsum", "sumbasic")


class Splitter:
    """sumy's tokenizer protocol over the splitter of this project."""

    language = "english"

    def to_sentences(self, text: str) -> tuple[str, ...]:
        return tuple(split_sentences(text))

    def to_words(self, sentence: str) -> tuple[str, ...]:
        return tuple(split_words(sentence))


def extractive_summary(document: str, method: str, *, sentences: int) -> str:
    """The ``sentences`` sentences of the document that ``method`` ranks highest, in the document's order.

    Raises ``Refused`` where sumy is not installed, ``KeyError`` for a method not in ``METHODS``.
    """
    dom = _sumy("models.dom")
    splitter = Splitter()
    split = [dom.Sentence(sentence, splitter) for sentence in splitter.to_sentences(document)]
    summarize = getattr(_sumy(f"summarizers.{_CLASSES[method][0]}"), _CLASSES[method][1])(
        _sumy("nlp.stemmers").Stemmer("english")
    )
    summarize.stop_words = _sumy("utils").get_stop_words("english")
    chosen = summarize(dom.ObjectDocumentModel([dom.Paragraph(split)]), sentences)
    return " ".join(str(sentence) for sentence in chosen)


_CLASSES = {
    "textrank": ("text_rank", "TextRankSummarizer"),
    "lexrank": ("lex_rank", "LexRankSummarizer"),
    "klsum": ("kl", "KLSummarizer"),
    "sumbasic": ("sum_basic", "SumBasicSummarizer"),
}


def _sumy(module: str) -> Any:
    """A module of sumy, loaded when first needed: only those who build summaries install it."""
    try:
        return import_module(f"sumy.{module}")
    except ImportError as error:
        raise Refused(
            "Extractive summaries need the sumy package. Run: pip install -r requirements-summaries.txt",
            code="missing_package",
        ) from error
