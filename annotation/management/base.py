"""What every command shares: errors a user can act on end it with status 2 and a clear message."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from django.core.management.base import CommandError
from django.core.validators import slug_re

from annotation.errors import TiebreakError
from annotation.models import Study


@contextlib.contextmanager
def told_to_the_user() -> Iterator[None]:
    """Turn a TiebreakError into exit status 2 with its message; nothing else is caught."""
    try:
        yield
    except TiebreakError as error:
        raise CommandError(error.message, returncode=2) from error


def study_called(slug: str, *, create: bool = False) -> Study:
    """The study with this slug, made where ``create`` allows it; CommandError with the known ones otherwise."""
    if create:
        if not slug_re.match(slug):
            raise CommandError(
                f"{slug!r} is no slug for a study. Use letters, digits, - and _, such as my-study.", returncode=2
            )
        study, _ = Study.objects.get_or_create(slug=slug, defaults={"name": slug.replace("-", " ").capitalize()})
        return study
    known_study = Study.objects.filter(slug=slug).first()
    if known_study is None:
        known = ", ".join(Study.objects.values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"There is no study {slug!r}. Known studies: {known}.", returncode=2)
    return known_study
