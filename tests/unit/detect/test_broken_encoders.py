"""An encoder broken on purpose is caught: by brute force, and by validation before anything is used.

Each mutation leaves out one thing the encoding needs. For each there is a model on which the broken
encoder finds a permutation that is no symmetry; validation must reject it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from test_directed import MODELS, load

from burnside.detect import encode as module
from burnside.detect import equal_cells
from burnside.detect.conditions import ConditionVertices
from burnside.detect.constrain import constrain
from burnside.detect.encode import encode
from burnside.detect.literals import literals_of, restrict_to_literals
from burnside.detect.validate import validate
from burnside.detect.vertices import Vertices
from burnside.graph.automorphisms import automorphisms
from burnside.graph.coloured import ColouredGraph, Kind
from burnside.ir.nodes import Model
from support.brute_force import is_automorphism, state_graph
from support.tiny_models import tiny_model

Encoder = module._Encoder


def without_ties(self: Any) -> Iterator[tuple[int, int]]:
    """Old literals and next literals move independently."""
    for (cell, value), vertex in self._literals.old.items():
        yield self._literals.cells[cell], vertex
        yield self._literals.cells[cell], self._literals.next[cell, value]


def without_initial(self: Any) -> None:
    """Initial states are not in the graph."""


def reads_as_writes(self: Any, column: Any, value: int) -> int:
    """Reading and writing a literal are the same edge."""
    return int(self._literals.old[column.cell, value])


def without_events(*_: Any) -> Kind:
    """All transitions have one colour."""
    return ("event",)


def faults_like_steps(_: Any, transition: Any) -> Kind:
    """A fault has the colour of a transition."""
    return ("event", transition.event)


def equal_by_their_start(*_: Any) -> None:
    """Cells that start with one value are taken to be equal for ever."""


MUTATIONS: dict[str, tuple[type, str, Callable[..., Any]]] = {
    "no tie": (Encoder, "_ties", without_ties),
    "no initial states": (Encoder, "_add_initial", without_initial),
    "reads as writes": (ConditionVertices, "_literal", reads_as_writes),
    "no events": (Encoder, "_transition_kind", without_events),
    "faults like steps": (Encoder, "_transition_kind", faults_like_steps),
    "equal at first": (equal_cells._Partition, "split", equal_by_their_start),
}


def models(tmp_path: Path) -> Iterator[Model]:
    """Directed models first, then random ones."""
    for name, (text, _, _) in MODELS.items():
        if not name.startswith("large"):
            yield load(text, tmp_path)
    yield from map(tiny_model, range(400))


def shows_a_wrong_generator(model: Model) -> bool:
    """Whether the encoder finds a permutation that is no symmetry; validation must reject it."""
    constraints = constrain(model)
    encoding = encode(constraints)
    literals = literals_of(constraints.cells, encoding)
    found = automorphisms(encoding.graph)
    generators = restrict_to_literals(encoding, found, literals)
    graph = state_graph(model)
    wrong = [g for g in generators if not _acts(graph, literals, g)]
    symmetry, _ = validate(constraints, encoding.pruned, literals, generators, found.order)
    assert not set(wrong) & set(symmetry.group.generators)
    return bool(wrong)


@pytest.mark.parametrize("name", MUTATIONS, ids=lambda name: name.replace(" ", "-"))
def test_a_broken_encoder_is_noticed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some model shows a wrong generator, and validation rejects it."""
    monkeypatch.setattr(*MUTATIONS[name])

    assert any(map(shows_a_wrong_generator, models(tmp_path)))


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTATIONS, ids=lambda name: name.replace(" ", "-"))
def test_a_broken_encoder_is_never_believed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Validation rejects every wrong generator of all models."""
    monkeypatch.setattr(*MUTATIONS[name])

    assert sum(map(shows_a_wrong_generator, models(tmp_path))) >= 1


def _acts(graph: Any, literals: Any, perm: tuple[int, ...]) -> bool:
    try:
        return is_automorphism(graph, literals, perm)
    except (KeyError, AssertionError):  # it does not even map cells to cells
        return False


def test_heights_keep_a_vertex_from_being_exchanged_with_its_child() -> None:
    """``nor(nor(a), b)`` is ``a and not b``: without heights a and b could be exchanged."""
    vertices = Vertices()
    a, b = vertices.leaf(("old",)), vertices.leaf(("old",))
    inner = vertices.node(("nor",), (a,))
    vertices.node(("nor",), (inner, b))
    edges = tuple((v, c) for v, children in enumerate(vertices.children) for c in children)
    with_heights = tuple(zip(vertices.kinds, vertices.heights, strict=True))
    without = tuple((kind, 0) for kind in vertices.kinds)

    assert automorphisms(ColouredGraph(with_heights, edges)).order == 1
    assert automorphisms(ColouredGraph(without, edges)).order == 2
