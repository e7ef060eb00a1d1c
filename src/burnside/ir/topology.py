"""Actors and the references between them: what is left of a model of actors when its programs are forgotten."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True)
class Actor:
    """An actor: its class, its plain values at first, and the actors it refers to, in an order that its class gives.

    References are positions in the topology, or None for no actor.
    """

    name: str
    kind: str
    plain: tuple[int | str, ...]
    references: tuple[int | None, ...]


@final
@dataclass(frozen=True, slots=True)
class Topology:
    """All actors that exist at first."""

    actors: tuple[Actor, ...]

    def is_kept_by(self, images: tuple[int, ...]) -> bool:
        """Whether a permutation keeps classes, plain values and references: Definitions 3 and 4 and the initial state.

        >>> ring = Topology((Actor("a", "N", (), (1,)), Actor("b", "N", (), (0,))))
        >>> ring.is_kept_by((1, 0))
        True
        """
        for one, image in zip(self.actors, images, strict=True):
            other = self.actors[image]
            moved = tuple(None if r is None else images[r] for r in one.references)
            if (one.kind, one.plain, moved) != (other.kind, other.plain, other.references):
                return False
        return True
