"""A validated group of symmetries, as a value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, final

from burnside.detect.literals import Literals
from burnside.groups import Perm, PermGroup, group_order
from burnside.values import dataclass, field

VALIDATED: Final = object()  # what validation signs with, and what brings back what it once signed


@final
@dataclass(frozen=True)
class Symmetry:
    """A validated group of permutations of literals; its order is exact.

    ``exchanges`` says for every generator which requirement each requirement becomes (of equal ones the first).
    """

    literals: Literals
    group: PermGroup
    exchanges: Mapping[Perm, tuple[int, ...]]
    signature: object = field(repr=False, compare=False, default=None)

    def __post_init__(self) -> None:
        if self.signature is not VALIDATED:
            raise TypeError("symmetries come from detect.validate only")

    @property
    def order(self) -> int:
        """The number of symmetries, the identity included."""
        return group_order(self.group)


@final
@dataclass(frozen=True)
class Rejected:
    """A generator that failed, and which test it failed: a bug in Burnside."""

    generator: Perm
    reason: str
