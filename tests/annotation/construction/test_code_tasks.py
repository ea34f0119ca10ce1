"""The generated programs are run here and nowhere else."""

from __future__ import annotations

import subprocess
import sys

from annotation.construction.code_tasks import FAMILIES, generate_code_items


def printed(program: str) -> str:
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, timeout=30, check=True)
    return done.stdout.strip()


def test_every_family_prints_what_its_item_says() -> None:
    items = list(generate_code_items(4 * len(FAMILIES), seed=5))
    # one process for all: each program under its own heading
    joined = "\n".join(f"print('## {item.item_id}')\nexec({item.program!r}, {{}})" for item in items)
    outputs = {part.split("\n", 1)[0]: part.split("\n", 1)[1].strip() for part in printed(joined).split("## ")[1:]}
    assert {item.item_id: item.output for item in items} == outputs


def test_slips_are_wrong_and_differ_in_more_than_case() -> None:
    for item in generate_code_items(60, seed=2):
        assert item.slips
        assert all(slip.lower() != item.output.lower() for slip in item.slips), item


def test_programs_are_all_different_and_the_seed_decides() -> None:
    first, again, other = (list(generate_code_items(50, seed=seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    assert len({item.program for item in first}) == 50


def test_more_items_do_not_change_the_first_ones() -> None:
    assert list(generate_code_items(10, seed=1)) == list(generate_code_items(30, seed=1))[:10]
