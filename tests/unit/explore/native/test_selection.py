"""Rules are selected by the cells they read where there are many; `test_native_agrees.py` says that nothing is lost."""

from __future__ import annotations

from pathlib import Path

from burnside.explore.native.emit import emit
from burnside.explore.native.run import SearchOptions, explore
from burnside.frontends import seq
from burnside.ir.nodes import Model
from burnside.source import Source


def model_of(text: str) -> Model:
    """The model of a text."""
    (task,), _, _ = seq.load(Source("many.seq", text), {})
    return task.model


def counter(values: int) -> str:
    """A counter with a rule for every step, up and down."""
    steps = range(values - 1)
    ups = [f"rule u{k} when x == {k} do {{ x := {k + 1}; }}" for k in steps]
    downs = [f"rule d{k} when x == {k + 1} do {{ x := {k}; }}" for k in steps]
    return "\n".join([f"var x: 0 .. {values - 1};", *ups, *downs])


def ring(cells: int) -> str:
    """A token that goes round."""
    variables = [f"var c{k}: bool = {'true' if k == 0 else 'false'};" for k in range(cells)]
    moves = [
        f"rule m{k} when c{k} do {{ c{k} := false; c{(k + 1) % cells} := true; }}"  # one cell of many
        for k in range(cells)
    ]
    return "\n".join(variables + moves)


def test_values_of_one_cell_are_told_apart_by_one_jump(tmp_path: Path) -> None:
    """Every rule stands in the case of its value, and all of them fire."""
    model = model_of(counter(100))
    text = emit(model, ()).program.model

    assert text.count("switch (s[0] >> 0 & UINT64_C(0x7f)) {") == 1
    assert text.count("case ") == 100
    found = explore(model, options=SearchOptions(cache=tmp_path, flags=("-O0",)))
    assert (found.states, found.transitions, found.depth) == (100, 198, 99)


def test_cells_that_are_zero_are_passed_over_together(tmp_path: Path) -> None:
    """In blocks of rules whose cells stand in one word."""
    model = model_of(ring(200))
    text = emit(model, ()).program.model

    assert text.count("    if (s[0] & UINT64_C(0xffff)) {") == 1
    assert text.count("if (s[") >= 200 // 16
    found = explore(model, options=SearchOptions(cache=tmp_path, flags=("-O0",)))
    assert (found.states, found.transitions, found.depth) == (200, 200, 199)


def test_few_rules_are_tried_one_after_another() -> None:
    """A jump that nobody can predict costs more than they do."""
    text = emit(model_of(counter(12)), ()).program.model

    assert "switch (s" not in text
