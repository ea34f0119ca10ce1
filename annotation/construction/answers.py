"""Final answers: found in a text, normalised, compared. A number and its percentage are one answer."""

from __future__ import annotations

import re
import unicodedata

FINAL_ANSWER = "Final answer:"

_LEAD = re.compile(
    r"^[*_#>\s]*(?:final answer|the final answer is|answer|the answer is)[*_]*\s*(?::|is|=)?[*_]*[ \t]*"
    r"(?P<answer>\S.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_SENTENCE = re.compile(r"\b(?:the )?(?:final )?answer (?:is|was|would be)[:\s]+(?P<answer>[^\n]+)", re.IGNORECASE)
_BOXED = re.compile(r"\\boxed\{(?P<answer>[^{}]*)\}")
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_NUMBER = re.compile(
    r"^[-+(]?\s*[$\u20ac\u00a3]?\s*[-+]?(?P<digits>\d[\d,]*\.?\d*|\.\d+)\s*\)?\s*(?P<percent>%|percent\b)?",
    re.IGNORECASE,
)


def final_answer(text: str) -> str | None:
    """The last answer the text declares, without closing punctuation; None where it declares none."""
    found = [
        (match.start(), match.group("answer"))
        for pattern in (_LEAD, _SENTENCE, _BOXED)
        for match in pattern.finditer(text)
    ]
    if not found:
        return None
    answer = max(found)[1].strip().strip("*_").strip()
    return answer.strip("`") if answer.startswith("`") else answer.rstrip(".").strip() or None


def normalise(answer: str) -> str:
    """HotpotQA's and SQuAD's normalisation (lower case, no articles, no punctuation), accents folded."""
    text = unicodedata.normalize("NFKD", answer).lower()
    text = "".join(char for char in text if not unicodedata.combining(char))
    text = "".join(char if char.isalnum() or char.isspace() else " " for char in text)
    return " ".join(_ARTICLES.sub(" ", text).split())


def answer_number(answer: str) -> tuple[float, bool, int] | None:
    """(value, whether it is a percentage, digits after the point), or None where the answer is no number."""
    text = answer.strip()
    match = _NUMBER.match(text)
    if match is None or text[match.end() :].strip(" .)").lower() not in {"", "million", "billion", "thousand"}:
        return None
    digits = match.group("digits").replace(",", "")
    value = float(digits)
    if text.startswith(("-", "(", "$-", "$ -")):
        value = -value
    return value, bool(match.group("percent")), len(digits.partition(".")[2])


def answers_match(first: str, second: str) -> bool:
    """Whether two final answers say the same: as numbers within their coarser rounding, else as normalised text.

    "7.88%" and "0.07879" match; "7.9" and "7.9%" match too (the sign is often left to the question).
    """
    a, b = answer_number(first), answer_number(second)
    if a is not None and b is not None:
        # one unit in the last place: the sources truncate as often as they round
        for scale_a, scale_b in (
            (1.0, 1.0),
            *(((1.0, 100.0),) if a[1] and not b[1] else ((100.0, 1.0),) if b[1] and not a[1] else ()),
        ):
            unit = max(scale_a * 10.0 ** -a[2], scale_b * 10.0 ** -b[2])
            if abs(a[0] * scale_a - b[0] * scale_b) < unit * (0.5 if a[2] == b[2] else 1.0) + 1e-9:
                return True
        return False
    one, two = normalise(first), normalise(second)
    return bool(one) and one == two
