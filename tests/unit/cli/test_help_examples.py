"""The examples in the help: they name files and options that exist; under ``slow`` they are run."""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from burnside import schema
from burnside.cli.main import whole_parser
from burnside.schemas import COMMANDS

ROOT = Path(__file__).parents[3]


def epilogs(parser: argparse.ArgumentParser) -> Iterator[str]:
    """The texts below the help of a command, and of all commands in it."""
    yield parser.epilog or ""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from epilogs(inner)


def examples() -> list[str]:
    """All lines that begin with ``burnside``, continued lines in one."""
    text = "\n".join(epilogs(whole_parser())).replace("\\\n", " ")
    return re.findall(r"^  burnside (.*)$", text, re.MULTILINE)


def command_of(example: str) -> str:
    """The command, with its action if it has some."""
    return " ".join(example.split()[: 2 if example.startswith("pattern") else 1])


def words(example: str) -> list[str]:
    """The arguments, without what the shell does with the output."""
    return shlex.split(example.partition(">")[0], comments=True)


RUN = [e for e in examples() if not e.startswith("bench")]
PRINTED = [e for e in RUN if command_of(e) in COMMANDS and "-o -" not in e]


@pytest.mark.parametrize("example", examples())
def test_an_example_can_be_read(example: str) -> None:
    """Every option is one, and every model is there."""
    arguments = whole_parser().parse_args(words(example))

    assert arguments.run
    for word in words(example):
        assert not word.startswith("examples/") or (ROOT / word).is_file(), word


def prepare(example: str, directory: Path) -> None:
    """What is to go on must have begun: the example before shows how."""
    if command_of(example) == "resume":
        run(words(RUN[RUN.index(example) - 1]), directory)


def run(arguments: list[str], directory: Path) -> str:
    """What a command prints in a directory of its own, with the examples beside it."""
    if not (directory / "examples").exists():
        (directory / "examples").symlink_to(ROOT / "examples")
    done = subprocess.run(
        [sys.executable, "-m", "burnside", *arguments],
        cwd=directory,
        env={**os.environ, "COLUMNS": "100"},
        input="q\n",
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("example", RUN)
def test_an_example_runs(example: str, tmp_path: Path) -> None:
    """And writes what it says."""
    prepare(example, tmp_path)
    run(words(example), tmp_path)

    for option in ("-o", "--trace"):
        if option in words(example):
            name = words(example)[words(example).index(option) + 1]
            assert name == "-" or (tmp_path / name).stat().st_size > 0


@pytest.mark.slow
@pytest.mark.parametrize("example", PRINTED)
def test_the_object_of_an_example_is_what_its_schema_says(example: str, tmp_path: Path) -> None:
    """Commands that write files say so in an object, too."""
    command = command_of(example)
    asked = ["--diagnostics", "json"] if command in ("export", "draw", "report") else ["--json"]

    printed = json.loads(run([*words(example), *asked], tmp_path))
    Draft202012Validator(schema(command)).validate(printed)
