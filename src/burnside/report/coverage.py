"""What an exploration covers: rules that never fire, values that a variable never takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from burnside.ir.nodes import Domain
from burnside.results.coverage import Coverage, VariableCoverage
from burnside.source import printable

if TYPE_CHECKING:  # text does not wait for what JSON needs
    from burnside.report.shapes import CoverageObject, VariableObject

_MOST_SHOWN = 20


def coverage_value(coverage: Coverage | None) -> CoverageObject | None:
    """The value of the key ``coverage``."""
    if coverage is None:
        return None
    return {
        "rules": coverage.rules,
        "rules_never_fired": list(coverage.never_fired),
        "variables": [*map(_variable_object, coverage.variables)],
    }


def _variable_object(covered: VariableCoverage) -> VariableObject:
    variable, never = covered.variable, covered.never
    result: VariableObject = {
        "name": variable.name,
        "values": variable.domain.size,
        "never_taken": None if never is None else [variable.domain.text(value) for value in never],
    }
    if covered.longest is not None:
        result |= {"capacity": variable.capacity, "longest": covered.longest}
    return result


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


def coverage_text(coverage: Coverage | None, process: str = "") -> Iterator[str]:
    """Lines for a person."""
    if process:
        yield f"process {printable(process)}"
    yield from coverage_lines(coverage) if coverage else ["coverage     not known: the exploration is not complete"]


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
