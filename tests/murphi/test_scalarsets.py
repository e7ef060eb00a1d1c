"""Scalarsets give names: symmetry is found, and where there is none, none is believed. Figures are Rumur's."""

from __future__ import annotations

import pytest

from burnside.decide.modes import Mode
from burnside.frontends.loading import load
from burnside.study import Study

# The last value of the loop wins, in either rule. With symmetry Rumur finds the invariant violated, which holds.
ORDER_MATTERS = """
type s: scalarset(3);
var v, w: s; n: 0..2;
startstate begin undefine v; undefine w; n := 0; end;
rule "one" n = 0 ==> begin for i: s do v := i; end; n := 1; end;
rule "other" n = 1 ==> begin for i: s do w := i; end; n := 2; end;
invariant "same choice" n = 2 -> v = w;
"""

ORDER_DOES_NOT_MATTER = """
type P: scalarset(4);
var l: array [P] of 0..1; o: P;
startstate begin for i: P do l[i] := 0; end; undefine o; end;
ruleset i: P; j: P do
  rule "swap" i != j & l[i] = 0 ==> begin l[i] := 1; l[j] := 0; o := j; end;
end;
rule "stay" !isundefined(o) & l[o] = 0 ==> begin l[o] := 0; end;
invariant "fits" isundefined(o) | l[o] <= 1;
"""


@pytest.mark.parametrize(
    ("text", "order", "full", "orbits"),
    [(ORDER_MATTERS, 1, (3, 2), (3, 2)), (ORDER_DOES_NOT_MATTER, 24, (29, 232), (4, 33))],
)
def test_only_symmetry_that_is_there_is_used(text, order, full, orbits, tmp_path):
    path = tmp_path / "scalarset.m"
    path.write_text(text)
    study = Study(load(path))

    assert study.symmetries().order == order
    for mode, figures in ((Mode.NONE, full), (Mode.UNIQUE, orbits)):
        found = study.count(mode).exploration
        assert (found.states, found.transitions) == figures
    verdicts = {f.member.name: f.verdict.value for f in study.check().findings}
    assert verdicts.pop("same choice" if order == 1 else "fits") == "holds"
