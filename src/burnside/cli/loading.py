"""Load the model a command was given; warnings go to standard error."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from burnside.frontends.loading import ModelFile, all_options
from burnside.source import Diagnostic, render

if TYPE_CHECKING:
    from burnside.claims.task import Task


def load_first(arguments: argparse.Namespace) -> Task:
    """The first process that the text named by the arguments asks about."""
    return model_file(arguments).first(warn)


def load_tasks(arguments: argparse.Namespace) -> tuple[Task, ...]:
    """All that the text named by the arguments asks."""
    return model_file(arguments).tasks(warn)


def model_file(arguments: argparse.Namespace) -> ModelFile:
    """The file that the arguments name, and how they say it is read."""
    return ModelFile(
        arguments.model,
        dict(arguments.constants),
        {option.name: getattr(arguments, option.name) for option in all_options()},
    )


def warn(diagnostic: Diagnostic) -> None:
    """Show what there is to say about a model."""
    print(render(diagnostic), file=sys.stderr)
