"""Where a model begins: states that its variables allow, or those that start rules make of them.

Start rules are run here, one instance after the other, and what they make is remembered for the last few models: who
searches, finds symmetries, replays or tests asks for it again. `check` bounds how often they are run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product
from math import prod
from typing import Final, final

from burnside.ir.cells import Cells, State, cells_per_element, initial_values
from burnside.ir.instances import valuation_count, valuations
from burnside.ir.nodes import Model, Variable
from burnside.ir.semantics import Fault, FaultRaised, evaluate, fire
from burnside.values import dataclass

_MOST_KEPT: Final = 8


@final
@dataclass(frozen=True)
class Started:
    """The states that start rules make, each once, in lexicographic order."""

    states: tuple[State, ...]

    @cached_property
    def members(self) -> frozenset[State]:
        """The same to be asked for single states."""
        return frozenset(self.states)

    @cached_property
    def values(self) -> tuple[tuple[int, ...], ...]:
        """For each cell, the values that it begins with."""
        return tuple(tuple(sorted(set(column))) for column in zip(*self.states, strict=True))

    @cached_property
    def varying(self) -> tuple[int, ...]:
        """The cells that do not always begin with the same value."""
        return tuple(cell for cell, values in enumerate(self.values) if len(values) > 1)


def initial(model: Model) -> Iterator[State]:
    """All initial states, in lexicographic order: those that fit the initial values and every ``initially``, or what
    start rules make of these. What faults raises `FaultRaised`.
    """
    found = started(model)
    yield from given_states(model) if found is None else found.states


def initial_fits(model: Model, state: State) -> bool:
    """Whether a state is initial."""
    found = started(model)
    if found is not None:
        return state in found.members
    if any(value not in choice for value, choice in zip(state, given_values(model), strict=True)):
        return False
    cells = Cells(model)
    return all(evaluate(cells, condition, state) for condition in model.initially)


def given_states(model: Model) -> Iterator[State]:
    """The states that variables and conditions allow; those that start rules are run on."""
    cells = Cells(model)
    for state in product(*given_values(model)):
        if all(evaluate(cells, condition, state) for condition in model.initially):
            yield state


def given_values(model: Model) -> tuple[Sequence[int], ...]:
    """For each cell, the values that its variable may have first."""
    return tuple(values for variable in model.variables for values in initial_values(variable))


def first_values(model: Model) -> tuple[Sequence[int], ...]:
    """For each cell, the values that it may have in initial states; more, where there are no initial states."""
    try:
        found = started(model)
    except FaultRaised:
        found = None
    return given_values(model) if found is None or not found.states else found.values


def first_values_of(model: Model, variable: Variable) -> tuple[Sequence[int], ...]:
    """The same for the cells of one variable."""
    first = Cells(model).starts[variable.name]
    return first_values(model)[first : first + variable.elements * cells_per_element(variable)]


def count_runs(model: Model) -> int:
    """How often start rules are run, at most."""
    return prod(map(len, given_values(model))) * sum(valuation_count(start.parameters) for start in model.starts)


# ---------------------------------------------------------------- start rules

_kept: list[tuple[Model, Started | FaultRaised]] = []  # the last one is the newest


def started(model: Model) -> Started | None:
    """The states that start rules make, if there are any such rules. A fault in one raises `FaultRaised`."""
    if not model.starts:
        return None
    found = next((made for known, made in reversed(_kept) if _begin_alike(known, model)), None)
    if found is None:
        try:
            found = Started(tuple(sorted(set(_made(model)))))
        except FaultRaised as fault:
            found = fault
        _kept.append((model, found))
        del _kept[:-_MOST_KEPT]
    if isinstance(found, FaultRaised):
        raise found.with_traceback(None)
    return found


def _begin_alike(one: Model, other: Model) -> bool:
    """Whether two models are certain to have the same initial states: one was made of the other."""
    return (
        one.starts is other.starts
        and one.variables is other.variables
        and one.initially is other.initially
        and one.constants is other.constants
    )


def _made(model: Model) -> Iterator[State]:
    cells = Cells(model)
    for state in given_states(model):
        for start in model.starts:
            for arguments in valuations(start.parameters):
                outcome = fire(cells, start, arguments, state)
                if isinstance(outcome, Fault):
                    raised = FaultRaised(outcome.kind, outcome.message, outcome.span, is_limit=outcome.is_limit)
                    raised.start = outcome
                    raise raised
                if outcome is not None:
                    yield outcome.state
