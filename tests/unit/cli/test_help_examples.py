"""The examples in the help: they name files and options that exist; under ``slow`` they are run."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from burnside.cli.main import whole_parser

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


def words(example: str) -> list[str]:
    """The arguments, without what the shell does with the output."""
    return shlex.split(example.partition(">")[0], comments=True)


@pytest.mark.parametrize("example", examples())
def test_an_example_can_be_read(example: str) -> None:
    """Every option is one, and every model is there."""
    arguments = whole_parser().parse_args(words(example))

    assert arguments.run
    for word in words(example):
        assert not word.startswith("examples/") or (ROOT / word).is_file(), word


@pytest.mark.slow
@pytest.mark.parametrize("example", [e for e in examples() if not e.startswith("bench")])
def test_an_example_runs(example: str, tmp_path: Path) -> None:
    """Each in a directory of its own, with the examples beside it."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    done = subprocess.run(
        [sys.executable, "-m", "burnside", *words(example)],
        cwd=tmp_path,
        env={**os.environ, "COLUMNS": "100"},
        input="q\n",
        capture_output=True,
        text=True,
        timeout=300,
    )

    assert done.returncode in (0, 1), done.stderr
    for option in ("-o", "--trace"):
        if option in words(example):
            name = words(example)[words(example).index(option) + 1]
            assert name == "-" or (tmp_path / name).stat().st_size > 0
