"""Small models that were once answered wrongly, and bounds: the same answer as the plain search, or a refusal."""

from __future__ import annotations

import time

import pytest

from burnside.adaptive import run, selftest
from burnside.adaptive.actions import actions_of
from burnside.adaptive.names import with_own_names
from burnside.adaptive.run import diagram_of
from burnside.adaptive.view import view_of
from burnside.claims.task import Task
from burnside.decide.modes import Mode
from burnside.explore.native.run import SearchOptions
from burnside.frontends.seq import load
from burnside.limits import Deadline
from burnside.results.exploration import Stop
from burnside.results.findings import CheckReport
from burnside.source import ModelError, Source
from burnside.study import Study


def task_of(text: str) -> Task:
    """A task from a ``.seq`` text."""
    tasks, diagnostics, _ = load(Source("test.seq", text), {})
    assert tasks, [d.message for d in diagnostics]
    return tasks[0]


LOCKS = """
process P = 0 .. 1;
domain Lock = { a, b };
domain O = P + { nobody };
var held[Lock]: O = nobody;
var shut[Lock]: bool = true;
var done[P]: bool = false;
rule take(i: P, k: Lock) when held[k] == nobody && held[a] != i && held[b] != i do { held[k] := i; }
rule go(i: P)
  when (exists n in Lock: shut[n]) && held[a] != nobody && held[b] != nobody
    && (exists n in Lock: (n == a && held[n] == 0) || (n == b && held[n] != 0))
do { done[i] := true; }
"""

WRONG = {
    "an id per lock, one of them named": LOCKS + "reachable there: held[a] == 0 && held[b] == 1 && done[1];",
    "an id per lock, the other way round": LOCKS + "reachable there: held[a] == 1 && held[b] == 0 && done[1];",
    "an id per lock, asked of all locks": """
        process P = 0 .. 1; domain Lock = { a, b }; domain O = P + { nobody };
        var held[Lock]: O = nobody; var at[P]: bool = false;
        rule take(i: P, k: Lock) when held[k] == nobody && (forall n in Lock: held[n] != i) do { held[k] := i; }
        rule go(i: P) when forall n in Lock: held[n] != i do { at[i] := !at[i]; }
        reachable both: held[a] == 0 && held[b] == 1; invariant one: !(held[a] == 0 && held[b] == 0);""",
    "a local and a process with one name": """
        process P = 0 .. 2; var at[P]: bool = [true, false, false]; var k: bool = false;
        rule go(i: P) do { if k { let n = at[i]; } k := exists n in P: n == 0 && at[n]; at[i] := k; }
        reachable all: forall n in P: at[n]; invariant none: !k;""",
    "what an observer sees faults": """
        process P = 0 .. 1; var at[P]: bool = false; var k: 0 .. 3 = 1;
        rule go(i: P) as seen(6 / k) when !at[i] do { at[i] := true; k := 0; }
        invariant no: k != 2;""",
    "a variable for some ids": """
        process P = 0 .. 2; domain Some = 0 .. 1 of P; var at[P]: bool = false; var last: Some = 0;
        rule go(i: P) when !at[i] do { at[i] := true; last := i; }
        invariant no: !at[0];""",
    "a variable for ids and numbers below": """
        process P = 1 .. 3; domain Wide = 0 .. 4 of P; var at[P]: bool = false; var last: Wide = 0;
        rule go(i: P) when !at[i] do { at[i] := true; last := i; }
        rule reset when last == 0 do { last := 4; }
        reachable four: last == 4 && at[1]; invariant zero: last != 0;""",
    "an index that faults beside an id": """
        process P = 0 .. 1; domain O = P + { nobody }; var at[P]: bool = false; var held[0 .. 1]: O = nobody;
        var k: 0 .. 3 = 2;
        rule set(i: P) when !at[1] do { at[i] := true; }
        rule go(i: P) when i == 1 && at[i] && held[k] != i do { at[0] := false; }""",
    "no states but initial ones": """
        process P = 0 .. 2; var at[P]: bool = false; var last: P = *;
        rule go(i: P) when last != i do { last := i; }""",
    "a fault one step nearer than that of a property": """
        process P = 0 .. 2; var at[P]: bool = false; var n: 0 .. 2 = 0;
        rule slow(i: P) when !at[i] do { at[i] := true; n := n + 1; }
        invariant far: n < 2 || 1 / (2 - n) > 0;""",
    "the same rule twice": """
        process P = 0 .. 1; var at[P]: bool = false;
        rule zero when !at[0] do { at[0] := true; } rule again when !at[0] do { at[0] := true; }
        rule one when !at[1] do { at[1] := true; } reachable all: at[0] && at[1];""",
}  # fmt: skip


def answers(report: CheckReport) -> object:
    """What does not depend on how states are counted, nor on when a search ends that need not go on."""
    found = report.count
    lengths = [(f.member.name, f.verdict, f.trace and len(f.trace.steps)) for f in report.findings]
    figures = (found.depth, found.exploration.deadlocks > 0) if found.exploration.stop is Stop.COMPLETE else ()
    return lengths, found.fault and len(found.fault.steps), figures


@pytest.mark.parametrize("case", WRONG)
def test_the_answer_is_that_of_the_plain_search(case: str) -> None:
    task = task_of(WRONG[case])

    assert answers(Study(task).check(mode=Mode.ADAPTIVE)) == answers(Study(task).check(mode=Mode.NONE))


def test_a_fault_that_one_process_alone_can_meet_is_refused() -> None:
    """Whether an index faults must not depend on which process is asked first."""
    text = """process P = 0 .. 1; domain O = P + { nobody }; var at[P]: bool; var held[0 .. 1]: O; var k: 0 .. 3 = 2;
    rule go(i: P) when (exists j in P: at[j] && held[k] != j) do { at[i] := true; }"""

    with pytest.raises(ModelError, match="impossible to evaluate"):
        Study(task_of(text)).count(Mode.ADAPTIVE)


def test_names_say_nothing() -> None:
    """Parts that mean the same are the same whatever they are called; names in scope together are different."""
    text = """process P = 0 .. 2; domain D = { a, b }; var at[P]: bool; var on[D]: bool;
    rule one(i: P) when (exists n in D: on[n]) && (exists n in P: at[n] && n != i) do { at[i] := true; }
    rule two(` 0`: P) when (exists k in D: on[k]) && (exists j in P: at[j] && j != ` 0`) do { at[` 0`] := true; }"""
    one, two = (with_own_names(rule) for rule in task_of(text).model.rules)

    assert (one.guard, one.body) == (two.guard, two.body)
    assert len({one.parameters[0].name, *(o.name for o in one.guard.operands)}) == 3  # type: ignore[union-attr]


# ---------------------------------------------------------------- bounds

MANY_LOCAL_STATES = """
process P = 0 .. 3; domain D = { a, b, c };
var x[P]: D = b; var y[D][P]: bool = false; var z[D][P]: bool = true;
rule go(i: P) when (exists n in P: z[x[i]][n]) && z[b][i] do { x[i] := if y[x[i]][i] then x[i] else c; }
invariant one(d: D): z[d][3] || ((x[2] == c) <=> z[d][0]);
"""


def test_comparing_processes_is_bounded_and_that_is_said() -> None:
    """192 local states: comparing all would take minutes."""
    began = time.process_time()

    found = Study(task_of(MANY_LOCAL_STATES)).check(mode=Mode.ADAPTIVE)

    assert time.process_time() - began < 10
    assert [n.code for n in found.count.symmetry.notes] == ["BUR306"]
    assert answers(found) == answers(Study(task_of(MANY_LOCAL_STATES)).check(mode=Mode.NONE))


def test_the_time_limit_holds_while_partitions_are_inferred() -> None:
    """Sixty processes, all told apart from one another by the edge."""
    text = """process P = 0 .. 59; var x[P]: bool; var n: 0 .. 3;
    rule go(i: P) when !x[i] && n < 3 && (forall j in P: ord(j) < ord(i) => !x[j]) do { x[i] := true; n := n + 1; }"""

    found = Study(task_of(text), SearchOptions(deadline=Deadline.after(1e-6))).count(Mode.ADAPTIVE)

    assert found.exploration.stop is Stop.TIME
    assert (found.exploration.states, found.depth) == (0, None)


def test_the_time_limit_holds_within_one_state() -> None:
    """A property that tells twelve processes in twelve local states apart asks for 12! arrangements."""
    text = """process P = 0 .. 11; var x[P]: 0 .. 11 = 0; var n: 0 .. 11 = 0;
    rule go(i: P) when x[i] == 0 && n < 11 do { n := n + 1; x[i] := n; }
    invariant order: !(forall i, j in P: ord(i) < ord(j) => x[i] > x[j]);"""

    found = Study(task_of(text), SearchOptions(deadline=Deadline.after(1))).check(mode=Mode.ADAPTIVE)

    assert found.count.exploration.stop in (Stop.TIME, Stop.DECIDED)
    assert found.count.exploration.seconds < 20


REFUSED = {
    "initial states": "process P = 0 .. 9; var x[P]: 0 .. 9 = *; initially forall i in P: x[i] == ord(i);"
    " rule go(i: P) do { x[i] := 0; }",
    "rule instances": "process P = 0 .. 1; var x[P]: 0 .. 299; rule go(i: P, a, b: 0 .. 299) when x[i] == a"
    " do { x[i] := b; }",
    "processes": "process P = 0 .. 65536; var x[P]: bool; rule go(i: P) do { x[i] := true; }",
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_too_large_is_refused_at_once(case: str) -> None:
    began = time.process_time()

    with pytest.raises(ModelError):
        Study(task_of(REFUSED[case])).count(Mode.ADAPTIVE)

    assert time.process_time() - began < 10


# ---------------------------------------------------------------- the self-test


def test_every_state_of_a_small_model_is_tested() -> None:
    found = Study(task_of(LOCKS)).count(Mode.ADAPTIVE).exploration

    assert found.self_test is not None
    assert (found.self_test.checked, found.self_test.failed) == (found.states, 0)


def test_a_thorough_test_looks_at_every_state() -> None:
    text = "process P = 0 .. 5; var x[P]: 0 .. 3; rule go(i: P) when x[i] < 3 do { x[i] := x[i] + 1; }"
    diagram = diagram_of(task_of(text).model)

    found = run.explore(diagram, [], thorough=True)

    assert found.states == found.tested.states == 84


def test_a_partition_that_is_too_coarse_is_noticed() -> None:
    """An edge for process 0 only, said to be one for all."""
    diagram = diagram_of(
        task_of("process P = 0 .. 2; var x[P]: bool; rule go(i: P) when i == 0 do { x[i] := true; }").model
    )
    for edge in diagram.edges:
        edge.partition = edge.base = (0b111,)

    with pytest.raises(selftest.SelfTestFailed, match="no verdict is given"):
        run.explore(diagram, [])


def test_actions_are_those_of_the_model() -> None:
    """What an observer sees is kept only if looking at it may fault."""
    view = view_of(
        task_of("process P = 0 .. 1; var x[P]: 0 .. 2; rule go(i: P) as e(i, 1 / x[i]) do { x[i] := 1; }").model
    )

    (action,) = actions_of(view)

    assert len(action.rule.event.arguments) == 1
