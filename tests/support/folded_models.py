"""Random models in which processes look at one another through extremes, sums, remainders, products and large cells.

Each is a text with few states, though its tables are wide; most are symmetric on purpose, some but for one place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from burnside.frontends import seq
from burnside.ir.nodes import Model
from burnside.source import Source


@dataclass
class Writer:
    """A model while it is written: ``cells`` of processes, what else there is, and rules."""

    random: Random
    count: int
    top: int
    declared: list[str] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)

    @property
    def each(self) -> list[str]:
        """The first variable of every process, in any order."""
        return self.random.sample([f"x[{k}]" for k in range(self.count)], self.count)

    def nested(self, operator: str) -> str:
        """An extreme of all of them, nested in any way."""
        parts = self.each
        while len(parts) > 1:
            taken = self.random.randint(2, len(parts))
            inner = f"{operator}({', '.join(parts[:taken])})"
            parts = [inner, *parts[taken:]] if self.random.random() < 0.5 else [*parts[taken:], inner]
        return parts[0]

    def put(self, value: str) -> str:
        """A statement that gives the value to somebody, or to a shared variable."""
        if self.random.random() < 0.5:
            return f"x[i] := min({value}, {self.top});"
        self.declare("var seen: 0 .. 400 = 0;")
        return f"seen := {value};"

    def declare(self, line: str) -> None:
        """A declaration, once."""
        if line not in self.declared:
            self.declared.append(line)


# ---------------------------------------------------------------- constructs: a guard and a program for process i


def nested_extreme(w: Writer) -> tuple[str, str]:
    """``max(x[0], max(x[1], …))`` compared and assigned."""
    operator = w.random.choice(("max", "max", "min"))
    sign, bound = w.random.choice(("<", "<=", "==", ">")), w.random.randint(0, w.top)
    guard = w.random.choice(("true", f"{w.nested(operator)} {sign} {bound}", f"x[i] {sign} {w.nested(operator)}"))
    return guard, w.put(f"{w.nested(operator)} + {w.random.randint(0, 1)}")


def looped_extreme(w: Writer) -> tuple[str, str]:
    """An extreme that is collected in a loop, by comparing or by ``max``."""
    operator, sign, start = w.random.choice((("max", ">", 0), ("max", ">=", 0), ("min", "<", w.top)))
    step = w.random.choice((f"if x[j] {sign} m {{ m := x[j]; }}", f"m := {operator}(x[j], m);"))
    return "true", f"var m: 0 .. {w.top} := {start}; for j in P {{ {step} }} {w.put('m')}"


def gated_extreme(w: Writer) -> tuple[str, str]:
    """The same of those processes only that are switched on."""
    w.declare("var on[P]: bool = false;")
    w.rules.append("rule switch(i: P) as switch do { on[i] := !on[i]; }")
    step = w.random.choice(
        (
            "if on[j] && x[j] > m { m := x[j]; }",
            "if on[j] { if x[j] > m { m := x[j]; } }",
            "if on[j] { m := max(m, x[j]); }",
            "m := max(m, if on[j] then x[j] else 0);",
        )
    )
    return "true", f"var m: 0 .. {w.top} := 0; for j in P {{ {step} }} {w.put('m')}"


def sums(w: Writer) -> tuple[str, str]:
    """A sum, by a quantifier or in a loop, compared and assigned."""
    total = w.random.choice(("(sum j in P: x[j])", f"({' + '.join(w.each)})"))
    guard = f"{total} {w.random.choice(('<=', '==', '>'))} {w.random.randint(1, 2 * w.top)}"
    if w.random.random() < 0.5:
        return guard, w.put("x[i]")
    step = w.random.choice(("m := m + x[j];", "if x[j] > 1 { m := m + x[j]; }", f"m := min(m + x[j], {w.top});"))
    return "true", f"var m: 0 .. 400 := 0; for j in P {{ {step} }} {w.put('m')}"


def remainders(w: Writer) -> tuple[str, str]:
    """A loop that accumulates modulo something."""
    modulus = w.random.randint(3, w.top)
    step = f"m := (m + {w.random.choice(('', '2 * '))}x[j]) % {modulus};"
    return "true", f"var m: 0 .. {w.top} := 0; for j in P {{ {step} }} {w.put('m')}"


def products(w: Writer) -> tuple[str, str]:
    """A product in a loop, or written out."""
    if w.random.random() < 0.5:
        return f"{' * '.join(w.each)} < {w.random.randint(1, 3 * w.top)}", w.put("x[i]")
    return "true", f"var m: 0 .. 5000 := 1; for j in P {{ m := m * (x[j] + 1); }} {w.put(f'm % {w.top}')}"


def large_counters(w: Writer) -> tuple[str, str]:
    """Cells with many values that are compared and copied, and counted up a few times."""
    most = 900 if w.top % 2 else 9000  # so many that it is seen that few occur, or too many to be looked at
    w.declare(f"var mine[P]: 0 .. {most} = 0;  var last: 0 .. {most} = 0;")
    sign = w.random.choice(("<", "=="))
    w.rules.append(f"rule draw(i: P) as draw when last < 3 && mine[i] {sign} last do {{ last := last + 1; }}")
    guard = w.random.choice(
        (
            "mine[i] != last",
            "(forall j in P: mine[j] == mine[i])",
            "(exists j in P: mine[j] > mine[i])",
            "(count j in P: mine[j] == mine[i]) <= 2",
            f"max({', '.join(f'mine[{k}]' for k in range(w.count))}) <= last",
        )
    )
    value = w.random.choice(("last", "if x[i] > 0 then last else mine[i]", "max(mine[i], last)"))
    return guard, f"mine[i] := {value};"


def long_loops(w: Writer) -> tuple[str, str]:
    """A loop that may go round more often than it is unrolled."""
    return f"x[i] <= {w.top}", "var m: 0 .. 52 := 52; while m > x[i] limit 52 { m := m - 1; } " + w.put("m")


def twins(w: Writer) -> tuple[str, str]:
    """A matrix whose rows are its columns, or a copy of an array: cells that always hold the same value."""
    if w.random.random() < 0.3:
        w.declare("var y[P]: bool = false;  var z[P]: bool = false;")
        seen, other = w.random.sample(("y[i]", "z[i]"), 2)
        guard = w.random.choice((f"!{seen}", "!y[i] && !z[i]", "(forall j in P: !y[j] || !z[j])"))
        return f"x[i] > 0 && {guard}", f"{seen} := true; {other} := {seen};"
    w.count = 3 if w.random.random() < 0.8 else 4
    w.declare("var with[P][P]: bool = false;")
    alone = w.random.choice(("!with[i][k] && !with[k][j]", "!with[k][i] && !with[k][j]", "!with[i][k]"))
    free = w.random.choice((f"(forall k in P: {alone})", "!with[i][j]", "!with[j][i]", "x[i] == x[j]"))
    w.rules.append(
        f"rule pair(i, j: P) as pair when i != j && {free} do {{ with[i][j] := true; with[j][i] := with[i][j]; }}"
    )
    if w.random.random() < 0.5:
        w.rules.append(
            "rule part(i, j: P) as part when x[i] > 0 && with[i][j] do { with[j][i] := false; with[i][j] := false; }"
        )
    return w.random.choice(("(exists j in P: with[i][j])", "(count j in P: with[j][i]) > 1")), "x[i] := 0;"


CONSTRUCTS: dict[str, Callable[[Writer], tuple[str, str]]] = {
    "nested extremes": nested_extreme,
    "extremes in loops": looped_extreme,
    "extremes of some": gated_extreme,
    "sums": sums,
    "remainders": remainders,
    "products": products,
    "large cells": large_counters,
    "long loops": long_loops,
    "equal cells": twins,
}


def folded_text(seed: int) -> tuple[str, str]:
    """The construct that a model is about, and its text."""
    random = Random(seed)
    construct = [*CONSTRUCTS][seed % len(CONSTRUCTS)]
    if construct == "long loops" and seed // len(CONSTRUCTS) % 4:  # they take longer than all others
        construct = "large cells"
    w = Writer(random, random.choice((3, 3, 4)), random.choice((6, 7, 9)))
    w.declare(f"var x[P]: 0 .. {w.top} = {random.choice(('0', '0', '1'))};")
    guard, body = CONSTRUCTS[construct](w)
    w.rules.append(f"rule fold(i: P) as fold when {guard} do {{ {body} }}")
    w.rules.append(
        f"rule up(i: P) as up when x[i] < {random.randint(1, 2)} do {{ x[i] := x[i] + {random.randint(1, 3)}; }}"
    )
    if random.random() < 0.3:
        w.rules.append(
            f"rule spoil as up when x[{random.randrange(w.count)}] == 1 do {{ x[0] := {random.randint(0, 1)}; }}"
        )
    return construct, "\n".join((f"process P = 0 .. {w.count - 1};", *w.declared, *w.rules))


def folded_model(seed: int) -> tuple[str, Model]:
    """The construct that a model is about, and the model, checked."""
    construct, text = folded_text(seed)
    tasks, _, diagnostics = seq.load(Source("folded.seq", text), {})
    assert tasks, (seed, text, [d.message for d in diagnostics])
    return construct, tasks[0].model
