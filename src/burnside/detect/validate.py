"""Validation: no generator is used before it has been tested against the model itself.

Independent of the graph: the generator is applied to states, and everything that can happen in a state
must happen in its image, renamed. Tested on many states through the constraints (transitions are enabled in
them on purpose); the constraints themselves are tested against ``ir/semantics.py`` on a random walk, and small
models also directly. The initial states and the requirements must be fixed as sets. Only this module makes
`Symmetry` values, and `kept`, which brings them back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from random import Random
from typing import final

import numpy as np
import numpy.typing as npt

from burnside.claims.requirements import Family
from burnside.detect.arrays import Numbers
from burnside.detect.constrain import Constraints, GroundTransition
from burnside.detect.literals import Literals
from burnside.detect.prune import Pruned
from burnside.detect.sample import Outcomes, Renaming, condition_vector, evaluation_on, outcomes, sample_states, spread
from burnside.detect.symmetry import VALIDATED, Rejected, Symmetry
from burnside.detect.terms import Term
from burnside.groups import Perm, PermGroup
from burnside.groups.perm import support
from burnside.ir.cells import State
from burnside.ir.instances import valuation_count
from burnside.ir.nodes import Rule
from burnside.ir.semantics import Fault, Outcome, Step, fire, successors
from burnside.ir.walk import expanded_size

_MOST_SAMPLES = 256
_SAMPLING_WORK = 100_000  # pairs of a state and a transition per generator
_MOST_ROWS = 8_192  # states that are evaluated at once
_SEED = 20130911
_REFERENCE_WORK = 120_000  # nodes evaluated by the reference semantics, roughly half a microsecond each
_MOST_REFERENCE_STATES = 12
_MOST_ALONE = 16  # generators that are tested one by one
_LONGEST_WALK = 300


def validate(
    constraints: Constraints, pruned: Pruned, literals: Literals, lifted: Mapping[Perm, tuple[int, ...]], order: int
) -> tuple[Symmetry, tuple[Rejected, ...]]:
    """The group of the generators that pass all tests; its order is recomputed if any fails."""
    generators = tuple(lifted)
    if not generators:
        return Symmetry(literals, PermGroup(len(literals.points), ()), {}, VALIDATED), ()
    tests = _Tests(constraints, pruned, literals)
    if tests.translation_fails():
        rejected = [Rejected(g, "the constraints do not say what the model says") for g in generators]
    else:
        rejected = [*tests.failures(generators)]
        rejected += tests.reference_failures([g for g in generators if all(g != r.generator for r in rejected)])
    bad = {r.generator for r in rejected}
    kept = tuple(g for g in generators if g not in bad)
    group = PermGroup(len(literals.points), kept, None if rejected else order)
    return Symmetry(literals, group, {g: lifted[g] for g in kept}, VALIDATED), tuple(rejected)


@final
class _Tests:
    def __init__(self, constraints: Constraints, pruned: Pruned, literals: Literals) -> None:
        self._constraints = constraints
        self._literals = literals
        self._equal = pruned.equal.first
        self._values = [self._values_of(cell, pruned) for cell in range(len(constraints.cells.all))]
        self._random = Random(_SEED)
        count = max(24, min(_MOST_SAMPLES, _SAMPLING_WORK // (2 * max(1, len(constraints.transitions)))))
        self._states = sample_states(constraints, self._values, pruned.transitions, self._random, count)
        for cell, first in self._equal.items():
            self._states[:, cell] = self._states[:, first]
        starts = self._states[self._is_initial(self._states)]
        self._starts: list[State] = [tuple(row) for row in starts[:16].tolist()]
        names = sorted({(t.event, t.faults) for t in constraints.transitions})
        self._events = {name: k for k, name in enumerate(names)}
        self._known_outcomes: dict[State, set[tuple[str, State | None]]] = {}

    def _values_of(self, cell: int, pruned: Pruned) -> Numbers:
        taken = pruned.taken(cell)
        if taken is not None:
            return taken
        domain = self._constraints.cells.all[cell].domain
        return np.asarray([domain.low, domain.high, self._constraints.initial_values[cell][0]], dtype=np.int64)

    def failures(self, generators: Sequence[Perm]) -> Iterator[Rejected]:
        """Generators that fail on the sampled states, each with the reason."""
        renamings = [(g, self._renaming(g)) for g in generators]
        yield from (Rejected(g, "it splits the literals of a cell") for g, r in renamings if r is None)
        usable = [(g, r) for g, r in renamings if r is not None]
        failed = None
        if len(usable) > _MOST_ALONE:
            products = ((p, self._renaming(p)) for p in self._products([g for g, _ in usable]))
            failed = next(self._failing([(p, r) for p, r in products if r is not None]), None)
            if failed is None:
                return
        rejected = [*self._failing(usable)]
        if failed is not None and not rejected:  # somebody is wrong, and nobody knows who
            rejected = [Rejected(g, failed.reason) for g, _ in usable]
        yield from rejected

    def _products(self, generators: Sequence[Perm]) -> Iterator[Perm]:
        """Products of about half of the generators each.

        Symmetries are a group: if one of the generators is none, then a product is none in every second case at least,
        since one that is a symmetry without it is none with it. A few products say as much as very many generators.
        """
        found = np.tile(np.arange(len(generators[0])), (_MOST_ALONE, 1))
        for perm in generators:
            chosen = np.asarray(self._random.choices((False, True), k=_MOST_ALONE))
            found[chosen] = np.asarray(perm)[found[chosen]]
        return map(tuple, found.tolist())

    def _failing(self, some: Sequence[tuple[Perm, Renaming]]) -> Iterator[Rejected]:
        at_once = max(1, _MOST_ROWS // len(self._states))
        for first in range(0, len(some), at_once):
            yield from self._failures_among(some[first : first + at_once], self._here)

    @cached_property
    def _here(self) -> Outcomes:
        return outcomes(self._constraints, self._states, self._events)

    def _failures_among(self, some: Sequence[tuple[Perm, Renaming]], here: Outcomes) -> Iterator[Rejected]:
        """The images under several generators in one matrix: evaluating a transition costs as much per call as per
        state.
        """
        images = [r.apply(self._states) for _, r in some]
        there = outcomes(self._constraints, np.concatenate(images), self._events).signatures(None)
        for k, (perm, rename) in enumerate(some):
            size = len(self._states)
            same = here.signatures(rename) == there[k * size : (k + 1) * size]
            if not same.all():
                yield Rejected(perm, "it does not map transitions to transitions")
            elif not self._initial_fixed(images[k], rename):
                yield Rejected(perm, "it does not fix the initial states")
            elif not self._requirements_fixed(images[k]):
                yield Rejected(perm, "it does not fix the properties")

    def _renaming(self, perm: Perm) -> Renaming | None:
        """The permutation as maps of cells and values, if it has that form."""
        literals = self._literals
        places = self._constraints.cells.all
        cells = list(range(len(places)))
        values = [*self._domains]
        for cell in dict.fromkeys(literals.points[p][0] for p in support(perm)):
            points = literals.of_cell[cell]
            images = [literals.points[perm[p]] for p in points]
            targets = {target for target, _ in images}
            if len(targets) != 1:
                return None
            cells[cell] = targets.pop()
            if literals.points[points[0]][1] is None:
                continue
            values[cell] = values[cell].copy()
            for point, (_, value) in zip(points, images, strict=True):
                old = literals.points[point][1]
                if old is None or value is None:
                    return None
                values[cell][old - places[cell].domain.low] = value
        if sorted(cells) != list(range(len(places))):
            return None
        return Renaming(cells, values, [c.domain.low for c in places])

    @cached_property
    def _domains(self) -> list[Numbers]:
        """The values of every cell; none of those that are not renamed."""
        domains = (c.domain for c in self._constraints.cells.all)
        return [np.arange(d.low, d.high + 1) if d.size <= 4096 else _NOTHING for d in domains]

    def _initial_fixed(self, images: Numbers, rename: Renaming) -> bool:
        """Exact without further conditions; with them, initial states and others must keep being what they are."""
        constraints = self._constraints
        if constraints.initial_conditions:
            return bool((self._is_initial(self._states) == self._is_initial(images)).all())
        for cell, target in enumerate(rename.cells.tolist()):
            is_large = not len(self._domains[cell])
            if is_large and constraints.initial_values[cell] != constraints.initial_values[target]:
                return False
        cells, values = self._initial_literals
        moved = zip(rename.cells[cells].tolist(), rename.values(cells, values).tolist(), strict=True)
        return set(moved) == set(zip(cells.tolist(), values.tolist(), strict=True))

    @cached_property
    def _initial_literals(self) -> tuple[Numbers, Numbers]:
        """The cells and values that initial states can have."""
        initial = [(c, v) for c, v in enumerate(self._constraints.initial_values) if len(self._domains[c])]
        cells = np.repeat([c for c, _ in initial], [len(v) for _, v in initial]).astype(np.int64)
        return cells, np.asarray([value for _, v in initial for value in v], dtype=np.int64)

    def _is_initial(self, states: Numbers) -> npt.NDArray[np.bool_]:
        together = self._constraints.terms.conjunction(self._constraints.initial_conditions)
        holds = condition_vector(states, together).copy()
        for cell, values in enumerate(self._constraints.initial_values):
            if isinstance(values, range):
                holds &= (states[:, cell] >= values[0]) & (states[:, cell] <= values[-1])
            else:
                holds &= np.isin(states[:, cell], values)
        return holds

    def _requirements_fixed(self, images: Numbers) -> bool:
        """Members of a family may be exchanged, and equal members are one: sets of vectors are compared."""
        return self._required == self._vectors(images)

    @cached_property
    def _required(self) -> set[tuple[Family, bytes, bytes]]:
        return self._vectors(self._states)

    def _vectors(self, states: Numbers) -> set[tuple[Family, bytes, bytes]]:
        """Where the requirements hold and where they fault."""
        evaluation = evaluation_on(states)

        def vector(term: Term) -> bytes:
            return spread(evaluation.truth(term), len(states)).tobytes()

        return {(r.family, vector(r.condition), vector(r.fault)) for r in self._constraints.requirements}

    # ------------------------------------------------------------ reference semantics

    def translation_fails(self) -> bool:
        """Whether the constraints say something else than ``ir/semantics.py`` on a random walk of rule instances, or
        cells differ there that should be equal.
        """
        walk = self._walked
        if not walk:
            return False
        states = np.asarray([state for state, _, _ in walk], dtype=np.int64)
        if any((states[:, cell] != states[:, first]).any() for cell, first in self._equal.items()):
            return True
        evaluation, rows = evaluation_on(states), len(walk)
        of_instance: dict[tuple[str, tuple[int, ...]], list[GroundTransition]] = {}
        for transition in self._constraints.transitions:
            of_instance.setdefault((transition.rule, transition.arguments), []).append(transition)
        for row, (state, instance, outcome) in enumerate(walk):
            found: list[State | None] = []
            for transition in of_instance.get(instance, ()):
                if spread(evaluation.truth(transition.guard), rows)[row]:
                    changes = {c: int(spread(evaluation.value(t), rows)[row]) for c, t in transition.updates}
                    after = tuple(changes.get(c, v) for c, v in enumerate(state))
                    found.append(None if transition.faults else after)
            expected = [] if outcome is None else [None if isinstance(outcome, Fault) else outcome.state]
            if found != expected:
                return True
        return False

    @cached_property
    def _walked(self) -> list[tuple[State, tuple[str, tuple[int, ...]], Outcome | None]]:
        return [*islice(self._walk(), _LONGEST_WALK)]

    def _walk(self) -> Iterator[tuple[State, tuple[str, tuple[int, ...]], Outcome | None]]:
        """Random rule instances tried one after the other from an initial state: state, instance, outcome."""
        model, cells = self._constraints.cells.model, self._constraints.cells
        opaque = [part.part for part in self._constraints.opaque]
        rules = [r for r in model.rules if r not in opaque]
        starts = self._starts
        costs = [*map(_cost, rules)]
        budget = _REFERENCE_WORK
        while starts and rules and budget > 0:
            state = self._random.choice(starts)
            for _ in range(64):
                k = self._random.randrange(len(rules))
                arguments = tuple(self._random.randint(p.domain.low, p.domain.high) for p in rules[k].parameters)
                outcome = fire(cells, rules[k], arguments, state)
                yield state, (rules[k].name, arguments), outcome
                state = outcome.state if isinstance(outcome, Step) else state
                budget -= costs[k]

    def reference_failures(self, generators: Sequence[Perm]) -> Iterator[Rejected]:
        """Generators that do not commute with ``ir/semantics.py`` on states it reaches, where that is cheap enough."""
        model = self._constraints.cells.model
        cost = sum(valuation_count(r.parameters) * _cost(r) for r in model.rules)
        affordable = _REFERENCE_WORK // max(1, 2 * cost * max(1, len(generators)))
        states = list(dict.fromkeys(state for state, _, _ in self._walked))
        known = [(state, self._outcomes(state)) for state in states[: min(_MOST_REFERENCE_STATES, affordable)]]
        for perm in generators:
            if not all(self._commutes(perm, *o) for o in known):
                yield Rejected(perm, "the reference semantics disagrees")

    def _outcomes(self, state: State) -> set[tuple[str, State | None]]:
        """What can happen in a state, as a set: rules with one effect are one transition."""
        if state not in self._known_outcomes:  # images of samples are often samples
            found = successors(self._constraints.cells.model, state)
            happens = {(_event_name(o), None if isinstance(o, Fault) else o.state) for o in found}
            self._known_outcomes[state] = happens
        return self._known_outcomes[state]

    def _commutes(self, perm: Perm, state: State, outcomes: set[tuple[str, State | None]]) -> bool:
        image, follow = self._literals.apply(perm, state), self._literals.follow
        expected = {(event, None if after is None else follow(perm, state, image, after)) for event, after in outcomes}
        return expected == self._outcomes(image)


def _cost(rule: Rule) -> int:
    """How many nodes the reference semantics could evaluate while it tries a rule."""
    return expanded_size(rule.guard) + 20


def _event_name(outcome: Step | Fault) -> str:
    assert outcome.rule is not None
    return outcome.rule.event.name


_NOTHING: Numbers = np.zeros(0, dtype=np.int64)
