"""A million pairs into PostgreSQL by one command, its peak memory, and COPY beside bulk_create.

    python -m benchmarks.bench_import [--pairs 1000000]

Needs a PostgreSQL that lets us make a database (DATABASE_URL, else the one on the loopback).
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

from benchmarks.timing import side_by_side
from tests.engines import postgresql_url

STORED = 20_000
WORDS = ("river", "mill", "treaty", "engine", "harbour", "ledger", "orbit", "copper", "senate", "archive", "meadow")


def write_pairs(path: Path, count: int) -> None:
    """``count`` pairs of about 900 bytes each, all different."""
    draw = random.Random(7)
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            text = " ".join(draw.choices(WORDS, k=45))
            row = {
                "pair_id": f"bench-{number}", "task": f"Question {number}: {text[:80]}?", "roles": ["plain", "cited"],
                "candidates": {"plain": f"{text}. {number}", "cited": f"{text} [1]. {number}"}, "tier": "equivalence",
                "cluster": f"item-{number // 6}", "domain": "multi-hop QA", "meta": {"seed": 7, "answer": str(number)},
                "source": {"dataset": "generated", "id": str(number), "licence": "CC0-1.0"},
            }  # fmt: skip
            file.write(json.dumps(row) + "\n")


@contextmanager
def fresh_database() -> Iterator[str]:
    """The address of a new database, dropped afterwards."""
    server = postgresql_url()
    if server is None:
        sys.exit("No PostgreSQL answers here: set DATABASE_URL.")
    name = f"bench_import_{uuid.uuid4().hex[:8]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
        finally:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def command(url: str, *arguments: str) -> tuple[float, int]:
    """(seconds, peak resident memory in MB) of one ``manage.py`` command."""
    environment = os.environ | {"DATABASE_URL": url}
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, "manage.py", *arguments], env=environment, stdout=subprocess.DEVNULL)
    peak = 0
    watching = threading.Event()

    def watch() -> None:
        nonlocal peak
        while not watching.wait(0.2):
            status = Path(f"/proc/{process.pid}/status")
            lines = status.read_text().splitlines() if status.exists() else []
            peak = max([peak, *(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM"))])

    watcher = threading.Thread(target=watch)
    watcher.start()
    code = process.wait()
    watching.set()
    watcher.join()
    assert code == 0, f"manage.py {arguments[0]} ended with status {code}"
    return time.perf_counter() - start, peak


def storing(url: str) -> tuple[float, float]:
    """Seconds to store the same rows by COPY and by bulk_create, rolled back each time."""
    os.environ["DATABASE_URL"] = url
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.db import transaction

    from annotation.models import Pair, Split, Study
    from annotation.records import PairRecord
    from annotation.steps.pair_storage import INSERTED_TOGETHER, row_of, store

    study = Study.objects.create(slug="storing", name="Storing")
    split = Split.objects.create(study=study, name="storing", roles=["plain", "cited"])
    text = " ".join(WORDS * 3)
    records = (
        PairRecord(pair_id=f"s-{n}", task=f"{text} {n}", roles=("plain", "cited"), candidates=(text, f"{text} [1]"))
        for n in range(STORED)
    )
    rows = [row_of(one, study=study, split=split, place=n, digest="0" * 64) for n, one in enumerate(records)]

    def rolled_back(write: object) -> None:
        with transaction.atomic():
            write()  # type: ignore[operator]
            transaction.set_rollback(True)

    return side_by_side(
        lambda: rolled_back(lambda: store(rows)),
        lambda: rolled_back(
            lambda: Pair.objects.bulk_create([Pair(**row) for row in rows], batch_size=INSERTED_TOGETHER)
        ),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=1_000_000)
    count = parser.parse_args().pairs
    with tempfile.TemporaryDirectory() as folder, fresh_database() as url:
        command(url, "migrate", "--verbosity", "0")
        for size in (count // 10, count):
            path = Path(folder) / f"pairs-{size}.jsonl"
            write_pairs(path, size)
            seconds, peak = command(url, "import_pairs", str(path), "--study", f"bench-{size}", "--split", "bench")
            megabytes = path.stat().st_size / 1e6
            path.unlink()
            print(
                f"{size:,} pairs ({megabytes:.0f} MB): {seconds:.0f} s, {size / seconds:,.0f} pairs/s, peak {peak} MB"
            )
        copied, inserted = storing(url)
        print(f"{STORED:,} rows: COPY {copied:.2f} s, bulk_create {inserted:.2f} s, ratio {inserted / copied:.1f}")


if __name__ == "__main__":
    main()
