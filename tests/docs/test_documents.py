"""What the documents say is true: every console block gives the output shown, every Python block runs.

In a console block, lines that begin with ``$ `` are commands, run in the root of the repository; what follows, up to
the next command, is the expected output. ``…`` stands for anything: within a line for any text, as a line of its own
for any number of lines. Models to run are those of ``examples/``.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Pages of how-to whose output is written by hand; docs/generate.py has the others.
HOW_TO = ("export-the-state-graph.md", "draw-a-model.md", "simulate-a-model.md", "report.md")
PAGES = (
    ROOT / "README.md",
    ROOT / "docs" / "tutorial.md",
    *sorted((ROOT / "docs" / "reference").glob("*.md")),
    *(ROOT / "docs" / "how-to" / name for name in HOW_TO),
)
ANYTHING = "…"


def blocks(language: str) -> Iterator[tuple[str, str]]:
    """The blocks in a language, each with the place where it begins."""
    for page in PAGES:
        text = page.read_text()
        for found in re.finditer(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            line = text.count("\n", 0, found.start()) + 1
            yield f"{page.relative_to(ROOT)}:{line}", found[1]


def commands(block: str) -> Iterator[tuple[str, list[str]]]:
    """The commands of a console block with the lines they should print."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output.rstrip("\n").split("\n") if output.strip("\n") else []


def pattern_of(lines: list[str]) -> str:
    """A regular expression for an expected output."""
    parts = []
    for line in lines:
        if line.strip() == ANYTHING:
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append(".*?".join(map(re.escape, line.rstrip().split(ANYTHING))) + r"[ ]*\n")
    return "".join(parts)


def run(command: str, directory: Path) -> str:
    """What a command prints, errors included. ``DIR`` in a command is a directory of the test."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    environment |= {"DIR": str(directory), "COLUMNS": "100", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        command, shell=True, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120
    )
    output = done.stdout.decode().rstrip("\n")
    return output + "\n" if output else ""


CONSOLE = dict(blocks("console"))
PYTHON = dict(blocks("python"))


@pytest.mark.parametrize("place", CONSOLE)
def test_a_command_prints_what_the_document_shows(place: str, tmp_path: Path) -> None:
    """The output is the one shown, as far as the document says."""
    for command, expected in commands(CONSOLE[place]):
        output = run(command, tmp_path)
        if not re.fullmatch(pattern_of(expected), output):
            assert output.splitlines() == expected, command  # to show where they differ


@pytest.mark.parametrize("place", PYTHON)
def test_python_in_a_document_runs(place: str) -> None:
    """The block runs by itself, in the root of the repository."""
    done = subprocess.run([sys.executable, "-c", PYTHON[place]], cwd=ROOT, capture_output=True, text=True, timeout=120)

    assert done.returncode == 0, done.stderr


def test_documents_have_blocks_to_run() -> None:
    """The pages are found where they are looked for."""
    assert any(place.startswith("README.md") for place in CONSOLE)
    assert any(place.startswith("docs/reference/detect.md") for place in CONSOLE)
    assert PYTHON


@pytest.mark.parametrize(
    ("expected", "output", "fits"),
    [
        (["a", "b"], "a\nb\n", True),
        (["a", "b"], "a\nc\n", False),
        (["time  …", "b"], "time  0.1 s\nb\n", True),
        (["a … c"], "a b\n", False),
        (["a", "…", "d"], "a\nb\nc\nd\n", True),
        (["a", "…", "d"], "a\nd\n", True),
        (["a", "…", "d"], "a\nb\nc\n", False),
        ([], "", True),
        ([], "a\n", False),
    ],
)
def test_dots_stand_for_anything(expected: list[str], output: str, fits: bool) -> None:
    """The tests above would notice a wrong output."""
    assert (re.fullmatch(pattern_of(expected), output) is not None) is fits
