"""Variables that nothing depends on, and those that never change."""

from __future__ import annotations

from collections.abc import Iterator

from burnside.claims.conditions import conditions_of
from burnside.claims.task import Task
from burnside.ir.nodes import Variable
from burnside.ir.uses import evaluated_in, variables_read, variables_written
from burnside.lint.warn import warning
from burnside.reduce.slicing.cone import Cone, Needs
from burnside.source import Diagnostic


def about_variables(task: Task) -> Iterator[Diagnostic]:
    """Each variable of a task that could be left out, or be a constant."""
    model = task.model
    conditions = tuple(condition for claim in task.claims for condition in conditions_of(claim))
    idle = Cone(model, Needs(conditions, has_events=True), has_faults=False).left_out
    written = set[str]().union(*(variables_written(rule.body) for rule in model.rules))
    read = set[str]().union(*(variables_read(e) for rule in model.rules for e in evaluated_in(rule)))
    for variable in model.variables:
        name = variable.name
        if name in idle and not task.claims and name in read:
            continue  # it may be there to be looked at
        if name in idle:
            yield _idle(variable, is_written=name in written, is_read=name in read)
        elif name not in written and None not in variable.initial:
            remedy = "" if variable.is_sequence else "declare a constant instead, or write '= *' if any value is meant"
            yield warning("BUR702", f"no rule changes '{name}'", variable.span, remedy)


def _idle(variable: Variable, *, is_written: bool, is_read: bool) -> Diagnostic:
    name = variable.name
    if is_read:
        message = f"nothing depends on '{name}': only what nothing depends on reads it"
    else:
        message = f"'{name}' is written and never read" if is_written else f"nothing reads or writes '{name}'"
    remedy = "leave it out, or ask for it in a property"
    return warning("BUR701", message, variable.span, remedy)
