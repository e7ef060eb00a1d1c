"""Self-tests of compiled conditions: what claims look for, and what holds in runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final, final

from burnside.claims.events import atom_holds
from burnside.claims.kinds import Atom, EventTest, StateClaim
from burnside.claims.members import Member, is_decided_in
from burnside.explore.native.probe import Probe
from burnside.ir.cells import Cells, State
from burnside.ir.instances import Instance, instances_of
from burnside.ir.semantics import FaultRaised, Step
from burnside.reduce.reduction import require

_PASSED_OVER: Final = "a state that decides a claim was passed over"


@final
class ClaimTest:
    """A claim looks for a state that the reference semantics says it looks for, and such a state decides it.

    ``nearest`` has the number of steps to the witness of each claim, or of one that symmetries exchange it with.
    """

    def __init__(
        self, cells: Cells, claims: Sequence[Member[StateClaim]], nearest: Sequence[int | None], deadlocks: int
    ) -> None:
        self._cells = cells
        self._claims = claims
        self._nearest = nearest
        self._deadlocks = deadlocks

    def test_all(self, probe: Probe, *, has_levels: bool, thorough: bool) -> None:
        """No state was passed over that decides a claim, or that is nearer than its witness."""
        for number, member in enumerate(self._claims):
            nearest = self._nearest[number]
            if member.claim.is_about_deadlock:
                require(nearest is not None or not self._deadlocks, "a deadlock was counted that decides nothing")
                continue
            first = probe.first_sought(number, thorough=thorough)
            if first is not None:
                require(nearest is not None, _PASSED_OVER)
                require(not has_levels or first >= (nearest or 0), "a witness is not a nearest one")

    def test(self, probe: Probe, state: State, steps: Sequence[Step], *, is_deadlock: bool, is_still: bool) -> None:
        """Test the conditions of all claims."""
        del steps
        for number, member in enumerate(self._claims):
            expected = self._is_sought(member, state, is_deadlock=is_deadlock, is_still=is_still)
            if not member.claim.is_about_deadlock:
                found = probe.sought(number, state)
                require(found is expected, "a compiled condition and the reference semantics disagree")
            require(not expected or self._nearest[number] is not None, _PASSED_OVER)

    def _is_sought(self, member: Member[StateClaim], state: State, *, is_deadlock: bool, is_still: bool) -> bool | None:
        try:
            return is_decided_in(self._cells, member, state, is_deadlock=is_deadlock, is_still=is_still)
        except FaultRaised:
            return None


@final
class AtomTest:
    """The atoms of a formula hold in states and of steps as the reference semantics says."""

    def __init__(self, cells: Cells, atoms: Mapping[str, Atom], bits: Mapping[str, int]) -> None:
        self._cells = cells
        self._atoms = atoms
        self._bits = bits

    def test(self, probe: Probe, state: State, steps: Sequence[Step], *, is_deadlock: bool, is_still: bool) -> None:
        """Test the atoms of a state, and of its steps if some atoms are about events."""
        del is_deadlock, is_still
        self._test(probe, state, None)
        if any(isinstance(atom, EventTest) for atom in self._atoms.values()):
            for step in steps:
                self._test(probe, state, self._instances[id(step.rule), step.arguments])

    def _test(self, probe: Probe, state: State, taken: Instance | None) -> None:
        try:
            holding = (n for n, atom in self._atoms.items() if atom_holds(self._cells, atom, state, taken))
            expected = sum(1 << self._bits[name] for name in holding)
        except FaultRaised:
            return
        found = probe.atoms(state, None if taken is None else taken.number)
        require(found == expected, "a compiled atom and the reference semantics disagree")

    @cached_property
    def _instances(self) -> dict[tuple[int, tuple[int, ...]], Instance]:
        """Rule instances by the identity of their rule, which the model holds, and their arguments."""
        return {(id(i.rule), i.arguments): i for i in instances_of(self._cells.model)}
