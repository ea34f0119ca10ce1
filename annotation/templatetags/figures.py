"""Numbers as pages show them: percent with one decimal, intervals in brackets, durations in words."""

from __future__ import annotations

from collections.abc import Sequence

from django import template

from analysis.stats.estimate import Estimate

register = template.Library()


@register.filter
def percent(share: float | None) -> str:
    """0.912 as 91.2%; nothing for no value."""
    return "" if share is None else f"{100 * share:.1f}%"


@register.filter
def coefficient(number: float | None) -> str:
    """A chance-corrected coefficient with three decimals and a true minus sign; nothing for no value."""
    return "" if number is None else f"{number:.3f}".replace("-", "\N{MINUS SIGN}")


@register.filter
def interval(estimate: Estimate, style: str = "coefficient") -> str:
    """The interval in brackets, in percent or as a coefficient; nothing where there is none."""
    if estimate.low is None or estimate.high is None:
        return ""
    write = percent if style == "percent" else coefficient
    return f"[{write(estimate.low)}, {write(estimate.high)}]"


@register.filter
def duration(seconds: float | None) -> str:
    """7,384 as "2 h 3 min"; seconds are told up to ten minutes."""
    if seconds is None:
        return ""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 600:
        return f"{whole // 60} min {whole % 60} s"
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


@register.filter
def lookup(mapping: dict[str, object], key: str) -> object:
    """``mapping[key]`` for a key held in a variable; None where it is absent."""
    return mapping.get(key)


@register.filter
def at(sequence: Sequence[object], place: int) -> object:
    """``sequence[place]`` for a place held in a variable."""
    return sequence[place]


@register.filter
def answer(given: object) -> str:
    """A stored answer as one line: lists joined, numbers by role, nothing for nothing."""
    if isinstance(given, dict):
        return ", ".join(f"{role}: {number}" for role, number in given.items())
    if isinstance(given, list):
        return ", ".join(str(each) for each in given)
    return "" if given is None else str(given)


@register.filter
def dollars(nano: int | None) -> str:
    """Billionths of a dollar as dollars with four decimals."""
    return "" if nano is None else f"{nano / 1_000_000_000:,.4f}"


@register.filter
def share(value: float | None) -> str:
    """A share or a difference of shares in percent, with a true minus sign."""
    return percent(value).replace("-", "\N{MINUS SIGN}")


@register.filter
def bounds(estimate: dict[str, float | None]) -> str:
    """The interval of an estimate in its JSON form, in percent; nothing where there is none."""
    low, high = estimate.get("low"), estimate.get("high")
    return "" if low is None or high is None else f"[{share(low)}, {share(high)}]"


@register.filter
def figure(number: object) -> str:
    """A number of a report, bare or as an estimate in its JSON form: three decimals, or n/a."""
    value = number.get("value") if isinstance(number, dict) else number
    return coefficient(value) if isinstance(value, (int, float)) else "n/a"


@register.filter
def pairs(mapping: dict[str, object]) -> list[tuple[str, object]]:
    """The entries of a mapping whose keys come from data: ``.items`` in a template would look up a key "items"."""
    return list(mapping.items())


@register.filter
def total(counts: dict[str, int]) -> int:
    """The sum of counted kinds."""
    return sum(counts.values())
