"""A run that is another one renamed goes through no state in which something faults: there, runs end."""

from __future__ import annotations

from burnside.decide.modes import Mode
from burnside.explore.native.run import SearchOptions
from burnside.explore.orders import Orders
from burnside.frontends import seq
from burnside.ir.semantics import Fault, successors
from burnside.results.findings import StateFinding
from burnside.source import Source
from burnside.study import Study

MODEL = """\
process P = 0 .. 1;
var x[P]: 0 .. 1 = *;
var at: 0 .. 1 = 0;
var up[P]: 0 .. 1 = 1;
rule lower(i: P) do { up[i] := (up[i] + 1) % 2; }
rule add do { x[at] := x[at] + 1; }
invariant high(i: P): up[i] != 0;
"""


def test_a_run_ends_where_something_faults() -> None:
    """Exchanging the processes of the run that begins with x = [0, 1] makes one of x = [1, 0], where `add` faults."""
    (task,) = seq.load(Source("likewise.seq", MODEL), {}).tasks
    for mode in (Mode.NONE, Mode.UNIQUE):
        found = Study(task, SearchOptions(partial_order=Orders.ON)).check(mode=mode)
        for finding in found.findings:
            assert isinstance(finding, StateFinding)
            assert finding.trace is not None
            first = finding.trace.initial
            assert not any(isinstance(outcome, Fault) for outcome in successors(task.model, first))
