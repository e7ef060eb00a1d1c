"""The CSP# examples of the paper have the published counts, and those of their ``.seq`` versions."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnside.claims.members import about_states
from burnside.claims.printer import print_task
from burnside.claims.task import Task
from burnside.decide.modes import Mode
from burnside.frontends.loading import load as load_file
from burnside.frontends.seq import load as load_seq
from burnside.ir.nodes import Value
from burnside.source import Source
from burnside.study import Study

EXAMPLES = Path(__file__).parents[3] / "examples" / "zhang2013"

# Example, constants, states, transitions, order of the group, orbits.
COUNTS = [
    ("dining_philosophers", {"N": 3}, 35, 66, 3, 13),
    ("hanoi", {"D": 3}, 27, 78, 2, 14),
    ("hypercube", {"D": 3}, 64, 152, 48, 4),
    ("leader_complete", {"N": 3}, 28, 90, 6, 12),
    ("leader_ring", {"N": 3}, 812, 3_426, 3, 276),
    ("leader_tree", {"N": 3}, 32, 88, 2, 24),
    ("milner_scheduler", {"N": 3}, 32, 62, 1, 32),
    ("peterson", {"N": 2}, 30, 52, 2, None),
    ("peterson", {"N": 3}, 572, 1_296, 6, None),
    ("peterson_sequence", {"N": 2}, 32, 54, 1, 32),
    ("peterson_sequence", {"N": 3}, 513, 1_149, 2, None),
    ("reader_writer", {"N": 3}, 5, 10, 2, 4),
    ("resource_allocator_223", {}, 576, 2_452, 24, None),
    ("social_golfer", {"G": 2, "S": 2, "W": 2}, 3_597, 16_944, 192, None),
    ("three_tier_332", {}, 7_840, 60_816, 144, 462),
    ("token_circulation", {"N": 3}, 512, 576, 6, None),
    ("two_hop_colouring", {"N": 3}, 13_824, 165_888, 72, 233),
]
LISTS: dict[str, tuple[str, dict[str, Value]]] = {
    "resource_allocator_223": ("resource_allocator", {"CLASSES": (2, 2, 3)}),
    "three_tier_332": ("three_tier", {"CLIENTS": (3, 3, 2)}),
}


def example(name: str, constants: dict[str, Value]) -> Task:
    """A CSP# example."""
    return load_file(EXAMPLES / f"{name}.csp", constants)


def twin(name: str, constants: dict[str, Value]) -> Task | None:
    """The same system in the ``.seq`` language, if there is one."""
    stem, values = LISTS.get(name, (name, constants))
    path = EXAMPLES / f"{stem}.seq"
    return load_file(path, values) if path.exists() else None


def figures(task: Task) -> tuple[int, int, int, int]:
    """States, transitions, order of the group, orbits."""
    study = Study(task)
    found = study.count(Mode.NONE).exploration
    order = study.symmetries().order
    orbits = study.count(Mode.UNIQUE).exploration.states
    return found.states, found.transitions, order, orbits


@pytest.mark.parametrize(
    ("name", "constants", "states", "transitions", "order", "orbits"),
    COUNTS,
    ids=[f"{row[0]}-{'-'.join(map(str, row[1].values()))}" for row in COUNTS],
)
def test_an_example_agrees_with_the_paper_and_with_its_twin(
    name: str, constants: dict[str, Value], states: int, transitions: int, order: int, orbits: int | None
) -> None:
    """States, transitions, group order and orbits; the ``.seq`` version of the same system has the same."""
    actual = figures(example(name, constants))

    assert actual[:3] == (states, transitions, order)
    assert orbits in (None, actual[3])
    other = twin(name, constants)
    if other is not None:
        assert figures(other) == actual


@pytest.mark.parametrize("path", sorted(EXAMPLES.parent.glob("*/*.csp")), ids=lambda p: p.stem)
def test_an_example_can_be_printed_and_read_back(path: Path) -> None:
    """With its own constants."""
    task = load_file(path)

    (again,), diagnostics, _ = load_seq(Source("printed", print_task(task)), {})

    assert not list(diagnostics)
    assert again.model == task.model
    # Atoms of formulas have other names there.
    assert about_states(again.members) == about_states(task.members)
    assert [claim.name for claim in again.claims] == [claim.name for claim in task.claims]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "constants", "states", "transitions", "orbits"),
    [
        ("dining_philosophers", {"N": 10}, 154_450, 986_430, 15_489),
        ("three_tier_333", {}, 21_952, 192_864, 286),
        ("three_tier_443", {}, 188_272, 2_043_768, 1_496),
        ("two_hop_colouring", {"N": 4}, 331_776, 5_308_416, 850),
    ],
)
def test_larger_examples_agree_with_the_paper(
    name: str, constants: dict[str, Value], states: int, transitions: int, orbits: int
) -> None:
    """The rows of Tables II and III."""
    study = Study(example(name, constants))
    found = study.count(Mode.NONE).exploration

    assert (found.states, found.transitions) == (states, transitions)
    assert study.count(Mode.UNIQUE).exploration.states == orbits
