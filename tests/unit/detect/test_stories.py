"""Bugs that were, each with its story."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_directed import load, load_task

from burnside.decide.modes import Mode
from burnside.detect.naming import orbits_of_processes
from burnside.detect.run import detect
from burnside.frontends.loading import load as load_file
from burnside.study import Study

FAULTY_PROPERTY = """
    var x: bool; var y: bool; var z: 0..1;
    rule a as e when !x && !y do { x := true; }
    rule b as e when !x && !y do { y := true; }
    rule c as f when z == 1 do { z := 1; }
    invariant p: !y || 1 / z > 0;
    """


def test_a_property_that_faults_is_not_a_property_that_is_false(tmp_path: Path) -> None:
    """Encoded as "holds and does not fault", the property looked the same for x and y: the fault at y was exchanged
    for the harmless x, and the quotient reported that the property holds.
    """
    task = load_task(FAULTY_PROPERTY, tmp_path)

    for mode in ("none", "unique"):
        report = Study(task).check(mode=Mode(mode))
        assert report.count.fault is not None, mode
        assert report.count.fault.fault is not None
        assert report.count.fault.fault.kind == "division"


def test_two_spellings_of_one_summand_count_twice(tmp_path: Path) -> None:
    """``a + t + t`` and ``a + t`` were one vertex, because equal summands collapsed in a set."""
    text = """
        var a: 0..5000 = 0; var b: 0..5000 = 0; var x: 0..3 = *;
        rule ra as e do { a := (a + x*x + max(x*x, 0)) % 5001; }
        rule rb as e do { b := (b + x*x) % 5001; }
        """
    found = detect(load(text, tmp_path))

    assert not found.rejected
    assert found.symmetry.order == 1


def test_equal_members_of_a_family_are_one_requirement(tmp_path: Path) -> None:
    """Validation compared multisets, the graph sets: a right generator was reported as a bug."""
    text = """
        var x: bool = *; var y: bool = *;
        rule a as e do { x := !x; }  rule b as e do { y := !y; }
        invariant p(i: 0..2): (i < 2 => !x) && (i == 2 => !y);
        """
    report = Study(load_task(text, tmp_path)).symmetries(["p"])

    assert not report.detection.rejected
    assert report.detection.symmetry.order == 2


ENDS_WELL = {
    "a large cell set to a constant": "var a: 0..5000; rule r do { a := 0; } rule s do { a := 3; }",
    "a large cell set to a small one": "var a: 0..5000; var x: 0..3 = *; rule r do { a := x; }",
    "a property with ten thousand parts": """
        var x: bool; rule r do { x := !x; }
        invariant p: forall k in 0..9999: k >= 0 || x;""",
    "a loop with no end in sight": """
        var x: 0..9; var y: 0..9;
        rule r do { while x != y limit 2000 { x := (x + 1) % 10; } }  rule s do { y := (y + 1) % 10; }""",
    "an expression a thousand deep": "var x: 0..6; rule r do { for j in 0..999 { x := (x * 3 + 1) % 7; } }",
    "many initial states": "var a[0..39]: bool = *; initially a[0]; rule r do { a[1] := !a[1]; }",
    "an index with many values": """
        var a: 0..100000000; var b[0..100]: bool;
        rule r when a < 3 && b[a] do { a := a + 1; }  rule s do { b[0] := !b[0]; }""",
    "an initial condition that faults": "var z: 0..1 = *; initially 1 / z == 1; rule r do { z := 1; }",
    "any of four thousand million values": "var z: 0..4000000000 = *; rule r do { z := 1; }",
}


@pytest.mark.parametrize("name", ENDS_WELL, ids=lambda name: name.replace(" ", "-"))
def test_detection_ends_well(name: str, tmp_path: Path) -> None:
    """What is too large to be written out is taken as fixed; nothing crashes or hangs."""
    found = Study(load_task(ENDS_WELL[name], tmp_path)).symmetries(["p"] if "invariant p" in ENDS_WELL[name] else [])

    assert not found.detection.rejected
    assert found.detection.constraints.text()


def test_cells_that_are_always_equal_are_not_exchanged(tmp_path: Path) -> None:
    """Exchanging x and y, which go round together, fixes every reachable state: no symmetry worth counting."""
    text = """
        var x: 0..2; var y: 0..2; var p: 0..2; var q: 0..2;
        rule a as e do { x := (x + 1) % 3; y := (y + 1) % 3; }
        rule b as e do { p := (p + 1) % 3; q := (q + 1) % 3; }
        """
    found = detect(load(text, tmp_path))

    assert found.symmetry.order == 2  # both pairs together
    assert found.equal_cells == 2


def test_what_needs_equal_cells_to_differ_never_happens(tmp_path: Path) -> None:
    """Its guard became ``false`` and was left out as a constant, so the event seemed to be possible at any time, and
    the two values of ``d`` to be alike; only validation rejected that.
    """
    text = """
        var a: 0..1 = 0; var b: 0..1 = 0; var c: 0..1 = 0; var d: 0..1 = *;
        rule never as e when b != c do { a := c; }
        rule idle as e when d == 0 do { c := c; }
    """
    found = detect(load(text, tmp_path))

    assert not found.rejected
    assert found.symmetry.order == 1


@pytest.mark.parametrize(
    "text",
    [
        """
        process P = 0 .. 2; var turn: 0..2 = *; var at[P]: 0..1;
        rule go(i: P) when turn == ord(i) do { turn := (ord(i)+1) % 3; at[i] := 1 - at[i]; }
        """,
        """
        process P = 0 .. 1; var at[P]: 0..1;
        rule go0 as go when at[0] == 0 do { at[0] := 1; }
        rule go1 as go when at[1] == 0 do { at[1] := 1; }
        """,
    ],
    ids=["a rotation with data", "rules written out"],
)
def test_what_is_exchanged_is_not_said_to_be_told_apart(text: str, tmp_path: Path) -> None:
    """A rule alone may name a process, and yet all processes be one orbit."""
    report = Study(load_task(text, tmp_path)).symmetries(explained=True)

    assert report.detection.symmetry.order > 1
    assert report.explanation is not None
    assert not any(loss.values for loss in report.explanation.losses)


TWO_CLASSES = """
    reactiveclass A(2) { statevars { boolean b; } msgsrv initial() { self.go(); } msgsrv go() { b = !b; self.go(); } }
    reactiveclass B(2) { statevars { boolean b; } msgsrv initial() { self.go(); } msgsrv go() { self.go(); } }
    main { A a0():(); A a1():(); B b0():(); B b1():(); }
    """


def test_actors_of_every_class_are_named(tmp_path: Path) -> None:
    """Each class has its part of the ids. Orbits were named by that of one class, which lacks the others."""
    (tmp_path / "model.rebeca").write_text(TWO_CLASSES)
    found = Study(load_file(tmp_path / "model.rebeca")).symmetries(explained=True).detection.symmetry

    orbits = orbits_of_processes(found.literals, found.group.generators)

    assert orbits == {"Rebec": [["a0", "a1"], ["b0", "b1"]]}


def test_a_symmetric_matrix_is_moved_by_its_indices(tmp_path: Path) -> None:
    """Which of two equal cells goes where does not matter to states: it is shown as a renaming of processes."""
    text = """
        process P = 0 .. 3; var edge[P][P]: bool;
        rule join(i, j: P) when i != j && !(exists k in P: edge[k][i]) do { edge[i][j] := true; edge[j][i] := true; }
        """
    found = detect(load(text, tmp_path))

    assert found.symmetry.order == 24
    assert all(g.description.startswith("swaps P") and "edge" not in g.description for g in found.generators)
    assert found.equal_cells == 6


def test_equal_cells_of_other_shapes_follow_in_order(tmp_path: Path) -> None:
    """Two copies of a bit and two of another: the pairs change places, whatever their members are called."""
    text = """
        process P = 0 .. 1; var a[P]: bool; var p: bool; var q: bool;
        rule one as e do { a[0] := !a[1]; a[1] := a[0]; }
        rule two as e do { p := !q; q := p; }
        """
    found = detect(load(text, tmp_path))

    assert found.symmetry.order == 2
    assert not found.rejected


def test_processes_that_are_exchanged_apart_in_every_place_are_one_orbit(tmp_path: Path) -> None:
    """Voters are exchanged, and so are those they vote for; no generator need do both."""
    text = """
        process P = 0 .. 2; domain Choice = P + { none }; var vote[P]: Choice = none; var leader: Choice = none;
        rule cast(p: P, q: 1 .. 2) when vote[p] == none do { vote[p] := q; }
        rule lead(p: P) when leader == none && (count q in P: vote[q] == p) > 1 do { leader := p; }
        """
    found = detect(load(text, tmp_path)).symmetry

    assert found.order == 12
    assert orbits_of_processes(found.literals, found.group.generators) == {"P": [["0"], ["1", "2"]]}
