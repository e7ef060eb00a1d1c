"""Generated C as a reader and a strict compiler see it: no warnings, indented, every rule instance numbered."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest
from runtime_models import WARNINGS

from burnside.claims.kinds import Fairness
from burnside.claims.members import Member, about_states
from burnside.detect.run import Symmetries
from burnside.explore.native.emit import OF_THE_SEARCH, Emission, Emitted, emit
from burnside.explore.native.live import Product, emit_product
from burnside.explore.native.toolchain import RUNTIME
from burnside.frontends import seq
from burnside.ir.processes import processes_of
from burnside.live.observe import ground_atoms
from burnside.live.quotient import FamilySymmetry
from burnside.ltl.formula import negation
from burnside.ltl.translate import translate
from burnside.reduce.symmetry.plan import EXACT, plan_action
from burnside.source import Source
from support.literal_actions import disguise, random_shape
from support.strategies import seeded_task

EXAMPLES = Path(__file__).parents[4] / "examples"
needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")


def check(emitted: Emitted) -> None:
    """A strict compiler has nothing to say."""
    command = ["cc", "-std=gnu11", "-pthread", *WARNINGS, "-fsyntax-only", "-I", str(RUNTIME), "-x", "c", "-"]
    for text in (emitted.program.model, emitted.program.search):
        result = subprocess.run(command, input=text, capture_output=True, text=True, check=False)

        assert not result.stderr, result.stderr[:4000]


def load(path: str, **constants: int):
    """An example."""
    (task,), _, _ = seq.load(Source(path, (EXAMPLES / path).read_text()), constants)
    return task


@needs_compiler
@pytest.mark.parametrize("seed", range(2000, 2020))
def test_checkers_of_random_models_compile_without_warnings(seed):
    """With and without properties, explored and passed over."""
    task = seeded_task(seed)
    check(emit(task.model, about_states(task.members) if seed % 2 else ()))
    check(Emission(task.model).emit({"LABELS": "LABELS_ON_REQUEST"}, "passes.h"))


@needs_compiler
@pytest.mark.parametrize("seed", range(8))
def test_every_strategy_compiles_without_warnings(seed):
    """Special ones left out one by one, and local search."""
    random = Random(seed)
    shape = disguise(random, random_shape(random))
    plans = [plan_action(shape.action, without=EXACT[:skipped]) for skipped in range(len(EXACT))]
    for reduction in (*plans, plan_action(shape.action, multi=True)):
        check(emit(shape.model, (), (reduction,)))


@needs_compiler
@pytest.mark.parametrize("fairness", Fairness)
@pytest.mark.parametrize("name", ["passed_token", "switched_light"])
def test_products_compile_without_warnings(name, fairness):
    """Under every kind of fairness, on a quotient and without."""
    task = load(f"liveness/{name}.seq")
    model, (claim,) = task.model, task.claims
    atoms = ground_atoms(model, Member(claim))
    processes = processes_of(model) if fairness.has_units else None
    symmetries = FamilySymmetry(model, processes, [atoms], Symmetries)
    reduction = symmetries.quotient(symmetries.orbits[0]).reduction
    assert reduction is not None
    for reductions in ((), (reduction,)):
        automaton = translate(negation(claim.formula))
        check(emit_product(Product(model, automaton, atoms, fairness, processes, reductions)))


def test_rules_are_indented_and_numbered():
    """Three philosophers: five rules for each of them, and no name of the model."""
    text = emit(load("zhang2013/dining_philosophers.seq", N=3).model, ()).program.model
    rules = text[text.index("static word *rules0") : text.index("\nword *successors")]

    numbers = re.findall(r"^    /\* rule (\d), instance (\d) \*/$", rules, re.MULTILINE)
    assert numbers == [(str(rule), str(instance)) for rule in range(5) for instance in range(3)]
    depth = 0
    for line in filter(None, rules.splitlines()):
        depth -= line.lstrip().startswith("}")
        assert len(line) - len(line.lstrip()) == 4 * depth, line
        depth += line.endswith("{")


def test_every_setting_is_known_to_searches_or_forbidden_in_them():
    """One that is forgotten would be read, without a word, as the default of ``config.h``."""
    config, facts = ((RUNTIME / name).read_text() for name in ("config.h", "facts.h"))
    settings = re.findall(r"^#ifndef (?!BURNSIDE_)(\w+)", config, re.MULTILINE)
    read = re.findall(r"^#define (\w+) .*\bfacts\.", facts, re.MULTILINE)
    forbidden = " ".join(re.findall(r"^#pragma GCC poison (.*)$", config, re.MULTILINE)).split()
    known = [*OF_THE_SEARCH, *read, *forbidden]

    assert {*settings, "AUTOMATON_SHIFT", "AUTOMATON_MASK"} == {*known}
    assert len(known) == len({*known})
