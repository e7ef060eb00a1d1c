"""What costs symmetry.

Two questions are asked of every part of a model (the initial values of a variable, a rule, a property):
how many symmetries would there be without it, and does it, taken alone, tell some processes from others that no
symmetry of the model exchanges? The second answers where the first cannot, because several parts name the same process.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import final

from burnside.claims.requirements import Family
from burnside.detect.constrain import Constraints
from burnside.detect.encode import encode
from burnside.detect.literals import literals_of, restrict_to_literals
from burnside.detect.naming import orbits_of_processes
from burnside.detect.validate import Symmetry
from burnside.graph.automorphisms import automorphisms, count_automorphisms
from burnside.ir.cells import cells_per_element
from burnside.ir.nodes import Variable
from burnside.limits import phase


@final
@dataclass(frozen=True, slots=True)
class Cost:
    """A part of the model, and the order the group would have without it."""

    part: str
    order: int


@final
@dataclass(frozen=True, slots=True)
class Part:
    """A part of a model in words."""

    text: str
    is_plural: bool = False


@final
@dataclass(frozen=True, slots=True)
class Distinction:
    """A part that, taken alone, tells some processes of a domain from the others: which belong together."""

    part: Part
    domain: str
    classes: tuple[tuple[str, ...], ...]


@final
@dataclass(frozen=True, slots=True)
class Explanation:
    """Costs, the greatest first, and distinctions in the order of the model."""

    costs: tuple[Cost, ...]
    distinctions: tuple[Distinction, ...]


@phase("explaining symmetries")
def explain(constraints: Constraints, symmetry: Symmetry) -> Explanation:
    """Which parts cost symmetry. The groups here answer other questions: they are neither validated nor used."""
    found = [Cost(part, count_automorphisms(encode(without).graph)) for part, without in _without(constraints)]
    costs = sorted((c for c in found if c.order > symmetry.order), key=lambda c: (-c.order, c.part))
    orbits = orbits_of_processes(symmetry.literals, symmetry.group.generators)
    distinctions = [d for part, alone in _alone(constraints) for d in _distinctions(part, alone, orbits)]
    return Explanation(tuple(costs), tuple(distinctions))


# ---------------------------------------------------------------- without a part


def _without(constraints: Constraints) -> Iterator[tuple[str, Constraints]]:
    for variable in _given_variables(constraints):
        yield _initial_part(constraints, variable).text, _with_any_start(constraints, [variable])
    if constraints.initial_conditions:
        yield "the conditions on initial states", replace(constraints, initial_conditions=())
    for family in _families(constraints):
        kept = tuple(r for r in constraints.requirements if r.family != family)
        yield str(family), replace(constraints, requirements=kept)
    rules = _rules(constraints)
    for rule in rules if len(rules) > 1 else ():
        transitions = tuple(t for t in constraints.transitions if t.rule != rule)
        yield f"rule '{rule}'", replace(constraints, transitions=transitions)


def _rules(constraints: Constraints) -> list[str]:
    return list(dict.fromkeys(t.rule for t in constraints.transitions))


def _families(constraints: Constraints) -> list[Family]:
    return list(dict.fromkeys(r.family for r in constraints.requirements))


def _span(constraints: Constraints, variable: Variable) -> range:
    start = constraints.cells.starts[variable.name]
    return range(start, start + variable.elements * cells_per_element(variable))


def _given_variables(constraints: Constraints) -> list[Variable]:
    """Variables that do not start with any value."""
    cells = constraints.cells
    return [
        v
        for v in cells.model.variables
        if any(len(constraints.initial_values[c]) < cells.all[c].domain.size for c in _span(constraints, v))
    ]


def _initial_part(constraints: Constraints, variable: Variable) -> Part:
    values = {tuple(constraints.initial_values[c][:2]) for c in _span(constraints, variable)}
    if len(values) == 1 and not variable.is_sequence:
        return Part(f"the initial value {variable.name} = {variable.domain.text(values.pop()[0])}")
    return Part(f"the initial values of {variable.name}", is_plural=True)


def _with_any_start(constraints: Constraints, variables: list[Variable]) -> Constraints:
    free = list(constraints.initial_values)
    for variable in variables:
        for cell in _span(constraints, variable):
            free[cell] = constraints.cells.all[cell].domain.values()
    return replace(constraints, initial_values=tuple(free))


# ---------------------------------------------------------------- a part alone


def _alone(constraints: Constraints) -> Iterator[tuple[Part, Constraints]]:
    given = _given_variables(constraints)
    nothing = replace(_with_any_start(constraints, given), transitions=(), initial_conditions=(), requirements=())
    for variable in given:
        kept = list(nothing.initial_values)
        for cell in _span(constraints, variable):
            kept[cell] = constraints.initial_values[cell]
        # Without rules the cells would be constants and say nothing: the start is asked for as a property.
        yield _initial_part(constraints, variable), _start_as_requirement(nothing, tuple(kept))
    for rule in _rules(constraints):
        transitions = tuple(t for t in constraints.transitions if t.rule == rule)
        yield Part(f"rule '{rule}'"), replace(nothing, transitions=transitions)
    for family in _families(constraints):
        members = tuple(r for r in constraints.requirements if r.family == family)
        yield Part(str(family)), replace(nothing, requirements=members)


def _start_as_requirement(nothing: Constraints, values: tuple[Sequence[int], ...]) -> Constraints:
    terms = nothing.terms
    parts = [
        terms.disjunction(terms.equal(terms.cell(c), terms.constant(v)) for v in kept)
        for c, kept in enumerate(values)
        if len(kept) < nothing.cells.all[c].domain.size
    ]
    return replace(nothing, initial_conditions=(terms.conjunction(parts),))


def _distinctions(part: Part, alone: Constraints, orbits: Mapping[str, list[list[str]]]) -> Iterator[Distinction]:
    """The classes of processes that the part alone treats alike, where there are several.

    What the model exchanges is in one class, though the part alone may not do so: one of several rules that are written
    out, one for each process, names its own.
    """
    encoding = encode(alone, processes_only=True)
    literals = literals_of(alone.cells, encoding)
    generators = restrict_to_literals(encoding, automorphisms(encoding.graph), literals)
    for domain, found in orbits_of_processes(literals, generators).items():
        classes = _joined(found, orbits.get(domain, []))
        if len(classes) > 1:
            yield Distinction(part, domain, classes)


def _joined(classes: list[list[str]], orbits: list[list[str]]) -> tuple[tuple[str, ...], ...]:
    """Classes that have members of one orbit become one."""
    joined = [*map(tuple, classes)]
    for orbit in orbits:
        meeting = [c for c in joined if not set(orbit).isdisjoint(c)]
        if len(meeting) > 1:
            at = joined.index(meeting[0])
            joined = [c for c in joined if c not in meeting]
            joined.insert(at, tuple(name for group in classes for name in group if any(name in c for c in meeting)))
    return tuple(joined)
