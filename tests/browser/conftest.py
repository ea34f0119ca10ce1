"""A headless Chromium against a live site. Playwright's event loop runs beside Django's synchronous calls."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from annotation.models import User
from tests.browser.person import Person
from tests.engines import chromium
from tests.material import Material

os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium()
    if path is None:
        pytest.skip("no chromium found, CHROMIUM is not set")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield running
        running.close()


class Site(Material):
    """A study behind a running site; ``url`` is where it is."""

    url = ""


@pytest.fixture
def site(live_server: Any, transactional_db: None, tmp_path: Path) -> Site:
    made = Site(tmp_path)
    made.url = live_server.url
    return made


@pytest.fixture
def enter(browser: Browser, site: Site) -> Iterator[Any]:
    """``enter(user, path="/", **context)``: a person in a browser window of their own, signed in unless nameless."""
    windows = []

    def open_window(user: User | str, path: str = "/", **context: Any) -> Person:
        window = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **context})
        windows.append(window)
        page: Page = window.new_page()
        person = Person(page, site.url)
        name = user if isinstance(user, str) else user.username
        if name:
            person.sign_in(name)
        person.go(path)
        return person

    yield open_window
    for window in windows:
        window.close()
