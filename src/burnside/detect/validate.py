"""Validation: no generator is used before it has been tested against the model itself.

Independent of the graph: the generator is applied to states, and everything that can happen in a state
must happen in its image, renamed. Tested on many states through the constraints (transitions are enabled in
them on purpose); the constraints themselves are tested against ``ir/semantics.py`` on a random walk, and small
models also directly. The initial states and the requirements must be fixed as sets. Only this module makes
`Symmetry` values, and `kept`, which brings them back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from random import Random
from typing import final

from burnside.claims.requirements import Family
from burnside.detect.constrain import Constraints, GroundTransition
from burnside.detect.literals import Literals
from burnside.detect.masks import Mask, places
from burnside.detect.prune import Pruned
from burnside.detect.sample import (
    Outcomes,
    Renaming,
    States,
    differing,
    images_of,
    outcomes,
    renamed,
    sample_states,
    states_of,
)
from burnside.detect.symmetry import VALIDATED, Rejected, Symmetry
from burnside.groups import Perm, PermGroup
from burnside.groups.perm import compose, support
from burnside.ir.cells import State
from burnside.ir.instances import valuation_count
from burnside.ir.nodes import Rule
from burnside.ir.semantics import Fault, Outcome, Step, fire, successors
from burnside.ir.walk import expanded_size

_MOST_SAMPLES = 256
_SAMPLING_WORK = 100_000  # pairs of a state and a transition per generator
_MOST_ROWS = 8_192  # states that are evaluated at once
_SEED = 20130911
_START_WORK = 100_000  # values in states that start rules make, for one generator
_REFERENCE_WORK = 120_000  # nodes evaluated by the reference semantics, roughly half a microsecond each
_MOST_REFERENCE_STATES = 12
_MOST_ALONE = 16  # generators that are tested one by one
_LONGEST_WALK = 300
_MOST_STARTS = 16  # of walks
_MANY_VALUES = 4_096


def validate(
    constraints: Constraints,
    pruned: Pruned,
    literals: Literals,
    lifted: Mapping[Perm, tuple[int, ...]],
    order: int,
    checkpoint: Callable[[], None] = lambda: None,
) -> tuple[Symmetry, tuple[Rejected, ...]]:
    """The group of the generators that pass all tests; its order is recomputed if any fails.

    ``checkpoint`` is called between pieces of work; an exception that it raises ends the validation.
    """
    generators = tuple(lifted)
    if not generators:
        return Symmetry(literals, PermGroup(len(literals.points), ()), {}, VALIDATED), ()
    tests = _Tests(constraints, pruned, literals, checkpoint)
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
    def __init__(
        self, constraints: Constraints, pruned: Pruned, literals: Literals, checkpoint: Callable[[], None]
    ) -> None:
        self._checkpoint = checkpoint
        self._constraints = constraints
        self._literals = literals
        self._equal = pruned.equal.first
        self._values = [self._values_of(cell, pruned) for cell in range(len(constraints.cells.all))]
        self._random = Random(_SEED)
        count = max(24, min(_MOST_SAMPLES, _SAMPLING_WORK // (2 * max(1, len(constraints.transitions)))))
        rows = sample_states(constraints, self._values, pruned.transitions, self._random, count)
        self._states = self._identified(states_of(rows))
        starts = places(self._is_initial(self._states))[:_MOST_STARTS]
        self._starts = [tuple([rows[k][self._equal.get(cell, cell)] for cell in range(len(rows[k]))]) for k in starts]
        self._known_outcomes: dict[State, set[tuple[str, State | None]]] = {}

    def _identified(self, states: States) -> States:
        """States in which cells are equal that always are."""
        cells = range(len(states.columns))
        return States([states.columns[self._equal.get(cell, cell)] for cell in cells], states.many)

    def _values_of(self, cell: int, pruned: Pruned) -> Sequence[int]:
        taken = pruned.taken(cell)
        if taken is not None:
            return taken
        domain = self._constraints.cells.all[cell].domain
        return domain.low, domain.high, self._constraints.initial_values[cell][0]

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
        found = [tuple(range(len(generators[0])))] * _MOST_ALONE
        for perm in generators:
            chosen = self._random.choices((False, True), k=_MOST_ALONE)
            found = [compose(p, perm) if c else p for p, c in zip(found, chosen, strict=True)]
        return iter(found)

    def _failing(self, some: Sequence[tuple[Perm, Renaming]]) -> Iterator[Rejected]:
        at_once = max(1, _MOST_ROWS // self._states.many)
        for first in range(0, len(some), at_once):
            self._checkpoint()
            yield from self._failures_among(some[first : first + at_once])

    @cached_property
    def _here(self) -> Outcomes:
        return outcomes(self._constraints, self._states)

    def _failures_among(self, some: Sequence[tuple[Perm, Renaming]]) -> Iterator[Rejected]:
        size, renamings = self._states.many, [rename for _, rename in some]
        images = images_of(self._states, renamings)
        wrong = differing(renamed(self._here, renamings, size), outcomes(self._constraints, images))
        initial = self._is_initial(images)
        required = self._requirements_on(images)
        for k, (perm, rename) in enumerate(some):
            own = ((1 << size) - 1) << k * size
            if wrong & own:
                yield Rejected(perm, "it does not map transitions to transitions")
            elif not self._initial_fixed((initial & own) >> k * size, rename):
                yield Rejected(perm, "it does not fix the initial states")
            elif {(f, (c & own) >> k * size, (e & own) >> k * size) for f, c, e in required} != self._required:
                yield Rejected(perm, "it does not fix the properties")

    def _renaming(self, perm: Perm) -> Renaming | None:
        """The permutation as maps of cells and values, if it has that form."""
        literals = self._literals
        cells = list(range(len(self._values)))
        values: dict[int, dict[int, int]] = {}
        for cell in dict.fromkeys(literals.points[p][0] for p in support(perm)):
            points = literals.of_cell[cell]
            images = [literals.points[perm[p]] for p in points]
            targets = {target for target, _ in images}
            if len(targets) != 1:
                return None
            cells[cell] = targets.pop()
            if literals.points[points[0]][1] is None:
                continue
            values[cell] = {}
            for point, (_, value) in zip(points, images, strict=True):
                old = literals.points[point][1]
                if old is None or value is None:
                    return None
                values[cell][old] = value
        if sorted(cells) != list(range(len(cells))):
            return None
        return Renaming(cells, values)

    def _initial_fixed(self, images: Mask, rename: Renaming) -> bool:
        """Exact where start rules make not very many, or without conditions; with these, initial states and others must
        keep being what they are.
        """
        if self._constraints.starts:
            most = max(1, _START_WORK // max(1, len(self._values)))
            if not all(self._image(state, rename) in self._begun for state in islice(self._begun, most)):
                return False
        if self._constraints.initial_conditions:
            return self._is_initial(self._states) == images
        return all(self._keeps_initial_values(cell, rename) for cell in range(len(self._values)) if rename.moves(cell))

    @cached_property
    def _begun(self) -> dict[State, None]:
        """The states that start rules make, where cells that always are equal are one, in any order."""
        states = [tuple(s[self._equal.get(c, c)] for c in range(len(s))) for s in self._constraints.starts]
        return dict.fromkeys(self._random.sample(states, len(states)))

    def _image(self, state: State, rename: Renaming) -> State:
        image = [*state]
        for cell, value in enumerate(state):
            image[rename.cells[cell]] = rename.value(cell, value)
        return tuple(image[self._equal.get(c, c)] for c in range(len(image)))

    def _keeps_initial_values(self, cell: int, rename: Renaming) -> bool:
        here, there = (self._constraints.initial_values[c] for c in (cell, rename.cells[cell]))
        if len(here) > _MANY_VALUES:  # of cells that move as a whole
            return here == there
        return len(here) == len(there) and {rename.value(cell, value) for value in here} == set(there)

    def _is_initial(self, states: States) -> Mask:
        """Which states are initial."""
        together = self._constraints.terms.conjunction(self._constraints.initial_conditions)
        holds = states.evaluation.truth(together)
        for column, values in zip(states.columns, self._constraints.initial_values, strict=True):
            for value, mask in column.items():
                if value not in values:
                    holds &= ~mask
        return holds

    @cached_property
    def _required(self) -> set[tuple[Family, Mask, Mask]]:
        return self._requirements_on(self._states)

    def _requirements_on(self, states: States) -> set[tuple[Family, Mask, Mask]]:
        """Where the requirements hold and where they fault.

        Members of a family may be exchanged, and equal members are one: sets are compared.
        """
        truth = states.evaluation.truth
        return {(r.family, truth(r.condition), truth(r.fault)) for r in self._constraints.requirements}

    # ------------------------------------------------------------ reference semantics

    def translation_fails(self) -> bool:
        """Whether the constraints say something else than ``ir/semantics.py`` on a random walk of rule instances, or
        cells differ there that should be equal.
        """
        walk = self._walked
        if not walk:
            return False
        states = states_of([state for state, _, _ in walk])
        if any(states.columns[cell] != states.columns[first] for cell, first in self._equal.items()):
            return True
        evaluation = states.evaluation
        of_instance: dict[tuple[str, tuple[int, ...]], list[GroundTransition]] = {}
        for transition in self._constraints.transitions:
            of_instance.setdefault((transition.rule, transition.arguments), []).append(transition)
        for row, (state, instance, outcome) in enumerate(walk):
            found: list[State | None] = []
            for transition in of_instance.get(instance, ()):
                if evaluation.truth(transition.guard) >> row & 1:
                    changes = {c: evaluation.at(row, t) for c, t in transition.updates}
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
            self._checkpoint()
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
            self._checkpoint()
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
