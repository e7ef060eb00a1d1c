"""Accepting cycles found in C, against the explicit product, and lassos against the definition of the logic."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from brute_force import state_graph
from burnside.explore.native.live import EventTest, LiveResult, Product, find_cycle
from burnside.explore.native.run import SearchOptions
from burnside.explore.result import Stop
from burnside.ir.cells import Cells, State
from burnside.ir.nodes import Model
from burnside.ir.semantics import Step, evaluate, fire, initial, instances
from burnside.ltl.translate import translate
from ltl_words import has_fair_cycle, random_formula, satisfies
from tiny_models import tiny_condition, tiny_model


class Runs:
    """The infinite runs of a tiny model, by the reference semantics: what holds in a step, and who takes it."""

    def __init__(self, model: Model, atoms: dict[str, object], *, fair: bool) -> None:
        self.cells = Cells(model)
        self.model = model
        self.atoms = atoms
        self.instances = [(rule, args) for rule in model.rules for args in instances(rule.parameters)]
        self.processes = [args[0] if args else None for _, args in self.instances] if fair else None

    def steps(self, state: State) -> list[tuple[int | None, State]]:
        """The instances that can fire, with the states they lead to; one that stays if there are none."""
        found: list[tuple[int | None, State]] = []
        for number, (rule, args) in enumerate(self.instances):
            outcome = fire(self.cells, rule, args, state)
            if isinstance(outcome, Step):
                found.append((number, outcome.state))
        return found or [(None, state)]

    def letter(self, state: State, number: int | None) -> frozenset[str]:
        """The atoms that hold in a state from which an instance is taken."""
        return frozenset(name for name, atom in self.atoms.items() if self._holds(atom, state, number))

    def _holds(self, atom: object, state: State, number: int | None) -> bool:
        if not isinstance(atom, EventTest):
            return bool(evaluate(self.cells, atom, state))  # type: ignore[arg-type]
        if number is None:
            return False
        rule, args = self.instances[number]
        names = {p.name: v for p, v in zip(rule.parameters, args, strict=True)}
        values = tuple(evaluate(self.cells, a, state, names) for a in rule.event.arguments)
        if rule.event.name != atom.name or (atom.arguments is not None and len(atom.arguments) != len(values)):
            return False
        return all(w in (None, v) for w, v in zip(atom.arguments or (), values, strict=False))

    def fair_marks(self, state: State, number: int | None) -> frozenset[int]:
        """The processes that are disabled, or act."""
        if self.processes is None:
            return frozenset()
        count = max((p + 1 for p in self.processes if p is not None), default=0)
        enabled = {self.processes[k] for k, _ in self.steps(state) if k is not None}
        acting = None if number is None else self.processes[number]
        return frozenset(p for p in range(count) if p not in enabled or p == acting)


def explicit_answer(runs: Runs, product: Product) -> bool:
    """Whether the product has an accepting cycle, on all of it."""
    automaton = product.automaton
    nodes: list[tuple[State, int]] = [(s, 0) for s in initial(runs.model)]
    starts = len(nodes)
    seen = set(nodes)
    edges = []
    for state, q in nodes:
        for number, after in runs.steps(state):
            letter = runs.letter(state, number)
            fair = {automaton.sets + p for p in runs.fair_marks(state, number)}
            for edge in automaton.edges[q]:
                if edge.reads(letter):
                    target = (after, edge.target)
                    edges.append(((state, q), target, edge.marks | fair))
                    if target not in seen:
                        seen.add(target)
                        nodes.append(target)
    count = 0 if runs.processes is None else max((p + 1 for p in runs.processes if p is not None), default=0)
    return any(has_fair_cycle(nodes, edges, start, automaton.sets + count) for start in nodes[:starts])


def check_lasso(runs: Runs, formula: object, found: LiveResult) -> None:
    """The lasso is a run of the model, satisfies the formula by definition, and is fair."""
    steps = [*found.stem, *found.loop]
    after = [*steps[1:], found.loop[0]]
    assert steps[0].state in set(initial(runs.model))
    for step, following in zip(steps, after, strict=True):
        assert (step.instance, following.state) in runs.steps(step.state)
    letters = [runs.letter(s.state, s.instance) for s in steps]
    assert satisfies(letters, len(found.stem), formula)  # type: ignore[arg-type]
    if runs.processes is not None:
        count = max((p + 1 for p in runs.processes if p is not None), default=0)
        assert frozenset().union(*(runs.fair_marks(s.state, s.instance) for s in found.loop)) == frozenset(range(count))


def check(seed: int, cache: Path) -> bool | None:
    """One model and one formula; the answer, or None for a model that faults."""
    model = tiny_model(seed)
    if any(() in t for t in state_graph(model).transitions):
        return None
    random = Random(seed)
    rule = random.choice(model.rules)
    event = EventTest(rule.event.name, tuple(random.choice((None, 0, 1)) for _ in rule.event.arguments))
    atoms = {"a": tiny_condition(random, model), "b": tiny_condition(random, model), "c": event}
    runs = Runs(model, dict(atoms), fair=seed % 2 == 1)
    formula = random_formula(random, 3)
    product = Product(model, translate(formula), atoms, runs.processes)
    found = find_cycle(product, options=SearchOptions(flags=("-O0", "-DBURNSIDE_BLOCK=4"), cache=cache))
    expected = explicit_answer(runs, product)
    assert (found.stop is Stop.DECIDED) == expected, seed
    assert found.stop in (Stop.DECIDED, Stop.COMPLETE), seed
    if expected:
        check_lasso(runs, formula, found)
    return expected


def test_cycles_are_found_exactly_where_there_are_some(tmp_path: Path) -> None:
    """On sixty models with a formula each, half of them under weak fairness."""
    answers = Counter(check(seed, tmp_path) for seed in range(75))

    assert answers[True] > 12
    assert answers[False] > 12


@pytest.mark.slow
@pytest.mark.parametrize("start", range(75, 2075, 200))
def test_cycles_are_found_exactly_where_there_are_some_at_length(start: int, tmp_path: Path) -> None:
    """On two thousand more."""
    for seed in range(start, start + 200):
        check(seed, tmp_path)
