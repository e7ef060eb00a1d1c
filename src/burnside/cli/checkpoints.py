"""What a command that keeps its searches asks, as a value, and the words of the command that asks the same again."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

from burnside.claims.task import Task
from burnside.cli.loading import model_file
from burnside.explore.checkpoints import Checkpoint, digest_of_model, keeping
from burnside.explore.manifests import Asked
from burnside.frontends.loading import all_options


def keeping_by(
    command: str, arguments: argparse.Namespace, tasks: Sequence[Task], *, slices: bool
) -> AbstractContextManager[Checkpoint | None]:
    """Where a command keeps its searches, if it does."""
    file = model_file(arguments)
    asked = Asked(
        command,
        str(arguments.model.absolute()),
        file.constants,
        file.options,
        properties=tuple(getattr(arguments, "properties", ())),
        symmetry=arguments.symmetry,
        partial_order=getattr(arguments, "partial_order", "off"),
        slices=slices,
        store=arguments.store,
        fingerprint=arguments.fingerprint,
    )
    where = arguments.resumed or arguments.checkpoint
    return keeping(where, asked, lambda: digest_of_model(command, file.source.text, tasks))


def words_of(asked: Asked) -> list[str]:
    """The command, as it would be written."""
    return [asked.command, asked.model, *_words(asked)]


def _words(asked: Asked) -> Iterator[str]:
    for name, value in asked.constants.items():
        yield from ("-D", f"{name}={value if isinstance(value, str) else json.dumps(value)}")
    for option in all_options():
        if asked.options.get(option.name) is not None:
            yield f"{option.flag}={asked.options[option.name]}"
    yield f"--slice={'on' if asked.slices else 'off'}"
    if asked.symmetry is not None:
        yield f"--symmetry={asked.symmetry}"
    if asked.fingerprint is not None:
        yield f"--fingerprint={asked.fingerprint}"
    if asked.command == "check":
        yield f"--partial-order={asked.partial_order}"
        yield from (f"--property={name}" for name in asked.properties)


def limits_of(arguments: argparse.Namespace, asked: Asked) -> dict[str, Any]:
    """What may be another one each time: how a search is made, within which limits, and what is printed."""
    names = ("threads", "memory", "time", "disk", "scratch", "self_test", "verify", "format", "quiet", "limits")
    return {name: getattr(arguments, name) for name in names} | {"store": arguments.store or asked.store}
