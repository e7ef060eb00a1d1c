"""Deliberate breaks of the sources: what they are, and copies of the sources that have one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

TESTS = Path(__file__).parents[1]
SOURCES = TESTS.parent / "src"
FILES = ("core", "adaptive")


@dataclass(frozen=True)
class Mutant:
    """What is broken, where, and how."""

    name: str
    path: str
    old: str
    new: str


def mutants(file: str) -> list[Mutant]:
    """All breaks of a file beside this one."""
    return [Mutant(**entry) for entry in tomllib.loads(Path(__file__).with_name(f"{file}.toml").read_text())["mutant"]]


def chosen(file: str) -> Iterator[tuple[int, Mutant]]:
    """The breaks whose numbers are on the command line, or all, with their numbers."""
    every = mutants(file)
    for number in [int(text) for text in sys.argv[1:]] or range(len(every)):
        yield number, every[number]


@contextmanager
def broken_sources(mutant: Mutant) -> Iterator[Path]:
    """A copy of the sources with one break."""
    with TemporaryDirectory(prefix="mutant-") as folder:
        copy = Path(folder) / "src"
        shutil.copytree(SOURCES, copy, ignore=shutil.ignore_patterns("__pycache__"))
        path = copy / "burnside" / mutant.path
        text = path.read_text()
        if mutant.old not in text:
            raise SystemExit(f"'{mutant.name}': {mutant.path} has no such place any more")
        path.write_text(text.replace(mutant.old, mutant.new))
        yield copy


def answers(sources: Path, script: str, *arguments: str) -> list[dict[str, Any]]:
    """What some sources say when a script beside this one asks them, a value for each line."""
    environment = {**os.environ, "PYTHONPATH": f"{sources}{os.pathsep}{TESTS}"}
    command = [sys.executable, str(Path(__file__).with_name(script)), *arguments]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    return [json.loads(line) for line in done.stdout.splitlines()]


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
