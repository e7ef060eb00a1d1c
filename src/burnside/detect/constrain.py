"""The model as a constraint satisfaction problem: old and next variables, and constraints between them.

This is the key step of [ZhangEtAl13], kept visible as a value of its own. Every rule instance becomes one
or more *ground transitions*: a guard over old cells, and per cell that changes the term of its next value
(the net effect of the whole program). Where an index depends on the state, the instance is split by the
value of one cell at a time. What would fault becomes a ground transition of its own, marked as such, so
that it is never confused with a guard that is false.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from math import prod
from typing import final

from burnside.claims.requirements import Family, Required, Subject
from burnside.detect.execution import Execution
from burnside.detect.symbolic import Evaluator, Result, Split, Store, narrowest
from burnside.detect.terms import DEEPEST_TERM, Term, Terms, TooLarge
from burnside.ir.cells import Cells, State
from burnside.ir.initial import Started, first_values, given_values, started
from burnside.ir.instances import instances_of_rule, valuation_count
from burnside.ir.nodes import Expr, Model, Rule
from burnside.ir.semantics import FaultRaised
from burnside.ir.simplify import GroundRule, Simplifier
from burnside.ir.uses import elements_used, variables_read
from burnside.source import Span
from burnside.values import dataclass

MOST_CASES = 4096
MOST_INSTANCES = 200_000
MOST_STARTING = 100_000  # values that start rules give to cells, in all initial states
_DEEPEST_CONDITION = DEEPEST_TERM - 2  # it is joined with others later


@final
@dataclass(frozen=True, slots=True)
class GroundTransition:
    """A guard and the next values of the cells that change; ``faults`` marks an outcome that is not a transition."""

    event: str
    rule: str
    arguments: tuple[int, ...]
    guard: Term
    updates: tuple[tuple[int, Term], ...]
    faults: bool = False


@final
@dataclass(frozen=True, slots=True)
class Requirement:
    """A condition that a symmetry must keep, with where it cannot be evaluated; members of one family may be exchanged,
    both at once.
    """

    family: Family
    condition: Term
    fault: Term


@final
@dataclass(frozen=True)
class OpaquePart:
    """A rule or a condition that is too large to be written out, the cells it may touch, and where that shows."""

    part: Rule | Family
    cells: frozenset[int]
    span: Span | None

    @property
    def text(self) -> str:
        """The part in words."""
        return f"rule '{self.part.name}'" if isinstance(self.part, Rule) else str(self.part)


@final
@dataclass(frozen=True)
class Constraints:
    """The whole problem.

    The first requirements are those asked for, in order; behind them may stand the faults of conditions on initial
    states. ``opaque`` are parts too large to be written out: symmetries must fix all they may touch.
    """

    cells: Cells
    terms: Terms
    transitions: tuple[GroundTransition, ...]
    initial_values: tuple[Sequence[int], ...]
    initial_conditions: tuple[Term, ...]
    requirements: tuple[Requirement, ...]
    opaque: tuple[OpaquePart, ...] = ()
    starts: tuple[State, ...] = ()  # the initial states, if start rules make them

    @cached_property
    def opaque_cells(self) -> frozenset[int]:
        """The cells that parts which could not be written out may touch."""
        return frozenset().union(*(part.cells for part in self.opaque))

    def text(self) -> str:
        """The constraints in the user's names: what ``--dump`` writes."""
        names = {k: cell.name for k, cell in enumerate(self.cells.all)}
        lines = ["variables"]
        lines += [f"  {c.name}: {c.domain.low}..{c.domain.high}" for c in self.cells.all]
        lines.append("initially")
        for k, values in enumerate(self.initial_values):
            shown = f"{values[0]}..{values[-1]}" if isinstance(values, range) else ", ".join(map(str, values))
            lines.append(f"  {names[k]} in {{{shown}}}")
        lines += [f"  {t.text(names)}" for t in self.initial_conditions]
        lines.append("transitions")
        lines += [line for t in self.transitions for line in _transition_lines(t, names)]
        lines += [f"opaque: {part.text}" for part in self.opaque]
        for r in self.requirements:
            fault = "" if r.fault.is_constant and not r.fault.value else f", faults: {r.fault.text(names)}"
            lines.append(f"requirement {r.family}: {r.condition.text(names)}{fault}")
        return "\n".join(lines) + "\n"


def _transition_lines(transition: GroundTransition, names: Mapping[int, str]) -> Iterator[str]:
    arguments = ", ".join(map(str, transition.arguments))
    kind = "fault of " if transition.faults else ""
    yield f"  {kind}{transition.rule}({arguments}) as {transition.event}"
    yield f"    when {transition.guard.text(names)}"
    for cell, term in transition.updates:
        yield f"    {names[cell]}' = {term.text(names)}"


def constrain(
    model: Model,
    requirements: Sequence[Required] = (),
    checkpoint: Callable[[], None] | None = None,
) -> Constraints:
    """The constraints of a checked model; ``checkpoint`` is called after each rule."""
    return ModelConstraints(model, checkpoint).with_requirements(requirements)


@final
class ModelConstraints:
    """The ground transitions of a model, found once, to which conditions can be added that symmetries must keep."""

    def __init__(self, model: Model, checkpoint: Callable[[], None] | None = None, begins: Model | None = None) -> None:
        """A model with unknowns behind its variables ``begins`` with what start rules make of the others."""
        self._model = model
        self._cells = Cells(model)
        self._terms = Terms(c.domain for c in self._cells.all)
        self._evaluator = Evaluator(self._cells, self._terms)
        # No unrolling here: the evaluator remembers what does not depend on the instance.
        self._simplifier = Simplifier(model, unroll=0)
        self._begins = begins or model
        first = first_values(self._begins)
        self._initial_values = (*first, *given_values(model)[len(first) :])
        self._cases_left = MOST_CASES
        # Of one rule: a guard, kept so that ids stay unique, with its result or the cell that an index depends on.
        self._guards: dict[Hashable, tuple[Expr, Result | int]] = {}
        self._transitions: list[GroundTransition] = []
        self._opaque_rules: list[OpaquePart] = []
        self._opaque: list[OpaquePart] = []
        for rule in model.rules:
            try:
                self._transitions += [*self._rule(rule)]  # all of them, or none
            except TooLarge as reason:
                used = {name for name, _ in elements_used(rule)}
                self._opaque_rules.append(OpaquePart(rule, self._cells_of(used), reason.span or rule.span))
            if checkpoint is not None:
                checkpoint()

    def with_requirements(self, requirements: Sequence[Required]) -> Constraints:
        """The constraints, with these conditions to be kept."""
        self._opaque = [*self._opaque_rules]
        kept = [Requirement(family, *self._condition(family, expr, names)) for family, expr, names in requirements]
        initially, fault = self._initially()
        kept += self._of_candidates(fault)
        return Constraints(
            cells=self._cells,
            terms=self._terms,
            transitions=tuple(self._transitions),
            initial_values=self._initial_values,
            initial_conditions=initially,
            requirements=tuple(kept),
            opaque=tuple(self._opaque),
            starts=_started(self._begins),
        )

    def _cells_of(self, variables: Set[str]) -> frozenset[int]:
        return frozenset(k for k, cell in enumerate(self._cells.all) if cell.variable.name in variables)

    # ------------------------------------------------------------ rules

    def _rule(self, rule: Rule) -> Iterator[GroundTransition]:
        if valuation_count(rule.parameters) > MOST_INSTANCES:
            raise TooLarge
        self._evaluator.start_part()
        self._guards.clear()
        for instance in self._simplifier.ground(instances_of_rule(rule)):
            self._cases_left = MOST_CASES
            yield from self._cases(instance, {})

    def _cases(self, instance: GroundRule, fixed: Mapping[int, int]) -> Iterator[GroundTransition]:
        """The instance for given values of some cells; what depends on one more cell, or is too large, splits it
        further.
        """
        try:
            yield from list(self._instance(instance, fixed))
            return
        except (Split, TooLarge) as obstacle:
            split, values = self._split(obstacle)
        for value in values:
            yield from self._cases(instance, {**fixed, split: value})

    def _split(self, obstacle: Split | TooLarge) -> tuple[int, range]:
        """A cell and its values to be distinguished, if that helps and there is room for so many cases."""
        if isinstance(obstacle, TooLarge) and not obstacle.support:
            raise obstacle
        cell = obstacle.cell if isinstance(obstacle, Split) else narrowest(self._cells, obstacle.support)
        values = self._cells.all[cell].domain.values()
        self._cases_left -= len(values)
        if self._cases_left < 0:
            raise TooLarge(span=obstacle.span if isinstance(obstacle, TooLarge) else None)
        return cell, values

    def _instance(self, instance: GroundRule, fixed: Mapping[int, int]) -> Iterator[GroundTransition]:
        terms = self._terms
        known = {cell: terms.constant(value) for cell, value in fixed.items()}
        before = Store(dict(known))
        guard, guard_fault = self._guard(instance.guard, before)
        if guard is terms.false and guard_fault is terms.false:
            return
        fault = terms.false
        updates: dict[int, Term] = {}
        if guard is not terms.false:
            for argument in instance.event:
                fault = self._evaluator.either(fault, self._evaluator.evaluate(argument, before).fault)
            execution = Execution(self._evaluator, before)
            execution.run(instance.body)
            fault = self._evaluator.either(fault, execution.fault)
            updates = {c: t for c, t in execution.store.cells.items() if t is not known.get(c, terms.cell(c))}
        here = terms.conjunction(terms.equal(terms.cell(c), v) for c, v in known.items())
        fault = terms.disjunction((guard_fault, terms.conjunction((guard, fault))))
        possible = terms.conjunction((here, guard, terms.negation(fault)))
        if possible is not terms.false:
            yield _ground(instance, possible, tuple(sorted(updates.items())))
        if fault is not terms.false:
            yield _ground(instance, terms.conjunction((here, fault)), (), faults=True)

    def _guard(self, guard: Expr, before: Store) -> Result:
        """A guard where some cells are known: instances that differ only in what they do share it."""
        key = (id(guard), *before.cells.items())
        if key not in self._guards:
            try:
                self._guards[key] = guard, self._evaluator.evaluate(guard, before)
            except Split as split:
                self._guards[key] = guard, split.cell
        found = self._guards[key][1]
        if isinstance(found, int):
            raise Split(found)
        return found

    # ------------------------------------------------------------ conditions

    def _condition(self, family: Family, expr: Expr, names: Mapping[str, int]) -> Result:
        """Where a condition holds, and where it cannot be evaluated: symmetries must keep both."""
        self._cases_left = MOST_CASES
        self._evaluator.start_part()
        try:
            found = self._expand(expr, {n: self._terms.constant(v) for n, v in names.items()}, {})
            span = expr.span
        except TooLarge as reason:
            found, span = None, reason.span or expr.span
        if found is not None and max(found.value.depth, found.fault.depth) <= _DEEPEST_CONDITION:
            return found
        self._opaque.append(OpaquePart(family, self._cells_of(variables_read(expr)), span))
        return Result(self._terms.true, self._terms.false)

    def _initially(self) -> tuple[tuple[Term, ...], Term]:
        """The conditions on initial states, and where one of them faults.

        They are evaluated in order until one is false, so a fault counts only where all before it hold: symmetries may
        exchange conditions, but not the order in which they stand.
        """
        if self._model.starts:
            return self._of_starts(), self._terms.false
        values: list[Term] = []
        faults: list[Term] = []
        for expr in self._model.initially:
            value, fault = self._condition(Family(Subject.INITIALLY), expr, {})
            faults.append(self._terms.conjunction((*values, fault)))
            values.append(value)
        return tuple(values), self._terms.disjunction(faults)

    def _of_starts(self) -> tuple[Term, ...]:
        """What the states that start rules make have in common, beside the values of single cells: each is one of them.

        Where one faults no other counts, and nothing is to be kept.
        """
        terms, states = self._terms, _started(self._begins)
        if not states:
            return (terms.false,)
        varying = Started(states).varying
        if prod(len(self._initial_values[cell]) for cell in varying) == len(states):
            return ()
        if len(states) * len(varying) > MOST_STARTING:
            span = self._begins.starts[0].span
            self._opaque.append(OpaquePart(Family(Subject.INITIALLY), frozenset(varying), span))
            return ()
        return (
            terms.disjunction(
                terms.conjunction(terms.equal(terms.cell(c), terms.constant(state[c])) for c in varying)
                for state in states
            ),
        )

    def _of_candidates(self, fault: Term) -> Iterator[Requirement]:
        """What is kept of states with initial values, on which the conditions are evaluated: where one faults; all of
        them, if one could not be written out. There may be no initial state among them that would keep them.
        """
        terms, family = self._terms, Family(Subject.INITIALLY)
        candidates = terms.conjunction(
            terms.disjunction(terms.equal(terms.cell(cell), terms.constant(v)) for v in values)
            for cell, values in enumerate(self._initial_values)
            if len(values) < self._cells.all[cell].domain.size
        )
        faulty = terms.conjunction((candidates, fault))
        condition = candidates if any(part.part == family for part in self._opaque) else terms.true
        if not (condition.is_constant and faulty.is_constant):
            yield Requirement(family, condition, faulty)

    def _expand(self, expr: Expr, names: Mapping[str, Term], fixed: Mapping[int, Term]) -> Result:
        terms = self._terms
        try:
            value, fault = self._evaluator.evaluate(expr, Store(dict(fixed), dict(names)))
            return Result(terms.conjunction((value, terms.negation(fault))), fault)
        except (Split, TooLarge) as obstacle:
            cell, numbers = self._split(obstacle)
        values, faults = [], []
        for number in numbers:
            constant = terms.constant(number)
            here = terms.equal(terms.cell(cell), constant)
            value, fault = self._expand(expr, names, {**fixed, cell: constant})
            values.append(terms.conjunction((here, value)))
            faults.append(terms.conjunction((here, fault)))
        return Result(terms.disjunction(values), terms.disjunction(faults))


def _started(model: Model) -> tuple[State, ...]:
    """The states that start rules make; none if one faults, which ends every search."""
    try:
        found = started(model)
    except FaultRaised:
        return ()
    return found.states if found is not None else ()


def _ground(
    instance: GroundRule, guard: Term, updates: tuple[tuple[int, Term], ...], *, faults: bool = False
) -> GroundTransition:
    rule = instance.rule
    return GroundTransition(rule.event.name, rule.name, instance.arguments, guard, updates, faults)
