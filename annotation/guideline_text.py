"""A guideline's Markdown as HTML that is safe to show: raw HTML, images and odd links stay text."""

from __future__ import annotations

from functools import lru_cache

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

_READER = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


@lru_cache(maxsize=64)
def guideline_html(markdown: str) -> SafeString:
    """``markdown`` rendered; whatever HTML it holds is shown as text."""
    return mark_safe(_READER.render(markdown))  # noqa: S308 - the reader escapes raw HTML and refuses script links
