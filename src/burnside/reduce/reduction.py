"""The slot for reductions: what a search asks of each, whatever it is that makes the search smaller.

A reduction is a value with a reason. It contributes C to the checker of a model, and says how compiled code is tested
by what the model and the reduction mean. A search takes a list of reductions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from burnside.ir.cells import State
from burnside.ir.packing import Layout
from burnside.ir.semantics import Step
from burnside.reduce.tables import Table

if TYPE_CHECKING:  # a search without symmetry does not need groups
    from burnside.groups import Perm


class SelfTestError(Exception):
    """Compiled code and the reference semantics disagree: a bug in Burnside, and no verdict can be given."""


class GaveUp(Exception):
    """What stands for a state was not found for lack of time or memory: there is nothing to test."""


def require(is_right: bool, failure: str) -> None:
    """End the run unless a self-test passes."""
    if not is_right:
        raise SelfTestError(failure)


class Probe(Protocol):
    """The compiled parts of a loaded checker, one question at a time."""

    def represent(self, state: State) -> tuple[State, int] | None:
        """The representative of a state and the size of its orbit, as compiled code finds them; None if it fails.

        Raises `GaveUp` if there was too little time or memory.
        """

    def moves_apart(self, elements: Sequence[Perm], seconds: float) -> bool:
        """Whether a stored state has another representative after one of some elements has moved it, as far as that is
        seen in some processor time.
        """

    def miscounts(self, generators: Sequence[Perm], seconds: float) -> bool:
        """Whether the orbit of a stored state under some generators has another size than it is counted with, as far as
        that is seen in some processor time.
        """

    def chosen(self, state: State, actions: int, *, is_aiming: bool) -> tuple[int, int]:
        """The stubborn set, or an aiming one, that compiled code chooses in a state, and the actions that count:
        masks of so many bits.
        """


class StateTest(Protocol):
    """A reduction's own test of what compiled code does with a state."""

    def stored_as(self, state: State, *, thorough: bool) -> State:
        """What a search stores in place of a state, if that passes all tests; else `SelfTestError`, or `GaveUp`."""

    def taken(self, state: State, steps: Sequence[Step], *, thorough: bool) -> Sequence[Step]:
        """Those of the steps in a state that a search takes, if that passes all tests; else `SelfTestError`."""

    def test_stored(self, seconds: float) -> None:
        """Test stored states by compiled code alone, for some processor time; raises `SelfTestError`."""


class Reduction(Protocol):
    """Something that makes a search smaller without changing its answers."""

    @property
    def kind(self) -> str:
        """What kind of reduction it is, in a word or two."""

    @property
    def reason(self) -> str:
        """Why it is used in this way, for people."""

    @property
    def is_exact(self) -> bool:
        """Whether there is exactly one state that can be stored in place of a state."""

    @property
    def takes_all(self) -> bool:
        """Whether every step is taken that can be."""

    @property
    def settings(self) -> Mapping[str, object]:
        """What it sets of ``runtime/config.h``; what searches depend on is in ``OF_THE_SEARCH`` of ``emit.py``, too."""

    @property
    def tables(self) -> Sequence[Table]:
        """Numbers that its C looks up at run time; no two reductions have tables of one name."""

    def code(self, layout: Layout) -> str:
        """C that is part of the checker, between the initial values of a model and its rules."""

    def self_test(self, probe: Probe) -> StateTest:
        """The test of compiled code that it is responsible for."""
