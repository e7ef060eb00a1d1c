"""Load the model a command was given; warnings go to standard error."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from burnside import pipeline
from burnside.source import Diagnostic, render

if TYPE_CHECKING:
    from burnside.ir.nodes import Model
    from burnside.ir.task import Task


def load_model(arguments: argparse.Namespace) -> Model:
    """The model named by the arguments, with its constants."""
    return pipeline.load(arguments.model, dict(arguments.constants), warned=_warn, reading=reading(arguments))


def load_tasks(arguments: argparse.Namespace) -> tuple[Task, ...]:
    """All that the text named by the arguments asks, with its constants."""
    return pipeline.load_tasks(arguments.model, dict(arguments.constants), warned=_warn, reading=reading(arguments))


def reading(arguments: argparse.Namespace) -> pipeline.Reading:
    """How the arguments say that a text is read."""
    return pipeline.Reading(arguments.property_file, arguments.queue_semantics, arguments.max_rebecs)


def _warn(diagnostic: Diagnostic) -> None:
    print(render(diagnostic), file=sys.stderr)
