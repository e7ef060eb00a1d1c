"""States and steps in words, by the variables that the author of a model declared: for text, pages and pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from burnside.ir.cells import State, shown_name
from burnside.ir.nodes import Domain, Model
from burnside.ir.views import Views
from burnside.ir.wholes import Items, Single, Whole
from burnside.report.actor_trace import ActorSteps
from burnside.results.trace import TraceStep

_LONGEST: Final = 100  # characters of an array of records, sets and the like that is shown in one piece


def step_texts(model: Model, steps: Sequence[TraceStep]) -> list[tuple[str, str]]:
    """What is seen of each step, and what it changes."""
    actors = ActorSteps(model) if model.actors else None
    views = Views(model)
    return [(actors and actors.sentences(step)) or (step.event, _changes(views, step)) for step in steps]


def _changes(views: Views, step: TraceStep) -> str:
    return ", ".join(views.changes(step.before, step.state)) or "nothing changes"


def state_by_variable(model: Model, state: State) -> Iterator[tuple[str, str]]:
    """Each variable with its value."""
    views = Views(model)
    for whole in views.wholes:
        yield from by_name(views, whole, state)


def by_name(views: Views, whole: Whole, state: State) -> list[tuple[str, str]]:
    """A variable with its value; an array as a list, as one value when all elements are equal, or, if it is long and
    its elements have parts, element by element.
    """
    places = [*views.places(whole)]
    values = [place.text(state) for place in places]
    is_plain = whole.form in (Single(whole.name), Items(Single(whole.name)))
    if whole.dimensions and len(values) > 1 and len(set(values)) == 1:
        return [(shown_name(whole.name), f"{values[0]} (all {len(values)})")]
    if whole.dimensions and not is_plain and sum(map(len, values)) > _LONGEST:
        return [(place.name, value) for place, value in zip(places, values, strict=True)]
    return [(shown_name(whole.name), _nested(values, whole.dimensions))]


def _nested(values: Sequence[str], dimensions: Sequence[Domain]) -> str:
    if not dimensions:
        return values[0]
    rows = dimensions[0].size
    step = len(values) // rows
    inner = [_nested(values[k * step : (k + 1) * step], dimensions[1:]) for k in range(rows)]
    return "[" + ", ".join(inner) + "]"
