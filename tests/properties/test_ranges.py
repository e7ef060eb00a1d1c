"""Interval analysis never leaves out a value that a variable takes."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

import burnside
from burnside.ir.cells import Cells, cells_per_element
from burnside.ir.initial import initial
from burnside.ir.intervals import Bounds, Interval, binary_interval
from burnside.ir.nodes import Binary, Bound, Choice, Domain, Expr, Item, Model, Read, Unary
from burnside.ir.ranges import IntervalAnalysis, Narrowed, inside
from support.strategies import reachable_states, seeded_model

SEEDS = [pytest.param(range(30), id="0-29"), pytest.param(range(30, 120), id="30-119", marks=pytest.mark.slow)]
SEEDS += [pytest.param(range(k, k + 250), id=f"{k}-{k + 249}", marks=pytest.mark.slow) for k in range(1000, 3000, 250)]


class Analysis(IntervalAnalysis):
    """The simplest language: everything has a declared domain, and to leave it is a fault."""

    def __init__(self, model: Model) -> None:
        super().__init__({name: (min(v), max(v)) for name, v in values(model, initial(model)).items()})
        self._domains = {v.name: v.domain for v in model.variables}
        self._declared = Bounds({v.name: v for v in model.variables}, {c.name: c.value for c in model.constants})

    def bounds(self, expr: Expr, narrowed: Narrowed) -> Interval:
        match expr:
            case Read(variable=name, indices=indices) if name in self.known:
                return narrowed.get((name, indices), self.known[name])
            case Item(variable=name) if name in self.known:
                return self.known[name]
            case Bound(name=name, domain=domain):
                return narrowed.get((name, ()), (domain.low, domain.high))
            case Binary(operator=operator, left=left, right=right):
                return binary_interval(operator, self.bounds(left, narrowed), self.bounds(right, narrowed))
            case Unary(operator="-", operand=operand):
                low, high = self.bounds(operand, narrowed)
                return -high, -low
            case Choice(then=then, otherwise=otherwise):
                (a, b), (c, d) = self.bounds(then, narrowed), self.bounds(otherwise, narrowed)
                return min(a, c), max(b, d)
            case _:
                return self._declared.of(expr)

    def hold(self, name: str, domain: Domain, value: Interval) -> Interval | None:
        assert name
        return inside(value, (domain.low, domain.high))

    def store(self, name: str, value: Interval) -> Interval | None:
        domain = self._domains[name]
        found = inside(value, (domain.low, domain.high))
        if found is not None:
            self.grow(name, found, (domain.low, domain.high))
        return found


def values(model: Model, states) -> dict[str, set[int]]:
    """The values that variables, and items of sequences, have in some states."""
    cells, found = Cells(model), defaultdict(set)
    for state in states:
        for variable in model.variables:
            start, width = cells.starts[variable.name], cells_per_element(variable)
            for first in range(start, start + variable.elements * width, width):
                items = state[first + 1 : first + 1 + state[first]] if variable.is_sequence else [state[first]]
                if items:
                    found[variable.name].update(items)
    return found


STALE = {
    "an element is overwritten through another index": "when a[i] == 0 do { a[j] := 3; y := a[i]; }",
    "an index changes": "when a[i] == 0 do { i := 1; y := a[i]; }",
    "an index reads the variable itself": "when a[0] == 0 do { a[a[0]] := 1; y := a[a[0]]; }",
    "a loop changes it": "when x == 0 do { while x < 3 limit 9 { x := x + 1; } y := x; }",
    "a loop over values changes it": "when x == 0 do { for k in Level { x := k; } y := x; }",
    "one branch changes it": "when x == 0 do { if i == 0 { x := 3; } else { } y := x; }",
    "an index is the length of a sequence": "when a[len(q)] == 0 do { push(q, 1); y := a[len(q)]; }",
}


@pytest.mark.parametrize("rule", STALE.values(), ids=STALE)
def test_what_was_known_is_forgotten_when_it_changes(rule: str, tmp_path: Path) -> None:
    """Each of these lets y become 3 or 2 after something was known to be 0."""
    path = tmp_path / "model.seq"
    path.write_text(f"""\
domain Level = 0 .. 3;
domain Place = 0 .. 1;
var a[Level]: Level = [0, 2, 2, 3];
var x: Level = 0;
var y: Level = 0;
var i: Place = 0;
var j: Place = 0;
var q: seq[2] of Level = [];
rule change {rule}
""")
    model = burnside.load(path).model
    reached = reachable_states(model)
    assert reached is not None
    highest = max(values(model, reached)["y"])

    assert highest > 0
    assert Analysis(model).infer(model.rules)["y"][1] >= highest


@pytest.mark.parametrize("seeds", SEEDS)
def test_every_value_that_occurs_is_in_its_interval(seeds: range) -> None:
    """Loops, branches, sequences, locals; bounds are often narrower than the domain, or this would say little."""
    narrower = 0
    for seed in seeds:
        model = seeded_model(seed, most_states=300)
        reached = reachable_states(model, most=300)
        if not reached:
            continue
        known = Analysis(model).infer(model.rules)
        domains = {v.name: v.domain for v in model.variables}
        for name, found in values(model, reached).items():
            low, high = known[name]
            assert low <= min(found), (seed, name)
            assert max(found) <= high, (seed, name)
            narrower += (low, high) != (domains[name].low, domains[name].high)
    assert narrower > len(seeds) // 4
