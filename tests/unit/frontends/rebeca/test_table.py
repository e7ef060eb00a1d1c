"""The table of actor models: groups and counts are as its rows say."""

from __future__ import annotations

import pytest

from actors.interpreter import World, exchanges, reach
from burnside.actors.symmetry import find_symmetries
from burnside.bench.tables import Row, read_table
from burnside.decide.modes import Mode
from burnside.frontends.loading import load
from burnside.frontends.rebeca import load as load_rebeca
from burnside.resources import resource_directory
from burnside.source import Source
from burnside.study import Study

ROWS = read_table("jaghoori2005").rows
SMALL = [row for row in ROWS if row.expected["full"] < 100_000]


def name(row: Row) -> str:
    """A row in the names of tests."""
    return f"{row.system} {row.size}"


@pytest.mark.parametrize("row", ROWS, ids=name)
def test_groups(row):
    """Both groups: of Definition 4, and of the general detector."""
    path = resource_directory("examples") / row.example
    topology = load_rebeca(Source(row.example, path.read_text()), row.constants).topology
    assert topology is not None

    assert find_symmetries(topology).order == row.expected["definition4"]
    assert Study(load(path, row.constants)).symmetries().detection.symmetry.order == row.expected["order"]


@pytest.mark.parametrize(
    "row", [pytest.param(row, marks=[] if row in SMALL else [pytest.mark.slow]) for row in ROWS], ids=name
)
def test_states_and_orbits(row):
    """The quotient has one state of every orbit, and its orbits have all states."""
    model = load(resource_directory("examples") / row.example, row.constants)
    plain = Study(model).count(Mode.NONE).exploration
    reduced = Study(model).count(Mode.UNIQUE).exploration

    assert plain.states == row.expected["full"]
    assert reduced.states == row.expected["orbits"]
    if row.expected["order"] > 1:
        assert reduced.full_states == row.expected["full"]


@pytest.mark.parametrize(
    "row",
    [pytest.param(row, marks=[pytest.mark.slow] if row.expected["full"] > 5_000 else []) for row in SMALL],
    ids=name,
)
def test_the_interpreter_finds_the_same_states_and_orbits(row):
    """All permutations of rebecs that keep the topology, and all renamings of created rebecs, one by one."""
    text = (resource_directory("examples") / row.example).read_text()
    topology = load_rebeca(Source(row.example, text), row.constants).topology
    graph = reach(World(text), 100_000)
    assert topology is not None
    assert graph is not None
    names = [actor.name for actor in topology.actors]
    kinds = [[n for n, a in enumerate(topology.actors) if a.kind == kind] for kind in graph.world.classes]
    perms = (tuple(images[n] for n in range(len(names))) for images in exchanges(kinds))
    kept = [{names[n]: names[k] for n, k in enumerate(perm)} for perm in perms if topology.is_kept_by(perm)]
    group = [perm | renaming for perm in kept for renaming in graph.world.renamings(graph.there)]

    assert len(group) == row.expected["order"]
    assert len(graph.depth) == row.expected["full"]
    assert len(graph.orbits(group)) == row.expected["orbits"]
