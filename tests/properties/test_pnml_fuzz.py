"""Whatever the text, the front end for nets gives a model or diagnostics with codes, never a traceback."""

from __future__ import annotations

import random
import re

import pytest

from burnside.claims.printer import print_task
from burnside.frontends.kit.options import NO_OPTIONS, Options
from burnside.frontends.loading import load as load_file
from burnside.frontends.pnml import load
from burnside.frontends.seq import load as load_seq
from burnside.resources import resource_directory
from burnside.source import Source, render
from fuzz.texts import FORMULAS, PNML

PHILOSOPHERS = resource_directory("examples") / "nets" / "philosophers_5.pnml"


def rearranged(text: str, chance: random.Random) -> str:
    """A text with values of attributes in other places, or with elements that are gone, doubled or elsewhere."""
    parts = re.split(r'(<[^/>]*/>|"[^"]*")', text)
    for _ in range(chance.randint(1, 3)):
        one, other = (chance.randrange(1, len(parts), 2) for _ in range(2))
        match chance.randrange(3):
            case 0 if parts[one][:1] == parts[other][:1]:
                parts[one] = parts[other]
            case 1 if parts[one].startswith("<"):
                parts[one] *= chance.choice((0, 2))
            case _ if parts[one].startswith('"'):
                parts[one] = chance.choice(('""', '"0"', '"-1"', '"99999"', '"&#233;"'))
    return "".join(parts)


def check(seed: int) -> bool:
    """One mutated net, or mutated formulas; what comes out must be what the ``.seq`` language can express."""
    chance = random.Random(seed)
    formulas = rearranged(chance.choice(FORMULAS.texts), chance) if seed % 8 else FORMULAS.text(chance)
    text, options = PHILOSOPHERS.read_text(), Options({"formulas": Source("seed", formulas)})
    if seed % 4:
        options = NO_OPTIONS
        text = rearranged(chance.choice(PNML.texts), chance) if seed % 4 == 1 else PNML.text(chance)
    tasks, diagnostics, _ = load(Source(f"seed {seed}", text), {}, options)

    assert (not tasks) == diagnostics.has_errors
    assert all(render(d) for d in diagnostics)
    for task in tasks:
        again, complaints, _ = load_seq(Source("printed", print_task(task)), {})
        assert list(complaints) == []
        assert [t.model for t in again] == [task.model]
    return bool(tasks)


@pytest.mark.parametrize("first", range(0, 400, 100))
def test_mutated_texts_end_in_diagnostics_or_a_model(first: int) -> None:
    for seed in range(first, first + 100):
        check(seed)


@pytest.mark.slow
def test_many_mutated_texts_end_in_diagnostics_or_a_model() -> None:
    assert sum(map(check, range(1_000, 3_000))) > 200


def test_what_is_mutated_is_right_in_the_first_place() -> None:
    assert load_file(PHILOSOPHERS).model.rules
    assert all(load(Source("net", text), {}).tasks for text in PNML.texts)
