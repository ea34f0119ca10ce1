"""The runner beside a bare aiohttp loop on the same mock: calls a second and CPU a call, persistence included.

    python -m benchmarks.bench_runner [--calls 2000] [--rounds 5]

50 ms latency, prompts of 5 KB, concurrency 64, SQLite in a folder of its own. The two alternate in one run and the
median of the rounds' ratios is printed; a ratio on a busy machine still compares like with like.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

CONCURRENCY = 64
LATENCY_MS = 50
PROMPT_CHARACTERS = 5_000
#: The aims this benchmark is read against.
LEAST_RATIO = 0.75
MOST_CPU_MS = 1.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tiebreak-bench-") as folder:
        prepare(Path(folder), options.calls)
        mock = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.mock_endpoint", str(LATENCY_MS)], stdout=subprocess.PIPE, text=True
        )
        try:
            assert mock.stdout is not None
            url = f"http://127.0.0.1:{int(mock.stdout.readline())}/v1"
            return compare(url, calls=options.calls, rounds=options.rounds)
        finally:
            mock.kill()
            mock.wait()


def prepare(folder: Path, calls: int) -> None:
    """A study on a fresh database, with pairs for one round of ``calls``."""
    os.environ["DATABASE_URL"] = f"sqlite:///{folder / 'bench.sqlite3'}"
    os.environ["TIEBREAK_VAR"] = str(folder)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.core.management import call_command

    from annotation.models import Study
    from annotation.steps.ingest import import_pairs

    call_command("migrate", verbosity=0)
    study = Study.objects.create(slug="bench", name="Benchmark")
    text = "A sentence of the usual length, as an answer has them. " * 100
    rows = (
        {
            "pair_id": f"p{number}",
            "task": f"Question {number}?",
            "roles": ["plain", "cited"],
            "candidates": {
                role: f"{number} {role} {text}"[: PROMPT_CHARACTERS // 2 - 500] for role in ("plain", "cited")
            },
        }
        for number in range(calls // 2)
    )
    path = folder / "pairs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    import_pairs(study=study, path=path, split="bench")


def compare(url: str, *, calls: int, rounds: int) -> int:
    ratios, cpu = [], []
    print(f"{'round':>5} {'bare/s':>8} {'runner/s':>9} {'ratio':>6} {'bare ms CPU':>12} {'runner ms CPU':>14}")
    for number in range(rounds):
        planned = plan(url, number)
        bare_seconds, bare_cpu = timed(lambda bodies=planned["bodies"]: asyncio.run(bare(url, bodies)))
        seconds, busy = timed(lambda run=planned["run"]: drive(run))
        ratios.append(bare_seconds / seconds)
        cpu.append(busy / calls * 1000)
        print(
            f"{number + 1:>5} {calls / bare_seconds:>8.0f} {calls / seconds:>9.0f} {ratios[-1]:>6.2f} "
            f"{bare_cpu / calls * 1000:>12.2f} {cpu[-1]:>14.2f}"
        )
    ratio, cost = statistics.median(ratios), statistics.median(cpu)
    print(f"median: {ratio:.2f} of the bare loop (aim {LEAST_RATIO}), {cost:.2f} ms CPU a call (aim {MOST_CPU_MS})")
    return 0 if ratio >= LEAST_RATIO and cost <= MOST_CPU_MS else 1


def plan(url: str, number: int) -> dict[str, Any]:
    """A run that nothing stored answers, and the bodies it will send."""
    from annotation.models import Split, Study
    from judging.protocols.engine import advance
    from judging.runner.jobs import canonical
    from judging.runner.loading import asked_of
    from judging.showing import show
    from judging.steps.judges import declare_judge
    from judging.steps.plan import plan_run

    study = Study.objects.get(slug="bench")
    judge = declare_judge(study=study, spec=f"openai:mock@{url}")
    run = plan_run(
        study=study,
        judges=[judge],
        protocols=[f"ladder:L0;wave=round-{number}"],
        name=f"round {number}",
        split=Split.objects.get(study=study),
        concurrency=CONCURRENCY,
    )
    wanted = [each.comparison for each in run.wanted.select_related("comparison__pair", "comparison__condition__judge")]
    asked = asked_of(wanted[0].condition)
    bodies = []
    for comparison in wanted:
        shown = show(pair=comparison.pair, condition=comparison.condition, order=comparison.order).shown
        request = advance(asked.protocol, shown, {}).requests[0]  # type: ignore[union-attr]
        bodies.append(canonical(asked.provider.body(request)))  # type: ignore[union-attr]
    return {"run": run, "bodies": bodies}


async def bare(url: str, bodies: list[bytes]) -> None:
    """The least a client can do: send every body, read and parse every reply, keep nothing."""
    import aiohttp

    left = iter(bodies)
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, headers={"Content-Type": "application/json"}) as session:

        async def hand() -> None:
            for body in left:
                async with session.post(f"{url}/chat/completions", data=body) as response:
                    json.loads(await response.read())

        await asyncio.gather(*(hand() for _ in range(CONCURRENCY)))


def drive(run: Any) -> None:
    from judging.runner import run_to_end

    report = run_to_end(run)
    assert report.state == "done", report


def timed(work: Any) -> tuple[float, float]:
    """(seconds, seconds of CPU) of this process."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


if __name__ == "__main__":
    sys.exit(main())
