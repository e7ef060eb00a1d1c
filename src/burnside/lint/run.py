"""All warnings about the tasks of a text; each is about something that is certain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from burnside.claims.task import Task
from burnside.lint.conditions import about_conditions
from burnside.lint.labels import about_labels
from burnside.lint.processes import about_processes
from burnside.lint.variables import about_variables
from burnside.source import Diagnostic, is_allowed


def warnings_about(tasks: Sequence[Task]) -> tuple[Diagnostic, ...]:
    """What there is to say about tasks, in the order of the text; not where a line of it allows that."""
    found = dict.fromkeys(warning for task in tasks for warning in _warnings(task) if not is_allowed(warning))
    return tuple(sorted(found, key=lambda w: w.span.start if w.span else -1))


def _warnings(task: Task) -> Iterator[Diagnostic]:
    yield from about_variables(task)
    yield from about_conditions(task)
    yield from about_labels(task)
    yield from about_processes(task)
