"""Weights of places under which no transition makes a marking heavier, found by linear programming.

What the state equation says about the tokens of a place p is a linear program: the most of ``m0(p) + C(p) x`` over all
``x >= 0`` with ``m0 + C x >= 0``. A solution of its dual is a weight for every place, and no transition makes a marking
heavier: a *subinvariant* [Murata89]. A heavier marking than the first is never reached, which bounds every place of
some weight. Programs are solved in floating point, but weights are made integers and tested before they are believed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any, Final, final

from burnside.frontends.pnml.net import Net

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TINY: Final = 1e-9
_LARGEST_DENOMINATOR: Final = 10_000
_MOST_CELLS: Final = 30_000_000  # of a tableau
_MOST_WORK: Final = 4_000_000_000  # cells changed by all pivots


@final
class Subinvariants:
    """Finds subinvariants that bound given places; all of them are about one net."""

    def __init__(self, net: Net) -> None:
        self._net = net
        self._effects = [transition.effect for transition in net.transitions]
        self._changes: list[list[tuple[int, int]]] = [[] for _ in net.places]
        for number, effect in enumerate(self._effects):
            for place, by in effect:
                self._changes[place].append((number, by))
        self._left = _MOST_WORK
        self._tableau: NDArray[np.float64] | None = None
        self._basis: list[int] = []
        size = (len(net.places) + 1) * (len(net.places) + len(net.transitions) + 1)
        self._is_solvable = 0 < size <= _MOST_CELLS

    def bounding(self, place: int) -> tuple[int, ...] | None:
        """Weights that bound a place as well as linear programming can, or None if none were found."""
        if not self._is_solvable:
            return None
        if self._tableau is None:
            self._begin()
        if not self._solve(place):
            return None
        assert self._tableau is not None
        rows = len(self._net.places)
        slack = self._tableau[rows, len(self._effects) : len(self._effects) + rows]
        weights = _integers(slack, place)
        return weights if weights is not None and self.is_right(weights) else None

    def is_right(self, weights: Sequence[int]) -> bool:
        """Whether no transition makes a marking heavier, in integers."""
        if min(weights, default=0) < 0:
            return False
        heavier: dict[int, int] = {}
        for place, weight in enumerate(weights):
            for transition, by in self._changes[place] if weight else ():
                heavier[transition] = heavier.get(transition, 0) + weight * by
        return all(by <= 0 for by in heavier.values())

    # ------------------------------------------------------------ the simplex method

    def _begin(self) -> None:
        """Rows say what places hold: ``-C x + slack = m0``, columns are transitions, slacks and the right side.

        The right side is perturbed: most places are empty at first, and a program with as many ties may not end. That
        weights are right does not depend on it, and which of them are best does by next to nothing.
        """
        import numpy as np

        rows, columns = len(self._net.places), len(self._effects)
        self._tableau = np.zeros((rows + 1, columns + rows + 1))
        for number, effect in enumerate(self._effects):
            for place, by in effect:
                self._tableau[place, number] = -by
        self._tableau[np.arange(rows), columns + np.arange(rows)] = 1.0
        noise = np.random.default_rng(1).uniform(0.5e-4, 1e-4, rows)
        self._tableau[:rows, -1] = np.array(self._net.marking, dtype=float) + noise
        self._basis = [columns + row for row in range(rows)]

    def _solve(self, place: int) -> bool:
        """Make the last row that of an optimal solution for a place, beginning where the one before ended."""
        import numpy as np

        assert self._tableau is not None
        tableau, rows = self._tableau, len(self._net.places)
        # The goal is the slack of the place, taken as what it is in terms of the variables outside the basis.
        column = len(self._effects) + place
        tableau[rows] = 0.0
        tableau[rows, column] = -1.0
        if column in self._basis:
            tableau[rows] += tableau[self._basis.index(column)]
        while self._left > 0:
            entering = int(np.argmin(tableau[rows, :-1]))
            if tableau[rows, entering] >= -_TINY:
                return True
            steps = tableau[:rows, entering]
            positive = np.flatnonzero(steps > _TINY)
            if not positive.size:
                return False  # as many tokens as one likes, if transitions could fire in any order
            ratios = tableau[positive, -1] / steps[positive]
            self._pivot(int(positive[int(np.argmin(ratios))]), entering)
        return False

    def _pivot(self, row: int, column: int) -> None:
        import numpy as np

        assert self._tableau is not None
        tableau = self._tableau
        tableau[row] /= tableau[row, column]
        touched = np.flatnonzero(np.abs(tableau[:, column]) > _TINY)
        touched = touched[touched != row]
        tableau[touched] -= np.outer(tableau[touched, column], tableau[row])
        tableau[:, column] = 0.0
        tableau[row, column] = 1.0
        self._basis[row] = column
        self._left -= (len(touched) + 1) * tableau.shape[1]


def _integers(values: Any, place: int) -> tuple[int, ...] | None:
    """Numbers that are nearly rational as whole ones in the same proportion; the place itself counts once more."""
    fractions = {
        number: Fraction(float(value)).limit_denominator(_LARGEST_DENOMINATOR)
        for number, value in enumerate(values)
        if value > _TINY
    }
    fractions[place] = fractions.get(place, Fraction(0)) + 1
    scale = lcm(*(fraction.denominator for fraction in fractions.values()))
    if scale > _LARGEST_DENOMINATOR**2:
        return None
    return tuple(int(fractions[number] * scale) if number in fractions else 0 for number in range(len(values)))


def bounds_by(weights: Sequence[int], marking: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The places that weights bound, and by how many tokens."""
    total = sum(weight * held for weight, held in zip(weights, marking, strict=True))
    return ((place, total // weight) for place, weight in enumerate(weights) if weight)
