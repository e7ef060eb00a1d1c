"""The front end and the interpreter asked about the same text."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from math import factorial

from actors.interpreter import FAULTS, Counts, explore
from burnside.claims.task import Task
from burnside.decide.modes import Mode
from burnside.frontends.kit.options import Options
from burnside.frontends.rebeca import load
from burnside.ir.nodes import Model
from burnside.results.exploration import Exploration
from burnside.source import Diagnostic, Severity, Source
from burnside.study import Study
from support.reference import explore as search

FEW = 400  # states that are searched without compiling anything


class Outcome(Enum):
    """How far two answers could be compared."""

    TO_THE_END = "same states, transitions and deadlocks"
    OVERCOUNTED = "same states and deadlocks; more transitions, with a warning that says so"
    FAULT = "both have a fault"
    REFUSED = "refused with a diagnostic"
    TOO_MANY = "too many states"


@dataclass(frozen=True)
class Setting:
    """How queues work, how many rebecs of a class may be created, and how many states are looked at."""

    semantics: str = "paper"
    created: int = 3
    most: int = 3_000


def compare(text: str, name: str, setting: Setting) -> Outcome:
    """Fails unless both agree."""
    options = Options({"queue_semantics": setting.semantics, "max_rebecs": setting.created})
    tasks, diagnostics, _ = load(Source(name, text), {}, options)
    keeps_served = setting.semantics == "reference"
    expected = explore(text, keeps_served=keeps_served, most=setting.most, most_created=setting.created)
    if not tasks:
        return _refused([d for d in diagnostics if d.severity is Severity.ERROR], expected)
    if expected is None:
        return Outcome.TOO_MANY
    model = tasks[0].model
    found = _counted(model, expected)
    if any(d.code == "BUR220" for d in diagnostics) and found.transitions > expected.transitions:
        assert replace(found, transitions=expected.transitions) == expected, name
        return Outcome.OVERCOUNTED
    assert found == expected, name
    if expected.renamed < expected.states:
        _compare_up_to_names(model, expected, setting.created)
    return Outcome.FAULT if expected.faults else Outcome.TO_THE_END


def _refused(errors: list[Diagnostic], expected: Counts | None) -> Outcome:
    """A constructor that faults is an error of the text; what a choice in one decides about messages is refused."""
    (error,) = errors
    if error.code == "BUR501":
        assert expected == FAULTS
        return Outcome.FAULT
    assert error.code == "BUR901"
    assert "constructor" in error.message
    return Outcome.REFUSED


def _counted(model: Model, expected: Counts) -> Counts:
    """The figures of a compiled model."""
    found: Exploration = search(model) if expected.states < FEW else Study(Task(model)).count(Mode.NONE).exploration
    if found.fault_path is not None:
        return FAULTS
    return Counts(found.states, found.transitions, found.deadlocks, expected.renamed)


def _compare_up_to_names(model: Model, expected: Counts, created: int) -> None:
    """Every renaming of created rebecs is among the symmetries; if there are no others, the quotient is up to names."""
    report = Study(Task(model)).count(Mode.UNIQUE)

    assert report.exploration.states <= expected.renamed, model.name
    if report.symmetry.order == factorial(created):
        assert report.exploration.states == expected.renamed, model.name
