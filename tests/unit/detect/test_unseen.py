"""What detection cannot see through is named with its place, and how to write it otherwise."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from test_directed import load

from burnside.detect.run import detect
from support.command import run_here

# name: (text, line and column of every place, part of the message of the first)
PLACES = {
    "nothing": ("var x: bool; rule r do { x := !x; }", [], ""),
    "extremes and sums of any size": (
        "process P = 0..5; var x[P]: 0..50;\nrule r(i: P) when max(x[0], x[1], x[2], x[3]) < 50\n"
        "do { x[i] := max(x[0], x[1], x[2], x[3], x[4], x[5]) + 1; }\n"
        "rule s(i: P) when (sum j in P: x[j]) < 100 do { x[i] := 0; }",
        [],
        "",
    ),
    "a product": (
        "process P = 0..3; var x[P]: 0..9;\nrule r(i: P) when x[0] * x[1] * x[2] * x[3] < 9 && x[i] < 9\n"
        "do { x[i] := x[i] + 1; }",
        [(2, 19)],
        "'x[0] * x[1] * x[2] * x[3]' depends on 4 cells",
    ),
    "a remainder and a large variable": (
        "var big: 0..1000;\nvar x: 0..9;\nrule r do { big := (big * 3 + x) % 1000; }\nrule s do { x := (x + 1) % 10; }",
        [(1, 5), (3, 21)],
        "'big' has 1,001 values",
    ),
    "a rule": (
        "var x: 0..9; var y: bool;\nrule r when !y do {\n  for k in 0..9999 { x := 9 - x; }\n}\nrule s do { y := !y; }",
        [(3, 3)],
        "rule 'r' is too large",
    ),
}


@pytest.mark.parametrize("name", PLACES)
def test_places_are_named(name: str, tmp_path: Path) -> None:
    """Each place once, in the order of the text."""
    text, places, message = PLACES[name]
    found = detect(load(text, tmp_path)).unseen

    assert [part.span.source.position(part.span.start) for part in found if part.span] == places
    assert not found or message in found[0].message
    assert all(part.help for part in found)


@pytest.mark.parametrize("depth", range(117, 122))
def test_condition_as_deep_as_a_term_may_be(depth: int, tmp_path: Path) -> None:
    """Joined with other conditions it would be deeper: it is taken as too large before."""
    operators = ("&&", "||")
    definitions = "".join(
        f"def d{k + 1} = x[{k % 4}] == {k % 3} {operators[(depth - k) % 2]} d{k};\n" for k in range(depth)
    )
    text = (
        f"var x[0..3]: 0..2 = *; var y[0..1]: bool;\ndef d0 = y[0] || y[1];\n{definitions}initially d{depth};\n"
        "initially x[0] != 2;\nrule r(i: 0..3) do { x[i] := (x[i] + 1) % 3; }\nrule s(i: 0..1) do { y[i] := !y[i]; }"
    )
    found = detect(load(text, tmp_path))

    assert not found.rejected
    assert found.symmetry.order == (1 if found.unseen else 2)


def product(folder: Path, remark: str = "") -> Path:
    """A model whose second line has a product of three cells, and behind it a remark."""
    model = folder / "product.seq"
    model.write_text(
        "var x: 0..9; var y: 0..9; var z: 0..9; var w: 0..9;\n"
        f"rule r when x * y * z / (1 + w) < 9 do {{ x := (x + 1) % 10; }}{remark}\n"
        "rule s do { y := (y + 1) % 10; w := z; z := x; }\ninvariant fine: x + y < 18;\n"
    )
    return model


def test_every_way_to_ask_says_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``detect`` in words and for machines, ``check`` as a note."""
    model = product(tmp_path)
    (row, *_) = json.loads(run_here(capsys, "detect", model, "--json").stdout)["opaque_places"]
    asked = run_here(capsys, "check", model, "--symmetry", "unique", "--json", "--allow", "BUR705").stdout
    notes = json.loads(asked)["diagnostics"]

    assert "product.seq:2:13: 'x * y * z' depends on 3 cells" in run_here(capsys, "detect", model).stdout
    assert (row["line"], row["column"], bool(row["help"])) == (2, 13, True)
    assert {note["code"] for note in notes} == {"BUR307"}


def test_a_line_can_allow_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As any warning; it was allowed by an option only."""
    model = product(tmp_path, "  // burnside: allow BUR307")
    asked = run_here(capsys, "check", model, "--symmetry", "unique", "--json", "--allow", "BUR705").stdout

    assert "diagnostics" not in json.loads(asked)
