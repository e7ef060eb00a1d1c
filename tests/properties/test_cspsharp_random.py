"""The front end and a direct interpreter of the step rules agree on random terms, up to strong bisimulation."""

from __future__ import annotations

import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType

import pytest

from burnside.frontends.cspsharp import load
from burnside.source import Source, render

PACKAGE = Path(__file__).parents[1] / "unit" / "cspsharp"


def _module(name: str) -> ModuleType:
    """A module beside the unit tests, which are no installed package."""
    full = f"cspsharp_tests.{name}"
    if full not in sys.modules:
        if "cspsharp_tests" not in sys.modules:
            package = ModuleType("cspsharp_tests")
            package.__path__ = [str(PACKAGE)]
            sys.modules["cspsharp_tests"] = package
        spec = importlib.util.spec_from_file_location(full, PACKAGE / f"{name}.py")
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[full] = module
        spec.loader.exec_module(module)
    return sys.modules[full]


transitions, interpreter = _module("transitions"), _module("interpreter")


def check(seed: int) -> bool:
    """One random model; False if it is too large to be compared."""
    chance = random.Random(seed)
    names = ["A", "B"][: chance.randint(0, 2)]
    maker = interpreter.Maker(chance, names)
    definitions = {n: ("pre", chance.choice("abc"), maker.term(chance.randint(1, 4), tail=True)) for n in names}
    root = maker.term(chance.randint(2, 9), tail=True)
    expected = interpreter.Interpreter(definitions).system(root)
    if expected is None:
        return False
    processes = "".join(f"{n}() = {interpreter.text_of(t)};\n" for n, t in definitions.items())
    text = (
        f"var x:{{0..1}};\nvar y:{{0..1}};\nchannel h 0;\nchannel q {interpreter.ROOM};\n{processes}"
        f"Root() = {interpreter.text_of(root)};\n#assert Root() deadlockfree;\n"
    )
    model, diagnostics = load(Source(f"seed {seed}", text), {})
    assert model is not None, text + "\n".join(map(render, diagnostics))

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
