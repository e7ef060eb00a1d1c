"""Warnings about random models are true, by an interpreter that shares no code with the tool."""

from __future__ import annotations

from collections import Counter

import pytest

from burnside.frontends.seq import load
from burnside.lint.run import warnings_about
from burnside.source import Diagnostic, Source
from oracle.dead import model_with_dead
from oracle.interpreter import State
from oracle.language import Model, text_of
from oracle.space import Space


@pytest.mark.parametrize("start", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in range(100, 4_000, 100))])
def test_what_is_warned_about_is_true(start: int) -> None:
    """Of all reachable states; what the interpreter does not see, such as labels in a text, is left to other tests."""
    found: Counter[str] = Counter()
    for seed in range(start, start + 100):
        model, _ = model_with_dead(seed)
        tasks = load(Source("model.seq", text_of(model)), {}).tasks
        for warning in warnings_about(tasks):
            found[warning.code] += 1
            assert is_true(warning, model), (seed, warning.code, warning.message)

    assert found.keys() >= {"BUR701", "BUR702", "BUR703", "BUR705"}


def is_true(warning: Diagnostic, model: Model) -> bool:
    """Whether a warning is about something that no state contradicts."""
    space = Space(model, 1_000)
    name = warning.message.split("'", 1)[-1].rsplit("'", 1)[0]
    match warning.code:
        case "BUR702":
            return all(
                is_kept(space, name, source, step.target) for source in space.steps for step in space.steps[source]
            )
        case "BUR703":
            return name not in {step.rule.name for steps in space.steps.values() for step in steps}  # it may fault
        case "BUR705":
            claims = [claim for claim in space.claims if claim.family.name == name]
            return all(not space.judged(claim)[0] for claim in claims)
        case _:
            return True


def is_kept(space: Space, name: str, before: State, after: State) -> bool:
    """Whether a step keeps the values of a variable."""
    first, second = ([content for _, content, v in space.elements(s) if v.name == name] for s in (before, after))
    return first == second
