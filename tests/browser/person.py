"""Somebody at a browser: signs in, presses keys, reads what is on screen."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

PASSWORD = "a long password"


class Person:
    """``troubles`` collects what the browser's console complained about."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.troubles: list[str] = []
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", lambda line: self.troubles.append(line.text) if line.type == "error" else None)

    def sign_in(self, username: str) -> None:
        self.page.goto(f"{self.url}/sign-in/")
        self.page.fill("#id_username", username)
        self.page.fill("#id_password", PASSWORD)
        self.page.keyboard.press("Enter")
        self.page.wait_for_url(lambda url: "sign-in" not in url)

    def go(self, path: str) -> None:
        self.page.goto(self.url + path)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def start_labelling(self) -> None:
        """From My work through the guideline to the first pair."""
        self.go("/work/")
        self.page.get_by_role("link", name="Read the guideline").first.click()
        self.page.get_by_role("button", name="I have read it").click()
        expect(self.page.locator("body.labelling.js")).to_be_visible()
        self.page.wait_for_load_state("networkidle")  # the next pair is held by now

    @property
    def task(self) -> str:
        return self.page.locator("[data-task]").inner_text()

    def side_with(self, words: str) -> str:
        """The key (a or b) of the side whose text holds ``words``."""
        return "a" if words in self.page.locator('[data-side="A"]').inner_text() else "b"

    def answer_graded(self, preference: str) -> None:
        """The five questions of the graded scheme by their keys; the last is the preference's."""
        before = self.task
        self.press("1", "t", "t", "2", preference, "Enter")
        expect(self.page.locator("[data-task]")).not_to_have_text(before)

    def progress(self) -> str:
        return self.page.locator("[data-progress]").inner_text()

    def expect_text(self, selector: str, text: Any) -> None:
        expect(self.page.locator(selector)).to_contain_text(text)
