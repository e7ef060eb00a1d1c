"""Who acts in a step does not depend on when a composition begins: at once, as a network, or after an event."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator
from typing import Any

import pytest

from burnside.frontends.cspsharp import load
from burnside.ir.initial import initial
from burnside.ir.nodes import Model
from burnside.ir.processes import processes_of
from burnside.ir.semantics import Step, is_terminal, successors
from burnside.source import Source, render
from process_algebra import interpreter, transitions

PARALLEL = ("|||", "||")
MOST_STATES = 400


def model_of(text: str) -> Model:
    """A model of a text without mistakes."""
    tasks, diagnostics, _ = load(Source("model.csp", text), {})
    assert tasks, text + "\n".join(map(render, diagnostics))
    return tasks[0].model


def leaves(term: tuple[Any, ...], path: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """The places of the components of a network, in order."""
    if term[0] in PARALLEL:
        for k, part in enumerate(term[1:]):
            yield from leaves(part, (*path, k))
    elif term[0] == "hide" and term[1][0] in (*PARALLEL, "hide"):
        yield from leaves(term[1], path)
    else:
        yield path


def place_of(name: str, components: list[tuple[int, ...]]) -> str:
    """Where in the whole term someone is, from a name such as ``part 1.0 of process 2``."""
    part, _, owner = name.removeprefix("part ").rpartition(" of ")
    number = int(owner.removeprefix("process ")) if owner.startswith("process ") else 0
    below = [int(k) for k in part.split(".")] if part else []
    return ".".join(map(str, [*components[number], *below]))


def system_of(model: Model, components: list[tuple[int, ...]]) -> transitions.System | None:
    """All that a model does, each step with the places of those who act; None if it is too large."""
    found = processes_of(model)
    names = transitions.actor_names(found)
    acting = dict(zip((r.name for r in model.rules), found.acting, strict=True))
    pending = list(initial(model))
    starts, seen, edges = frozenset(pending), {*pending}, set()
    while pending:
        state = pending.pop()
        for step in successors(model, state):
            assert isinstance(step, Step), step
            who = sorted(place_of(names[k], components) for k in acting[step.rule.name])
            # No infinite run has an end: who acts there is not told exactly.
            label = f"{'.'.join(step.event)} by {' '.join(who)}" if step.event != ("terminate",) else "terminate"
            edges.add((state, label, step.state))
            if step.state not in seen:
                seen.add(step.state)
                pending.append(step.state)
        if len(seen) > MOST_STATES:
            return None
    return transitions.System(starts, frozenset(edges), frozenset(s for s in seen if is_terminal(model, s)))


def after(system: transitions.System, label: str) -> transitions.System:
    """The same system after its only first step."""
    targets: set[Hashable] = {b for a, _, b in system.transitions if a in system.starts}
    assert {x for a, x, _ in system.transitions if a in system.starts} == {label}
    rest = frozenset(t for t in system.transitions if t[0] not in system.starts)
    return transitions.System(frozenset(targets), rest, system.terminal)


def check(seed: int) -> bool:
    """One random composition; False if it is too large to be compared."""
    chance = random.Random(seed)
    maker = interpreter.Maker(chance, [])
    parts = [maker.term(chance.randint(1, 4), tail=False) for _ in range(chance.randint(2, 3))]
    term = (chance.choice(PARALLEL), *parts)
    text = interpreter.text_of(term)
    declarations = interpreter.declarations_of({})
    network = system_of(model_of(f"{declarations}Root() = {text};\n"), list(leaves(term)))
    inside = system_of(model_of(f"{declarations}Root() = go -> {text};\n"), [()])
    if network is None or inside is None:
        return False

    assert transitions.are_bisimilar(network, after(inside, "go by ")), text
    return True


@pytest.mark.parametrize("first", range(0, 90, 30))
def test_a_network_and_a_term_agree_on_who_acts(first: int) -> None:
    """Strongly bisimilar, those who act being part of what is seen."""
    assert sum(check(seed) for seed in range(first, first + 30)) >= 20


@pytest.mark.slow
def test_many_networks_and_terms_agree_on_who_acts() -> None:
    """The same for a thousand."""
    assert sum(check(seed) for seed in range(1_000, 2_000)) >= 700
