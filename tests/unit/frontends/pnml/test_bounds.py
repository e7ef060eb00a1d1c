"""Bounds of places: invariants, limits, runs that cover themselves."""

from __future__ import annotations

import random

import pytest

from burnside.claims.task import Task
from burnside.frontends.kit.options import NO_OPTIONS, Options
from burnside.frontends.pnml import linear, load
from burnside.frontends.pnml.flows import flows
from burnside.frontends.pnml.linear import Subinvariants
from burnside.frontends.pnml.stages import read_net
from burnside.source import Diagnostics, Source
from burnside.study import Study
from nets import families
from nets.judge import pnml, random_net
from nets.texts import place, plain, transition


def loaded(net: str, options: Options = NO_OPTIONS) -> tuple[Task | None, list[str]]:
    """The task of a net, and what is said about it."""
    found = load(Source("net.pnml", plain(net)), {}, options)
    return (found.tasks[0] if found.tasks else None), [d.message for d in found.diagnostics]


def bounds(net: str) -> dict[str, int]:
    task, messages = loaded(net)
    assert task is not None, messages
    return {v.name: v.domain.high for v in task.model.variables}


def test_a_weighted_invariant_bounds_its_places() -> None:
    """Two tokens of a become one of b: 2 a(b) + a is always 5."""
    net = place("a", 5) + place("b") + transition("t", {"a": 2}, {"b": 1}) + transition("u", {"b": 1}, {"a": 2})

    assert bounds(net) == {"a": 5, "b": 2}


def test_what_only_gets_less_is_bounded() -> None:
    net = place("a", 5) + place("b") + transition("t", {"a": 1}, {"b": 3}) + transition("u", {"b": 1}, {})

    assert bounds(net) == {"a": 5, "b": 15}


def test_every_place_of_a_net_gets_its_own_bound() -> None:
    """One invariant bounds both, but the best one for each is another one."""
    net = place("a", 1) + place("b", 4) + place("c") + transition("t", {"a": 1, "b": 1}, {"c": 1})

    assert bounds(net) == {"a": 1, "b": 4, "c": 1}


def test_weights_are_tested_in_whole_numbers() -> None:
    text = plain(place("a", 5) + place("b") + transition("t", {"a": 2}, {"b": 1}))
    invariants = Subinvariants(read_net(Source("net.pnml", text), Diagnostics()))

    assert invariants.is_right((1, 2))
    assert not invariants.is_right((1, 3))
    assert not invariants.is_right((-1, -2))


def test_a_run_that_covers_itself_is_shown() -> None:
    net = place("a", 1) + place("b") + place("c")
    net += transition("begin", {"a": 1}, {"b": 1}) + transition("again", {"b": 1}, {"b": 1, "c": 2})
    found = load(Source("net.pnml", plain(net)), {})
    (diagnostic,) = found.diagnostics

    assert not found.tasks
    assert (diagnostic.code, diagnostic.message) == ("BUR215", "'c' can hold any number of tokens")
    assert [note.message for note in diagnostic.notes][:2] == [
        "from the first marking: begin",
        "again and again: again",
    ]


def test_a_transition_without_places_makes_a_net_unbounded() -> None:
    _, messages = loaded(place("a") + transition("t", {}, {"a": 1}))

    assert messages == ["'a' can hold any number of tokens"]


# A token goes round in a and b, and puts tokens into c whenever it does, but it is taken away after some rounds; that
# no marking covers another is not seen by weights, since d could be used up in another order.
DELICATE = (
    place("a", 1)
    + place("b")
    + place("c")
    + place("d", 1)
    + place("e")
    + transition("go", {"a": 1, "d": 1}, {"b": 1, "c": 3})
    + transition("back", {"b": 1, "e": 1}, {"a": 1, "d": 1})
    + transition("never", {"e": 2}, {"e": 3})
    + transition("some", {"c": 4}, {"e": 1})
)


def test_where_no_bound_is_known_there_is_a_limit() -> None:
    task, messages = loaded(DELICATE)
    assert task is not None, messages

    assert {v.name: v.domain.high for v in task.model.variables}["c"] == 511
    assert Study(task).count().fault is None


def test_a_limit_that_is_too_low_is_said_to_be_one() -> None:
    task, _ = loaded(DELICATE, Options({"most_tokens": 2}))
    assert task is not None
    fault = Study(task).count().fault

    assert fault is not None
    assert fault.fault is not None
    assert fault.fault.message == "'c' would hold more than 2 tokens: see --most-tokens"
    assert fault.fault.is_limit


def test_a_first_marking_beyond_the_limit_is_refused() -> None:
    _, messages = loaded(
        DELICATE.replace('<place id="c"><initialMarking><text>0', '<place id="c"><initialMarking><text>3'),
        Options({"most_tokens": 2}),
    )

    assert messages == ["'c' holds more than 2 tokens at first, and no bound is known"]


def test_flows_weigh_all_markings_alike() -> None:
    """Beside the arcs of random nets; most nets are made of parts, which flows find again."""
    met = 0
    for seed in range(300):
        chance = random.Random(f"flows {seed}")
        judged = random_net(chance)
        net = read_net(Source("net.pnml", pnml(judged, chance)), Diagnostics())
        places = [int(p.name.removeprefix("p")) for p in net.places]
        for weights in flows(net):
            totals = {sum(w * m[p] for w, p in zip(weights, places, strict=True)) for m in judged.after}

            assert len(totals) == 1, seed
            assert min(weights) >= 0 < max(weights), seed
            met += 1
    assert met > 500


def test_nets_too_large_for_linear_programming_have_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ring of processes with as many numbers has the cube of that of transitions."""
    monkeypatch.setattr(linear, "_MOST_CELLS", 0)
    found = load(Source("net.pnml", families.token_ring(6)), {})

    assert {v.domain.high for v in found.tasks[0].model.variables} == {1}


def test_elimination_that_takes_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("burnside.frontends.pnml.flows._MOST_WORK", 10)
    net = read_net(Source("net.pnml", families.token_ring(4)), Diagnostics())

    assert not list(flows(net))
