"""Claims: the single questions that an exploration decides.

A property with parameters is a family of claims, one for each of their values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import final

from burnside.ir.nodes import Expr, Property, PropertyKind, Unary, member_name
from burnside.ir.semantics import instances


@final
@dataclass(frozen=True, slots=True)
class Claim:
    """One member of a property's family."""

    family: Property
    arguments: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """The property's name with the values of its parameters: ``safe(2)``."""
        return member_name(self.family.name, self.family.parameters, self.arguments)

    @property
    def sought(self) -> Expr:
        """True in the states that decide the claim: violations of an invariant, states to be reached."""
        condition = self.family.condition
        return Unary("!", condition) if self.family.kind is PropertyKind.INVARIANT else condition


def claims_of(properties: Iterable[Property]) -> Iterator[Claim]:
    """Every member of every family, in order."""
    for family in properties:
        for arguments in instances(family.parameters):
            yield Claim(family, arguments)
