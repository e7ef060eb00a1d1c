"""Nets in a simpler form: what is asked has the same answers, by a judge that explores both."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from burnside.decide.modes import Mode
from burnside.frontends.pnml.net import Net
from burnside.frontends.pnml.simplify import Asked, simplified
from burnside.frontends.pnml.stages import read_net
from burnside.report.detection import detect_text
from burnside.report.json import check_object, count_object
from burnside.report.text import count_text
from burnside.source import Diagnostics, Source
from burnside.study import Study
from nets.comparing import task_of
from nets.judge import Judged, Marking, Step, explored, pnml, random_net
from nets.texts import place, plain, transition


def judged(net: Net) -> Judged:
    """All markings of a net, by the judge."""
    steps = tuple(Step(t.name, dict(t.takes), dict(t.puts)) for t in net.transitions)
    found = explored(net.marking, steps, 100_000)
    assert found is not None
    return found


def seen(net: Net, found: Judged, asked: list[str]) -> dict[Marking, Marking]:
    """What of each marking is asked about."""
    names = [p.name for p in net.places]
    return {m: tuple(m[names.index(name)] for name in asked) for m in found.after}


def passed(net: Net, found: Judged, asked: list[str]) -> set[tuple[Marking, Marking]]:
    """What is seen of steps that can be taken; a marking that is not left any more is its own successor."""
    shown = seen(net, found, asked)
    return {(shown[m], shown[n]) for m, steps in found.after.items() for n in ({t for _, t in steps} or {m})}


def test_answers_are_those_of_the_whole_net() -> None:
    """What can be seen is the same, deadlocks are where they were, and where runs are asked about so are steps."""
    met: Counter[str] = Counter()
    for seed in range(1_000):
        chance = random.Random(f"simplify {seed}")
        text = pnml(random_net(chance), chance)
        net = read_net(Source("net.pnml", text), Diagnostics())
        names = [p.name for p in net.places]
        asked = chance.sample(names, min(len(names), chance.randint(0, 2)))
        is_about_runs = seed % 3 == 0
        less = simplified(net, Asked(asked, seed % 3 < 2, is_about_runs))
        whole, part = judged(net), judged(less)

        assert set(seen(net, whole, asked).values()) == set(seen(less, part, asked).values()), seed
        if seed % 3 < 2:
            dead = [
                {shown[m] for m, steps in n.after.items() if not steps}
                for n, shown in ((whole, seen(net, whole, asked)), (part, seen(less, part, asked)))
            ]
            assert dead[0] == dead[1], seed
        if is_about_runs:
            assert passed(net, whole, asked) == passed(less, part, asked), seed
        met["places"] += len(less.places) < len(net.places)
        met["transitions"] += len(less.transitions) < len(net.transitions)
        met["joined"] += any(", " in t.name for t in less.transitions)
        met["markings"] += len(part.after) < len(whole.after)
    assert min(met[what] for what in ("places", "transitions", "joined", "markings")) > 15, met


def left(text: str, *asked: str, is_about_steps: bool = True, is_about_runs: bool = False) -> tuple[set[str], set[str]]:
    """The places and transitions that are left of a net."""
    net = read_net(Source("net.pnml", plain(text)), Diagnostics())
    less = simplified(net, Asked(asked, is_about_steps, is_about_runs))
    return {p.name for p in less.places}, {t.name for t in less.transitions}


CYCLE = place("a", 1) + place("b") + transition("t", {"a": 1}, {"b": 1}) + transition("u", {"b": 1}, {"a": 1})


def test_constant_places_decide_at_once() -> None:
    net = CYCLE + place("c", 1) + transition("v", {"a": 1, "c": 2}, {"b": 1, "c": 2})
    net += transition("w", {"a": 1, "c": 1}, {"c": 1})

    assert left(net, "a", "b") == ({"a", "b"}, {"t", "u", "w"})


def test_a_place_that_another_implies_is_left_out() -> None:
    net = place("a", 1) + place("b") + place("c", 2) + place("d", 1)
    net += transition("t", {"a": 1, "c": 1}, {"b": 1, "d": 1}) + transition("u", {"b": 1, "d": 1}, {"a": 1, "c": 1})

    assert left(net, "a", "b") == ({"a", "b"}, {"t", "u"})
    assert left(net, "a", "c", "b", "d") == ({"a", "b", "c", "d"}, {"t", "u"})


def test_a_place_that_holds_less_is_not_implied() -> None:
    net = place("a", 2) + place("b") + place("c", 1) + transition("t", {"a": 1, "c": 1}, {"b": 1})

    assert "c" in left(net, "b")[0]


def test_one_of_equal_transitions_is_enough() -> None:
    assert left(CYCLE + transition("v", {"a": 1}, {"b": 1}), "a", "b") == ({"a", "b"}, {"t", "u"})


def test_a_transition_that_changes_nothing_keeps_a_run_going() -> None:
    net = CYCLE + transition("v", {"a": 1}, {"a": 1})

    assert "v" in left(net, "a", "b")[1]
    assert "v" not in left(net, "a", "b", is_about_steps=False)[1]


PASSED = (
    place("a", 2)
    + place("b")
    + place("c")
    + transition("t", {"a": 1}, {"b": 1})
    + transition("u", {"b": 1}, {"c": 1})
    + transition("v", {"c": 1}, {"a": 1})
)


@pytest.mark.parametrize(
    ("asked", "is_about_runs", "joined"),
    [(("a",), False, {"t, u"}), (("b",), False, {"u, v"}), (("b", "c"), False, set()), (("a",), True, set())],
)
def test_transitions_are_joined_where_the_question_allows(
    asked: tuple[str, ...], is_about_runs: bool, joined: set[str]
) -> None:
    """Not if the place between them is asked about or one behind it, and not for formulas about runs."""
    net = PASSED + place("d", 1) + transition("w", {"a": 1, "d": 1}, {"d": 1})
    found = {name for name in left(net, *asked, is_about_runs=is_about_runs)[1] if ", " in name}

    assert found == joined


def test_what_is_left_out_is_said() -> None:
    """In reports of symmetries and of searches, for people and for scripts; not where nothing is left out."""
    study = Study(task_of(plain(CYCLE + place("c", 1) + transition("v", {"a": 1, "c": 1}, {"c": 1})), simplify=True))
    sizes = {"places": 2, "of_places": 3, "transitions": 1, "of_transitions": 3, "joined": 1}
    check = study.check(mode=Mode.NONE)

    (used,) = (r for r in check_object([check])["reductions"] if r["kind"] == "simplification")
    assert used == {"kind": "simplification", "reason": "nothing that is asked depends on them", **sizes}
    told = "simplified   without 2 of 3 places and 1 of 3 transitions: nothing that is asked depends on them"
    for text in (count_text(study.count(Mode.NONE)), detect_text(study.symmetries())):
        assert f"{told}; 1 step of several transitions" in text.splitlines()

    ring = place("a", 1) + place("b", 1) + transition("t", {"a": 1}, {"b": 1}) + transition("u", {"b": 1}, {"a": 1})
    whole = Study(task_of(plain(ring), simplify=True)).count(Mode.NONE)
    assert "simplified" not in count_text(whole)
    assert not count_object(whole)["reductions"]
