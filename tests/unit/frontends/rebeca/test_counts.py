"""State spaces of public models and of our own, against counts by other tools and by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnside.claims.task import Task
from burnside.decide.modes import Mode
from burnside.frontends.kit.options import Options
from burnside.frontends.rebeca import load
from burnside.ir.nodes import Model
from burnside.source import Source, render
from burnside.study import Study

ROOT = Path(__file__).parents[4]
MODELS = ROOT.parent / "shared" / "models" / "rebeca"


def model_of(text: str, **options: object) -> Model:
    """The model of a text that is right."""
    tasks, diagnostics, _ = load(Source("model", text), {}, Options(options))  # type: ignore[arg-type]
    assert tasks, "\n".join(map(render, diagnostics))
    return tasks[0].model


def counts(model: Model, symmetry: str = "none") -> tuple[int, int, int]:
    """States, transitions and deadlocks."""
    found = Study(Task(model)).count(Mode(symmetry)).exploration
    return found.states, found.transitions, found.deadlocks


@pytest.mark.skipif(not MODELS.is_dir(), reason="the public models are not here")
@pytest.mark.parametrize(
    ("name", "expected", "orbits"),
    [
        pytest.param("phils", (3_062, 10_297, 0), 3_062, marks=pytest.mark.slow),
        ("DiningPhilosophers", (1_471, 4_529, 0), 1_471),
        pytest.param("phils4_alternating", (46_882, 211_218, 0), 23_532, marks=pytest.mark.slow),
        ("diningPhilosophersDeadlock", (3_000, 9_969, 1), 1_006),
        ("LeaderElectionLCR", (127, 231, 0), 127),
        ("train-controller-two-trains", (161, 310, 0), 161),
        ("lb_dynref_1_2_3", (933, 3_029, 0), 500),
        ("lb_static_1_2_3", (933, 3_029, 0), 500),
        pytest.param("lb_dynref_2_2_2", (16_774, 63_929, 0), 2_454, marks=pytest.mark.slow),
    ],
)
def test_public_models_have_the_published_counts(name, expected, orbits):
    """Counts of the reference checker and of an independent interpreter; orbits of the symmetries there are."""
    model = model_of((MODELS / f"{name}.rebeca").read_text())

    assert counts(model) == expected
    assert counts(model, "unique")[0] == orbits


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
    fault = Study(Task(model_of(SELF, queue_semantics="reference"))).count(Mode.NONE).fault
    assert fault is not None
    assert fault.fault is not None
    assert fault.fault.kind == "overflow"
