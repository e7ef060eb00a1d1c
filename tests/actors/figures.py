"""What the tests of actors show, as figures: how many, how long, and what came out.

    python tests/actors/figures.py growth
    python tests/actors/figures.py topologies --many 500
    python tests/actors/figures.py agreement --many 500
    python tests/actors/figures.py mutations --many 2000

Every command stops with a traceback at the first disagreement.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1]))

from actors.agreement import Outcome, Setting, compare
from actors.generator import random_model
from actors.topologies import compare_with_all_permutations, random_topology, ring, star
from burnside.actors.symmetry import find_symmetries
from properties.test_rebeca_fuzz import outcome as mutation

FIRST = 1_000


def growth(_: int) -> Iterator[str]:
    """Rings and stars of 10, 100 and 1,000 actors."""
    yield f"{'actors':>6} {'ring':>9} {'star':>9}"
    for size in (10, 100, 1_000):
        seconds = []
        for family in (ring, star):
            start = perf_counter()
            find_symmetries(family(size))
            seconds.append(perf_counter() - start)
        yield f"{size:>6} {seconds[0]:>7.3f} s {seconds[1]:>7.3f} s"


def topologies(many: int) -> Iterator[str]:
    """Random topologies against all permutations of their actors."""
    orders: Counter[int] = Counter()
    for seed in range(FIRST, FIRST + many):
        topology = random_topology(seed)
        compare_with_all_permutations(topology)
        orders[find_symmetries(topology).order] += 1
    yield f"{many} topologies: the groups are all permutations that keep classes, known rebecs and initial values"
    yield "orders: " + ", ".join(f"{order} ({orders[order]})" for order in sorted(orders))


def agreement(many: int) -> Iterator[str]:
    """Random models, until so many have been compared with the interpreter to the end."""
    found: Counter[Outcome] = Counter()
    seed = FIRST
    creating = inheriting = 0
    while found[Outcome.TO_THE_END] < many:
        text = random_model(seed)
        outcome = compare(text, f"seed {seed}", Setting("reference" if seed % 5 == 0 else "paper", created=2))
        found[outcome] += 1
        creating += outcome is Outcome.TO_THE_END and "new " in text
        inheriting += outcome is Outcome.TO_THE_END and "extends" in text
        seed += 1
    yield f"{found.total()} models"
    yield from (f"{found[outcome]:>5}  {outcome.value}" for outcome in Outcome)
    yield f"of those compared to the end, {creating} have 'new' and {inheriting} have 'extends'"


def mutations(many: int) -> Iterator[str]:
    """Mutated texts: a model or diagnostics."""
    found = Counter(mutation(seed) for seed in range(FIRST, FIRST + many))
    yield f"{many} mutated texts, no traceback"
    yield from (f"{count:>5}  {what}" for what, count in sorted(found.items()))


COMMANDS: dict[str, Callable[[int], Iterator[str]]] = {
    "growth": growth,
    "topologies": topologies,
    "agreement": agreement,
    "mutations": mutations,
}


def main() -> None:
    """Run one command, and say how long it took."""
    parser = argparse.ArgumentParser(description="What the tests of actors show, as figures.")
    parser.add_argument("what", choices=COMMANDS)
    parser.add_argument("--many", type=int, default=500)
    given = parser.parse_args()
    start = perf_counter()
    for line in COMMANDS[given.what](given.many):
        sys.stdout.write(line + "\n")
    sys.stdout.write(f"{perf_counter() - start:.1f} s\n")


if __name__ == "__main__":
    main()
