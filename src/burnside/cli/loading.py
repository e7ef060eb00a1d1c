"""Load the model a command was given; what there is to say about it goes to the printer."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from burnside.frontends.loading import ModelFile, all_options

if TYPE_CHECKING:
    from burnside.claims.task import Task


def load_first(arguments: argparse.Namespace) -> Task:
    """The first process that the text named by the arguments asks about."""
    return model_file(arguments).first(arguments.printer.warn)


def load_tasks(arguments: argparse.Namespace) -> tuple[Task, ...]:
    """All that the text named by the arguments asks."""
    return model_file(arguments).tasks(arguments.printer.warn)


def model_file(arguments: argparse.Namespace) -> ModelFile:
    """The file that the arguments name, and how they say it is read."""
    return ModelFile(
        arguments.model,
        dict(arguments.constants),
        {option.name: getattr(arguments, option.name) for option in all_options()},
    )
