"""Sentences that say nothing, for the length control: no fact, number, name, source or praise in them."""

from __future__ import annotations

import random
from dataclasses import dataclass

from annotation.construction.content import tokens

#: The farthest a length may be from its model's, as a share of the model's tokens (TRACE A.3; 5% is ours).
TOLERANCE = 0.05
_TRIES = 400

_LOOSE: tuple[str, ...] = (
    "That is, in short, how the question can be read and how it can be met.",
    "Put differently, and perhaps more simply, it comes down to what was just said.",
    "There is, of course, more than one way to phrase this, but the point stays the same.",
    "In other words, nothing further is needed, or so it would seem, to follow the thread.",
    "All in all, then, the matter can be left here, as it stands, without more words.",
    "To be clear, this is meant as it is written: plainly, and in the order given.",
    "Seen from another angle, or told in another order, it would read much alike.",
    "Some readers, naturally, may like to go over it again, slowly, from the start.",
    "It is, after all, a short question, and a short question is, as a rule, soon met.",
    "As for the wording, it could be shorter, or longer, or simply different.",
    "With that said, and with that in mind, we can come to a close.",
    "So much, for the moment, for the way in which this can be told.",
    "One might add, for the sake of good order, that the same holds throughout.",
    "Again, to say it once more, and in plain terms: this is how it goes.",
    "Now, by way of a summary, let it be said that the above is the above.",
    "Be that as it may, the rest, as they say, is a matter of style.",
    "Of course, one could dwell on it at length; here, though, that is not done.",
    "If anything, this goes to show, once again, how such a question tends to unfold.",
    "On the whole, and taking one thing with another, that is the way of it.",
    "At the end of the day, as the saying goes, it is what it is.",
    "First things first, as ever; and last things, as ever, last.",
    "Step by step, then, and line by line, the text has come this far.",
    "Needless to say, perhaps, a text can always be stretched, or cut, a little.",
    "For what it is worth, the tone here is meant to be even, calm, and plain.",
    "To return, briefly, to where this began: a question was put, and a reply was given.",
    "That, more or less, is all; the remaining words, few as they are, only round it off.",
    "Let us pause here, if only for a moment, before moving on.",
    "As a matter of form, rather than of substance, a closing remark is in order.",
    "Whether one reads it quickly, or slowly, or twice, it stays as it is.",
    "Broadly speaking, and without going into detail, the foregoing can be left as it is.",
    "In a manner of speaking, then, the circle closes here.",
    "Here, as elsewhere, a few more words do no harm, even if they add little.",
    "Then again, on reflection, it may be best to leave it at that.",
    "Strictly speaking, this last remark, like the one before, could be left out.",
    "To round things off, one may simply say: here the reply comes to rest.",
    "And so, by and by, the paragraph reaches its end.",
    "For the record, and for ease of reading, the sentences have been kept short.",
    "Either way, the reader may take it, or leave it, as it is.",
    "By the same token, and for the same reason, nothing more is said here.",
    "Last but not least, a word on length: it varies, as lengths do.",
    "Well, then, that would be that.",
    "So it goes, one might say.",
    "Enough, then, of this.",
    "And that, as it were, is it.",
    "There it is, then, in plain view.",
    "This, too, could be put another way.",
    "Thus far, and no further.",
    "More need not, perhaps, be said.",
)
#: Short ones with many marks, to keep up with the brackets and quotation marks of a citation.
_DENSE: tuple[str, ...] = (
    "So: a question, a reply, a pause.",
    "(Or so, at least, it may be put.)",
    "Well, yes; and so, by and large, on.",
    "(As ever, and as before.)",
    "Short, plain, and, in its way, done.",
    "Here, now, and, for the moment, no more.",
    "(That, too, is only by the way.)",
    "Then, again, much the same: more, or less.",
    "Calm, even, plain; no more, no less.",
    "(In passing, that is; nothing hangs on it.)",
    "Read, pause, and, if need be, read on.",
    "Thus, then; and thus, too, to the end.",
)

SENTENCES = (*_LOOSE, *_DENSE)


def within(text: str, model: str) -> bool:
    """Whether the text has as many tokens as the model, within the tolerance."""
    return distance(text, model) <= TOLERANCE


def distance(text: str, model: str) -> float:
    """The relative difference in tokens (words and punctuation marks)."""
    wanted = len(tokens(model))
    return abs(len(tokens(text)) - wanted) / wanted


def lengthen(text: str, model: str, rng: random.Random) -> str | None:
    """``text`` with a paragraph of filler that brings it to the model's length; None where no choice of sentences does.

    Where it can, it keeps the number of white-space words within the tolerance as well.
    """
    need = _Size.of(model) - _Size.of(text)
    whole = _Size.of(model)
    best: tuple[float, list[str]] | None = None
    for _ in range(_TRIES):
        chosen = _draw(need, rng)
        reached = sum((_SIZES[sentence] for sentence in chosen), _Size(0, 0))
        off_tokens = abs(reached.tokens - need.tokens) / whole.tokens
        off_words = abs(reached.words - need.words) / whole.words
        if off_tokens > TOLERANCE:
            continue
        off = max(off_tokens, off_words)
        if best is None or off < best[0]:
            best = (off, chosen)
        if off <= TOLERANCE / 2:
            break
    return None if best is None else f"{text}\n\n{' '.join(best[1])}"


@dataclass(frozen=True, slots=True)
class _Size:
    tokens: int
    words: int

    @classmethod
    def of(cls, text: str) -> _Size:
        return cls(len(tokens(text)), len(text.split()))

    def __add__(self, other: _Size) -> _Size:
        return _Size(self.tokens + other.tokens, self.words + other.words)

    def __sub__(self, other: _Size) -> _Size:
        return _Size(self.tokens - other.tokens, self.words - other.words)


_SIZES = {sentence: _Size.of(sentence) for sentence in SENTENCES}


def _draw(need: _Size, rng: random.Random) -> list[str]:
    """Different sentences in random order until the tokens are about reached; how many dense ones is random too."""
    loose, dense = rng.sample(_LOOSE, len(_LOOSE)), rng.sample(_DENSE, len(_DENSE))
    share = rng.random()
    chosen: list[str] = []
    reached = 0
    while loose or dense:
        pool = dense if dense and (not loose or rng.random() < share) else loose
        sentence = pool.pop()
        size = _SIZES[sentence].tokens
        # stop where one more sentence would lead farther away than it brings nearer
        if chosen and reached + size - need.tokens > need.tokens - reached:
            break
        chosen.append(sentence)
        reached += size
    return chosen
