"""Self-tests of a search: what compiled code did is done again by the reference semantics.

For states that were expanded, some from every level: the compiled rules give the successors that ``ir/semantics.py``
gives, and what stands for each successor is stored. What stands for a state is the business of reductions, which test
that themselves, on successors *before* they are replaced.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from random import Random
from typing import Any, Final, final

from burnside.explore.native.abi import NONE
from burnside.ir.cells import State, initial_values
from burnside.ir.nodes import Model
from burnside.ir.packing import Layout
from burnside.ir.semantics import Fault, FaultRaised, initial_fits, successors
from burnside.reduce.reduction import Reduction, require
from burnside.results.exploration import SelfTest

_SHARE: Final = 0.02  # of the time that a search took
_LEAST_SECONDS: Final = 0.01
_FEW_SUCCESSORS: Final = 4  # that are looked at closely, of one state
_FEW_STARTS: Final = 4  # initial states
_MANY_STARTS: Final = 1_000
_SPREAD: Final = 64  # states, where a search keeps no sample


@final
class Probe:
    """The compiled parts of a loaded checker and the store of its run, one question at a time."""

    def __init__(self, library: ctypes.CDLL, run: Any, layout: Layout) -> None:
        self._library = library
        self._run = run
        self._layout = layout
        library.burnside_sample.restype = ctypes.c_uint32
        library.burnside_indices.restype = ctypes.c_uint64
        library.burnside_most_successors.restype = ctypes.c_uint32
        library.burnside_successors.restype = ctypes.c_uint32
        for name in ("burnside_is_used", "burnside_represent", "burnside_knows"):
            getattr(library, name).restype = ctypes.c_bool

    def sample(self) -> list[int]:
        """States that were expanded, by index."""
        states = ctypes.POINTER(ctypes.c_uint32)()
        count = self._library.burnside_sample(self._run, ctypes.byref(states))
        return states[:count]

    def everything(self, most: int | None = None) -> Iterator[int]:
        """All states, by index, or about ``most`` of them, evenly spread."""
        count = self._library.burnside_indices(self._run)
        for index in range(0, count, 1 if most is None else count // most + 1):
            if self._library.burnside_is_used(self._run, ctypes.c_uint32(index)):
                yield index

    def state(self, index: int) -> State:
        """A stored state."""
        words = (ctypes.c_uint64 * self._layout.words)()
        self._library.burnside_state(self._run, ctypes.c_uint32(index), words)
        return self._layout.unpack(words[:])

    def successors(self, state: State) -> list[State] | None:
        """What the compiled rules make of a state; None if one of them faults."""
        width = self._layout.words
        count = self._library.burnside_successors(self._packed(state), self._room)
        if count == NONE:
            return None
        return [self._layout.unpack(self._room[k * width : (k + 1) * width]) for k in range(count)]

    @cached_property
    def _room(self) -> Any:
        return (ctypes.c_uint64 * (self._library.burnside_most_successors() * self._layout.words))()

    def represent(self, state: State) -> tuple[State, int] | None:
        """The representative of a state and the size of its orbit, as compiled code finds them."""
        words, orbit = self._packed(state), (ctypes.c_uint64 * 2)()
        if not self._library.burnside_represent(self._run, words, orbit):
            return None
        return self._layout.unpack(words[:]), orbit[1] << 64 | orbit[0]

    def knows(self, state: State) -> bool:
        """Whether a state is stored."""
        return bool(self._library.burnside_knows(self._run, self._packed(state)))

    def _packed(self, state: State) -> Any:
        return (ctypes.c_uint64 * self._layout.words)(*self._layout.pack(state))


@final
class Tester:
    """Tests the compiled form of a model and of the reductions of a search."""

    def __init__(self, model: Model, reductions: Sequence[Reduction], probe: Probe) -> None:
        self._model = model
        self._probe = probe
        self._tests = [reduction.self_test(probe) for reduction in reductions]
        self._is_exact = all(reduction.is_exact for reduction in reductions)

    def test(self, seconds: float, *, is_complete: bool, thorough: bool) -> SelfTest:
        """Test a sample, in a small share of the ``seconds`` that the search took, or every state if ``thorough``.

        ``is_complete`` says that all states were expanded, and that nothing but the model's states is stored. Raises
        `SelfTestError` if anything is wrong.
        """
        expanded = set(self._probe.sample())
        sample = sorted(expanded) or list(self._probe.everything(_SPREAD))
        Random(len(sample)).shuffle(sample)
        indices: Sequence[int] | Iterator[int] = self._probe.everything() if thorough else sample
        end = time.thread_time() + max(_LEAST_SECONDS, _SHARE * seconds)
        self._test_initial(_MANY_STARTS if thorough else _FEW_STARTS, is_stored=bool(expanded))
        checked = 0
        for index in indices:
            if not thorough and checked and time.thread_time() > end:
                break
            self._test_state(self._probe.state(index), expanded=is_complete or index in expanded, thorough=thorough)
            checked += 1
        return SelfTest(checked, 0)

    def _test_initial(self, tries: int, *, is_stored: bool) -> None:
        """Random initial states are stored, or what stands for them."""
        choices = [values for variable in self._model.variables for values in initial_values(variable)]
        random = Random(tries)
        for _ in range(tries if any(len(values) > 1 for values in choices) else 1):
            state = tuple(random.choice(values) for values in choices)
            with suppress(FaultRaised):
                if initial_fits(self._model, state):
                    self._test_found(state, is_stored=is_stored, thorough=False)

    def _test_state(self, state: State, *, expanded: bool, thorough: bool) -> None:
        if self._is_exact:
            standing = self._test_found(state, is_stored=expanded, thorough=thorough)
            require(standing == state, "a state is stored that is not a representative")
        outcomes = list(successors(self._model, state))
        found = self._probe.successors(state)
        if any(isinstance(o, Fault) for o in outcomes):
            require(found is None, "a rule faults by the reference semantics only")
            return
        expected = [o.state for o in outcomes if not isinstance(o, Fault)]
        require(found == expected, "compiled rules give other successors than the reference semantics")
        step = 1 if thorough else max(1, len(expected) // _FEW_SUCCESSORS)
        for successor in expected[::step]:
            self._test_found(successor, is_stored=expanded, thorough=thorough)

    def _test_found(self, state: State, *, is_stored: bool, thorough: bool) -> State:
        """What stands for a state that a search finds, if it passes all tests."""
        for test in self._tests:
            state = test.stored_as(state, thorough=thorough)
        if is_stored:
            require(self._probe.knows(state), "a successor is not among the states that are stored")
        return state
