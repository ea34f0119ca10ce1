"""The statistics are a library of their own: a fresh process imports all of it without Django or our apps."""

from __future__ import annotations

import json
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

IMPORT_EVERYTHING = """
import importlib, json, pkgutil, sys
import analysis.stats
names = [module.name for module in pkgutil.walk_packages(analysis.stats.__path__, "analysis.stats.")]
for name in names:
    importlib.import_module(name)
print(json.dumps({"names": names, "loaded": sorted({name.split(".")[0] for name in sys.modules})}))
"""

FOREIGN = {"django", "rest_framework", "celery", "aiohttp", "redis", "altair", "annotation", "judging", "config"}


def test_stats_import_in_a_fresh_process_leaves_django_absent() -> None:
    run = subprocess.run(
        [sys.executable, "-c", IMPORT_EVERYTHING], cwd=ROOT, capture_output=True, text=True, check=True
    )
    report = json.loads(run.stdout)
    assert {"analysis.stats.agreement.alpha", "analysis.stats.bootstrap"} <= set(report["names"])
    assert not FOREIGN & set(report["loaded"])


def test_importing_the_package_alone_loads_no_heavy_library() -> None:
    script = "import analysis.stats, sys; print(*sorted({name.split('.')[0] for name in sys.modules}))"
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not {"numpy", "scipy", "pandas"} & set(run.stdout.split())


def test_names_of_the_public_surface_exist_and_hide_no_module() -> None:
    import analysis.stats

    names = analysis.stats.__all__
    assert all(getattr(analysis.stats, name).__name__ == name for name in names)
    assert sorted(names) == names
    assert set(names) <= set(dir(analysis.stats))
    modules = {module.name for module in pkgutil.iter_modules(analysis.stats.__path__)}
    assert not modules & set(names)


def test_an_unknown_name_is_an_attribute_error() -> None:
    import analysis.stats

    with pytest.raises(AttributeError, match="no attribute 'kapa'"):
        _ = analysis.stats.kapa


def test_every_name_and_every_module_is_in_the_documentation() -> None:
    import analysis.stats

    pages = [ROOT / "docs" / name for name in ("statistics.md", "statistics-frontier.md")]
    words = set(re.findall(r"\w+", " ".join(page.read_text(encoding="utf-8") for page in pages)))
    modules = {module.name for module in pkgutil.iter_modules(analysis.stats.__path__)}
    assert not (set(analysis.stats.__all__) | modules) - words
