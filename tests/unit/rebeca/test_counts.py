"""State spaces of public models and of our own, against counts by other tools and by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnside import pipeline
from burnside.frontends.front_end import LoadOptions
from burnside.frontends.rebeca import load_with
from burnside.frontends.seq import load as load_seq
from burnside.ir.nodes import Model
from burnside.source import Source, render

ROOT = Path(__file__).parents[3]
MODELS = ROOT.parent / "shared" / "models" / "rebeca"
EXAMPLES = ROOT / "examples" / "jaghoori2005"


def model_of(text: str, **options: object) -> Model:
    """The model of a text that is right."""
    model, diagnostics = load_with(Source("model", text), {}, LoadOptions(**options))  # type: ignore[arg-type]
    assert model is not None, "\n".join(map(render, diagnostics))
    return model


def counts(model: Model, symmetry: str = "none") -> tuple[int, int, int]:
    """States, transitions and deadlocks."""
    found = pipeline.count(model, symmetry=symmetry).exploration
    return found.states, found.transitions, found.deadlocks


@pytest.mark.skipif(not MODELS.is_dir(), reason="the public models are not here")
@pytest.mark.parametrize(
    ("name", "expected", "orbits"),
    [
        ("phils", (3_062, 10_297, 0), 3_062),
        ("DiningPhilosophers", (1_471, 4_529, 0), 1_471),
        ("phils4_alternating", (46_882, 211_218, 0), 23_532),
        ("diningPhilosophersDeadlock", (3_000, 9_969, 1), 1_006),
        ("LeaderElectionLCR", (127, 231, 0), 127),
        ("train-controller-two-trains", (161, 310, 0), 161),
        ("lb_dynref_1_2_3", (933, 3_029, 0), 500),
        ("lb_static_1_2_3", (933, 3_029, 0), 500),
        ("lb_dynref_2_2_2", (16_774, 63_929, 0), 2_454),
    ],
)
def test_public_models_have_the_published_counts(name, expected, orbits):
    """Counts of the reference checker and of an independent interpreter; orbits of the symmetries there are."""
    model = model_of((MODELS / f"{name}.rebeca").read_text())

    assert counts(model) == expected
    assert counts(model, "unique")[0] == orbits


def test_the_small_load_balancer_has_an_eighth_of_its_states():
    model = model_of((EXAMPLES / "load_balancer_small.rebeca").read_text())

    assert counts(model)[0] == 16_774
    assert counts(model, "unique")[0] == 2_454


# ---------------------------------------------------------------- choices


def test_equal_alternatives_are_one_transition():
    text = "reactiveclass A(1) { statevars { byte x; } msgsrv initial() { x = ?(1, 1, 2); } } main { A a():(); }"

    assert counts(model_of(text)) == (3, 2, 2)


def test_a_choice_that_is_not_reached_multiplies_nothing():
    body = "if (x == 1) { x = ?(0, 1, 2); } self.initial();"
    text = f"reactiveclass A(1) {{ statevars {{ byte x; }} msgsrv initial() {{ {body} }} }} main {{ A a():(); }}"

    assert counts(model_of(text)) == (2, 2, 0)


def test_choices_in_constructors_give_several_initial_states():
    text = "reactiveclass A(1) { statevars { byte x; } A() { x = ?(4, 7, 9); } msgsrv m() { } } main { A a():(); }"
    model = model_of(text)

    assert counts(model) == (3, 0, 3)


# ---------------------------------------------------------------- queues

SELF = "reactiveclass A(1) { statevars { } msgsrv initial() { self.initial(); } } main { A a():(); }"


def test_a_served_message_leaves_its_place_unless_the_reference_keeps_it():
    """With one place, sending to oneself works only if the message being served has left the queue."""
    assert counts(model_of(SELF)) == (2, 2, 0)
    fault = pipeline.count(model_of(SELF, queue_semantics="reference")).fault
    assert fault is not None
    assert fault.fault is not None
    assert fault.fault.kind == "overflow"


# ---------------------------------------------------------------- creation

MASTER = """
reactiveclass Master(%d) {
  statevars { byte left; }
  Master() { left = %d; self.create(); }
  msgsrv create() { if (left > 0) { left--; new Worker(self):(); self.create(); } }
  msgsrv done() { }
}
"""
LAZY = "reactiveclass Worker(1) { knownrebecs { Master m; } Worker() { self.work(); } msgsrv work() { } }"
BUSY = """
reactiveclass Worker(1) {
  knownrebecs { Master m; }
  Worker() { self.work(); }
  msgsrv work() { self.finish(); }
  msgsrv finish() { }
}
"""
MAIN = "main { Master m():(); }"


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_workers_that_work_once_are_counted_up_to_their_names(k):
    """With m workers created, 0 to m have worked; at the end the last message of the master is gone."""
    model = model_of(MASTER % (2, k) + LAZY + MAIN, max_rebecs=k)

    assert counts(model, "unique")[0] == (k + 1) * (k + 2) // 2 + (k + 1)


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_workers_with_two_steps_are_multisets_of_three_states(k):
    """Multisets of three states over m workers: (m+2)(m+1)/2, for m up to k, and once more for the end."""
    model = model_of(MASTER % (2, k) + BUSY + MAIN, max_rebecs=k)
    pool = f"""
process Worker = 1 .. {k};
domain Place = {{ none, working, finishing, rests }};
var left: 0 .. {k} = {k};
var over: bool;
var at[Worker]: Place;
rule create(w: Worker) when left > 0 && at[w] == none do {{ left := left - 1; at[w] := working; }}
rule stop when left == 0 && !over do {{ over := true; }}
rule work(w: Worker) when at[w] == working do {{ at[w] := finishing; }}
rule finish(w: Worker) when at[w] == finishing do {{ at[w] := rests; }}
"""
    fixed, _ = load_seq(Source("pool", pool), {})
    assert fixed is not None

    expected = sum((m + 2) * (m + 1) // 2 for m in range(k + 1)) + (k + 2) * (k + 1) // 2
    assert counts(model, "unique")[0] == counts(fixed, "unique")[0] == expected


def test_the_order_in_which_two_masters_create_makes_no_difference():
    """Each of two masters has created its worker or not: four states."""
    text = """
reactiveclass Master(1) { Master() { self.create(); } msgsrv create() { new Worker(self):(); } msgsrv done() { } }
reactiveclass Worker(1) { knownrebecs { Master m; } Worker() { } msgsrv work() { } }
main { Master a():(); Master b():(); }
"""
    model = model_of(text, max_rebecs=2)

    assert counts(model)[0] == 1 + 4 + 2  # every naming: one of two places first, then the other one
    assert counts(model, "unique")[0] == 3  # a and b can be exchanged as well


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
    model = model_of(text, max_rebecs=1)

    assert counts(model) == (6, 6, 1)


def test_more_rebecs_than_allowed_are_a_limit():
    fault = pipeline.count(model_of(MASTER % (2, 3) + LAZY + MAIN, max_rebecs=2)).fault

    assert fault is not None
    assert fault.fault is not None
    assert fault.fault.is_limit
    assert len(fault.steps) == 2
