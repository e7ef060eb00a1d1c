"""Variables that nothing depends on, and those that never change."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto

from burnside.claims.conditions import conditions_of
from burnside.claims.kinds import is_about_stuttering
from burnside.claims.task import Task
from burnside.ir.nodes import Variable
from burnside.ir.uses import evaluated_in, variables_read, variables_written
from burnside.ir.views import Views
from burnside.ir.wholes import variables_of
from burnside.lint.warn import warning
from burnside.reduce.slicing.cone import Cone, Needs
from burnside.source import Diagnostic


class Idle(Enum):
    """What is known of a variable that could be left out, or be a constant."""

    NEVER_READ = auto()
    NEVER_USED = auto()
    READ_IN_VAIN = auto()
    NEVER_CHANGED = auto()


def about_variables(task: Task) -> Iterator[Diagnostic]:
    """The variables of a task that could be left out, or be constants; parts of one that are alike share a warning."""
    idle = _idle(task)
    known = {variable.name: variable for variable in task.model.variables}
    for whole in Views(task.model).wholes:
        parts = [*variables_of(whole.form)]
        for kind in dict.fromkeys(idle[name] for name in parts if name in idle):
            names = [name for name in parts if idle.get(name) is kind]
            yield _warning(kind, [whole.name] if names == parts else names, known[names[0]])


def _idle(task: Task) -> dict[str, Idle]:
    model = task.model
    conditions = tuple(condition for claim in task.claims for condition in conditions_of(claim))
    idle = Cone(model, Needs(conditions, has_events=True), has_faults=False).left_out
    written = set[str]().union(*(variables_written(rule.body) for rule in model.programs))
    read = set[str]().union(*(variables_read(e) for rule in model.programs for e in evaluated_in(rule)))
    found: dict[str, Idle] = {}
    for variable in model.variables:
        name = variable.name
        if name in idle and name in written and any(map(is_about_stuttering, task.claims)):
            continue  # whether a step changes anything depends on it
        if name in idle and name in read:
            if task.claims:  # else it may be there to be looked at
                found[name] = Idle.READ_IN_VAIN
        elif name in idle:
            found[name] = Idle.NEVER_READ if name in written else Idle.NEVER_USED
        elif name not in written and None not in variable.initial:
            found[name] = Idle.NEVER_CHANGED
    return found


def _warning(kind: Idle, names: list[str], first: Variable) -> Diagnostic:
    quoted = [f"'{name}'" for name in names]
    several = len(quoted) > 1
    listed = f"{', '.join(quoted[:-1])} and {quoted[-1]}" if several else quoted[0]
    remedy = f"leave {'them' if several else 'it'} out, or ask for {'them' if several else 'it'} in a property"
    match kind:
        case Idle.READ_IN_VAIN:
            reads = f"only what nothing depends on reads {'them' if several else 'it'}"
            return warning("BUR701", f"nothing depends on {listed}: {reads}", first.span, remedy)
        case Idle.NEVER_READ:
            return warning(
                "BUR701", f"{listed} {'are' if several else 'is'} written and never read", first.span, remedy
            )
        case Idle.NEVER_USED:
            return warning("BUR701", f"nothing reads or writes {listed}", first.span, remedy)
        case Idle.NEVER_CHANGED:
            remedy = "" if first.is_sequence else "declare a constant instead, or write '= *' if any value is meant"
            return warning("BUR702", f"no rule changes {listed}", first.span, remedy)
