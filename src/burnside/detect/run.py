"""Detection from end to end: model → constraints → graph → generators → validated symmetry."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

from burnside.detect.constrain import Constraints, constrain
from burnside.detect.encode import Encoding, encode
from burnside.detect.lift import lift, literals_of
from burnside.detect.naming import NamedGenerator, name_generator
from burnside.detect.validate import Rejected, Symmetry, validate
from burnside.graph.automorphisms import automorphisms
from burnside.ir.nodes import Model
from burnside.ir.requirements import Required
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
        literals = self.symmetry.literals
        return tuple(name_generator(literals, g) for g in self.symmetry.group.generators)


@phase("finding symmetries")
def detect(
    model: Model,
    requirements: Sequence[Required] = (),
    *,
    checkpoint: Callable[[], None] | None = None,
) -> Detection:
    """The symmetries of a checked model that keep some conditions.

    ``checkpoint`` is called between pieces of work; an exception that it raises ends the search for symmetries.
    """
    start = time.perf_counter()
    return detect_constraints(constrain(model, requirements, checkpoint), start, checkpoint)


def order_without_requirements(constraints: Constraints) -> int:
    """How many symmetries there would be if nothing had to be kept; counted, not validated, never used."""
    if not constraints.requirements:
        return automorphisms(encode(constraints).graph).order
    return automorphisms(encode(replace(constraints, requirements=())).graph).order


def detect_constraints(
    constraints: Constraints, start: float | None = None, checkpoint: Callable[[], None] | None = None
) -> Detection:
    """The symmetries of given constraints; ``start`` is when the work on them began."""
    start = time.perf_counter() if start is None else start
    checkpoint = checkpoint or _go_on
    checkpoint()
    encoding = encode(constraints)
    checkpoint()
    encoded = time.perf_counter()
    found = automorphisms(encoding.graph)
    literals = literals_of(constraints.cells, encoding)
    lifted = lift(encoding, found, literals)
    searched = time.perf_counter()
    checkpoint()
    # Every vertex is determined by the literals below it, so the graph's group acts faithfully on literals
    # and has the same order there.
    symmetry, rejected = validate(constraints, encoding.pruned, literals, lifted, found.order)
    end = time.perf_counter()
    return Detection(constraints, encoding, symmetry, rejected, encoded - start, searched - encoded, end - searched)


def _go_on() -> None:
    """Nobody wants to stop."""
