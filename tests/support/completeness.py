"""How much of the symmetry of random models is found: ``PYTHONPATH=src:tests python -m support.completeness 5000``.

A second number is the first seed.

Groups are compared with brute force over all states. A generator that is wrong ends the run.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable

from burnside.detect.run import detect
from burnside.ir.nodes import Model
from support.brute_force import TooManyStates, is_automorphism, order_on_states, state_graph, true_order
from support.folded_models import CONSTRUCTS, folded_model
from support.tiny_models import tiny_model

MOST_STATES = 200


def orders(model: Model) -> tuple[int, int]:
    """In how many ways symmetries move the reachable states, and in how many those do that are found."""
    graph = state_graph(model, MOST_STATES)
    found = detect(model)
    assert not found.rejected
    literals = found.symmetry.literals
    for generator in found.symmetry.group.generators:
        assert is_automorphism(graph, literals, generator)
    order = order_on_states(graph, literals, found.symmetry.group.generators)
    true = true_order(graph, fixed={cell for cell, value in literals.points if value is None})
    assert true % order == 0
    return true, order


def figures(seeds: Iterable[int]) -> Counter[tuple[str, str]]:
    """By construct: models that are small enough, those with symmetry, and those whose symmetry is found whole."""
    counted: Counter[tuple[str, str]] = Counter()
    for seed in seeds:
        construct, model = folded_model(seed) if seed % 5 else ("everything in tables", tiny_model(seed))
        try:
            true, order = orders(model)
        except TooManyStates:
            continue
        except AssertionError as error:
            raise AssertionError(f"a wrong generator for seed {seed}") from error
        for name in (construct, "all"):
            counted[name, "models"] += 1
            counted[name, "symmetric"] += true > 1
            counted[name, "whole"] += true > 1 and order == true
    return counted


def table(counted: Counter[tuple[str, str]]) -> str:
    """One line for each construct."""
    lines = [f"{'construct':<22}{'models':>8}{'symmetric':>11}{'found whole':>13}{'share':>9}"]
    for name in (*CONSTRUCTS, "everything in tables", "all"):
        models, symmetric, whole = (counted[name, what] for what in ("models", "symmetric", "whole"))
        share = f"{100 * whole / symmetric:.1f} %" if symmetric else ""
        lines.append(f"{name:<22}{models:>8,}{symmetric:>11,}{whole:>13,}{share:>9}")
    return "\n".join(lines)


if __name__ == "__main__":
    many, first = (*map(int, sys.argv[1:]), 0)[:2]
    sys.stdout.write(table(figures(range(first, first + many))) + "\n")
