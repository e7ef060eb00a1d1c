"""What differs from a paper is found, and has a reason."""

from __future__ import annotations

from burnside.bench import actors, adaptive, detection, patterns, reduction
from burnside.bench.differences import Figure, difference_lines, unexplained
from burnside.bench.tables import Table

TABLE = Table("t", "T", (), differs={"seconds": "Another machine."})


def test_exact_figures_are_listed_row_by_row() -> None:
    """With the reason of the row; figures that are the paper's are not mentioned."""
    figures = [
        Figure("ring N=3", "order", 6, 6, is_exact=True),
        Figure("ring N=4", "order", 8, 5_000, "the paper finds a subgroup", is_exact=True),
    ]

    lines = list(difference_lines(TABLE, figures))

    assert lines == ["order of ring N=4: 5,000 (in the paper: 8); the paper finds a subgroup"]
    assert unexplained(TABLE, figures) == []


def test_other_figures_are_summed_up() -> None:
    """Smaller ones as a range of factors; what is larger, or missing in the paper, is named."""
    figures = [
        Figure("a", "seconds", 10.0, 2.0),
        Figure("b", "seconds", 300, 1.0),
        Figure("c", "seconds", 1.0, 2.5),
        Figure("d", "seconds", "OM", 2.5),
        Figure("e", "seconds", 3, 3),
    ]

    assert list(difference_lines(TABLE, figures)) == [
        "seconds: less than in the paper in 2 of 5 cases, by factors of 5.0 to 300; "
        "more than in the paper for c (2.5); the paper has none for d (OM). Another machine."
    ]
    assert unexplained(TABLE, figures) == []


def test_what_nobody_explains_is_found() -> None:
    """A row without a note, and a figure that the table does not speak of."""
    silent = [Figure("a", "order", 1, 2, is_exact=True), Figure("a", "vertices", 10, 5)]

    assert unexplained(TABLE, [*silent, Figure("a", "seconds", 2, 1)]) == silent
    assert list(difference_lines(TABLE, silent[1:])) == [
        "vertices: less than in the paper in 1 of 1 cases, by a factor of 2.0"
    ]


def test_what_detection_is_compared_by() -> None:
    paper = {"order": 0, "vertices": 487, "generators": 0, "construction": 2.5, "search": 0.5}
    ours = {"order": 1, "vertices": 226, "generators": 0, "total": 0.02}
    row = {"system": "scheduler", "size": "N=10", "paper": paper, "note": "trivial", **ours}

    assert [(f.name, f.paper, f.ours) for f in detection.figures(row) if f.differs] == [
        ("order", 0, 1),
        ("vertices", 487, 226),
        ("seconds", 3.0, 0.02),
    ]
    assert list(detection.figures(row | {"paper": None})) == []


def test_what_reduction_is_compared_by() -> None:
    """A gain is compared where the states are the same; where the paper gave up there is nothing exact."""
    ours = {mode: {"states": states, "seconds": 0.1} for mode, states in (("none", 100), ("unique", 10), ("multi", 20))}
    row = {"system": "ring", "size": "N=3", "note": None, "gain": 90.0, **ours}
    paper = {"none": 100, "unique": 10, "multi": 30, "multi_seconds": 4, "gain": 90.0}

    assert [f.name for f in reduction.figures(row | {"paper": paper}) if f.differs] == [
        "states with several representatives",
        "seconds",
    ]
    assert "gain in per cent" in {f.name for f in reduction.figures(row | {"paper": paper})}
    gave_up = list(reduction.figures(row | {"paper": {"none": "OM", "unique": 11, "gain": 89.0}}))
    assert [(f.name, f.is_exact) for f in gave_up] == [
        ("states without reduction", False),
        ("states with one representative", True),
    ]


def test_what_adaptive_exploration_is_compared_by() -> None:
    row = {"system": "classes", "size": "k=2", "note": None, "adaptive": {"states": 558, "seconds": 0.1}}

    figures = list(adaptive.figures(row | {"paper": {"adaptive": 558, "adaptive_seconds": 1}}))

    assert [(f.name, f.differs) for f in figures] == [("adaptive states", False), ("seconds", True)]


def test_what_patterns_are_compared_by() -> None:
    """What is printed as 0.0 seconds says nothing."""
    ours = {"states": 5, "verification": 0.001, "synthesis": 0.2}
    row = {"system": "Herman", "size": "", "note": None, "faithful": ours}

    names = [f.name for f in patterns.figures(row | {"paper": {"states": 5, "verification": 0.0, "synthesis": 4}})]

    assert names == ["states", "seconds of synthesis"]


def test_what_actors_are_compared_by() -> None:
    """Orbits, in words."""
    row = {"system": "balancer", "size": "2", "note": "why", "paper": {"claim": "clients form an orbit"}}

    [some] = actors.figures(row | {"definition4_orbits": [["c1", "c2"]]})
    [none] = actors.figures(row | {"definition4_orbits": []})

    assert (some.ours, none.ours) == ("{c1, c2}; all others alone", "every rebec alone")
    assert list(actors.figures(row | {"paper": None})) == []
