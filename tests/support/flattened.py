"""A model beside the same one written out by hand, without records, sets and the like: both must be one model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from burnside.claims.printer import print_task
from burnside.claims.task import Task
from burnside.frontends.kit.constants import Given
from burnside.frontends.seq import load
from burnside.results.findings import StateFinding
from burnside.source import Source, render
from burnside.study import Study


class Figures(NamedTuple):
    """What two forms of one model have in common."""

    states: int
    transitions: int
    order: int


def task_of(text: str, constants: Mapping[str, Given] | None = None) -> Task:
    """The task of a text that is known to be right; printed, it is read back as the same."""
    tasks, diagnostics, _ = load(Source("test.seq", text), constants or {})
    assert tasks, "\n".join(map(render, diagnostics))
    again, diagnostics, _ = load(Source("again.seq", print_task(tasks[0])), {})
    assert again, "\n".join(map(render, diagnostics))
    assert again[0] == tasks[0]
    return tasks[0]


def figures(text: str) -> Figures:
    """States, transitions and the order of the group."""
    study = Study(task_of(text))
    explored = study.count().exploration
    return Figures(explored.states, explored.transitions, study.symmetries().order)


class Answers(NamedTuple):
    """What the same claims about two forms of one model have in common: of each claim, the order of the symmetries that
    keep it; of each member, the verdict and the length of the trace.
    """

    figures: Figures
    orders: tuple[tuple[str, int], ...]
    verdicts: tuple[tuple[str, str, int | None], ...]


def answers(text: str, constants: Mapping[str, Given] | None = None) -> Answers:
    """All that is said of a model and its claims, which are about states."""
    task = task_of(text, constants)
    study = Study(task)
    explored = study.count().exploration
    found = Figures(explored.states, explored.transitions, study.symmetries().order)
    if not task.claims:
        return Answers(found, (), ())
    orders = tuple((claim.name, study.symmetries([claim.name]).order) for claim in task.claims)
    return Answers(found, orders, tuple(_verdicts(study)))


def _verdicts(study: Study) -> Iterator[tuple[str, str, int | None]]:
    for finding in study.check().findings:
        assert isinstance(finding, StateFinding)
        steps = finding.trace and len(finding.trace.steps)
        yield finding.member.name, finding.verdict.value, steps


def problems(text: str) -> list[tuple[str, str]]:
    """The codes and messages of what is wrong with a text."""
    tasks, diagnostics, _ = load(Source("test.seq", text), {})
    assert not tasks
    return [(d.code, d.message) for d in diagnostics.sorted()]
