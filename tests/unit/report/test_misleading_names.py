"""Names say nothing: whatever things are called, answers and reports are the same but for the names."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from burnside.cli.main import main
from burnside.frontends.seq import load
from burnside.ir.cells import Cells
from burnside.ir.initial import initial
from burnside.results.trace import Change, changes_between
from burnside.source import Source

TEXT = """
process `{0}` = 0 .. 2;
domain Place = {{ idle, trying, inside }};
var `{1}`[`{0}`]: Place;
var `{2}`: seq[3] of `{0}`;
var `{3}`: bool;
rule `{4}`(i: `{0}`) when `{1}`[i] == idle do {{ `{1}`[i] := trying; push(`{2}`, i); }}
rule `{5}`(i: `{0}`) when `{1}`[i] == trying && len(`{2}`) > 0 && `{2}`[0] == i && !`{3}` do {{
  `{1}`[i] := inside; pop(`{2}`); `{3}` := true;
}}
rule `{6}`(i: `{0}`) when `{1}`[i] == inside do {{ `{1}`[i] := idle; `{3}` := false; }}
reachable `{7}`: forall i in `{0}`: `{1}`[i] == trying;
ltl `{8}`(i: `{0}`) under weak fairness: [] (`{1}`[i] == trying => <> `{1}`[i] == inside);
"""
PLAIN = ("aaa", "bbb", "ccc", "ddd", "eee", "fff", "ggg", "hhh", "jjj")
ODD = ("C:id", "C.at", "C:queue", "x:exists", "tau", "rule", "C.leave", "P.deadlockfree", "C:sender")
COMMANDS = (
    ("count", "--json"),
    ("count", "--symmetry", "unique", "--json"),
    ("check", "--json"),
    ("check", "--symmetry", "unique", "--json"),
    ("detect", "--json"),
    ("check",),
    ("detect",),
)


def said(command: tuple[str, ...], names: tuple[str, ...], folder: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """What a command prints about the model with these names, without times and widths of columns."""
    path = folder / "model.seq"
    path.write_text(TEXT.format(*names))
    code = main([command[0], str(path), *command[1:]])
    text = capsys.readouterr().out
    if command[-1] == "--json":
        text = json.dumps(without_times(json.loads(text)))
    text = re.sub(r"\d+\.\d+ s|[\d,]+ states/s|\(encode .*\)", "", text)
    return code, sorted(text.split())


def without_times(value: Any) -> Any:
    """A JSON value without what differs from run to run: times, and the number of states there was time to test."""
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if "second" not in k and k != "checked"}
    return list(map(without_times, value)) if isinstance(value, list) else value


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_names_change_nothing_but_names(
    command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Names like those that front ends make, or that the tool uses itself, are names like others."""
    code, plain = said(command, PLAIN, tmp_path, capsys)
    other_code, odd = said(command, ODD, tmp_path, capsys)

    assert code == other_code
    for name, other in zip(PLAIN, ODD, strict=True):
        plain = [word.replace(name, other) for word in plain]
    assert odd == sorted(plain)


def test_a_page_has_the_same_parts_whatever_things_are_called(tmp_path: Path) -> None:
    """Tables of states are made of variables, not of their names."""
    shapes = []
    for names in (PLAIN, ODD):
        path = tmp_path / "model.seq"
        path.write_text(TEXT.format(*names))
        main(["report", str(path), "-o", str(tmp_path / "page.html")])
        page = (tmp_path / "page.html").read_text()
        shapes.append([page.count(f"<{tag}") for tag in ("table", "tr", "td", "svg", "li", "h2", "details")])

    assert shapes[0] == shapes[1]


def test_names_that_look_like_elements_are_told_from_them() -> None:
    """A variable may be called like an element of another: every change is shown, under a name of its own."""
    text = "var a[0..1]: 0..1; var `a[0]`: 0..1; var q: seq[1] of 0..1 = [0]; var `len(q)`: 0..1; rule r do { }"
    (task,), _, _ = load(Source("test.seq", text), {})
    cells = Cells(task.model)
    (old,) = initial(task.model)

    names = [cell.name for cell in cells.all]
    assert names == ["a[0]", "a[1]", "`a[0]`", "len(q)", "q[0]", "`len(q)`"]
    assert changes_between(cells, old, (1, *old[1:])) == (Change("a[0]", "0", "1"),)
    assert changes_between(cells, old, (*old[:2], 1, *old[3:])) == (Change("`a[0]`", "0", "1"),)
    assert len(cells.describe(old)) == len(cells.elements) == 5


def test_a_property_called_like_a_member_of_a_family(tmp_path, capsys):
    """Two properties were shown under one name, and the exported graph had one of them only."""
    path = tmp_path / "model.seq"
    path.write_text(
        "process P = 0 .. 1; var x[P]: bool; rule a(i: P) when !x[i] do { x[i] := true; }"
        "invariant p(i: P): !x[i]; invariant `p(0)`: true;"
    )
    main(["check", str(path), "--json"])
    verdicts = {p["name"]: p["verdict"] for p in json.loads(capsys.readouterr().out)["properties"]}
    exported = tmp_path / "graph.jsonl"
    main(["export", str(path), "-o", str(exported)])
    states = [json.loads(line) for line in exported.read_text().splitlines()]
    held = [state["properties"] for state in states if state["kind"] == "state"]

    assert verdicts == {"p(0)": "violated", "p(1)": "violated", "`p(0)`": "holds"}
    assert {tuple(properties) for properties in held} == {("p(0)", "p(1)", "`p(0)`")}
    assert main(["check", str(path), "--property", "`p(0)`"]) == 0
