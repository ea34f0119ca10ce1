"""Generates small program-output questions: the third domain of TRACE's correctness conflicts (A.4).

Every family writes a program, computes its output in parallel, explains the run and lists plausible slips.
The tests run every program and compare; nothing is executed here.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from annotation.construction.items import CodeItem
from annotation.construction.seeding import rng_for


@dataclass(frozen=True, slots=True)
class _Draft:
    program: str
    steps: tuple[str, ...]
    output: str
    slips: tuple[str, ...]


Family = Callable[[random.Random], _Draft]


def generate_code_items(n: int, *, seed: int) -> Iterator[CodeItem]:
    """``n`` different programs, the families taken in turn. Ids are ``code-0001`` and so on."""
    written: set[str] = set()
    number = 0
    attempt = 0
    while number < n:
        family = FAMILIES[number % len(FAMILIES)]
        draft = family(rng_for(seed, "code", number, attempt))
        attempt += 1
        slips = tuple(dict.fromkeys(slip for slip in draft.slips if slip != draft.output))
        if draft.program in written or not slips:
            continue
        written.add(draft.program)
        number += 1
        attempt = 0
        yield CodeItem(
            item_id=f"code-{number:04d}", program=draft.program, steps=draft.steps, output=draft.output, slips=slips
        )


def _listed(values: list[int] | list[str]) -> str:
    shown = [str(value) for value in values]
    return ", ".join(shown[:-1]) + " and " + shown[-1] if len(shown) > 1 else "".join(shown)


def _sum_of_even(rng: random.Random) -> _Draft:
    values = rng.sample(range(2, 30), 6)
    even = [value for value in values if value % 2 == 0]
    if len(even) < 2:
        values[:2] = [value * 2 for value in values[:2]]
        even = [value for value in values if value % 2 == 0]
    total = sum(even)
    program = (
        f"values = {values}\ntotal = 0\nfor value in values:\n"
        "    if value % 2 == 0:\n        total += value\nprint(total)"
    )
    steps = (
        "The loop goes through the list and adds a value to total only when it is even.",
        f"The even values are {_listed(even)}.",
        "Every other value is odd and is skipped.",
    )
    return _Draft(program, steps, str(total), (str(sum(values) - total), str(total - even[-1]), str(total + 2)))


def _halving(rng: random.Random) -> _Draft:
    start = rng.randrange(20, 200)
    steps_taken = [start]
    while steps_taken[-1] > 1:
        steps_taken.append(steps_taken[-1] // 2)
    count = len(steps_taken) - 1
    program = f"n = {start}\ncount = 0\nwhile n > 1:\n    n = n // 2\n    count += 1\nprint(count)"
    steps = (
        "Each pass through the loop halves n, rounding down, and adds one to count.",
        f"The variable n takes the values {_listed(steps_taken)}.",
        "The loop stops as soon as n is no longer greater than 1.",
    )
    return _Draft(program, steps, str(count), (str(count + 1), str(count - 1)))


_WORDS = (
    "lantern",
    "harbour",
    "meadow",
    "compass",
    "thistle",
    "quarry",
    "saffron",
    "cobalt",
    "juniper",
    "walnut",
    "orchard",
)


def _slice(rng: random.Random) -> _Draft:
    word = rng.choice(_WORDS)
    start = rng.randrange(0, 3)
    stop = rng.randrange(start + 2, len(word))
    part = word[start:stop]
    program = f'word = "{word}"\npart = word[{start}:{stop}]\nprint(part[::-1])'
    steps = (
        f"Indexing starts at 0 and the end of a slice is not included, so part is the text '{part}'.",
        "The slice with step -1 reverses that text.",
    )
    return _Draft(program, steps, part[::-1], (word[start : stop + 1][::-1], word[start + 1 : stop + 1][::-1], part))


def _letters(rng: random.Random) -> _Draft:
    first, second = rng.sample(_WORDS, 2)
    text = first + second
    letter = max(sorted(set(text)), key=text.count)
    count = text.count(letter)
    program = (
        f'text = "{first}" + "{second}"\ncounts = {{}}\nfor char in text:\n'
        f'    counts[char] = counts.get(char, 0) + 1\nprint(counts["{letter}"])'
    )
    steps = (
        f"The two words are joined into '{text}'.",
        "The loop counts how often each letter occurs in it.",
        f"The last line looks up the count of the letter '{letter}', counted over both words.",
    )
    return _Draft(program, steps, str(count), (str(count + 1), str(count - 1)))


def _append_in_call(rng: random.Random) -> _Draft:
    values = rng.sample(range(1, 20), 3)
    added = rng.randrange(20, 40)
    program = (
        f"def extend(items):\n    items.append({added})\n    items = [0]\n    return items\n\n"
        f"numbers = {values}\nextend(numbers)\nprint(numbers)"
    )
    steps = (
        f"The call appends {added} to the very list that numbers refers to.",
        "The assignment inside the function only rebinds the local name and leaves the caller's list alone.",
        "The returned list is not used.",
    )
    return _Draft(program, steps, str([*values, added]), ("[0]", str(values), str([added, *values])))


def _range_sum(rng: random.Random) -> _Draft:
    start, step = rng.randrange(1, 6), rng.randrange(2, 5)
    stop = start + step * rng.randrange(4, 7)
    terms = list(range(start, stop, step))
    program = f"print(sum(range({start}, {stop}, {step})))"
    steps = (
        f"The range starts at {start}, goes up in steps of {step} and stops before {stop}.",
        f"Its numbers are {_listed(terms)}.",
    )
    total = sum(terms)
    return _Draft(program, steps, str(total), (str(total + stop), str(total - start), str(total + step)))


def _longest(rng: random.Random) -> _Draft:
    pool = list(_WORDS)
    rng.shuffle(pool)
    words = pool[:4]
    longest = max(words, key=len)
    program = f"words = {words}\nprint(max(words, key=len).upper())"
    lengths = _listed([f"{word} ({len(word)})" for word in words])
    steps = (
        f"The words and their lengths are {lengths}.",
        "With key=len the function max returns the first of the longest words, and upper puts it in capitals.",
    )
    others = [word.upper() for word in words if word != longest]
    return _Draft(program, steps, longest.upper(), (others[0], others[1], others[-1]))


def _divmod(rng: random.Random) -> _Draft:
    number, divisor = rng.randrange(40, 200), rng.randrange(6, 15)
    quotient, rest = divmod(number, divisor)
    program = f"quotient, rest = divmod({number}, {divisor})\nprint(quotient * 10 + rest)"
    steps = (
        f"Dividing {number} by {divisor} gives the quotient {quotient} and the remainder {rest}.",
        "The last line multiplies the quotient by 10 and adds the remainder.",
    )
    value = quotient * 10 + rest
    return _Draft(program, steps, str(value), (str(rest * 10 + quotient), str(value + 10), str(value - 1)))


def _filtered(rng: random.Random) -> _Draft:
    values = rng.sample(range(1, 50), 7)
    limit = sorted(values)[rng.randrange(2, 5)]
    kept = [value for value in values if value > limit]
    program = f"values = {values}\nkept = [value for value in values if value > {limit}]\nprint(len(kept), kept[0])"
    steps = (
        f"The comprehension keeps the values that are greater than {limit}, in their original order.",
        f"These are {_listed(kept)}; the value {limit} itself is not among them.",
        "The program prints how many there are and then the first one.",
    )
    output = f"{len(kept)} {kept[0]}"
    return _Draft(
        program, steps, output, (f"{len(kept) + 1} {kept[0]}", f"{len(kept)} {kept[-1]}", f"{len(kept) - 1} {kept[0]}")
    )


def _condition(rng: random.Random) -> _Draft:
    a, b, c = rng.randrange(1, 10), rng.randrange(1, 10), rng.randrange(1, 10)
    value = a < b or (b < c and a > c)
    program = f"a, b, c = {a}, {b}, {c}\nprint(a < b or b < c and a > c)"
    steps = (
        "The operator and binds more tightly than or, so the condition reads a < b or (b < c and a > c).",
        f"Here a < b is {a < b}, b < c is {b < c} and a > c is {a > c}.",
    )
    return _Draft(program, steps, str(value), (str(not value),))


#: Taken in turn, so that any number of items has them in equal shares.
FAMILIES: tuple[Family, ...] = (
    _sum_of_even, _halving, _slice, _letters, _append_in_call, _range_sum, _longest, _divmod, _filtered, _condition,
)  # fmt: skip
