"""Numbers by structure, broken on purpose: for each kind of vertex a model shows what goes wrong without it.

Each mutation forgets something that a kind of vertex, or a child, carries. The broken encoder then finds a permutation
that is no symmetry of the model, brute force sees that, and validation rejects it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from test_broken_encoders import shows_a_wrong_generator
from test_directed import load

from burnside.detect import encode as module
from burnside.detect.run import detect
from burnside.detect.vertices import Vertices
from burnside.graph.coloured import Kind
from support.brute_force import is_automorphism, state_graph

# name: (what the vertex forgets, a model in which that matters)
BROKEN: dict[str, tuple[Callable[[Any, Kind, list[int]], tuple[Kind, list[int]]], str]] = {
    "operators": (
        lambda _, kind, children: (("operator",) if kind[0] == "operator" else kind, children),
        """
        var x: 0..6 = *;  var y: 0..6 = *;  var z: 0..6 = *;  var low: 0..6 = 0;  var high: 0..6 = 0;
        rule a as e do { low := min(x, y, z); }
        rule b as e do { high := max(x, y, z); }
        """,
    ),
    "values": (
        lambda _, kind, children: (("weight",) if kind[0] == "weight" else kind, children),
        """
        var x: 0..6 = *;  var y: 0..6 = *;  var z: 0..6 = *;  var high: 0..6 = 6;
        rule a as e do { high := max(x, y, z); }
        """,
    ),
    "offsets of sides": (
        lambda _, kind, children: (("side",) if kind[0] == "side" else kind, children),
        """
        var a: 0..6000 = 0;  var b: 0..6000 = 0;
        rule ra as e when a < 3 do { a := a + 1; }
        rule rb as e when b < 3 do { b := b + 1; }
        rule ahead as f when a == b + 1 do { }
        """,
    ),
    "coefficients": (
        lambda _, kind, children: (("times",) if kind[0] == "times" else kind, children),
        """
        var a: 0..6000 = 0;  var b: 0..6000 = 0;  var c: 0..18000 = 0;
        rule ra as e when a < 3 do { a := a + 1; }
        rule rb as e when b < 3 do { b := b + 1; }
        rule put as f do { c := a + 2 * b; }
        """,
    ),
    "powers": (
        lambda _, kind, children: (("power",) if kind[0] == "power" else kind, children),
        """
        var a: 0..6000 = 0;  var b: 0..6000 = 0;  var c: 0..1000000 = 0;
        rule ra as e when a < 3 do { a := a + 1; }
        rule rb as e when b < 3 do { b := b + 1; }
        rule put as f do { c := a * b * b; }
        """,
    ),
    "conditions of cases": (
        lambda v, kind, children: (
            kind,
            [c for c in children if v.kinds[c] != ("when",)] if kind == ("case",) else children,
        ),
        """
        var a: 0..6000 = 0;  var b: 0..6000 = 0;  var c: 0..6000 = 0;  var which: bool = true;
        rule ra as e when a < 3 do { a := a + 1; }
        rule rb as e when b < 3 do { b := b + 1; }
        rule put as f do { c := if which then a else b; which := false; }
        """,
    ),
    "positions of operands": (
        lambda _, kind, children: (("argument",) if kind[0] == "argument" else kind, children),
        """
        var a: 1..6000 = 1;  var b: 1..6000 = 1;  var c: 0..6000 = 0;
        rule ra as e when a < 3 do { a := a + 1; }
        rule rb as e when b < 3 do { b := b + 1; }
        rule put as f do { c := a / b; }
        """,
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_forgetful_vertex_is_noticed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole, the encoder is right about the model; broken, it is wrong, and validation rejects what it finds."""
    forget, text = BROKEN[name]
    model = load(text, tmp_path)
    found = detect(model)
    graph = state_graph(model)
    assert all(is_automorphism(graph, found.symmetry.literals, g) for g in found.symmetry.group.generators)
    node = Vertices.node

    def broken(self: Vertices, kind: Kind, children: Iterable[int]) -> int:
        return node(self, *forget(self, kind, [*children]))

    monkeypatch.setattr(Vertices, "node", broken)

    assert shows_a_wrong_generator(model)


def test_an_assignment_is_not_a_comparison(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``high := max(…)`` written like ``seen == max(…)`` would let both change places."""
    text = """
        var x: 0..6000 = 0;  var y: 0..6000 = 0;  var high: 0..6000 = 0;  var seen: 0..6000 = 0;
        rule rx as u when x < 2 do { x := x + 1; }
        rule ry as u when y < 2 do { y := y + 1; }
        rule rh as v when high < 2 do { high := high + 1; }
        rule rs as v when seen < 2 do { seen := seen + 1; }
        rule a as e do { high := max(x, y); }
        rule b as e when seen == max(x, y) do { }
        """

    def compared(self: Any, cell: int, term: Any) -> int | bool:
        found: int | bool = self._conditions.condition(self._terms.equal(self._terms.cell(cell), term))
        return found

    monkeypatch.setattr(module._Encoder, "_assignment", compared)

    assert shows_a_wrong_generator(load(text, tmp_path))


def test_what_is_too_large_fixes_what_it_touches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule that could not be written out, and fixed nothing, would be left out of account."""
    text = """
        var x: 0..3 = 0;  var y: 0..3 = 0;  var z: 0..3 = 0;
        rule rx as e when x < 3 do { x := x + 1; }
        rule ry as e when y < 3 do { y := y + 1; }
        rule rz as e when z < 3 do { z := z + 1; }
        rule odd as f when x == 2 do { for k in 0 .. 5000 { x := 2; } }
        """
    model = load(text, tmp_path)
    assert detect(model).symmetry.order == 2  # y and z, which the rule does not touch
    monkeypatch.setattr(module._Encoder, "_fix_opaque_cells", lambda _: None)

    assert shows_a_wrong_generator(model)
