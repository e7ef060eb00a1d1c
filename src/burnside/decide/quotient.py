"""The quotient of a model by the symmetries that keep some claims about its states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, final

from burnside.claims.kinds import StateClaim
from burnside.claims.members import Member
from burnside.claims.requirements import required_for_states
from burnside.detect.detection import Detection
from burnside.detect.missing import told_apart
from burnside.detect.naming import describe_permutation, orbits_of_processes
from burnside.detect.run import Symmetries
from burnside.explore.lift import lift_path
from burnside.explore.native import run as native
from burnside.groups import Perm
from burnside.ir.cells import State
from burnside.ir.renaming import ASKED
from burnside.reduce.reduction import SelfTestError
from burnside.reduce.symmetry.carry import carry_over, elements_from, orbits_of
from burnside.reduce.symmetry.plan import TooComplex, plan
from burnside.reduce.symmetry.reduction import SymmetryReduction
from burnside.results.exploration import Exploration, Stop
from burnside.results.reductions import SymmetryUsed

if TYPE_CHECKING:
    from burnside.reduce.partial_order.reduction import PartialOrderReduction


@final
class Quotient:
    """The symmetries that keep some claims, and the reduction they give, if any."""

    def __init__(
        self,
        symmetries: Symmetries,
        members: Sequence[Member[StateClaim]],
        *,
        multi: bool,
        checkpoint: Callable[[], None] | None,
    ) -> None:
        self._symmetries = symmetries
        self._model = symmetries.model
        self._members = members
        required = required_for_states(self._model, members)
        self.detection: Detection = symmetries.keeping(required, checkpoint)
        self._elements: dict[int, dict[int, Perm]] = {}
        self.reduction: SymmetryReduction | None = None
        self._obstacle = "the symmetries move variables with very many values"
        try:
            self.reduction = plan(self.detection.symmetry, multi=multi, checkpoint=checkpoint)
        except TooComplex as error:
            self._obstacle = f"no reduction was found: {error}"

    @property
    def reductions(self) -> tuple[SymmetryReduction, ...]:
        """What a search takes: the reduction, if there is one."""
        return () if self.reduction is None else (self.reduction,)

    @property
    def is_exact(self) -> bool:
        """Whether there is a reduction with one representative for every orbit."""
        return self.reduction is not None and self.reduction.is_exact

    @property
    def used(self) -> SymmetryUsed:
        """What the report says about it; and what detection could not see through, unless all processes of every kind
        can be exchanged and are: then hardly anything is missing.
        """
        found = self.detection
        orbits = orbits_of_processes(found.symmetry.literals, found.symmetry.group.generators)
        is_whole = bool(self.reduction and orbits) and all(len(of_domain) == 1 for of_domain in orbits.values())
        notes = tuple(part.diagnostic() for part in found.unseen if part.is_fixing or not is_whole)
        return replace(self._used(), notes=notes)

    def _used(self) -> SymmetryUsed:
        order = self.detection.symmetry.order
        apart = tuple(told_apart(self.detection))
        if self.reduction is None and order > 1:
            return SymmetryUsed(reason=self._obstacle, told_apart=apart)
        full_order = self._symmetries.order_keeping() if self._members else order
        if self.reduction is None:
            kept = f"the properties keep none of {full_order:,} symmetries"
            return SymmetryUsed(reason="no symmetry was found" if full_order == 1 else kept, told_apart=apart)
        used = symmetry_used(self.reduction, self.reduction.action.order, full_order // order)
        return replace(used, told_apart=apart)

    def exchange(self, one: int, other: int) -> tuple[Callable[[State], State], Callable[[], str]] | None:
        """A symmetry that takes one claim to another, by their numbers: as it renames states, and in words."""
        symmetry = self.detection.symmetry
        if one not in self._elements:
            self._elements[one] = elements_from(one, symmetry.exchanges, len(symmetry.literals.points))
        element = self._elements[one].get(other)
        if element is None:
            return None
        words = partial(describe_permutation, symmetry.literals, element, ASKED)
        return partial(symmetry.literals.apply, element), words

    def explore(
        self,
        options: native.SearchOptions,
        watch: native.Watcher | None,
        overtaken: native.Overtaken | None = None,
        steps: PartialOrderReduction | None = None,
        *,
        has_many_states: bool = False,
    ) -> Exploration:
        """Explore representatives, with some of their steps if there is a reduction of those, too; what was found is
        lifted to runs of the model.
        """
        model, reduction, symmetry = self._model, self.reduction, self.detection.symmetry
        assert reduction is not None
        found = native.explore(
            model,
            self._members,
            reductions=self.reductions if steps is None else (*self.reductions, steps),
            orbits=orbits_of(len(self._members), symmetry.exchanges),
            options=options,
            watch=watch,
            overtaken=overtaken,
            has_many_states=has_many_states,
        )
        lifted = [None if w is None else lift_path(model, reduction, w) for w in found.witnesses]
        if self._members:
            lifted = [*carry_over(lifted, symmetry.exchanges, symmetry.literals)]
            if found.stop is Stop.DECIDED and None in lifted:
                raise SelfTestError("a search ended before every claim was decided")
        fault = lift_path(model, reduction, found.fault_path) if found.fault_path else found.fault_path
        found = replace(found, witnesses=tuple(lifted), fault_path=fault)
        if found.plain is not None:
            has_lengths = shortest_runs(self._members, options, steps)
            compare_with_plain(found, found.plain, has_lengths=has_lengths, has_levels=not options.depth_first)
            if found.depth is None and found.plain.stop is Stop.COMPLETE:
                found = replace(found, depth=found.plain.depth)
        return found


def symmetry_used(reduction: SymmetryReduction, order: int, lost: int) -> SymmetryUsed:
    """What the report says about a reduction by so many symmetries."""
    mode = "unique" if reduction.is_exact else "multi"
    return SymmetryUsed(mode, order, reduction.name, reduction.reason, lost)


def shortest_runs(
    members: Sequence[Member[StateClaim]], options: native.SearchOptions, steps: PartialOrderReduction | None = None
) -> list[bool]:
    """By claim: whether a search finds a shortest run. Partial order keeps the distances of deadlocks only."""
    return [not options.depth_first and (steps is None or m.claim.is_about_deadlock) for m in members]


def compare_with_plain(
    found: Exploration, plain: Exploration, *, has_lengths: Sequence[bool], has_levels: bool = True
) -> None:
    """Raise unless the search without the reduction says the same.

    ``has_lengths`` says for every claim whether both give shortest runs, ``has_levels`` whether both go by distances.
    """
    if plain.stop.is_limit:
        return
    pairs = [*zip(found.witnesses, plain.witnesses, strict=True)]
    same = plain.stop is not Stop.FAULT and all((one is None) == (other is None) for one, other in pairs)
    same &= all(len(one or ()) == len(other or ()) for (one, other), has in zip(pairs, has_lengths, strict=True) if has)
    if plain.stop is Stop.COMPLETE:
        same &= (found.deadlocks > 0) == (plain.deadlocks > 0)
        same &= found.full_states in (None, plain.states)
        same &= not has_levels or found.depth in (None, plain.depth)
    if not same:
        raise SelfTestError("the search without reductions finds something else")
