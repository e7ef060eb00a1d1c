"""Deciding claims about infinite runs, on the model or on its quotient.

A claim is decided by searching the product of the model and an automaton for its negation [VardiWolper86]. On the
quotient only symmetries may be used that keep every atom of the formula. Under fairness the processes are followed
through the renamings, see ``live/fairness.py``. The members of a family that symmetries exchange stand or fall
together: one of them is searched. What is found is lifted to a run of the model and verified by the reference
semantics.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, final

from burnside.explore.claims import Claim
from burnside.explore.native import run as native
from burnside.explore.native.live import MOST_MARKS, LiveResult, Product, find_cycle
from burnside.explore.result import Exploration, Stop
from burnside.explore.trace import Trace, step_taken
from burnside.ir.cells import Cells
from burnside.ir.nodes import Logic, Model, Property, PropertyKind, Unary
from burnside.ir.processes import Processes, events_of, processes_of, with_fixed_events
from burnside.ir.semantics import Step
from burnside.ir.temporal import Atom, EventTest, Fairness, Temporal, TemporalClaim
from burnside.limits import LimitReached
from burnside.live.observe import ground_atoms
from burnside.live.run import Lasso, Meaning
from burnside.ltl.automaton import Automaton
from burnside.ltl.formula import Formula, negation
from burnside.ltl.spot import is_installed, translate_by_spot
from burnside.ltl.translate import TooLarge, translate
from burnside.reduce.reduction import SelfTestError
from burnside.report.values import Symmetry
from burnside.source import Diagnostic, ModelError, Note

if TYPE_CHECKING:  # exploring a model should not wait for the libraries that detection needs
    from burnside.live.quotient import Quotient


@final
@dataclass(frozen=True, slots=True)
class Answer:
    """What was found about a claim: whether it holds (None if a limit came first), and a run that violates it.

    ``model`` is the model that was searched, whose rule instances the run numbers. ``decided_by`` is another claim, if
    this one follows from it by symmetry.
    """

    claim: TemporalClaim
    model: Model
    holds: bool | None
    exploration: Exploration
    symmetry: Symmetry
    run: Lasso | None = None
    fairness: Fairness = Fairness.NONE
    decided_by: TemporalClaim | None = None


def decide(
    model: Model,
    family: Temporal,
    claims: Sequence[TemporalClaim],
    symmetry: str,
    options: native.SearchOptions,
    watch: native.Watcher | None,
) -> tuple[Answer, ...]:
    """Decide some members of a family; the time is for all of them.

    A limit that is reached before or between searches leaves them open, and what is known of other claims known.
    """
    try:
        return _Decider(model, family, options, watch).decide(claims, symmetry)
    except LimitReached as limit:
        nothing = Exploration(Stop(limit.limit), 0, 0, 0, 0, 0, ())
        reason = Symmetry(reason=str(limit))
        return tuple(Answer(c, model, None, nothing, reason, None, family.fairness) for c in claims)


_UNCERTAIN = "under global fairness, the quotient does not decide this formula"


@final
class _Decider:
    def __init__(
        self, model: Model, family: Temporal, options: native.SearchOptions, watch: native.Watcher | None
    ) -> None:
        self._model = with_fixed_events(model) if family.fairness.is_of_events else model
        self._family = family
        self._fairness = family.fairness
        self._violation = negation(family.formula)
        self._options = options
        self._watch = watch
        self._end = None if options.seconds is None else time.perf_counter() + options.seconds

    @cached_property
    def _automaton(self) -> Automaton:
        return violations(self._family)

    @cached_property
    def _processes(self) -> Processes | None:
        if not self._fairness.has_units:
            return None
        return events_of(self._model) if self._fairness.is_of_events else processes_of(self._model)

    def decide(self, claims: Sequence[TemporalClaim], symmetry: str) -> tuple[Answer, ...]:
        if symmetry == "adaptive":
            message = "claims about infinite runs are not checked adaptively"
            raise ModelError([Diagnostic("BUR902", message, notes=(Note("use --symmetry auto", "help"),))])
        if symmetry == "none":
            return tuple(self._plain(claim) for claim in claims)
        if symmetry == "auto" and len(claims) == 1:
            first = self._plain(claims[0], native.FEW_STATES)
            if first.exploration.stop is not Stop.STATES or self._is_limited(first):
                reason = f"fewer than {native.FEW_STATES:,} states: it would not pay"
                return (replace(first, symmetry=Symmetry(reason=reason)),)
        return self._reduced(claims, multi=symmetry == "multi")

    def _is_limited(self, answer: Answer) -> bool:
        """Whether the user's own limit of states was reached."""
        return self._options.states is not None and answer.exploration.states >= self._options.states

    # ------------------------------------------------------------ one claim

    def _left(self, states: int | None = None) -> native.SearchOptions:
        """The options, with the time that is left, and perhaps fewer states."""
        options = self._options
        if self._end is not None:
            options = replace(options, seconds=max(0.001, self._end - time.perf_counter()))
        limits = [n for n in (states, options.states) if n is not None]
        return replace(options, states=min(limits) if limits else None)

    def _plain(self, claim: TemporalClaim, states: int | None = None) -> Answer:
        atoms = ground_atoms(self._model, claim)
        product = Product(self._model, self._automaton, atoms, self._fairness, self._processes)
        found = find_cycle(product, options=self._left(states), watch=self._watch)
        run = None
        if found.exploration.stop is Stop.DECIDED:
            run = Lasso((*found.stem, *found.loop), len(found.stem)).tidied()
            Meaning(self._model, atoms, self._processes).verify(run, self._violation, self._fairness)
        return self._answer(claim, found, Symmetry(), run)

    def _answer(self, claim: TemporalClaim, found: LiveResult, symmetry: Symmetry, run: Lasso | None) -> Answer:
        holds = {Stop.DECIDED: False, Stop.COMPLETE: True}.get(found.exploration.stop)
        return Answer(claim, self._model, holds, found.exploration, symmetry, run, self._fairness)

    # ------------------------------------------------------------ with symmetry

    def _reduced(self, claims: Sequence[TemporalClaim], *, multi: bool) -> tuple[Answer, ...]:
        from burnside.live.quotient import FamilySymmetry

        every = [ground_atoms(self._model, claim) for claim in claims]
        found = FamilySymmetry(self._model, self._processes, every)
        answers: dict[int, Answer] = {}
        for share in found.shares:
            # Under global fairness a state must be the same representative whenever it is visited: the steps that are
            # taken from it are counted there.
            quotient = found.quotient(share, multi=multi, unique=self._fairness is Fairness.GLOBAL)
            first = self._on_quotient(quotient, claims[share.first], every[share.first])
            answers[share.first] = first
            for other, element in share.others.items():
                run = first.run and found.carried(first.run, element, every[share.first], every[other])
                if run is not None:
                    Meaning(self._model, every[other], self._processes).verify(run, self._violation, self._fairness)
                answers[other] = replace(first, claim=claims[other], run=run, decided_by=claims[share.first])
        return tuple(answers[k] for k in range(len(claims)))

    def _on_quotient(self, quotient: Quotient, claim: TemporalClaim, atoms: Mapping[str, Atom]) -> Answer:
        """Search the quotient by the symmetries that keep a claim."""
        if quotient.reduction is None:
            return replace(self._plain(claim), symmetry=Symmetry(reason=quotient.reason))
        product = Product(
            self._model, self._automaton, atoms, self._fairness, quotient.processes, (quotient.reduction,)
        )
        found = find_cycle(product, options=self._left(), watch=self._watch)
        if not found.is_certain:
            return replace(self._plain(claim), symmetry=Symmetry(reason=_UNCERTAIN))
        run = None
        if found.exploration.stop is Stop.DECIDED:
            run = quotient.lifted(self._model, atoms, found.stem, found.loop).tidied()
            Meaning(self._model, atoms, self._processes).verify(run, self._violation, self._fairness)
        answer = self._answer(claim, found, _used(quotient), run)
        return self._verified(answer) if self._options.verify and answer.holds else answer

    def _verified(self, answer: Answer) -> Answer:
        """The same, if the search without symmetry does not find a run that violates the claim."""
        plain = self._plain(answer.claim)
        if plain.holds is False:
            raise SelfTestError("the search without symmetries finds something else")
        return replace(answer, exploration=replace(answer.exploration, plain=plain.exploration))


def _used(quotient: Quotient) -> Symmetry:
    """What the report says about the symmetries that were used."""
    reduction = quotient.reduction
    assert reduction is not None
    lost = quotient.full_order // quotient.order
    mode = "unique" if reduction.is_exact else "multi"
    return Symmetry(mode, quotient.order, reduction.name, reduction.reason, lost)


def violations(family: Temporal) -> Automaton:
    """An automaton for the words that violate a formula."""
    found = smallest_automaton(negation(family.formula))
    if found is None:
        message = f"the automaton for '{family.name}' is too large"
        notes = (Note("split the formula into several claims", "help"),)
        raise ModelError([Diagnostic("BUR502", message, family.span, notes=notes)])
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


def fault_conditions(model: Model, claims: Sequence[TemporalClaim]) -> tuple[Claim, ...]:
    """Claims that are never decided, but evaluate every condition of some formulas in every state."""
    found: list[Claim] = []
    for claim in claims:
        for name, atom in ground_atoms(model, claim).items():
            if not isinstance(atom, EventTest):
                both = Logic("&&", (atom, Unary("!", atom)))
                found.append(Claim(Property(f"{claim.name}: {name}", PropertyKind.REACHABLE, both)))
    return tuple(found)


def trace_of(model: Model, run: Lasso) -> tuple[Trace, int]:
    """A run as a trace, and the number of steps before those that repeat; all of them if the run ends."""
    cells = Cells(model)
    steps = []
    meaning = Meaning(model, {}, None)
    for moment, _ in run.steps():
        if moment.instance is not None:
            outcome = meaning.fire(moment.instance, moment.state)
            assert isinstance(outcome, Step)
            steps.append(step_taken(cells, moment.state, outcome))
    return Trace(run.moments[0].state, tuple(steps)), min(run.back, len(steps))
