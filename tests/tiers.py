"""Runs a tier of tests on every engine this machine has, and says in plain lines which ran and which did not.

    python -m tests.tiers fast | long | browser | faults [--require-all]

Only databases that this process names itself (test_tiebreak_<pid>) are made and dropped; Redis is used under a key
prefix of its own and never flushed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field

from tests import engines

FAST = "not browser and not faults and not long"


@dataclass
class Leg:
    """One pytest run: its name, its engines and what it selects."""

    name: str
    select: str
    env: dict[str, str] = field(default_factory=dict)
    extra: list[str] = field(default_factory=list)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tier", choices=["fast", "long", "browser", "faults"])
    parser.add_argument("--require-all", action="store_true", help="fail where an engine cannot be had")
    options = parser.parse_args()
    legs, missing = plan(options.tier)
    for line in missing:
        print(f"NOT RUN: {line}", flush=True)
    if missing and options.require_all:
        print("Failing, because every engine was required.", flush=True)
        return 1
    results = [(leg.name, *run(leg)) for leg in legs]
    for name, code, seconds in results:
        print(f"{'passed' if code == 0 else 'FAILED'}: {name}, {seconds:.0f} s", flush=True)
    for line in missing:
        print(f"not run: {line}", flush=True)
    return max(code for _, code, _ in results)


def plan(tier: str) -> tuple[list[Leg], list[str]]:
    """The legs that can run here, and a line for each that cannot."""
    postgresql, redis, browser = engines.postgresql_url(), engines.redis_url(), engines.chromium()
    missing = []
    if postgresql is None:
        missing.append("database tests on PostgreSQL (no server answers on port 5432, DATABASE_URL is not set)")
    if redis is None:
        missing.append("worker tests on Redis (no server answers on port 6379, REDIS_URL is not set)")
    if browser is None and tier in {"fast", "browser"}:
        missing.append("browser tests (no chromium found, CHROMIUM is not set)")
    services = {}
    if postgresql is not None:
        services["DATABASE_URL"] = postgresql
    if redis is not None:
        services["REDIS_URL"] = redis
    on = " and ".join([*(["PostgreSQL"] if postgresql else []), *(["Redis"] if redis else [])])
    if tier == "fast":
        legs = [Leg("all fast tests on SQLite, queue of files", f"{FAST}", extra=["-n", "2"])]
        if services:
            select = f"(django_db or worker) and {FAST}"
            legs.append(Leg(f"database and worker tests on {on}", select, services, ["-n", "2"]))
        if browser is not None:
            legs.append(Leg("the browser journey on SQLite", "journey"))
        return legs, missing
    legs = [] if tier == "browser" and browser is None else [Leg(f"{tier} tests on SQLite", tier)]
    if services and legs:
        # The fast tier runs the tests marked django_db there; the rest of what touches a database runs here.
        rest = f" or (database and {FAST})" if tier == "long" else ""
        legs.append(
            Leg(f"{tier} tests on {on}", f"({tier} and django_db){rest}", services, ["-n", "2"] if rest else [])
        )
    return legs, missing


def run(leg: Leg) -> tuple[int, float]:
    """pytest's exit status, with "no test selected" counted as a failure, and the seconds it took."""
    print(f"=== {leg.name} ===", flush=True)
    env = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}}
    env.update(leg.env)
    env["TIEBREAK_TEST_DATABASE"] = f"test_tiebreak_{os.getpid()}"
    started = time.monotonic()
    command = [sys.executable, "-m", "pytest", "-q", "-m", leg.select, "--durations=8", *leg.extra]
    with tempfile.TemporaryDirectory(prefix="tiebreak-tests-") as folder:
        code = subprocess.run(command, env={**env, "TIEBREAK_VAR": folder}).returncode
    return code, time.monotonic() - started


if __name__ == "__main__":
    sys.exit(main())
