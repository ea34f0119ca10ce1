"""Citation ablations (TRACE A.3, table A2): six ways of showing the cited side, against the same plain text."""

from __future__ import annotations

from collections.abc import Callable

from annotation.construction.bodies import QuestionItem, task_of
from annotation.construction.body import DISPLAY_WORDS, Body, Style, cited_text, marked_text, plain_text, style_for
from annotation.construction.content import names, numbers, words
from annotation.construction.display import Display, display_kinds, find_display, strip_display
from annotation.construction.filler import SENTENCES, distance, lengthen, within
from annotation.construction.items import CodeItem, FinqaItem, HotpotItem
from annotation.construction.promises import answer_promises
from annotation.construction.recipe import CITED, PLAIN, Made, Recipe, Unfit, sides
from annotation.construction.recipes import mechanical
from annotation.construction.seeding import rng_for
from annotation.enums import TARGET_TIE, Tier
from annotation.records import PairRecord

VARIANTS = ("full_citation", "empty_shell", "source_only", "evidence_only", "sentence_id_only", "length_control")

_MADE = Made(name="ablations", version=1)


def make(item: QuestionItem, seed: int) -> list[PairRecord]:
    """Six pairs, one a variant; target tie."""
    body = mechanical.plain_body(item, seed=seed)
    style = style_for(seed=seed, item_id=item.item_id)
    shown = {variant: write(body, style) for variant, write in _WRITERS.items()}
    shown["length_control"] = _length_control(item, plain_text(body), shown["full_citation"], seed=seed)
    return [
        _MADE.pair(
            item,
            seed=seed,
            task=task_of(item),
            candidates=(plain_text(body), shown[variant]),
            tier=Tier.EQUIVALENCE,
            target=TARGET_TIE,
            part=variant,
            artifact_kind=variant,
            artifact_role=CITED,
            meta={"answer": body.answer, "variant": variant},
        )
        for variant in VARIANTS
    ]


def _empty_shell(body: Body, style: Style) -> str:
    """Markers and an empty list: the form of a citation without what it would cite."""
    slots = [f"{style.marker(number)} \u2014" for number in range(1, len(body.statements) + 1)]
    return "\n\n".join((marked_text(body, style.marker), "\n".join((style.heading, *slots))))


def _source_only(body: Body, style: Style) -> str:
    """Each source's title once, without snippets, ids or markers."""
    titles = dict.fromkeys(statement.source for statement in body.statements)
    return "\n\n".join((plain_text(body), "\n".join((style.heading, *(f"- {title}" for title in titles)))))


def _evidence_only(body: Body, _style: Style) -> str:
    """The evidence text once more, with nothing that looks like a source."""
    return f"{plain_text(body)}\n\n{body.evidence()}"


def _sentence_id_only(body: Body, _style: Style) -> str:
    """A passage and sentence id after every statement."""
    places = [
        f"(p{statement.hop + 1}.s{''.join(filter(str.isdigit, statement.place))})" for statement in body.statements
    ]
    return marked_text(body, lambda number: places[number - 1])


_WRITERS: dict[str, Callable[[Body, Style], str]] = {
    "full_citation": cited_text,
    "empty_shell": _empty_shell,
    "source_only": _source_only,
    "evidence_only": _evidence_only,
    "sentence_id_only": _sentence_id_only,
}


def _length_control(item: QuestionItem, plain: str, full: str, *, seed: int) -> str:
    longer = lengthen(plain, full, rng_for(seed, "length", item.item_id))
    if longer is None:
        raise Unfit("no filler brings the length control to the length of its full citation")
    return longer


def check(pair: PairRecord, item: QuestionItem) -> list[str]:
    """Each variant adds what its name says and nothing else; the plain text can be got back from every one."""
    plain, shown = sides(pair)
    variant = pair.artifact_kind
    if variant == "full_citation":
        return mechanical.check(pair, item)
    broken = answer_promises(pair, item, wrong=None)
    kinds = display_kinds(shown)
    if find_display(plain):
        broken.append("the plain side shows citation-like display")
    if kinds != _EXPECTED[variant]:
        broken.append(f"{variant} shows {', '.join(sorted(kinds)) or 'no display'}")
    if variant in _APPENDED:
        if not shown.startswith(plain + "\n\n"):
            broken.append("the plain text cannot be recovered from the cited one")
    elif strip_display(shown) != plain:
        broken.append("the plain text cannot be recovered from the cited one")
    added = shown.removeprefix(plain)
    if variant == "length_control":
        broken += _filler_promises(pair, item, added)
    else:
        unknown = set(words(shown)) - set(words(plain)) - DISPLAY_WORDS - {"report", "table", "text", "program"}
        unknown = {word for word in unknown if not any(map(str.isdigit, word))}
        if unknown:
            broken.append(f"{variant} has words of its own: {', '.join(sorted(unknown)[:5])}")
    return broken


#: What the detector must find in each variant, no more and no less.
_EXPECTED: dict[str, frozenset[Display]] = {
    "empty_shell": frozenset({Display.MARKER, Display.SOURCE_LIST}),
    "source_only": frozenset({Display.SOURCE_LIST}),
    "evidence_only": frozenset(),
    "sentence_id_only": frozenset({Display.SENTENCE_ID}),
    "length_control": frozenset(),
}
_APPENDED = frozenset({"source_only", "evidence_only", "length_control"})


def _filler_promises(pair: PairRecord, item: QuestionItem, added: str) -> list[str]:
    plain, shown = sides(pair)
    seed = int(pair.meta["seed"])
    style = style_for(seed=seed, item_id=item.item_id)
    full = cited_text(mechanical.plain_body(item, seed=seed), style)
    broken: list[str] = []
    if not within(shown, full):
        broken.append(f"its length is {distance(shown, full):.1%} away from that of the full citation")
    if numbers(added) or names(added) - names(" ".join(SENTENCES)):
        broken.append("the filler brings in a number or a name")
    if shown == plain:
        broken.append("nothing was added")
    return broken


RECIPE = Recipe(
    name=_MADE.name,
    version=_MADE.version,
    roles=(PLAIN, CITED),
    tier=Tier.EQUIVALENCE,
    accepts=(HotpotItem, FinqaItem, CodeItem),
    source="HotpotQA or FinQA questions, or generated program-output tasks",
    about="Six variants of the cited side: which part of the display draws the preference?",
    make=make,
    check=check,
)
