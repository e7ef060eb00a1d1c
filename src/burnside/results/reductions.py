"""Which reductions an exploration used, and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

from burnside.source import Diagnostic
from burnside.values import dataclass


@final
@dataclass(frozen=True, slots=True)
class SymmetryUsed:
    """Which symmetry an exploration used, and why; ``lost`` is the factor that the properties cost.

    ``told_apart`` are process domains whose members cannot all be exchanged. ``notes`` is what there is to say about
    the model that did not stop the exploration.
    """

    mode: str = "none"
    order: int = 1
    strategy: str | None = None
    reason: str = ""
    lost: int = 1
    told_apart: tuple[str, ...] = ()
    notes: tuple[Diagnostic, ...] = ()

    @property
    def is_used(self) -> bool:
        """Whether it is used at all."""
        return self.mode != "none"


@final
@dataclass(frozen=True, slots=True)
class PartialOrderUsed:
    """Whether an exploration used partial order, and why; ``steps`` are those it knows.

    ``keeps_distances`` says that runs to what was found are shortest ones all the same. ``is_told`` is false where
    nobody asked for it, and it was not used; which reason came first may then depend on the machine.
    """

    reason: str
    steps: int = 0
    keeps_distances: bool = True
    is_told: bool = True

    @property
    def is_used(self) -> bool:
        """Whether it is used at all."""
        return self.steps > 0


@final
@dataclass(frozen=True, slots=True)
class SlicingUsed:
    """Which variables an exploration left out, with how many cells, or why it did not although nothing depends on them.

    ``confirmed`` is the number of states of the search with all variables that was compared with it, if there was one.
    """

    variables: tuple[str, ...]
    cells: int = 0
    obstacle: str = ""
    confirmed: int | None = None

    @property
    def is_used(self) -> bool:
        """Whether they were left out."""
        return not self.obstacle

    @property
    def reason(self) -> str:
        """Why they were left out, or why not."""
        it = "it" if len(self.variables) == 1 else "them"
        return self.obstacle or f"nothing that is asked depends on {it}"


@final
@dataclass(frozen=True, slots=True)
class ReductionUsed:
    """A reduction of any kind: why it was chosen, and what there is to measure of it."""

    kind: str
    reason: str
    figures: Mapping[str, int | str | list[str] | None]
