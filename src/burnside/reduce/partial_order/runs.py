"""Stubborn sets for claims about infinite runs: what a formula cannot see may happen in one order only.

A step is *watched* if it may change what holds of an atom of the formula, or whether something faults; or if it is one
of those without which nothing goes on for ever. With a watched step that can be taken, a set has all of them. Sets
depend on the state of the model alone, so that it does not matter in which order a product is searched
(``docs/theory/liveness.md`` has the proof).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from burnside.detect.terms import Term, Terms, bits
from burnside.reduce.partial_order.actions import Conditions, Step
from burnside.reduce.partial_order.cycles import Cycles
from burnside.reduce.partial_order.relations import Relations
from burnside.reduce.partial_order.stubborn import Stubborn, whole_kinds
from burnside.values import dataclass


@final
@dataclass(frozen=True)
class Watched:
    """The conditions that a formula is about, and conjunctions under which something faults."""

    atoms: tuple[Term, ...]
    faults: tuple[Conditions, ...]


def stubborn_for_runs(
    steps: Sequence[Step], watched: Watched, relations: Relations, terms: Terms, *, by_kind: bool
) -> Stubborn | None:
    """All that is needed for stubborn sets; None if every step is watched. ``by_kind`` closes what is watched under
    symmetries, which take steps to steps of the same kind.
    """
    everything = (1 << len(steps)) - 1
    seen = visible(watched, relations, terms)
    if by_kind:
        seen = whole_kinds(steps, seen)
    seen |= Cycles(steps, relations.changes).breakers(everything & ~seen)
    if seen == everything:
        return None
    together = relations.harming()
    for step in bits(seen):
        together[step] |= seen
    numbers: dict[Term, int] = {}
    lacking = tuple(tuple(numbers.setdefault(g, len(numbers)) for g in step.guards) for step in steps)
    enabling = tuple(relations.enabling(g) for g in numbers)
    return Stubborn(tuple(steps), (), tuple(numbers), lacking, tuple(together), tuple(together), enabling)


def visible(watched: Watched, relations: Relations, terms: Terms) -> int:
    """The steps that may change what holds of an atom, or whether something faults."""
    mask = 0
    for atom in watched.atoms:
        mask |= relations.enabling(atom) | relations.enabling(terms.negation(atom))
    for fault in watched.faults:
        mask |= relations.disabling(fault) | relations.fulfilling(fault)
    return mask
