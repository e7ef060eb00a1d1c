"""Detection on models made to catch a mistake, each with the group it must have."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnside.claims.task import Task
from burnside.detect.run import detect
from burnside.frontends.loading import load as load_file
from burnside.ir.nodes import Model
from support.brute_force import is_automorphism, state_graph, true_order

# name: (text, order of the right group, why)
MODELS = {
    "guards tied to updates": (
        """
        var x: bool = *;  var y: bool = *;
        rule a as e when !x do { y := false; }
        rule b as e when x do { y := true; }
        """,
        2,
        "the printed construction of the paper finds 8, 4 of them wrong: guard and update must move together",
    ),
    "unchanged is not anything": (
        """
        var x: bool = *;  var y: bool = *;
        rule a as e when x do { }
        rule b as e when x do { x := false; }
        rule c as e when y do { }
        """,
        1,
        "'x may become anything' is not 'x stays as it is': dropping next columns found 2",
    ),
    "events tell transitions apart": (
        """
        var x: bool = *;  var y: bool = *;
        rule a as left do { x := !x; }
        rule b as right do { y := !y; }
        """,
        4,
        "both values can be flipped, but x and y cannot be exchanged",
    ),
    "the start names nobody": (
        """
        var x: bool = false;  var y: bool = false;
        rule a as e do { x := !x; }
        rule b as e do { y := !y; }
        """,
        2,
        "both start at false, so they can be exchanged but not flipped",
    ),
    "the start names one": (
        """
        var x: bool = false;  var y: bool = true;
        rule a as e do { x := !x; }
        rule b as e do { y := !y; }
        """,
        2,
        "exchanging x and y needs a flip: false of x is true of y",
    ),
    "written out by hand": (
        """
        domain Place = { idle, waiting, inside };
        var p: Place;  var q: Place;  var lock: bool;
        rule p1 as want when p == idle do { p := waiting; }
        rule q1 as want when q == idle do { q := waiting; }
        rule p2 as enter when p == waiting && !lock do { p := inside; lock := true; }
        rule q2 as enter when !lock && waiting == q do { lock := true; q := inside; }
        rule p3 as leave when p == inside do { p := idle; lock := false; }
        rule q3 as leave when q != idle && q != waiting do { q := idle; lock := lock && !lock; }
        """,
        2,
        "two processes without arrays, their rules spelled differently",
    ),
    "a fault is no disabled rule": (
        """
        var x: 0..2 = 1;
        rule up as e when x > 0 do { x := x + 1; }
        rule down as e when x < 2 && x > 0 do { x := x - 1; }
        """,
        1,
        "0 and 2 look alike if leaving the domain at 2 counts as doing nothing",
    ),
    "a fault is no idle step": (
        """
        var x: bool = *;  var y: bool = *;
        rule a as e when x do { }
        rule b as e when y do { assert false; }
        """,
        1,
        "what faults in y does nothing in x",
    ),
    "queues hold ids": (
        """
        process P = 0..2;
        var q: seq[3] of P;  var in_queue[P]: bool;
        rule join(i: P) as join when !in_queue[i] do { push(q, i); in_queue[i] := true; }
        rule serve as serve when !empty(q) do { in_queue[head(q)] := false; pop(q); }
        """,
        6,
        "an empty slot is not process 0",
    ),
    "a produced value nobody mentions": (
        """
        var x: 0..3 = 0;  var y: 0..3 = 0;
        rule a as e when x == 0 do { x := 3; }
        rule b as e when y == 0 do { y := 2; }
        """,
        2,
        "3 of x plays the part of 2 of y: values no guard mentions still count",
    ),
    "sums have no order": (
        """
        process P = 0..3;
        var on[P]: bool;  var enough: bool;
        rule flip(i: P) as flip do { on[i] := !on[i]; }
        rule decide as decide do {
          var seen: 0..4 := 0;
          for j in P { if on[j] { seen := seen + 1; } }
          enough := seen >= 3;
        }
        """,
        24,
        "an accumulating loop must not fix an order of its rounds",
    ),
    "few of many values": (
        """
        process P = 0..2;
        var owner: 0..1000 = 9;  var before: 0..1000 = 9;  var on[P]: bool;  var n: 0..2000 = 0;
        rule take(i: P) as take when owner == 9 do { owner := ord(i); on[i] := true; }
        rule drop(i: P) as drop when owner == ord(i) do { before := owner; owner := 9; on[i] := false; }
        rule tick as tick when n < 4 do { n := n + 1; }
        """,
        6,
        "an id in a variable with many values is an id; and a guard bounds the counter",
    ),
    "few values that a guard does not bound": (
        """
        var a: 0..1000 = 0;  var b: 0..1000 = 0;
        rule ra as e when a < 3 || a == 5 do { a := a + 1; }
        rule rb as e when b < 3 || b == 6 do { b := b + 1; }
        rule jump as f when a == 3 && b == 3 do { a := 5; b := 5; }
        """,
        1,
        "5 of a goes on to 6, 5 of b does not: nothing that can be reached is left out",
    ),
    "large domains move as a whole": (
        """
        var a: 0..5000 = 0;  var b: 0..5000 = 0;  var c: 0..5000 = 1;
        rule ra as e when a < 5000 do { a := a + 1; }
        rule rb as e when b < 5000 do { b := b + 1; }
        rule rc as e when c < 5000 do { c := c + 1; }
        """,
        2,
        "a and b can be exchanged, c starts elsewhere",
    ),
}


def load_task(text: str, tmp_path: Path) -> Task:
    """The task of a text."""
    path = tmp_path / "model.seq"
    path.write_text(text)
    return load_file(path)


def load(text: str, tmp_path: Path) -> Model:
    """Its model."""
    return load_task(text, tmp_path).model


@pytest.mark.parametrize("name", MODELS, ids=lambda name: name.replace(" ", "-"))
def test_the_group_is_exactly_right(name: str, tmp_path: Path) -> None:
    """The order is as stated, every generator is an automorphism of the state graph, and no generator was rejected."""
    text, order, why = MODELS[name]
    model = load(text, tmp_path)

    found = detect(model)

    assert found.symmetry.order == order, why
    assert not found.rejected
    if not name.startswith("large"):
        graph = state_graph(model)
        assert all(is_automorphism(graph, found.symmetry.literals, g) for g in found.symmetry.group.generators)
        assert true_order(graph) >= order


def test_peterson_that_starts_with_process_0_keeps_only_the_others(tmp_path: Path) -> None:
    """A start that names a process costs a factor N."""
    text = Path("examples/zhang2013/peterson.seq").read_text()
    assert "Turn = nobody" in text

    orders = [
        detect(
            load(text.replace("Turn = nobody", f"Turn = {start}").replace("N = 9", "N = 5"), tmp_path)
        ).symmetry.order
        for start in ("nobody", "0")
    ]

    assert orders == [120, 24]
