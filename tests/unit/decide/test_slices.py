"""Searches without the variables that nothing depends on, and what is said of the whole model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import burnside
from burnside.explore import restore
from burnside.ir.cells import Cells
from burnside.ir.initial import initial_fits

COUNTED = """
process P = 0 .. 1;
var at[P]: 0 .. 2 = 0;
var steps: 0 .. 9 = *;
var last: P = 0;
rule go(i: P) when at[i] < 2 do { at[i] := at[i] + 1; steps := (steps + 1) % 10; last := i; }
rule back(i: P) when at[i] == 2 do { at[i] := 0; }
invariant low: at[0] + at[1] < 4;
reachable late: last == 1;
"""

# Strictly alternating runs are fair to both steps; but not to both steps in both states of the dead variable.
ALTERNATING = """
var on: bool = true;
var dead: bool = false;
rule a as a when on do { dead := !dead; }
rule b as b when on do { dead := !dead; }
ltl twice under global fairness: <> ((event a && X event a) || (event b && X event b));
"""


def loaded(text: str, folder: Path) -> burnside.System:
    path = folder / "model.seq"
    path.write_text(text)
    return burnside.load(path)


def reduction(found: dict[str, Any]) -> dict[str, Any] | None:
    """What is said of slicing among the reductions."""
    return next((r for r in found["reductions"] if r["kind"] == "slicing"), None)


def test_a_trace_has_all_variables(tmp_path: Path) -> None:
    """And is a run of the whole model, from one of its initial states."""
    system = loaded(COUNTED, tmp_path)
    checked = system.check("low")
    found, trace = checked.as_dict(), checked.traces["low"]

    assert reduction(found) == {
        "kind": "slicing",
        "reason": "nothing that is asked depends on them",
        "variables": ["steps", "last"],
        "cells": 2,
    }
    assert initial_fits(system.model, trace.initial)
    assert Cells(system.model).describe(trace.steps[-1].state)["steps"] == "4"
    assert len(trace.steps) == len(system.check("low", slices=False).traces["low"].steps) == 4


def test_what_is_needed_depends_on_what_is_asked(tmp_path: Path) -> None:
    """Together, claims need what one of them does."""
    system = loaded(COUNTED, tmp_path)

    assert system.check("late").as_dict()["slicing"]["variables"] == ["steps"]
    assert system.check().as_dict()["slicing"]["variables"] == ["steps"]
    assert system.check("low").as_dict()["initial_states"] == 1


def test_states_are_counted_without_variables_if_that_is_asked_for(tmp_path: Path) -> None:
    """Otherwise all of them are there."""
    system = loaded(COUNTED, tmp_path)

    assert system.count().states > system.count(slices=True).states == 9


def test_symmetries_are_those_of_what_is_left(tmp_path: Path) -> None:
    """A variable that nobody reads tells nobody apart."""
    text = COUNTED.replace("var steps: 0 .. 9 = *;", "").replace("steps := (steps + 1) % 10; ", "")
    system = loaded(text, tmp_path)

    assert system.check("low", symmetry="unique").as_dict()["symmetry"]["order"] == 2
    assert system.check("low", symmetry="unique", slices=False).as_dict()["symmetry"]["order"] == 1


def test_a_fault_is_that_of_the_whole_model(tmp_path: Path) -> None:
    """The check that takes the place of an assignment is not what is reported."""
    text = "var x: 0 .. 3 = 0;\nvar d: 0 .. 2 = 0;\nrule r when x < 3 do { x := x + 1; d := x; }\ndeadlockfree ends;"
    found = loaded(text, tmp_path).check().as_dict()

    assert found["slicing"]["variables"] == ["d"]
    assert found["fault"]["message"] == "value 3 of 'd' is outside 0..2"
    assert len(found["fault"]["trace"]["steps"]) == 2
    assert found["fault"]["trace"]["initial"] == {"x": "0", "d": "0"}


def test_a_fault_of_a_formula_is_that_of_the_whole_model(tmp_path: Path) -> None:
    """Its run is sought by itself."""
    text = (
        "var x: 0 .. 3 = 3;\nvar d: 0 .. 3 = 0;\nrule r when x > 0 do { x := x - 1; d := x; }\nltl f: [] (6 / x > 1);"
    )
    found = loaded(text, tmp_path).check().as_dict()

    assert found["slicing"]["variables"] == ["d"]
    assert found["fault"]["trace"]["steps"][-1]["changes"] == {"x": ["1", "0"], "d": ["1", "0"]}


@pytest.mark.parametrize(("fairness", "rounds"), [(None, 5), ("weak", 5), ("strong", 5)])
def test_a_loop_takes_as_many_rounds_as_what_was_left_out(fairness: str | None, rounds: int, tmp_path: Path) -> None:
    """Until the whole state is the same again."""
    text = "var x: bool = false;\nvar d: 0 .. 4 = 0;\nrule r do { x := !x; d := (d + 1) % 5; }\nltl f: <> [] x;"
    system = loaded(text, tmp_path)
    checked = system.check(fairness=fairness)
    (shown,) = checked.as_dict()["properties"]
    (trace,) = checked.traces.values()
    states = [trace.initial, *(step.state for step in trace.steps)]

    assert shown["slicing"]["used"]
    assert states[-1] == states[shown["loop"]]
    assert len(states) - 1 - shown["loop"] == 2 * rounds


def test_a_loop_of_very_many_rounds_is_sought_in_the_whole_model(tmp_path: Path, monkeypatch: Any) -> None:
    """Or there is a verdict without a run."""
    text = "var x: bool = false;\nvar d: 0 .. 40 = 0;\nrule r do { x := !x; d := (d + 1) % 41; }\nltl f: <> [] x;"
    monkeypatch.setattr(restore, "MOST_STEPS", 10)
    system = loaded(text, tmp_path)
    found = system.check().as_dict()["properties"][0]
    cut_short = system.check(states=20).as_dict()["properties"][0]

    assert (found["verdict"], len(found["trace"]["steps"]) - found["loop"]) == ("violated", 82)
    assert (cut_short["verdict"], cut_short["trace"]) == ("violated", None)
    assert "no run is shown" in str(system.check(states=20))


def test_a_run_that_ends_has_no_rounds(tmp_path: Path) -> None:
    """It stays where it is."""
    text = "var x: bool = false;\nvar d: 0 .. 4 = 0;\nrule r when !x do { x := true; d := 3; }\nltl f: [] !x;"
    found = loaded(text, tmp_path).check().as_dict()["properties"][0]

    assert (found["verdict"], found["loop"], len(found["trace"]["steps"])) == ("violated", 1, 1)


def test_global_fairness_looks_at_all_variables(tmp_path: Path) -> None:
    """Without them, a run that is not fair to every step of every state would be taken for one that is."""
    found = loaded(ALTERNATING, tmp_path).check().as_dict()["properties"][0]

    assert found["verdict"] == "holds"
    assert not found["slicing"]["used"]
    assert "global fairness" in found["slicing"]["reason"]


def test_the_adaptive_search_looks_at_all_variables(tmp_path: Path) -> None:
    """What authors say about partitions is about the whole model."""
    text = COUNTED.replace("last: P = 0", "last: 0 .. 1 = 0").replace("last := i", "last := 1")
    found = loaded(text, tmp_path).check("low", symmetry="adaptive").as_dict()

    assert found["slicing"] == {
        "used": False,
        "reason": "the adaptive search looks at all variables",
        "variables": ["steps", "last"],
        "confirmed": None,
    }
    assert reduction(found) is None


def test_a_search_with_all_variables_confirms_one_without(tmp_path: Path) -> None:
    """If asked for; of claims about runs, too."""
    system = loaded(COUNTED + "ltl again under weak fairness: [] <> at[0] == 0;", tmp_path)
    found = system.check("low", "again", verify=True).as_dict()

    assert found["slicing"]["confirmed"] > found["states"]
    assert {p["verdict"] for p in found["properties"]} == {"holds", "violated"}


def test_members_of_a_family_are_the_same_but_for_what_was_left_out(tmp_path: Path) -> None:
    """A run that is another one renamed was compared without some variables."""
    text = COUNTED.replace("invariant low: at[0] + at[1] < 4;", "invariant low(i: P): at[i] < 2;")
    found = loaded(text, tmp_path).check("low").as_dict()["properties"]

    assert found[1]["likewise"]["renaming"] == "exchange P 0 and 1, apart from steps, last,"
    assert len(found[1]["trace"]["steps"]) == 2


@pytest.mark.parametrize("option", [{"partial_order": "on"}, {"search": "dfs"}, {"threads": 2}, {"self_test": True}])
def test_other_options_do_not_mind(option: dict[str, Any], tmp_path: Path) -> None:
    """The search is one of a smaller model."""
    system = loaded(COUNTED, tmp_path)

    assert system.check(**option).verdicts == system.check(slices=False, **option).verdicts
