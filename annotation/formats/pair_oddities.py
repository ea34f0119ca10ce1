"""What is worth telling about pairs of any format: duplicates, both orders, empty, missing and equal
candidates."""

from __future__ import annotations

from annotation.enums import Tier
from annotation.formats.registry import PairRows
from annotation.formats.seen import Seen
from annotation.records import Oddity, PairRecord


def with_oddities(records: PairRows) -> PairRows:
    """The records as they come, each pair followed by what is odd about its texts. Nothing is dropped.

    ``duplicate_text``: task, context and both candidates repeat an earlier pair. ``both_orders``: they repeat an
    earlier pair with the candidates changed over (told once for each text). ``empty_candidate``: a side is the empty
    text; ``blank_candidate``: nothing but white space. ``null_candidate``: a side has no text, so the pair can be
    scored but neither labelled nor judged. ``same_text``: both sides are equal though the tier is not identical;
    ``texts_differ``: the reverse.
    """
    texts = Seen()
    number = 0
    try:
        for record in records:
            yield record
            if isinstance(record, PairRecord):
                number += 1
                yield from _oddities(record, number, texts)
    finally:
        texts.close()


def _oddities(pair: PairRecord, number: int, texts: Seen) -> list[Oddity]:
    found: list[tuple[str, str]] = []
    missing = [role for role, text in zip(pair.roles, pair.candidates, strict=True) if text is None]
    empty = [role for role, text in zip(pair.roles, pair.candidates, strict=True) if text == ""]
    if missing:
        found.append(("null_candidate", f"no text for {' and '.join(missing)}: scoreable, never labelled or judged."))
    if empty:
        found.append(("empty_candidate", f"the text of {' and '.join(empty)} is empty."))
    blank = [role for role, text in zip(pair.roles, pair.candidates, strict=True) if text and text.isspace()]
    if blank:
        found.append(("blank_candidate", f"the text of {' and '.join(blank)} is nothing but white space."))
    if not missing:
        found += _repeats(pair, number, texts)
        same = pair.candidates[0] == pair.candidates[1]
        if same and pair.tier != Tier.IDENTICAL:
            found.append(("same_text", "both candidates are the same text."))
        if not same and pair.tier == Tier.IDENTICAL:
            found.append(("texts_differ", "the tier is identical, but the candidates differ."))
    return [Oddity(code, f"{pair.pair_id}: {message}", None, pair.pair_id) for code, message in found]


def _repeats(pair: PairRecord, number: int, texts: Seen) -> list[tuple[str, str]]:
    first, second = pair.candidates[0] or "", pair.candidates[1] or ""
    # both orders share one key; the sign of the remembered number says in which order it was met first
    way = 1 if first <= second else -1
    earlier = texts.earlier(number * way, pair.task, pair.context or "", *sorted((first, second)))
    if earlier is None:
        return []
    changed_over = earlier * way < 0
    if changed_over and texts.earlier(number, "changed over", pair.task, pair.context or "", first, second) is None:
        return [("both_orders", "repeats an earlier pair with the candidates changed over.")]
    return [("duplicate_text", "task and candidates repeat an earlier pair.")]
