"""Created rebecs up to renaming: hand-derived counts, a fixed pool of exchangeable processes, and the interpreter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb

import pytest

from actors.interpreter import explore
from burnside.claims.task import Task
from burnside.decide.modes import Mode
from burnside.frontends.kit.options import Options
from burnside.frontends.rebeca import load
from burnside.frontends.seq import load as load_seq
from burnside.ir.nodes import Model
from burnside.source import Source, render
from burnside.study import Study


@dataclass(frozen=True)
class System:
    """A model that creates ``K`` rebecs, the same one with a pool of processes, and how many states there are."""

    rebeca: str
    pool: str
    states: Callable[[int], int]


MASTER = """
reactiveclass Master(2) {
  statevars { byte left; }
  Master() { left = K; self.create(); }
  msgsrv create() { if (left > 0) { left--; new Worker(self):(); self.create(); } }
}
"""
POOL = """
process Worker = 1 .. K;
domain Place = { none, working, finishing, rests };
var left: 0 .. K = K;
var over: bool;
var at[Worker]: Place;
rule create(w: Worker) when left > 0 && at[w] == none do { left := left - 1; at[w] := working; }
rule stop when left == 0 && !over do { over := true; }
"""

# With m workers, 0 to m have worked; when all are there, the last message of the master waits or has gone.
ONE_STEP = System(
    MASTER
    + "reactiveclass Worker(1) { knownrebecs { Master m; } Worker() { self.work(); } msgsrv work() { } }"
    + "main { Master m():(); }",
    POOL + "rule work(w: Worker) when at[w] == working do { at[w] := rests; }",
    lambda k: sum(m + 1 for m in range(k + 1)) + k + 1,
)

# Multisets of three states over m workers.
TWO_STEPS = System(
    MASTER
    + "reactiveclass Worker(1) { knownrebecs { Master m; } Worker() { self.work(); } "
    + "msgsrv work() { self.finish(); } msgsrv finish() { } } main { Master m():(); }",
    POOL
    + "rule work(w: Worker) when at[w] == working do { at[w] := finishing; }"
    + "rule finish(w: Worker) when at[w] == finishing do { at[w] := rests; }",
    lambda k: sum(comb(m + 2, 2) for m in range(k + 1)) + comb(k + 2, 2),
)

# Each link creates the next one: the length of the list, and at last nothing waits.
LIST = System(
    """
reactiveclass Link(1) {
  knownrebecs { Link previous; }
  statevars { Link next; }
  msgsrv initial(byte n) { if (n > 0) { next = new Link(self):(n - 1); } }
}
main { Link first(null):(K); }
""",
    """
process Link = 0 .. K;
domain Some = Link + { nobody };
var next[Link]: Some = nobody;
var there[i: Link]: bool = i == 0;
var last: Some = 0;
var left: 0 .. K = K;
rule create(l: Link, n: Link) when last == l && left > 0 && !there[n]
do { next[l] := n; there[n] := true; last := n; left := left - 1; }
rule stop when last != nobody && left == 0 do { last := nobody; }
""",
    lambda k: k + 2,
)

# Each of several owners has no thing, one that waits to be touched, or one that has been.
OWNERS = System(
    """
reactiveclass Owner(2) {
  statevars { Thing mine; }
  Owner() { self.take(); }
  msgsrv take() { mine = new Thing():(); mine.touch(); }
}
reactiveclass Thing(1) { statevars { boolean touched; } Thing() { } msgsrv touch() { touched = true; } }
main { OWNERS }
""",
    """
process Owner = 1 .. K;
process Thing = 1 .. K;
domain Some = Thing + { nothing };
var mine[Owner]: Some = nothing;
var there[Thing]: bool;
var touched[Thing]: bool;
rule take(o: Owner, t: Thing) when mine[o] == nothing && !there[t] do { mine[o] := t; there[t] := true; }
rule touch(t: Thing) when there[t] && !touched[t] do { touched[t] := true; }
""",
    lambda k: comb(k + 2, 2),
)


def text_of(system: System, k: int) -> str:
    """The Rebeca model for a number of rebecs."""
    owners = " ".join(f"Owner o{i}():();" for i in range(k))
    return system.rebeca.replace("OWNERS", owners).replace("K", str(k))


def states(model: Model | None) -> int:
    """One state of every orbit."""
    assert model is not None
    return Study(Task(model)).count(Mode.UNIQUE).exploration.states


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("system", [ONE_STEP, TWO_STEPS, LIST, OWNERS], ids=["one step", "two steps", "list", "owners"])
def test_created_rebecs_are_counted_up_to_their_names(system, k):
    """As many as derived by hand, and as a fixed pool has under all permutations of its members."""
    text = text_of(system, k)
    tasks, diagnostics, _ = load(Source("model", text), {}, Options({"max_rebecs": k}))
    assert tasks, "\n".join(map(render, diagnostics))
    model = tasks[0].model
    (pool,), _, _ = load_seq(Source("pool", system.pool.replace("K", str(k))), {})
    named = explore(text, most_created=k)
    assert named is not None

    assert states(model) == states(pool.model) == system.states(k)
    assert Study(Task(model)).count(Mode.NONE).exploration.states == named.states
    if system is not OWNERS:  # owners can be exchanged, too
        assert named.renamed == system.states(k)


def test_created_rebecs_can_be_kept_and_sent():
    """A rebec is created, kept in a variable, sent to another one, and gets a message from there."""
    text = """
reactiveclass Owner(2) {
  knownrebecs { Friend friend; }
  statevars { Item mine; }
  msgsrv initial() { mine = new Item():(7); friend.look(mine); }
}
reactiveclass Friend(2) { msgsrv look(Item it) { it.touch(); } }
reactiveclass Item(2) {
  statevars { byte number; boolean touched; }
  msgsrv initial(byte n) { number = n; }
  msgsrv touch() { touched = true; assertion(number == 7); }
}
main { Owner o(f):(); Friend f():(); }
"""
    (task,), _, _ = load(Source("model", text), {}, Options({"max_rebecs": 1}))

    assert states(task.model) == 6


def test_more_rebecs_than_allowed_are_a_limit():
    tasks, _, _ = load(Source("model", text_of(ONE_STEP, 3)), {}, Options({"max_rebecs": 2}))
    assert tasks
    model = tasks[0].model
    fault = Study(Task(model)).count(Mode.NONE).fault

    assert fault is not None
    assert fault.fault is not None
    assert fault.fault.is_limit
    assert len(fault.steps) == 2


LOOPS = "byte w = 0; while (w < 3) { w += 1; if (x > 1) { x = (byte) (x - 1); } else { { { x++; } } } }"


def test_constructors_pay_for_what_they_do() -> None:
    """Few rounds of a loop are few, wherever it stands and whatever else is created."""
    text = f"""reactiveclass A(3) {{ statevars {{ byte x; }}
      A() {{ new B():(); {{ {LOOPS} }} new B():(); {{ {LOOPS} }} self.go(); }}
      msgsrv go() {{ self.go(); }} }}
    reactiveclass B(3) {{ statevars {{ byte x; }} B() {{ {LOOPS} }} msgsrv stay() {{ }} }}
    main {{ A a():(); A b():(); }}"""
    tasks, diagnostics, _ = load(Source("model", text), {}, Options({"max_rebecs": 4}))

    assert tasks, "\n".join(map(render, diagnostics))


@pytest.mark.parametrize(
    "body",
    [
        "int n = ?(1, 2, 3, 4) + ?(0, 4, 8); for (int i = 0; i != 9000; i += n - n + 1) { x = i % 7 + x % 5; }",
        "int n = ?(1, 2, 3); for (int i = 0; i < 90; i += n / n) { for (int j = 0; j < 90; j += n / n) { x = j; } }",
    ],
    ids=["a long loop", "loops in loops"],
)
def test_constructors_that_do_too_much_are_refused(body: str) -> None:
    """And soon."""
    rebecs = " ".join(f"A a{k}():();" for k in range(40))
    text = f"reactiveclass A(3) {{ statevars {{ int x; }} A() {{ {body} }} msgsrv m() {{ }} }} main {{ {rebecs} }}"
    _, diagnostics, _ = load(Source("model", text), {}, Options({}))

    assert [d.code for d in diagnostics] == ["BUR502"]
