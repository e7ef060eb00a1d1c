"""Guards too wide for tables: processes that a text does not tell apart can be exchanged, whatever is calculated.

Such guards stay trees of terms, and a tree must not depend on which process comes first.
"""

from __future__ import annotations

from random import Random

import pytest

from burnside.detect.run import detect
from burnside.frontends.kit.options import NO_OPTIONS
from burnside.frontends.seq import load
from burnside.source import Source

TEXT = """
process P = 0 .. 2;
var x[P]: 0 .. {most};
var y[P]: 0 .. {most};
var z: bool;
rule change_x(i: P) do {{ x[i] := (x[i] + 1) % {values}; }}
rule change_y(i: P) do {{ y[i] := (y[i] + 1) % {values}; }}
rule look(i, j: P) when {guard} do {{ z := !z; }}
"""
FORMS = (
    "max({}, {})",
    "min({}, {})",
    "({} + {})",
    "({} - {})",
    "(({} + {}) % 3)",
    "({} * {})",
    "({} & {})",
    "({} | {})",
    "(if {} < {} then 1 else 2)",
    "(({} + {}) / 2)",
)


def number(random: Random, process: str, depth: int) -> str:
    """Something calculated of one process."""
    if depth == 0:
        return random.choice((f"x[{process}]", f"y[{process}]"))
    return random.choice(FORMS).format(
        number(random, process, depth - 1), number(random, process, random.randrange(depth))
    )


def guard(seed: int) -> str:
    """A comparison of two processes: of the same number of both, or of two."""
    random = Random(seed)
    depth, sign, is_same = random.choice((1, 2, 2)), random.choice(("<", "<=", "==", "!=")), random.random() < 0.6
    one, other = (number(Random(seed if is_same else f"{seed}{p}"), p, depth) for p in "ij")
    return f"{one} {sign} {other}"


def order(text: str, most: int) -> int:
    """How many symmetries a model with a guard has; all are found, or it is said why not."""
    (task,) = load(Source("wide.seq", TEXT.format(guard=text, most=most, values=most + 1)), {}, NO_OPTIONS).tasks
    found = detect(task.model)
    return 6 if found.unseen else found.symmetry.order


@pytest.mark.parametrize(
    "text",
    [
        "max(x[i], y[i]) < max(x[j], y[j])",
        "max(x[i], y[i]) == max(x[j], y[j])",
        "max(x[i], y[i]) <= min(x[j], y[j])",
        "max(x[i], y[i]) + min(x[j], y[j]) < 9",
        "min(max(x[i], y[i]), x[i] + y[i]) > min(max(x[j], y[j]), x[j] + y[j])",
        "min(2, x[i]) <= min(max(x[j], y[j]), y[j])",
    ],
)
def test_alike_comparisons_look_alike(text: str) -> None:
    """Of two extremes, one was opened first: that of the process with the smaller number."""
    assert order(text, 9) == 6


@pytest.mark.parametrize("first", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in range(20, 600, 20))])
def test_what_is_not_told_apart_can_be_exchanged(first: int) -> None:
    """Some have more symmetries than those of processes."""
    for seed in range(first, first + 20):
        text = guard(seed)
        assert order(text, 4 + 5 * (seed % 2)) % 6 == 0, text
