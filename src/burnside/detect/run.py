"""Detection from end to end: model → constraints → graph → generators → validated symmetry."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

from burnside.claims.requirements import Required
from burnside.detect.constrain import Constraints, ModelConstraints
from burnside.detect.encode import Encoding, Prepared, encode
from burnside.detect.literals import literals_of, restrict_to_literals
from burnside.detect.naming import NamedGenerator, name_generators
from burnside.detect.opaque import Unseen, unseen_parts
from burnside.detect.validate import Rejected, Symmetry, validate
from burnside.graph.automorphisms import automorphisms, count_automorphisms
from burnside.ir.nodes import Model
from burnside.limits import phase


@final
@dataclass(frozen=True)
class Detection:
    """The symmetries of a model and how they were found."""

    constraints: Constraints
    encoding: Encoding
    symmetry: Symmetry
    rejected: tuple[Rejected, ...]
    encode_seconds: float
    search_seconds: float
    validate_seconds: float

    @cached_property
    def generators(self) -> tuple[NamedGenerator, ...]:
        """The generators in the user's terms."""
        return name_generators(self.symmetry.literals, self.symmetry.group.generators)

    @cached_property
    def unseen(self) -> tuple[Unseen, ...]:
        """What detection could not see through."""
        return unseen_parts(self.constraints, self.encoding)


def detect(model: Model, requirements: Sequence[Required] = ()) -> Detection:
    """The symmetries of a checked model that keep some conditions."""
    return Symmetries(model).keeping(requirements)


@final
class Symmetries:
    """What is found out about the symmetries of one model, each thing once.

    A ``checkpoint`` is called between pieces of work; an exception that it raises ends the search for symmetries.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self._constraints: ModelConstraints | None = None
        self._known: list[tuple[tuple[Required, ...], Detection]] = []
        self._orders: list[tuple[tuple[Required, ...], int]] = []
        self._prepared: dict[frozenset[int], Prepared] = {}

    @phase("finding symmetries")
    def keeping(self, requirements: Sequence[Required] = (), checkpoint: Callable[[], None] | None = None) -> Detection:
        """The symmetries that keep some conditions."""
        asked = tuple(requirements)
        for known, found in self._known:
            if known == asked:
                return found
        start = time.perf_counter()
        found = self._detect(self._constrained(asked, checkpoint), start, checkpoint or _go_on)
        self._known.append((asked, found))
        return found

    @phase("finding symmetries")
    def order_keeping(self, requirements: Sequence[Required] = ()) -> int:
        """How many symmetries keep some conditions, if faults of conditions on initial states need not be kept.

        Counted, not validated, never used.
        """
        asked = tuple(requirements)
        for known, order in self._orders:
            if known == asked:
                return order
        order = self._count(asked)
        self._orders.append((asked, order))
        return order

    def _count(self, asked: tuple[Required, ...]) -> int:
        constraints = self._constrained(asked, None)
        kept = constraints.requirements[: len(asked)]
        for known, found in self._known:
            if known == asked and found.constraints.requirements == kept and not found.rejected:
                return found.symmetry.order
        return count_automorphisms(self._encode(replace(constraints, requirements=kept)).graph)

    def _constrained(self, asked: tuple[Required, ...], checkpoint: Callable[[], None] | None) -> Constraints:
        if self._constraints is None:
            self._constraints = ModelConstraints(self.model, checkpoint)
        return self._constraints.with_requirements(asked)

    def _encode(self, constraints: Constraints) -> Encoding:
        """What a requirement that is too large may touch is pruned in another way; nothing else of it is."""
        opaque = constraints.opaque_cells
        if opaque not in self._prepared:
            self._prepared[opaque] = Prepared(constraints)
        return encode(constraints, prepared=self._prepared[opaque])

    def _detect(self, constraints: Constraints, start: float, checkpoint: Callable[[], None]) -> Detection:
        """The symmetries of given constraints; ``start`` is when the work on them began."""
        checkpoint()
        encoding = self._encode(constraints)
        checkpoint()
        encoded = time.perf_counter()
        found = automorphisms(encoding.graph)
        literals = literals_of(constraints.cells, encoding)
        lifted, order = restrict_to_literals(encoding, found, literals), found.order
        searched = time.perf_counter()
        checkpoint()
        # Every vertex is determined by the literals below it, so the graph's group acts faithfully on literals
        # and has the same order there.
        symmetry, rejected = validate(constraints, encoding.pruned, literals, lifted, order)
        end = time.perf_counter()
        return Detection(constraints, encoding, symmetry, rejected, encoded - start, searched - encoded, end - searched)


def _go_on() -> None:
    """Nobody wants to stop."""
