"""What an exploration covers: rules that never fire, values that a variable never takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, final

from burnside.ir.cells import Cells, cells_per_element
from burnside.ir.nodes import Domain, Model, Variable
from burnside.source import printable

_MOST_SHOWN = 20


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


def coverage_object(coverage: Coverage) -> dict[str, Any]:
    """The value of the key ``coverage``."""
    return {
        "rules": coverage.rules,
        "rules_never_fired": list(coverage.never_fired),
        "variables": [
            {
                "name": v.variable.name,
                "values": v.variable.domain.size,
                "never_taken": None if v.never is None else [v.variable.domain.text(value) for value in v.never],
                **({} if v.longest is None else {"capacity": v.variable.capacity, "longest": v.longest}),
            }
            for v in coverage.variables
        ],
    }


def coverage_lines(coverage: Coverage) -> Iterator[str]:
    """What ``--coverage`` adds to the text: what is not covered, or that everything is."""
    fired = coverage.rules - len(coverage.never_fired)
    yield f"coverage     {fired:,} of {coverage.rules:,} rules fire"
    if coverage.never_fired:
        yield f"             never fired: {printable(_some(coverage.never_fired))}"
    for covered in coverage.variables:
        variable = covered.variable
        if covered.never:
            shown = _some(list(_spans(variable.domain, covered.never)))
            of = "items of " if variable.is_sequence else ""
            yield printable(f"             never taken by {of}{variable.name}: {shown}")
        if covered.longest is not None and covered.longest < (variable.capacity or 0):
            length = f"never longer than {covered.longest} of {variable.capacity}"
            yield printable(f"             {variable.name} is {length}")
    if coverage.is_full:
        yield "             every value of every variable occurs"


def _spans(domain: Domain, values: Sequence[int]) -> Iterator[str]:
    """Values in words, neighbouring numbers without names as ranges.

    >>> list(_spans(Domain("", 0, 9), (1, 4, 5, 6, 9)))
    ['1', '4..6', '9']
    """
    for _, group in groupby(enumerate(values), key=lambda pair: pair[1] - pair[0]):
        run = [value for _, value in group]
        if len(run) > 2 and all(domain.text(v) == str(v) for v in run):
            yield f"{run[0]}..{run[-1]}"
        else:
            yield from map(domain.text, run)


def _some(parts: Sequence[str]) -> str:
    rest = f" and {len(parts) - _MOST_SHOWN} more" if len(parts) > _MOST_SHOWN else ""
    return ", ".join(parts[:_MOST_SHOWN]) + rest
