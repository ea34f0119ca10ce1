from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from annotation.construction.seeding import digest, in_seeded_order, rng_for

ROOT = Path(__file__).resolve().parents[3]

SCRIPT = """
import hashlib, json
from annotation.construction.registry import RECIPES
from tests.annotation.construction.material import all_items
lines = [repr(one) for recipe in RECIPES for one in recipe.build(all_items(), n=4, seed=11)]
print(hashlib.sha256("\\n".join(lines).encode()).hexdigest())
"""


def test_digest_tells_its_parts_apart() -> None:
    assert digest("a", "bc") != digest("ab", "c")
    assert digest(1, "a") != digest("1", "a")


def test_the_order_does_not_depend_on_arrival() -> None:
    names = [f"item {number}" for number in range(30)]
    assert in_seeded_order(names, seed=1, key=str) == in_seeded_order(reversed(names), seed=1, key=str)
    assert in_seeded_order(names, seed=1, key=str) != in_seeded_order(names, seed=2, key=str)


def test_each_decision_has_its_own_generator() -> None:
    assert rng_for(1, "a").random() == rng_for(1, "a").random()
    assert rng_for(1, "a").random() != rng_for(1, "b").random()


@pytest.mark.long
def test_builds_are_the_same_under_any_hash_seed() -> None:
    seen = set()
    for hash_seed in ("0", "1", "4242"):
        env = {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT), "PATH": ""}
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT], capture_output=True, text=True, env=env, cwd=ROOT, check=True
        )
        seen.add(done.stdout)
    assert len(seen) == 1


def test_construction_knows_neither_django_nor_the_network() -> None:
    script = (
        "import sys; import annotation.construction.registry, annotation.construction.classify, "
        "annotation.construction.surface, annotation.construction.from_outputs; "
        "print([name for name in ('django', 'aiohttp', 'requests', 'celery', 'sumy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "[]"
