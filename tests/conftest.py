"""What every test may use: studies, members and rounds made through the steps, never by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.material import Material


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what touches the database through a fixture, so that every such test can be chosen for another engine."""
    for item in items:
        uses = {"db", "transactional_db"} & set(getattr(item, "fixturenames", ()))
        if uses and item.get_closest_marker("django_db") is None:
            item.add_marker("database")


@pytest.fixture(autouse=True)
def _quick_passwords(settings: Any) -> None:
    # Hashing is slow on purpose; tests sign in hundreds of times and do not test it.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def material(db: None, tmp_path: Path) -> Material:
    """A study with a member of every role, and the means to fill it."""
    return Material(tmp_path)
