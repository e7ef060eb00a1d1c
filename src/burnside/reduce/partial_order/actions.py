"""Steps and goals: what stubborn sets are made of.

A step is a ground transition, taken apart into the conjuncts of its guard and the cells that it reads and writes. A
goal is what decides a claim, or faults; its *aims* are conjunctions, one of which holds where the goal is met. What a
step that cannot be taken lacks, and what an aim that is not met lacks, are found in the same way: both are *actions*.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TypeAlias, final

from burnside.detect.constrain import GroundTransition
from burnside.detect.terms import Term, Terms
from burnside.values import dataclass

_MOST_AIMS = 64  # of one condition

Conditions: TypeAlias = tuple[Term, ...]  # all of which must hold


@final
@dataclass(frozen=True)
class Step:
    """A ground transition of the rule instance with a number."""

    transition: GroundTransition
    instance: int
    guards: Conditions

    @cached_property
    def writes(self) -> int:
        """The cells that it may change, as a bit mask."""
        return sum(1 << cell for cell, _ in self.transition.updates)

    @cached_property
    def reads(self) -> int:
        """The cells on which it depends whether it can be taken, and what it does."""
        mask = self.transition.guard.support
        for _, term in self.transition.updates:
            mask |= term.support
        return mask


@final
@dataclass(frozen=True)
class Goal:
    """Something to be found; ``claims`` are those that it decides, by number: none if it is a fault."""

    aims: tuple[Conditions, ...]
    claims: tuple[int, ...] = ()


def conjuncts(terms: Terms, condition: Term) -> Conditions:
    """The conditions that a conjunction is made of."""
    return tuple(dict.fromkeys(_parts(terms, condition, "and", "or")))


def aims_of(terms: Terms, condition: Term) -> tuple[Conditions, ...]:
    """Conjunctions, one of which holds where a condition does; a few at most."""
    aims: list[Conditions] = [()]
    for part in conjuncts(terms, condition):
        ways = [conjuncts(terms, way) for way in dict.fromkeys(_parts(terms, part, "or", "and"))]
        if len(aims) * len(ways) > _MOST_AIMS:
            ways = [(part,)]
        aims = [(*aim, *way) for aim in aims for way in ways]
    together = (terms.conjunction(aim) for aim in aims)
    return tuple(dict.fromkeys(conjuncts(terms, aim) for aim in together if aim is not terms.false))


def _parts(terms: Terms, condition: Term, junction: str, dual: str) -> Iterator[Term]:
    """What a condition joins, through negations of what its dual joins."""
    if condition.operator == junction:
        for part in condition.args:
            yield from _parts(terms, part, junction, dual)
    elif condition.operator == "not" and condition.args[0].operator == dual:
        for part in condition.args[0].args:
            yield from _parts(terms, terms.negation(part), junction, dual)
    else:
        yield condition
