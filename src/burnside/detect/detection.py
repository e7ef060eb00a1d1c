"""What is found out about the symmetries of a model, as a value."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, final

from burnside.detect.equal_cells import EqualCells
from burnside.detect.naming import NamedGenerator, name_generators
from burnside.detect.symmetry import Rejected, Symmetry
from burnside.values import dataclass, field

if TYPE_CHECKING:  # what was found before need not wait for the libraries that finding it takes
    from burnside.detect.constrain import Constraints
    from burnside.detect.encode import Encoding
    from burnside.detect.opaque import Unseen


class Figures(NamedTuple):
    """The size of the graph, what was left out of it, and the seconds that all of it took."""

    vertices: int
    edges: int
    constant_cells: int
    dropped_values: int
    encode_seconds: float
    search_seconds: float
    validate_seconds: float

    @property
    def seconds(self) -> float:
        """That the whole of it took."""
        return self.encode_seconds + self.search_seconds + self.validate_seconds


class Stages(NamedTuple):
    """The values on the way to the symmetries."""

    constraints: Constraints
    encoding: Encoding


@final
@dataclass(frozen=True)
class Detection:
    """The symmetries of a model and how they were found.

    ``kinds`` has a number for every requirement, the same for those that are equal. The values on the way are there
    for whoever asks; of what was kept from an earlier run (``is_kept``) they are found anew.
    """

    symmetry: Symmetry
    rejected: tuple[Rejected, ...]
    equal: EqualCells
    kinds: tuple[int, ...]
    figures: Figures
    stages: Callable[[], Stages] = field(repr=False, compare=False)
    is_kept: bool = False

    @cached_property
    def generators(self) -> tuple[NamedGenerator, ...]:
        """The generators in the user's terms."""
        return name_generators(self.symmetry.literals, self.symmetry.group.generators)

    @property
    def constraints(self) -> Constraints:
        """The model as constraints."""
        return self._stages.constraints

    @property
    def encoding(self) -> Encoding:
        """The constraints as a graph."""
        return self._stages.encoding

    @cached_property
    def _stages(self) -> Stages:
        return self.stages()

    @cached_property
    def unseen(self) -> tuple[Unseen, ...]:
        """What detection could not see through; nothing where something was kept."""
        if self.is_kept:
            return ()
        from burnside.detect.opaque import unseen_parts

        return unseen_parts(*self._stages)

    @property
    def opaque_terms(self) -> int:
        """How many numbers are encoded as they are written."""
        return 0 if self.is_kept else len(self.encoding.opaque_terms)

    @property
    def opaque_parts(self) -> tuple[str, ...]:
        """Rules and conditions that are too large to be analysed."""
        return () if self.is_kept else tuple(part.text for part in self.constraints.opaque)

    @property
    def equal_cells(self) -> int:
        """How many cells always equal another, constants left out."""
        return sum(first in self.symmetry.literals.of_cell for first in self.equal.first.values())
