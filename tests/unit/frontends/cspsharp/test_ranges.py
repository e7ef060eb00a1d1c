"""Ranges that are found for variables without one are wide enough, and finite."""

from __future__ import annotations

import pytest

from burnside.frontends.cspsharp import load
from burnside.ir.initial import initial
from burnside.ir.semantics import Step, successors
from burnside.source import Source, render

# A text, a variable, its range.
FOUND = [
    ("var x = 0; P = [x < 5] up{x++;} -> P;", "x", (0, 5)),
    ("var x = 0; P = [x < 500] up{x++;} -> P;", "x", (0, 500)),
    ("var x = 0; P = up{x = (x + 1) % 7;} -> P;", "x", (0, 6)),
    ("var x = 3; P = [x > -4] down{x--;} -> P;", "x", (-4, 3)),
    ("var x = 0; P = e{if (x < 3) { x = x + 2; } else { x = 0; }} -> P;", "x", (0, 4)),
    ("var x = 0; P = e{while (x < 10) { x = x + 3; } x = 0;} -> P;", "x", (0, 12)),
    ("var x = 0; P = up{x++;} -> down{x--;} -> P;", "x", (0, 1)),
    ("var x; channel c 5; P = c!1 -> e{x = call(ccount, c);} -> P;", "x", (0, 5)),
    ("var x; channel c 2; P = c!7 -> c?y -> e{x = y;} -> P;", "x", (0, 7)),
    ("var a[3]; P = [a[0] < 2] e{a[0] = a[0] + 1; a[2] = 5;} -> P;", "a", (0, 5)),
    ("var x:{0..} = 0; P = [x < 4] up{x++;} -> P;", "x", (0, 4)),
    ("var x = 0; var t = [4, 9, 2]; P = [] i:{0..2}@e.i{x = t[i];} -> P;", "x", (0, 9)),
]


@pytest.mark.parametrize(("text", "name", "interval"), FOUND, ids=[row[0][:40] for row in FOUND])
def test_a_range_is_found(text: str, name: str, interval: tuple[int, int]) -> None:
    """The range is the expected one, and no reachable step leaves it."""
    tasks, diagnostics, _ = load(Source("model.csp", text), {})
    assert tasks, "\n".join(map(render, diagnostics))
    model = tasks[0].model

    domain = next(v.domain for v in model.variables if v.name == name)

    assert (domain.low, domain.high) == interval
    pending = list(initial(model))
    seen = set(pending)
    while pending:
        for outcome in successors(model, pending.pop()):
            assert isinstance(outcome, Step)
            if outcome.state not in seen:
                seen.add(outcome.state)
                pending.append(outcome.state)
