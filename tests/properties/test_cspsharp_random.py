"""The front end and a direct interpreter of the step rules agree on random terms, up to strong bisimulation."""

from __future__ import annotations

import random

import pytest

from burnside.frontends.cspsharp import load
from burnside.source import Source, render
from process_algebra import interpreter, transitions


def check(seed: int) -> bool:
    """One random model; False if it is too large to be compared."""
    chance = random.Random(seed)
    maker = interpreter.Maker(chance, interpreter.names_of(chance))
    definitions = maker.definitions()
    root = maker.term(chance.randint(2, 9), tail=True)
    expected = interpreter.Interpreter(definitions).system(root)
    if expected is None:
        return False
    declarations = interpreter.declarations_of(definitions)
    text = f"{declarations}Root() = {interpreter.text_of(root)};\n#assert Root() deadlockfree;\n"
    tasks, diagnostics, _ = load(Source(f"seed {seed}", text), {})
    assert tasks, text + "\n".join(map(render, diagnostics))
    model = tasks[0].model

    actual = transitions.system_of(model)

    assert transitions.are_bisimilar(expected, actual), text
    return True


@pytest.mark.parametrize("first", range(0, 120, 40))
def test_random_terms_do_what_the_rules_say(first: int) -> None:
    """The compiled model and the interpreter are strongly bisimilar."""
    assert sum(check(seed) for seed in range(first, first + 40)) >= 30


@pytest.mark.slow
def test_many_random_terms_do_what_the_rules_say() -> None:
    """The same for a thousand and more."""
    assert sum(check(seed) for seed in range(1_000, 2_500)) >= 1_000
