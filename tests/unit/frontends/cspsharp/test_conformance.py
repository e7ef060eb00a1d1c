"""Each model of ``conformance/`` exercises one step rule; its transition system was written by hand from the rules.

Lines ``//! 0 a 1`` are transitions, 0 is the start unless ``//! start`` says otherwise, ``//! terminal`` lists states
in which the process has terminated.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from burnside.claims.printer import print_task
from burnside.frontends.cspsharp import load
from burnside.frontends.seq import load as load_seq
from burnside.source import Source, render
from process_algebra.transitions import System, are_bisimilar, system_of

MODELS = sorted((Path(__file__).parent / "conformance").glob("*.csp"))


def expected_of(text: str) -> System:
    """The transition system that the comments of a model describe."""
    starts, transitions, terminal = {"0"}, set(), set()
    for line in text.splitlines():
        if line.startswith("//! "):
            match line.removeprefix("//! ").split():
                case ["no", "transitions"]:
                    pass
                case ["start", *states]:
                    starts = set(states)
                case ["terminal", *states]:
                    terminal = set(states)
                case [source, label, target]:
                    transitions.add((source, label, target))
                case _:
                    raise ValueError(line)
    return System(frozenset(starts), frozenset(transitions), frozenset(terminal))


def test_there_are_enough_models() -> None:
    assert len(MODELS) >= 80


@pytest.mark.parametrize("path", MODELS, ids=lambda p: p.stem)
def test_a_model_does_what_the_rules_say(path: Path) -> None:
    """Same numbers of states and transitions, and strongly bisimilar."""
    tasks, diagnostics, _ = load(Source(path.name, path.read_text()), {})
    assert tasks, "\n".join(map(render, diagnostics))
    model = tasks[0].model

    expected, actual = expected_of(path.read_text()), system_of(model)

    shown = sorted(actual.transitions, key=str)
    assert are_bisimilar(expected, actual), shown
    assert (len(actual.states), len(actual.transitions)) == (len(expected.states), len(expected.transitions)), shown


@pytest.mark.parametrize("path", MODELS, ids=lambda p: p.stem)
def test_a_model_can_be_printed_and_read_back(path: Path) -> None:
    """What the front end makes is a model that the ``.seq`` language can express."""
    tasks, _, _ = load(Source(path.name, path.read_text()), {})
    assert tasks
    (task,) = tasks
    # A model with nothing in it may print as nothing, and such a text is refused.
    printed = print_task(task).strip() or "terminal: false;"

    again, diagnostics, _ = load_seq(Source("printed", printed), {})

    assert not list(diagnostics)
    assert again == (task,)


@pytest.mark.parametrize(
    "text",
    [
        "var get:{0..1}; P = get{get = 1;} -> put -> P;",
        "#define a 2; P = a -> a_2 -> a -> P;",
        "var none:{0..1}; var o:{0..2} = 2; P(i) = a{o = i;} -> b{none = 1;} -> P(i); S = ||| i:{0..1}@P(i);",
        "P(i, j) = a -> b -> P(i, j); P1(i) = c -> d -> P1(i); S = (|||i:{0..1};j:{0..1}@P(i, j)) ||| P1(0) ||| P1(1);",
        "var at_P:{0..1}; P = a{at_P = 1;} -> b -> P;",
        "bool(i) = a -> b -> bool(i); S = ||| i:{0..1}@bool(i);",
        "var t:{0..3}; P = a{var u = 1; {var u = 2; t = u;} t = u;} -> P;",
    ],
)
def test_names_that_clash_are_told_apart(text: str) -> None:
    """Events, variables and processes may share names; the names that are made up do not."""
    tasks, diagnostics, _ = load(Source("model.csp", text), {})
    assert tasks, "\n".join(map(render, diagnostics))
    (task,) = tasks

    again, complaints, _ = load_seq(Source("printed", print_task(task)), {})

    assert not list(complaints)
    assert again == (task,)
