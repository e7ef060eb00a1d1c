"""What an exploration covers: the rules that fire, and the values that variables take."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import final

from burnside.ir.cells import Cells, cells_per_element
from burnside.ir.nodes import Model, Variable
from burnside.values import dataclass


@final
@dataclass(frozen=True, slots=True)
class VariableCoverage:
    """The values of a variable (of the items, for a sequence) that no element ever takes, in the user's words.

    ``values`` is how many values its domain has; ``longest`` is the greatest length of a sequence, None for others.
    ``never`` is None if there are too many values to tell.
    """

    variable: Variable
    never: tuple[int, ...] | None
    longest: int | None = None


@final
@dataclass(frozen=True, slots=True)
class Coverage:
    """The names of rules that never fire, and what variables never hold, in all reachable states."""

    rules: int
    never_fired: tuple[str, ...]
    variables: tuple[VariableCoverage, ...]

    @property
    def is_full(self) -> bool:
        """Whether every rule fires and every value occurs."""
        return not self.never_fired and not any(v.never for v in self.variables)


def coverage_of(model: Model, never_fired: Iterable[str], taken: Sequence[frozenset[int] | None]) -> Coverage:
    """Put together what is known of rules and of cells."""
    variables = tuple(_variable_coverage(v, taken, Cells(model)) for v in model.variables)
    return Coverage(len(model.rules), tuple(never_fired), variables)


def _variable_coverage(variable: Variable, taken: Sequence[frozenset[int] | None], cells: Cells) -> VariableCoverage:
    start, width = cells.starts[variable.name], cells_per_element(variable)
    places = range(start, start + variable.elements * width)
    items = [taken[c] for c in places if not variable.is_sequence or (c - start) % width]
    lengths = [taken[c] for c in places if variable.is_sequence and (c - start) % width == 0]
    longest = max((max(values) for values in lengths if values), default=0) if variable.is_sequence else None
    if any(values is None for values in items):
        return VariableCoverage(variable, None, longest)
    seen = frozenset[int]().union(*(values for values in items if values is not None))
    return VariableCoverage(variable, tuple(v for v in variable.domain.values() if v not in seen), longest)
