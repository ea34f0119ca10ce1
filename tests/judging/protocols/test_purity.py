"""The pure parts of judging load without Django and without a network client."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    "module",
    [
        "judging.protocols.registry",
        "judging.protocols.engine",
        "judging.protocols.lock",
        "judging.protocols.composing",
        "judging.extractor",
        "judging.extractor.records",
        "judging.cues",
        "judging.attacks",
        "judging.enums",
        "judging.formats.raw_replies",
    ],
)
def test_module_loads_in_a_fresh_process_without_django_or_network(module: str) -> None:
    code = (
        f"import sys, {module}\n"
        "print([m for m in ('django', 'aiohttp', 'celery', 'rest_framework', 'redis') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
