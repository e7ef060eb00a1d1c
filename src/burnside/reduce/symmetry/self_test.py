"""The self-test of representatives: what compiled code finds is looked at by means of the validated group.

An element of the group takes a state to its representative (the element is found by ``transport.py`` and tested to be
in the group, so that it does not matter how it was found), images under generators have the same representative, and
the orbit has the size that it is counted with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Final, final

from burnside.groups import Perm, stabiliser_chain
from burnside.groups.perm import compose
from burnside.groups.work import OutOfWork, Work
from burnside.ir.cells import State
from burnside.ir.semantics import Step
from burnside.reduce.reduction import Probe, SelfTestError, require
from burnside.reduce.symmetry.transport import Transport

if TYPE_CHECKING:
    from burnside.reduce.symmetry.reduction import SymmetryReduction

_FEW_GENERATORS: Final = 6
_TINY_ORBIT: Final = 24  # is enumerated
_SMALL_ORBIT: Final = 128  # likewise, in thorough tests
_CHAIN_WORK: Final = 5_000_000
_ELEMENTS: Final = 8  # at random, each the one before times some generators
_FACTORS: Final = 4
_MOST_POINTS: Final = 2_000  # of elements that are multiplied in no time
_MISCOUNTED: Final = "an orbit has another size than it is counted with"


@final
class RepresentativeTest:
    """Tests the representatives that compiled code finds."""

    def __init__(self, reduction: SymmetryReduction, probe: Probe) -> None:
        self._reduction = reduction
        self._probe = probe
        self._transport = Transport(reduction)

    def stored_as(self, state: State, *, thorough: bool) -> State:
        """The representative of a state, if it passes all tests."""
        found = self._probe.represent(state)
        if found is None:
            raise SelfTestError("a value occurs that symmetries do not know")
        representative, orbit = found
        if representative != state:
            self._test_element(state, representative)
        if self._reduction.is_exact:
            self._test_orbit(state, representative, orbit, thorough=thorough)
        return representative

    def taken(self, state: State, steps: Sequence[Step], *, thorough: bool) -> Sequence[Step]:
        """Representatives are left by all steps."""
        del state, thorough
        return steps

    def test_stored(self, seconds: float) -> None:
        """No symmetry takes a stored state to one with another representative, so no orbit is stored twice; and orbits
        are as large as they are counted.
        """
        if not self._reduction.is_exact or len(self._reduction.action.values) > _MOST_POINTS:
            return
        moves_apart = self._probe.moves_apart([*self._random_elements()], seconds / 2)
        require(not moves_apart, "a representative changes under a symmetry")
        if self._reduction.counts_orbits:
            miscounts = self._probe.miscounts(self._reduction.action.group.generators, seconds / 2)
            require(not miscounts, _MISCOUNTED)

    def _random_elements(self) -> Iterator[Perm]:
        generators = self._reduction.action.group.generators
        random, element = Random(_ELEMENTS), generators[0]
        for _ in range(_ELEMENTS):
            for _ in range(_FACTORS):
                element = compose(element, random.choice(generators))
            yield element

    def _test_element(self, state: State, representative: State) -> None:
        """A symmetry takes the state to its representative."""
        element = self._transport.element(state, representative)
        if element is None:
            raise SelfTestError("a representative is not in the orbit of its state")
        require(self._transport.move(element, state) == representative, "an element does not do what it should")
        require(self._is_in_group(element), "a representative is reached by what is not a symmetry")

    def _test_orbit(self, state: State, representative: State, orbit: int, *, thorough: bool) -> None:
        """The canonical form is constant on the orbit, whose size is right."""
        move, generators = self._transport.move, self._reduction.action.group.generators
        for g in generators if thorough else generators[:_FEW_GENERATORS]:
            found = self._probe.represent(move(g, state))
            require(found == (representative, orbit), "a representative changes under a symmetry")
        if self._reduction.counts_orbits and orbit <= (_SMALL_ORBIT if thorough else _TINY_ORBIT):
            require(self._orbit_size(state, orbit) == orbit, _MISCOUNTED)

    def _orbit_size(self, state: State, most: int) -> int:
        """The number of images of a state, or more than ``most`` if there are more."""
        action = self._reduction.action
        queue = [self._transport.image(state)]
        members = set(queue)
        for member in queue:
            fresh = {action.apply(g, member) for g in action.group.generators} - members
            members |= fresh
            queue += fresh
            if len(members) > most:
                break
        return len(members)

    @cached_property
    def _is_in_group(self) -> Callable[[Perm], bool]:
        try:
            return stabiliser_chain(self._reduction.action.group, work=Work(_CHAIN_WORK)).__contains__
        except OutOfWork:  # too large a group to be sure of: it is enough that symmetries were composed
            return lambda _: True
