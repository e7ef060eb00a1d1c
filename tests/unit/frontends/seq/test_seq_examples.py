"""The ``.seq`` examples: they load, print back, and say what they are. Their answers are tested in ``tests/corpus``."""

import re
from pathlib import Path

import pytest

from burnside.claims.printer import print_task
from burnside.claims.task import Task
from burnside.frontends.seq import load
from burnside.source import Source, render

EXAMPLES = Path(__file__).parents[4] / "examples"
ALL = sorted(EXAMPLES.glob("*/*.seq"))


def example(path: Path) -> Task:
    """The task of an example."""
    tasks, diagnostics, _ = load(Source(path.name, path.read_text()), {})
    assert tasks, "\n".join(map(render, diagnostics))
    return tasks[0]


@pytest.mark.parametrize("path", ALL, ids=lambda p: p.stem)
def test_an_example_loads_and_prints_back(path: Path) -> None:
    """Printing a model and reading it again gives an equal model, and the same text."""
    task = example(path)
    text = print_task(task)
    again, diagnostics, _ = load(Source(path.name, text), {})

    assert list(diagnostics) == []
    assert again == (task,)
    assert print_task(task) == text


@pytest.mark.parametrize("path", ALL, ids=lambda p: p.stem)
def test_an_example_says_what_it_is(path: Path) -> None:
    """The first lines are a comment that names the symmetries."""
    head = re.match(r"(//[^\n]*\n)+", path.read_text())

    assert head is not None
    assert "Symmetries" in head.group()
