"""Runs every benchmark, each in a process of its own, and prints what it prints: python -m benchmarks [NAME ...]"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent


def main() -> int:
    names = sys.argv[1:] or sorted(path.stem for path in FOLDER.glob("bench_*.py"))
    worst = 0
    for name in names:
        print(f"=== {name}", flush=True)
        worst = max(worst, subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=False).returncode)
    return worst


if __name__ == "__main__":
    sys.exit(main())
