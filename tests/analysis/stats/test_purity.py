"""The statistics are a library of their own: a fresh process imports all of it without Django or our apps."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

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


def test_names_of_the_public_surface_exist() -> None:
    import analysis.stats

    assert all(getattr(analysis.stats, name) is not None for name in analysis.stats.__all__)
    assert sorted(analysis.stats.__all__) == analysis.stats.__all__
