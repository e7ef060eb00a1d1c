"""Load the model a command was given; what there is to say about it goes to the printer."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from burnside.frontends.loading import ModelFile, all_options

if TYPE_CHECKING:
    from burnside.claims.task import Task


def load_first(arguments: argparse.Namespace) -> Task:
    """The first process that the text named by the arguments asks about."""
    file = model_file(arguments)
    task = file.first(arguments.printer.warn)
    _lint(file, (task,), arguments)
    return task


def load_all(arguments: argparse.Namespace) -> tuple[Task, ...]:
    """All that the text named by the arguments asks."""
    file = model_file(arguments)
    tasks = file.tasks(arguments.printer.warn)
    _lint(file, tasks, arguments)
    return tasks


def _lint(file: ModelFile, tasks: Sequence[Task], arguments: argparse.Namespace) -> None:
    """Warn about what is allowed and probably not meant; not about models that a program wrote, in part."""
    if file.is_plain and arguments.warnings:
        from burnside.lint.run import warnings_about

        for diagnostic in warnings_about(tasks):
            arguments.printer.warn(diagnostic)


def model_file(arguments: argparse.Namespace) -> ModelFile:
    """The file that the arguments name, and how they say it is read."""
    return ModelFile(
        arguments.model,
        dict(arguments.constants),
        {option.name: getattr(arguments, option.name) for option in all_options()},
    )
