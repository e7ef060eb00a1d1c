"""Claims about infinite runs, decided on the model or on its quotient.

A claim is decided by searching the product of the model and an automaton for its negation [VardiWolper86]. Only
symmetries that keep every atom of the formula may be used for the quotient. The members of a family that symmetries
exchange stand or fall together: one of them is searched. What is found is lifted to a run of the model and verified by
the reference semantics (``live/semantics.py``).

Fairness is decided within the search: ``explore/native/live.py`` says how (marks of the automaton, or fair components),
and ``runtime/fair.h`` what a fair component is, also where symmetries rename the processes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Final, Protocol, assert_never, final

from burnside.claims.kinds import Atom, EventTest, Fairness, InfiniteRuns, Reachable, StateClaim
from burnside.claims.members import Member
from burnside.claims.requirements import Family, Required, Subject
from burnside.decide.modes import FEW, TOO_LATE, Mode, orders_unused, unsuitable
from burnside.decide.workbench import Workbench
from burnside.explore.native import run as native
from burnside.explore.native.live import MOST_MARKS, LiveResult, Product, find_cycle
from burnside.explore.orders import Orders
from burnside.explore.replay import step_taken
from burnside.ir import build
from burnside.ir.cells import Cells
from burnside.ir.nodes import Model
from burnside.ir.processes import Processes, events_of, processes_of, with_fixed_events
from burnside.ir.semantics import Step
from burnside.limits import LimitReached
from burnside.live.observe import ground_atoms
from burnside.live.semantics import RunSemantics
from burnside.ltl.automaton import Automaton
from burnside.ltl.formula import Formula, negation
from burnside.ltl.spot import is_installed, translate_by_spot
from burnside.ltl.translate import TooLarge, translate
from burnside.reduce.reduction import SelfTestError
from burnside.results.exploration import Exploration, Stop
from burnside.results.findings import CountReport, RunsFinding, Verdict
from burnside.results.reductions import PartialOrderUsed, SymmetryUsed
from burnside.results.runs import Lasso
from burnside.results.trace import Trace
from burnside.source import Diagnostic, ModelError, Note
from burnside.values import dataclass, replace

if TYPE_CHECKING:  # exploring a model should not wait for the libraries that detection needs
    from burnside.live.quotient import RunsQuotient
    from burnside.reduce.partial_order.reduction import PartialOrderReduction

_TRIED: Final = 20_000  # states of a product with partial order
_LARGE: Final = 10  # times as many states as are few: below, all of them are found sooner than partial order is ready
_MOST_FOLLOWED: Final = 1_000  # each has a cell, and its rules are written out for detection
_TOO_MANY: Final = f"fairness is about more than {_MOST_FOLLOWED:,} processes or events, too many to follow"
_UNCERTAIN: Final = "under global fairness, the quotient does not decide this formula"


@final
@dataclass(frozen=True, slots=True)
class Decided:
    """What was found about a claim: whether it holds (None if a limit came first), and a run that violates it.

    ``model`` is the model that was searched, whose rule instances the run numbers. ``decided_by`` is another member, if
    this one follows from it by symmetry.
    """

    member: Member[InfiniteRuns]
    model: Model
    holds: bool | None
    exploration: Exploration
    symmetry: SymmetryUsed
    run: Lasso | None = None
    fairness: Fairness = Fairness.NONE
    decided_by: Member[InfiniteRuns] | None = None
    orders: PartialOrderUsed | None = None


def decide(
    bench: Workbench, claim: InfiniteRuns, members: Sequence[Member[InfiniteRuns]], mode: Mode
) -> tuple[RunsFinding, ...] | None:
    """What was found about some members of a claim; None if the model or a condition of the formula faults."""
    decided = decide_members(bench, claim, members, mode)
    if any(d.exploration.stop is Stop.FAULT for d in decided):
        return None
    return tuple(_finding(bench, d) for d in decided)


def decide_members(
    bench: Workbench, claim: InfiniteRuns, members: Sequence[Member[InfiniteRuns]], mode: Mode
) -> tuple[Decided, ...]:
    """The same before it is put into findings; the fairness of the claim may be another one than that of the members.

    A limit that is reached before or between searches leaves them open, and what is known of other claims known.
    """
    try:
        return _Decider(bench, claim).decide(members, mode)
    except LimitReached as limit:
        nothing = Exploration(Stop(limit.limit), 0, 0, 0, 0, 0)
        used = SymmetryUsed(reason=str(limit))
        return tuple(Decided(m, bench.model, None, nothing, used, None, claim.fairness) for m in members)


def _finding(bench: Workbench, found: Decided) -> RunsFinding:
    trace, loop = (None, None) if found.run is None else trace_of(found.model, found.run)
    used = found.symmetry, None, found.orders
    search = CountReport(bench.model, found.exploration, *used, simplification=bench.simplification)
    return RunsFinding(found.member, Verdict.of(found.holds), found.fairness, trace, loop, search, found.decided_by)


class _Search(Protocol):
    """A search of a product for a claim, perhaps of fewer states than the options allow."""

    def __call__(self, member: Member[InfiniteRuns], product: Product, states: int | None = None) -> Decided: ...


@final
class _Decider:
    def __init__(self, bench: Workbench, claim: InfiniteRuns) -> None:
        self._bench = bench
        self._model = with_fixed_events(bench.model) if claim.fairness.is_of_events else bench.model
        self._claim = claim
        self._fairness = claim.fairness
        self._violation = negation(claim.formula)
        self._options = bench.options

    @cached_property
    def _automaton(self) -> Automaton:
        return violations(self._claim)

    @cached_property
    def _processes(self) -> Processes | None:
        if not self._fairness.has_units:
            return None
        return events_of(self._model) if self._fairness.is_of_events else processes_of(self._model)

    def decide(self, members: Sequence[Member[InfiniteRuns]], mode: Mode) -> tuple[Decided, ...]:
        match mode:
            case Mode.ADAPTIVE:
                raise unsuitable("claims about infinite runs are not checked adaptively", "use --symmetry auto")
            case Mode.NONE:
                return tuple(map(self._plain, members))
            case Mode.AUTO:
                return (len(members) == 1 and self._quickly(members[0])) or self._reduced(members)
            case Mode.UNIQUE | Mode.MULTI:
                return self._reduced(members, multi=mode is Mode.MULTI)
            case _:
                assert_never(mode)

    def _quickly(self, member: Member[InfiniteRuns]) -> tuple[Decided, ...]:
        """What is found, if few states are enough to find it; or if the user allows no more of them.

        Not if partial order is asked for, and possible.
        """
        obstacle = self._obstacle(ground_atoms(self._model, member))
        if self._options.partial_order is Orders.ON and not obstacle:
            return ()
        first = self._plain(member, native.FEW_STATES)
        is_limited = self._options.states is not None and first.exploration.states >= self._options.states
        if first.exploration.stop is Stop.STATES and not is_limited:
            return ()
        orders = orders_unused(self._options.partial_order, obstacle or FEW)
        return (replace(first, symmetry=SymmetryUsed(reason=FEW), orders=orders),)

    # ------------------------------------------------------------ one claim

    def _plain(self, member: Member[InfiniteRuns], states: int | None = None) -> Decided:
        """Search without symmetry, perhaps fewer states than the options allow."""
        atoms = ground_atoms(self._model, member)
        product = Product(self._model, self._automaton, atoms, self._fairness, self._processes)
        if states is not None:
            return self._searched(member, product, states)
        return self._in_some_orders(member, product, self._searched)

    def _searched(self, member: Member[InfiniteRuns], product: Product, states: int | None = None) -> Decided:
        found = find_cycle(product, options=self._limited(states), watch=self._bench.watch)
        run = None
        if found.exploration.stop is Stop.DECIDED:
            run = Lasso((*found.stem, *found.loop), len(found.stem)).tidied()
            self._verify(run, product.atoms)
        return self._decided(member, found, SymmetryUsed(), run)

    def _limited(self, states: int | None) -> native.SearchOptions:
        limits = [n for n in (states, self._options.states) if n is not None]
        return replace(self._options, states=min(limits, default=None))

    # ------------------------------------------------------------ with partial order

    def _in_some_orders(self, member: Member[InfiniteRuns], product: Product, search: _Search) -> Decided:
        """Search with partial order where that is possible; of itself only if there are many states without it, and few
        with it.
        """
        orders = self._options.partial_order
        if orders is Orders.OFF:
            return search(member, product)
        obstacle = self._obstacle(product.atoms)
        if orders is Orders.AUTO and not obstacle:
            first = search(member, product, _LARGE * native.FEW_STATES)
            if first.exploration.stop is not Stop.STATES:
                reason = FEW if first.exploration.states < native.FEW_STATES else TOO_LATE
                return replace(first, orders=orders_unused(orders, reason))
        reduction = obstacle or self._reduction(product)
        if isinstance(reduction, str):
            return replace(search(member, product), orders=orders_unused(orders, reduction))
        reduced = replace(product, reductions=(*product.reductions, reduction))
        found = search(member, reduced, _TRIED if orders is Orders.AUTO else None)
        if orders is Orders.AUTO and (found.exploration.stop is Stop.STATES or (found.run and reduction.may_fault)):
            reason = f"more than {_TRIED:,} states are left, or something may fault"
            return replace(search(member, product), orders=orders_unused(orders, reason))
        used = PartialOrderUsed(reduction.reason, len(reduction.sets.steps), keeps_distances=False)
        found = replace(found, orders=used)
        return self._confirmed(found) if found.holds and found.exploration.plain is None else found

    def _obstacle(self, atoms: Mapping[str, Atom]) -> str:
        """Why a claim does not allow partial order, if it does not."""
        if self._fairness is not Fairness.NONE:
            return "fairness is about all steps that can be taken"
        if self._violation.has_next:
            return "a formula with X counts steps"
        if any(isinstance(atom, EventTest) for atom in atoms.values()):
            return "a formula with events tells their orders apart"
        return ""

    def _reduction(self, product: Product) -> PartialOrderReduction | str:
        from burnside.reduce.partial_order.plan import Unsuited, plan_runs

        conditions = [(name, atom) for name, atom in product.atoms.items() if not isinstance(atom, EventTest)]
        required = [Required(Family(Subject.ATOM, (name,)), atom, {}) for name, atom in conditions]
        constraints, pruned = self._bench.symmetries(self._model).constrained(required)
        try:
            return plan_runs(constraints, pruned, range(len(required)), by_kind=bool(product.reductions))
        except Unsuited as reason:
            return str(reason)

    def _verify(self, run: Lasso, atoms: Mapping[str, Atom]) -> None:
        RunSemantics(self._model, atoms, self._processes).verify(run, self._violation, self._fairness)

    def _decided(
        self, member: Member[InfiniteRuns], found: LiveResult, symmetry: SymmetryUsed, run: Lasso | None
    ) -> Decided:
        holds = {Stop.DECIDED: False, Stop.COMPLETE: True}.get(found.exploration.stop)
        return Decided(member, self._model, holds, found.exploration, symmetry, run, self._fairness)

    # ------------------------------------------------------------ with symmetry

    def _reduced(self, members: Sequence[Member[InfiniteRuns]], *, multi: bool = False) -> tuple[Decided, ...]:
        from burnside.live.quotient import FamilySymmetry

        if self._processes and len(self._processes.units) > _MOST_FOLLOWED:
            return tuple(replace(self._plain(m), symmetry=SymmetryUsed(reason=_TOO_MANY)) for m in members)
        every = [ground_atoms(self._model, member) for member in members]
        family = FamilySymmetry(self._model, self._processes, every, self._bench.symmetries)
        decided: dict[int, Decided] = {}
        for orbit in family.orbits:
            # Under global fairness a state must be the same representative whenever it is visited: the steps that are
            # taken from it are counted there.
            quotient = family.quotient(orbit, multi=multi, unique=self._fairness is Fairness.GLOBAL)
            first = self._on_quotient(quotient, members[orbit.first], every[orbit.first])
            decided[orbit.first] = first
            for other, element in orbit.others.items():
                run = first.run and family.image(first.run, element, every[orbit.first], every[other])
                if run is not None:
                    self._verify(run, every[other])
                decided[other] = replace(first, member=members[other], run=run, decided_by=members[orbit.first])
        return tuple(decided[k] for k in range(len(members)))

    def _on_quotient(self, quotient: RunsQuotient, member: Member[InfiniteRuns], atoms: Mapping[str, Atom]) -> Decided:
        """Search the quotient by the symmetries that keep a claim."""
        if quotient.reduction is None:
            return replace(self._plain(member), symmetry=SymmetryUsed(reason=quotient.reason))
        reductions = (quotient.reduction,)
        product = Product(self._model, self._automaton, atoms, self._fairness, quotient.processes, reductions)

        def search(member: Member[InfiniteRuns], product: Product, states: int | None = None) -> Decided:
            found = find_cycle(product, options=self._limited(states), watch=self._bench.watch)
            if not found.is_certain:
                return replace(self._plain(member), symmetry=SymmetryUsed(reason=_UNCERTAIN))
            run = None
            if found.exploration.stop is Stop.DECIDED:
                run = quotient.lifted(self._model, atoms, found.stem, found.loop).tidied()
                self._verify(run, atoms)
            decided = self._decided(member, found, _used(quotient), run)
            return self._confirmed(decided) if decided.holds else decided

        return self._in_some_orders(member, product, search)

    def _confirmed(self, found: Decided) -> Decided:
        """The same, if the search without reductions does not find a run that violates the claim: that is asked for, or
        there are few states.
        """
        is_asked = self._options.verify
        if not is_asked and found.exploration.states > native.FEW_REPRESENTATIVES:
            return found
        atoms = ground_atoms(self._model, found.member)
        product = Product(self._model, self._automaton, atoms, self._fairness, self._processes)
        plain = self._searched(found.member, product, None if is_asked else native.SOON_CONFIRMED)
        if plain.holds is False:
            raise SelfTestError("the search without reductions finds something else")
        if plain.holds is None and not is_asked:
            return found
        return replace(found, exploration=replace(found.exploration, plain=plain.exploration))


def _used(quotient: RunsQuotient) -> SymmetryUsed:
    from burnside.decide.quotient import symmetry_used

    assert quotient.reduction is not None
    return symmetry_used(quotient.reduction, quotient.order, quotient.full_order // quotient.order)


def violations(claim: InfiniteRuns) -> Automaton:
    """An automaton for the words that violate a formula."""
    found = smallest_automaton(negation(claim.formula))
    if found is None:
        message = f"the automaton for '{claim.name}' is too large"
        notes = (Note("split the formula into several claims", "help"),)
        raise ModelError([Diagnostic("BUR502", message, claim.span, notes=notes)])
    return found


def smallest_automaton(formula: Formula) -> Automaton | None:
    """An automaton for the words that satisfy a formula: our own, or Spot's if it is installed and smaller.

    None if it would be too large.
    """
    found: list[Automaton] = []
    with suppress(TooLarge):
        found.append(translate(formula))
    if is_installed() and not (found and len(found[0]) <= 2):
        found.append(translate_by_spot(formula))
    usable = [a for a in found if a.sets <= MOST_MARKS]
    return min(usable, key=lambda a: (len(a), sum(map(len, a.edges))), default=None)


def fault_conditions(model: Model, members: Sequence[Member[InfiniteRuns]]) -> tuple[Member[StateClaim], ...]:
    """Claims that are never decided, but evaluate every condition of some formulas in every state."""
    found: list[Member[StateClaim]] = []
    for member in members:
        for name, atom in ground_atoms(model, member).items():
            if not isinstance(atom, EventTest):
                both = build.conjunction((atom, build.negation(atom)))
                found.append(Member(Reachable(f"{member.name}: {name}", both)))
    return tuple(found)


def trace_of(model: Model, run: Lasso) -> tuple[Trace, int]:
    """A run as a trace, and the number of steps before those that repeat; all of them if the run ends."""
    cells = Cells(model)
    steps = []
    semantics = RunSemantics(model, {}, None)
    for moment, _ in run.steps():
        if moment.instance is not None:
            outcome = semantics.fire(moment.instance, moment.state)
            assert isinstance(outcome, Step)
            steps.append(step_taken(cells, moment.state, outcome))
    return Trace(run.moments[0].state, tuple(steps)), min(run.back, len(steps))
