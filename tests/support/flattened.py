"""A model beside the same one written out by hand, without records, sets and the like: both must be one model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from burnside.claims.printer import print_task
from burnside.claims.task import Task
from burnside.frontends.seq import load
from burnside.ir.nodes import Value
from burnside.source import Source, render
from burnside.study import Study


class Figures(NamedTuple):
    """What two forms of one model have in common."""

    states: int
    transitions: int
    order: int


def task_of(text: str, constants: Mapping[str, Value] | None = None) -> Task:
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


def problems(text: str) -> list[tuple[str, str]]:
    """The codes and messages of what is wrong with a text."""
    tasks, diagnostics, _ = load(Source("test.seq", text), {})
    assert not tasks
    return [(d.code, d.message) for d in diagnostics.sorted()]
