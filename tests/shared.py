"""Where the reference data beside the checkout lies; tests that need it skip, with one line, where it is absent."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


def shared_path(relative: str) -> Path:
    """The path of a reference file, or a skip that names it."""
    path = SHARED / relative
    if not path.exists():
        pytest.skip(f"reference file shared/{relative} is not beside this checkout")
    return path
