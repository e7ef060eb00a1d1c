"""Detection from end to end: model → constraints → graph → generators → validated symmetry."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, final

from burnside.claims.requirements import Required
from burnside.detect.detection import Detection, Figures, Stages
from burnside.detect.kept import KeptDetections
from burnside.ir.nodes import Model
from burnside.limits import phase, without_collections

if TYPE_CHECKING:  # imported where they are used: what was found before need not wait for numerical libraries
    from burnside.detect.constrain import Constraints, ModelConstraints
    from burnside.detect.encode import Encoding, Prepared
    from burnside.detect.prune import Pruned
    from burnside.graph.automorphisms import Automorphisms


def detect(model: Model, requirements: Sequence[Required] = ()) -> Detection:
    """The symmetries of a checked model that keep some conditions."""
    return Symmetries(model).keeping(requirements)


@final
class Symmetries:
    """What is found out about the symmetries of one model, each thing once.

    A ``checkpoint`` is called between pieces of work; an exception that it raises ends the search for symmetries.
    ``cache`` is the directory where what takes long is kept for other runs; nothing is kept without one.
    """

    def __init__(self, model: Model, cache: Path | None = None) -> None:
        self.model = model
        self._kept = KeptDetections(model, cache)
        self._constraints: ModelConstraints | None = None
        self._known: list[tuple[tuple[Required, ...], Detection]] = []
        self._orders: list[tuple[tuple[Required, ...], int]] = []
        self._searched: list[Searched] = []
        self._prepared: dict[frozenset[int], Prepared] = {}

    @phase("finding symmetries")
    def keeping(self, requirements: Sequence[Required] = (), checkpoint: Callable[[], None] | None = None) -> Detection:
        """The symmetries that keep some conditions."""
        asked = tuple(requirements)
        for known, found in self._known:
            if known == asked:
                return found
        result = self._kept.find(asked, lambda: self._stages(asked))
        if result is None:
            with without_collections():
                result = self._detect(asked, checkpoint or _go_on)
            self._kept.keep(asked, result)
        self._known.append((asked, result))
        return result

    @phase("finding symmetries")
    def order_keeping(self, requirements: Sequence[Required] = ()) -> int:
        """How many symmetries keep some conditions, if faults of conditions on initial states need not be kept.

        Counted, not validated, never used.
        """
        asked = tuple(requirements)
        for known, order in self._orders:
            if known == asked:
                return order
        start = time.perf_counter()
        kept = self._kept.find_order(asked)
        order = kept or self._count(asked)
        if kept is None:
            self._kept.keep_order(asked, order, time.perf_counter() - start)
        self._orders.append((asked, order))
        return order

    def _count(self, asked: tuple[Required, ...]) -> int:
        constraints = self._constrained(asked)
        kept = constraints.requirements[: len(asked)]
        for known, found in self._known:
            if known == asked and found.constraints.requirements == kept and not found.rejected:
                return found.symmetry.order
        return self._search(replace(constraints, requirements=kept)).automorphisms.order

    def _constrained(self, asked: tuple[Required, ...], checkpoint: Callable[[], None] | None = None) -> Constraints:
        from burnside.detect.constrain import ModelConstraints

        if self._constraints is None:
            self._constraints = ModelConstraints(self.model, checkpoint)
        return self._constraints.with_requirements(asked)

    def _search(self, constraints: Constraints) -> Searched:
        """What is found for some constraints of the model."""
        for known in self._searched:
            same = known.constraints
            if (same.requirements, same.opaque) == (constraints.requirements, constraints.opaque):
                return known
        self._searched.append(Searched(constraints, self._prepare(constraints)))
        return self._searched[-1]

    @phase("finding symmetries")
    def constrained(
        self, requirements: Sequence[Required], checkpoint: Callable[[], None] | None = None
    ) -> tuple[Constraints, Pruned]:
        """The constraints with some conditions, and the values that cells can have: what detection begins with."""
        constraints = self._constrained(tuple(requirements), checkpoint)
        return constraints, self._prepare(constraints).pruned

    def _prepare(self, constraints: Constraints) -> Prepared:
        from burnside.detect.encode import Prepared

        opaque = constraints.opaque_cells
        if opaque not in self._prepared:
            self._prepared[opaque] = Prepared(constraints)
        return self._prepared[opaque]

    def _stages(self, asked: tuple[Required, ...]) -> Stages:
        constraints = self._constrained(asked)
        return Stages(constraints, self._search(constraints).encoding)

    def _detect(self, asked: tuple[Required, ...], checkpoint: Callable[[], None]) -> Detection:
        from burnside.detect.literals import literals_of, restrict_to_literals
        from burnside.detect.validate import validate

        start = time.perf_counter()
        constraints = self._constrained(asked, checkpoint)
        checkpoint()
        search = self._search(constraints)
        encoding = search.encoding
        checkpoint()
        encoded = time.perf_counter()
        found = search.automorphisms
        literals = literals_of(constraints.cells, encoding)
        lifted, order = restrict_to_literals(encoding, found, literals), found.order
        searched = time.perf_counter()
        checkpoint()
        symmetry, rejected = validate(constraints, encoding.pruned, literals, lifted, order, checkpoint)
        end = time.perf_counter()
        pruned, graph = encoding.pruned, encoding.graph
        figures = Figures(
            len(graph),
            len(graph.edges),
            len(pruned.constant),
            pruned.dropped,
            encoded - start,
            searched - encoded,
            end - searched,
        )
        stages = Stages(constraints, encoding)
        return Detection(symmetry, rejected, pruned.equal, _kinds(stages), figures, lambda: stages)


@final
class Searched:
    """The graph of some constraints and its automorphisms, each when it is asked for.

    Requirements that are too large to be written out change how the rest is pruned, and nothing else of it.
    """

    def __init__(self, constraints: Constraints, prepared: Prepared) -> None:
        self.constraints = constraints
        self._prepared = prepared

    @cached_property
    def encoding(self) -> Encoding:
        """The graph, and what its vertices mean."""
        from burnside.detect.encode import encode

        return encode(self.constraints, prepared=self._prepared)

    @cached_property
    def automorphisms(self) -> Automorphisms:
        """Those of the graph.

        Every vertex is determined by the literals below it, so the group acts faithfully on literals and has the same
        order there.
        """
        from burnside.graph.automorphisms import automorphisms

        encoding = self.encoding
        return automorphisms(encoding.graph, [*encoding.literals.values(), *encoding.large.values()])


def _kinds(stages: Stages) -> tuple[int, ...]:
    """A number for every requirement, the same for those that are one vertex, or always the same."""
    numbers: dict[Hashable, int] = {}
    keys = (
        (asked.condition, asked.fault) if vertex is None else vertex
        for asked, vertex in zip(stages.constraints.requirements, stages.encoding.requirements, strict=True)
    )
    return tuple(numbers.setdefault(key, len(numbers)) for key in keys)


def _go_on() -> None:
    """Nobody wants to stop."""
