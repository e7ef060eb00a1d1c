"""Bounds are sound: no expression ever has a value outside them."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from burnside.ir.cells import Cells
from burnside.ir.intervals import Bounds, binary_interval
from burnside.ir.nodes import Model
from burnside.ir.operators import ARITHMETIC
from burnside.ir.semantics import FaultRaised, apply_operator, evaluate
from support.strategies import Pick, any_model, declarations, number, state_of, truth


@pytest.mark.parametrize("operator", ARITHMETIC)
def test_bounds_of_an_operator_hold_all_its_values(operator):
    """Every operator on every pair of small intervals, negative ones too."""
    ends = [(a, b) for a, b in product(range(-5, 6), repeat=2) if a <= b]
    for left, right in product(ends[::3], ends[::2]):
        low, high = binary_interval(operator, left, right)
        for a, b in product(range(left[0], left[1] + 1), range(right[0], right[1] + 1)):
            if operator not in ("/", "%") or b != 0:
                assert low <= apply_operator(operator, a, b) <= high


@pytest.mark.parametrize("batch", range(5))
def test_values_of_random_expressions_lie_within_their_bounds(batch):
    """Numbers and truth values in random states of random declarations."""
    for seed in range(batch * 60, (batch + 1) * 60):
        pick = Pick(Random(seed))
        scope = declarations(pick, wide=pick.rarely(), hazardous=True)
        model = Model("random", scope.constants, (), scope.variables, ())
        bounds = Bounds({v.name: v for v in scope.variables}, {c.name: c.value for c in scope.constants})
        for expr in (number(pick, scope, 3), truth(pick, scope, 3)):
            low, high = bounds.of(expr)
            for _ in range(5):
                try:
                    assert low <= evaluate(Cells(model), expr, state_of(pick, model)) <= high
                except FaultRaised:
                    continue


def test_random_models_are_accepted_by_the_checker():
    """The generator's promise: `any_model` asserts it for every model that it makes."""
    for seed in range(200):
        any_model(Pick(Random(seed)))
