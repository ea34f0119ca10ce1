"""The readers of verdicts know neither Django nor the network."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_verdict_readers_import_neither_django_nor_a_client() -> None:
    code = (
        "import sys; import judging.formats.verdicts, judging.formats.raw_replies; "
        "print([name for name in ('django', 'rest_framework', 'celery', 'aiohttp', 'redis') if name in sys.modules])"
    )
    root = Path(__file__).resolve().parents[3]
    found = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
