"""Self-tests of a search: what compiled code did is done again by the reference semantics.

For states that were expanded, some from every level: the compiled rules give the successors that ``ir/semantics.py``
gives, and what stands for each successor is stored; compiled conditions hold where they should, and a claim that is
decided there was not passed over. States without successors were rightly counted as deadlocks, or not. What stands for
a state is the business of reductions, which test that themselves, on successors *before* they are replaced.

Given that the compiled parts are right, a complete search is explored again by these alone: all of a small one, a small
part of a large one.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import chain, count, product
from math import inf, prod
from random import Random
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, final

from burnside.explore.native.abi import NO_LABEL, NONE
from burnside.ir.cells import State
from burnside.ir.initial import given_values, initial, initial_fits
from burnside.ir.nodes import Model
from burnside.ir.packing import WORD, Layout
from burnside.ir.semantics import Fault, FaultRaised, Step, is_still, is_terminal, successors
from burnside.reduce.reduction import GaveUp, Reduction, require

if TYPE_CHECKING:  # a search without symmetry does not need groups
    from burnside.groups import Perm

_SHARE: Final = 0.012  # of the processor time that a search took: with the last state that is tested, less than 2 %
_LEAST_SECONDS: Final = 0.002
_FEW_STATES: Final = 10_000  # of which a good part can be tested:
_LEAST_SECONDS_FOR_FEW: Final = 0.01
_FEW_SUCCESSORS: Final = 4  # that are looked at closely, of one state
_FEW_STARTS: Final = 4  # initial states
_MANY_STARTS: Final = 1_000
_STARTS_PER_TRY: Final = 8  # states that may be initial
_SPREAD: Final = 64  # states, where a search keeps no sample
_SPREAD_FOR_CONDITIONS: Final = 2_048
_LEAST_FOR_CONDITIONS: Final = 8  # states of few, however slow the machine is
_SCATTERED: Final = 2_654_435_761  # by the golden ratio; a prime, so that its multiples reach every index
_SPREAD_FOR_PASS: Final = 10_000
_SPARSEST_PASS: Final = 128  # in a large search one state in so many is looked at,
_SPARSE_EXPLORING: Final = 1_024  # and one in so many explored again
_LONG: Final = 3_600.0  # seconds
_WRONG: Final = (
    "a successor is not among the states that are stored",
    "a state was found later than a step leads to it",
    "there are more or fewer transitions than were counted",
)

# A state, by index, and if it has no successors, whether it counts as a deadlock.
_Chosen: TypeAlias = tuple[int, bool | None]


@final
class Probe:
    """The compiled parts of a loaded checker and the store of its run, one question at a time."""

    def __init__(self, library: ctypes.CDLL, run: Any, layout: Layout) -> None:
        self._library = library
        # For what takes next to no time: other threads need not have their turn before and after every question.
        self._quick = ctypes.PyDLL(None, handle=library._handle)
        self._run = run
        self._layout = layout
        library.burnside_sample.restype = ctypes.c_uint32
        library.burnside_indices.restype = ctypes.c_uint64
        library.burnside_most_successors.restype = ctypes.c_uint32
        self._quick.burnside_successors.restype = ctypes.c_uint32
        self._quick.burnside_sought.restype = ctypes.c_uint32
        library.burnside_first_sought.restype = ctypes.c_uint32
        library.burnside_path_length.restype = ctypes.c_uint32
        library.burnside_stuck.restype = ctypes.c_uint32
        library.burnside_explore_again.restype = ctypes.c_uint32
        library.burnside_representing_time.restype = ctypes.c_uint64
        library.burnside_represent.restype = ctypes.c_bool
        library.burnside_moves_apart.restype = ctypes.c_bool
        library.burnside_miscounts.restype = ctypes.c_bool
        for question in (self._quick.burnside_is_used, self._quick.burnside_knows):
            question.restype = ctypes.c_bool

    def sample(self) -> list[int]:
        """States that were expanded, by index."""
        states = ctypes.POINTER(ctypes.c_uint32)()
        length = self._library.burnside_sample(self._run, ctypes.byref(states))
        return states[:length]

    def room(self) -> int:
        """How many indices states have at most."""
        return int(self._library.burnside_indices(self._run))

    def everything(self, most: int | None = None) -> Iterator[int]:
        """All states, by index, or about ``most`` of them, evenly spread; in an order that says nothing."""
        end = self.room()
        indices = range(0, end, 1 if most is None else end // most + 1)
        for number in range(len(indices)):
            index = indices[number * _SCATTERED % len(indices)]
            if self._quick.burnside_is_used(self._run, ctypes.c_uint32(index)):
                yield index

    def state(self, index: int) -> State:
        """A stored state."""
        words = (ctypes.c_uint64 * self._layout.words)()
        self._quick.burnside_state(self._run, ctypes.c_uint32(index), words)
        return self._layout.unpack(words[:])

    def successors(self, state: State) -> list[State] | None:
        """What the compiled rules make of a state; None if one of them faults."""
        width = self._layout.words
        found = self._quick.burnside_successors(self._packed(state), self._room)
        if found == NONE:
            return None
        return [self._layout.unpack(self._room[k * width : (k + 1) * width]) for k in range(found)]

    @cached_property
    def _room(self) -> Any:
        return (ctypes.c_uint64 * (self._library.burnside_most_successors() * self._layout.words))()

    def stuck(self, *, is_deadlock: bool) -> Iterator[int]:
        """Some of the states without successors that were counted as deadlocks, or of those that were not, by index."""
        for number in count():
            index = self._library.burnside_stuck(self._run, ctypes.c_uint32(is_deadlock), ctypes.c_uint32(number))
            if index == NONE:
                return
            yield index

    def sought(self, claim: int, state: State) -> bool | None:
        """Whether a claim looks for a state, by its compiled condition; None if that faults."""
        found = self._quick.burnside_sought(ctypes.c_uint32(claim), self._packed(state))
        return None if found == NONE else bool(found)

    def first_sought(self, claim: int, *, thorough: bool) -> int | None:
        """The number of steps to the first state that a claim looks for, by a pass over all that are stored.

        Of more than a few, unless it is ``thorough``, the pass takes so small a part that it costs next to nothing.
        """
        step = 1 if thorough else self.room() // _SPREAD_FOR_PASS
        step = max(1, min(step, _SPARSEST_PASS))
        index = self._library.burnside_first_sought(self._run, ctypes.c_uint32(claim), ctypes.c_uint32(step))
        if index == NONE:
            return None
        return int(self._library.burnside_path_length(self._run, ctypes.c_uint32(index))) - 1

    def atoms(self, state: State, taken: int | None) -> int:
        """The atoms that hold in a state and of a step from it, as compiled code finds them."""
        self._library.burnside_atoms.restype = ctypes.c_uint64
        label = ctypes.c_uint32(NO_LABEL if taken is None else taken)
        return int(self._library.burnside_atoms(self._packed(state), label))

    def represent(self, state: State) -> tuple[State, int] | None:
        """The representative of a state and the size of its orbit, as compiled code finds them; None if it fails."""
        words, orbit = self._packed(state), (ctypes.c_uint64 * 2)()
        if not self._library.burnside_represent(self._run, words, orbit):
            raise GaveUp
        size = orbit[1] << 64 | orbit[0]
        return (self._layout.unpack(words[:]), size) if size else None

    def representing_seconds(self, states: Sequence[State]) -> Callable[[], float]:
        """How to measure, again and again, the processor time that representatives of some states take."""
        words = list(chain.from_iterable(map(self._layout.pack, states)))
        packed = (ctypes.c_uint64 * len(words))(*words)
        count = ctypes.c_uint32(len(states))
        return lambda: self._library.burnside_representing_time(self._run, packed, count) / 1e9

    def chosen(self, state: State, actions: int, *, is_aiming: bool) -> tuple[int, int]:
        """The stubborn set that compiled code chooses in a state, and the actions that count, as bit masks."""
        width = -(-actions // WORD)
        chosen, wanted = (ctypes.c_uint64 * width)(), (ctypes.c_uint64 * width)()
        self._library.burnside_chosen(self._run, self._packed(state), ctypes.c_bool(is_aiming), chosen, wanted)
        found, counting = (sum(word << WORD * k for k, word in enumerate(words)) for words in (chosen, wanted))
        return found, counting

    def knows(self, state: State) -> bool:
        """Whether a state is stored."""
        return bool(self._quick.burnside_knows(self._run, self._packed(state)))

    def moves_apart(self, elements: Sequence[Perm], seconds: float) -> bool:
        """Whether a stored state has another representative after one of some elements has moved it, as far as that is
        seen in some processor time.
        """
        return self._asked_of_group(self._library.burnside_moves_apart, elements, seconds)

    def miscounts(self, generators: Sequence[Perm], seconds: float) -> bool:
        """Whether the orbit of a stored state under some generators has another size than it is counted with, as far as
        that is seen in some processor time.
        """
        return self._asked_of_group(self._library.burnside_miscounts, generators, seconds)

    def _asked_of_group(self, question: Any, elements: Sequence[Perm], seconds: float) -> bool:
        points = len(elements[0])
        flat = (ctypes.c_uint16 * (points * len(elements)))(*chain(*elements))
        sizes = ctypes.c_uint32(len(elements)), ctypes.c_uint32(points)
        return bool(question(self._run, flat, *sizes, ctypes.c_uint64(int(min(seconds, _LONG) * 1e9))))

    def explore_again(self, *, has_levels: bool, thorough: bool) -> str:
        """What is wrong with a complete search, by its compiled rules and representatives; empty if nothing is."""
        step = 1 if thorough or self.room() <= _FEW_STATES else _SPARSE_EXPLORING
        wrong = self._library.burnside_explore_again(self._run, ctypes.c_uint32(step), ctypes.c_bool(has_levels))
        return "" if wrong == NONE else _WRONG[wrong]

    def _packed(self, state: State) -> Any:
        return (ctypes.c_uint64 * self._layout.words)(*self._layout.pack(state))


class ConditionTest(Protocol):
    """A test of what compiled conditions say of a state."""

    def test(self, probe: Probe, state: State, steps: Sequence[Step], *, is_deadlock: bool, is_still: bool) -> None:
        """Raise `SelfTestError` if they are wrong about a state that can be left by some steps (or about which that is
        not asked).
        """


def _some_states(choices: Sequence[Sequence[int]], most: int, random: Random) -> Iterator[State]:
    """All states with some choice of values, or that many at random."""
    if prod(map(len, choices)) <= most:
        return product(*choices)
    return (tuple(random.choice(values) for values in choices) for _ in range(most))


def _shuffled(chosen: list[_Chosen], random: Random) -> Iterator[_Chosen]:
    """All in a random order, which is made up on the way: few are asked for."""
    for end in range(len(chosen), 0, -1):
        place = random.randrange(end)
        chosen[place], chosen[end - 1] = chosen[end - 1], chosen[place]
        yield chosen[end - 1]


@final
class Tester:
    """Tests the compiled form of a model, of what is asked about it, and of the reductions of a search."""

    def __init__(
        self,
        model: Model,
        reductions: Sequence[Reduction],
        probe: Probe,
        conditions: Sequence[ConditionTest] = (),
        *,
        is_steady: bool = True,
        is_product: bool = False,
    ) -> None:
        """``is_steady`` says that what was sought did not change on the way: what was taken then is taken now. In a
        product nothing is sought, so that states need not have been expanded for it.
        """
        self._model = model
        self._probe = probe
        self._tests = [reduction.self_test(probe) for reduction in reductions]
        self._conditions = conditions
        self._is_exact = all(reduction.is_exact for reduction in reductions)
        self._takes_all = all(reduction.takes_all for reduction in reductions)
        self._is_steady = is_steady or self._takes_all
        self._is_product = is_product
        self._end = inf
        self._offset = 0

    def test(self, seconds: float, *, is_complete: bool, has_levels: bool, thorough: bool) -> int:
        """Test a sample, in a small share of the ``seconds`` of processor time that the search took, or every state if
        ``thorough``; the number of states.

        ``is_complete`` says that all states were expanded, and that nothing but the model's states is stored;
        ``has_levels``, that they were found in order of their distances. Raises `SelfTestError` if anything is wrong.
        """
        expanded = set(self._probe.sample())
        least = _LEAST_SECONDS_FOR_FEW if self._has_few_states else _LEAST_SECONDS
        most = max(least, _SHARE * seconds)
        self._end = inf if thorough else time.thread_time() + most
        self._test_initial(_MANY_STARTS if thorough else _FEW_STARTS, expanded=bool(expanded), is_complete=is_complete)
        self._test_conditions(min(self._end, time.thread_time() + most / 4))
        checked = 0
        first, rest = self._chosen(expanded, thorough=thorough)
        for index, is_deadlock in chain(first, rest):
            if checked >= len(first) and time.thread_time() > self._end:
                break
            state = self._probe.state(index)
            if is_deadlock is None:
                self._test_state(state, expanded=is_complete or index in expanded, thorough=thorough)
            else:
                self._test_stuck(state, is_deadlock=is_deadlock)
            checked += 1
        if is_complete and self._takes_all:
            self._test_whole(inf if thorough else most / 4, has_levels=has_levels)
        return checked

    @property
    def _has_few_states(self) -> bool:
        return self._probe.room() <= _FEW_STATES

    def _test_whole(self, seconds: float, *, has_levels: bool) -> None:
        """Test a complete search by its compiled parts, given that these are right."""
        for test in self._tests:
            test.test_stored(seconds)
        wrong = self._probe.explore_again(has_levels=has_levels, thorough=seconds == inf)
        require(not wrong, wrong)

    def _test_conditions(self, end: float) -> None:
        """Conditions alone: that takes less time, so they are tested on more states, and on those not expanded, too."""
        indices = self._probe.everything(_SPREAD_FOR_CONDITIONS) if self._conditions else ()
        least = _LEAST_FOR_CONDITIONS if self._has_few_states else 1
        for number, index in enumerate(indices):
            if number >= least and time.thread_time() > end:
                return
            for conditions in self._conditions:
                conditions.test(self._probe, self._probe.state(index), (), is_deadlock=False, is_still=False)

    def _chosen(self, expanded: Collection[int], *, thorough: bool) -> tuple[list[_Chosen], Iterable[_Chosen]]:
        """States to test: one of every kind that there is in any case, and others while there is time."""
        kinds: list[list[_Chosen]] = [
            [(index, kind) for index in self._probe.stuck(is_deadlock=kind)] for kind in (False, True)
        ]
        if thorough:
            return [], chain(*kinds, ((index, None) for index in self._probe.everything()))
        kinds.append([(index, None) for index in sorted(expanded) or self._probe.everything(_SPREAD)])
        random = Random(sum(map(len, kinds)))
        first = [kind.pop(random.randrange(len(kind))) for kind in kinds if kind]
        return first, _shuffled([*chain(*kinds)], random)

    def _test_initial(self, tries: int, *, expanded: bool, is_complete: bool) -> None:
        """Random initial states are stored, or what stands for them; where a condition faults, the search has ended."""
        random = Random(tries)
        for state in self._beginnings(tries, random):
            try:
                fits = initial_fits(self._model, state)
            except FaultRaised:
                require(not is_complete, "a condition on initial states faults by the reference semantics only")
                continue
            if fits and tries:
                self._test_found(state, is_stored=expanded or is_complete, thorough=False)
                tries = 0 if time.thread_time() > self._end else tries - 1

    def _beginnings(self, tries: int, random: Random) -> Iterable[State]:
        """Some states that may be initial."""
        if self._model.starts:
            with suppress(FaultRaised):
                states = [*initial(self._model)]
                return random.sample(states, min(tries, len(states)))
            return ()
        wanted = tries if not self._model.initially else _STARTS_PER_TRY * tries
        return _some_states(given_values(self._model), wanted, random)

    def _test_stuck(self, state: State, *, is_deadlock: bool) -> None:
        require(not any(True for _ in successors(self._model, state)), "a state with successors counts as one without")
        require(is_terminal(self._model, state) != is_deadlock, "deadlocks and terminal states are confused")

    def _test_state(self, state: State, *, expanded: bool, thorough: bool) -> None:
        if self._is_exact:
            standing = self._test_found(state, is_stored=expanded, thorough=thorough)
            require(standing in (None, state), "a state is stored that is not a representative")
        outcomes = list(successors(self._model, state))
        found = self._probe.successors(state)
        if any(isinstance(o, Fault) for o in outcomes):
            require(found is None, "a rule faults by the reference semantics only")
            return
        steps: Sequence[Step] = [o for o in outcomes if isinstance(o, Step)]
        expected = [s.state for s in steps]
        is_right = found is not None and sorted(found) == sorted(expected)
        require(is_right, "compiled rules give other successors than the reference semantics")
        stands = expanded and is_still(state, steps) and not self._may_end(state)
        for conditions in self._conditions:
            conditions.test(self._probe, state, steps, is_deadlock=stands and not steps, is_still=stands)
        for test in self._tests if expanded or self._is_product else ():
            steps = test.taken(state, steps, thorough=thorough)
        reached = [s.state for s in steps]
        step = 1 if thorough else max(1, len(reached) // _FEW_SUCCESSORS)
        self._offset += 1  # so that no rule is passed over in all states
        for number, successor in enumerate(reached[self._offset % step :: step]):
            if number and time.thread_time() > self._end:
                break
            self._test_found(successor, is_stored=expanded and self._is_steady, thorough=thorough)

    def _may_end(self, state: State) -> bool:
        """Whether a state without successors is not a deadlock: it is terminal, or it cannot be known."""
        try:
            return is_terminal(self._model, state)
        except FaultRaised:
            return True

    def _test_found(self, state: State, *, is_stored: bool, thorough: bool) -> State | None:
        """What stands for a state that a search finds, if it passes all tests; None if it is not found in time."""
        try:
            for test in self._tests:
                state = test.stored_as(state, thorough=thorough)
        except GaveUp:  # the search was ended by a limit, and this state takes long
            return None
        if is_stored:
            require(self._probe.knows(state), _WRONG[0])
        return state
