"""Families of claims on random models: runs are as long with symmetry as without it.

    python -m tests.oracle.families --many 1000 --seed 0

Takes the random models that have families of claims about states until there are so many, and prints what was compared.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from .language import Model, text_of
from .models import random_model
from .tool import Tool, forget_models

MODES = ("unique", "multi")


def with_families(first: int) -> Iterator[tuple[int, Model, tuple[str, ...]]]:
    """Random models from a seed on that have families of claims about states, with the names of these."""
    for seed in count(first):
        model = random_model(seed)
        families = tuple(p.name for p in model.properties if p.parameters and p.kind in ("invariant", "reachable"))
        if families:
            yield seed, model, families


def compare(
    model: Model, families: tuple[str, ...], modes: tuple[str, ...], folder: Path
) -> tuple[list[str], Counter[str]]:
    """Members whose verdict or length of a run is another one with symmetry than without; and what was compared."""
    tool = Tool(text_of(model), folder, nearby=1)
    answers = {mode: tool.check_runs(families, mode) for mode in modes}
    reduced = {mode: found for mode, found in answers.items() if found["symmetry"]["mode"] != "none"}
    any_members = next(iter(answers.values()))["properties"]
    compared = Counter({"models": 1, "members": len(any_members)})
    # Where no symmetry is used the search is the one without it.
    plain = tool.check_runs(families, "none")["properties"] if reduced else []
    wrong = []
    for mode, found in reduced.items():
        compared[f"{mode}: models searched with symmetry"] += 1
        for one, other in zip(plain, found["properties"], strict=True):
            compared[f"{mode}: runs"] += other["trace"] is not None
            compared[f"{mode}: runs that are others renamed"] += "likewise" in other
            if _seen(one) != _seen(other):
                wrong.append(f"{one['name']}: {_seen(one)} without symmetry, {_seen(other)} with {mode}")
    return wrong, compared


def _seen(found: dict[str, Any]) -> tuple[str, int | None]:
    return found["verdict"], None if found["trace"] is None else len(found["trace"]["steps"])


def compare_many(first: int, many: int, modes: tuple[str, ...] = MODES) -> tuple[list[str], Counter[str]]:
    """The same for many models, each difference with its seed."""
    wrong: list[str] = []
    total: Counter[str] = Counter()
    with TemporaryDirectory(prefix="families-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        for seed, model, families in islice(with_families(first), many):
            differences, compared = compare(model, families, modes, Path(folder))
            wrong += [f"seed {seed}: {difference}" for difference in differences]
            total += compared
            forget_models(Path(folder))
    return wrong, total


def main() -> None:
    """Compare many models; ends with 1 if something is different."""
    parser = argparse.ArgumentParser(description="Lengths of runs of families with and without symmetry.")
    parser.add_argument("--many", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    start = perf_counter()
    wrong, compared = compare_many(given.seed, given.many)
    for line in wrong:
        sys.stdout.write(f"{line}\n")
    for what, number in compared.items():
        sys.stdout.write(f"{number:>8}  {what}\n")
    sys.stdout.write(f"{len(wrong)} differences, {perf_counter() - start:.0f} s\n")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
