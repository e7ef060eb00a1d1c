"""Wrong generators are found among very many, which are validated by products of them."""

from __future__ import annotations

from math import factorial
from pathlib import Path

import pytest
from test_directed import load

from burnside.detect.constrain import constrain
from burnside.detect.encode import encode
from burnside.detect.literals import Literals, literals_of
from burnside.detect.validate import _MOST_ALONE, validate
from burnside.groups import Perm

MANY = _MOST_ALONE + 8
MODEL = f"""
process P = 0 .. {MANY - 1};
var x[P]: 0 .. 2 = 0;
rule up(i: P) when x[i] < 2 do {{ x[i] := x[i] + 1; }}
"""
BREAKS = {
    "nothing": "",
    "a transition": "rule down as up when x[0] == 2 do { x[0] := 0; }",
    "a start": "initially x[0] == 0;",
    "what a start rule makes": "start s(i: P) when ord(i) > 0 do { x[i] := 1; }",
    "which values go together": "start s(i: P) when ord(i) > 0 do { x[0] := 1; x[i] := 1; } start t do { }",
}


def transposition(literals: Literals, i: int, j: int) -> Perm:
    """All literals of two cells exchanged."""
    places = {i: j, j: i}
    return tuple(literals.numbers[places.get(cell, cell), value] for cell, value in literals.points)


@pytest.mark.parametrize("broken", BREAKS)
def test_the_wrong_one_of_many_generators_is_rejected(broken: str, tmp_path: Path) -> None:
    """Only the exchange of a process with the one that is different is no symmetry."""
    text = MODEL.replace("= 0;", "= *;") if broken == "a start" else MODEL
    constraints = constrain(load(text + BREAKS[broken], tmp_path))
    encoding = encode(constraints)
    literals = literals_of(constraints.cells, encoding)
    generators = [transposition(literals, i, i + 1) for i in range(MANY - 1)]

    symmetry, rejected = validate(
        constraints, encoding.pruned, literals, dict.fromkeys(generators, ()), factorial(MANY)
    )

    wrong = [] if broken == "nothing" else generators[:1]
    assert [r.generator for r in rejected] == wrong
    assert [*symmetry.group.generators] == [g for g in generators if g not in wrong]
