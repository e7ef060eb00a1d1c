"""Models of actors: which variables hold what of them, and the references between those that exist at first.

Names of variables are what a front end made of a text. They say nothing: what a variable is for is said here.
"""

from __future__ import annotations

from typing import final

from burnside.values import dataclass


@final
@dataclass(frozen=True, slots=True)
class MessageKind:
    """A message by its name in the text, and the variables with its arguments, in order."""

    name: str
    arguments: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class Queue:
    """The variables that make up the queues of a class: sequences of equal length, an element for each actor.

    Items of ``kinds`` are positions in ``messages``; items of ``senders`` are ids, or no id for what nobody sent.
    """

    kinds: str
    senders: str
    messages: tuple[MessageKind, ...]


@final
@dataclass(frozen=True, slots=True)
class ActorClass:
    """The variables of the actors of one class: arrays whose first index is an actor.

    ``own`` are variables of the state with their names in the text. Where actors are created, ``exists`` tells those
    that are there. Every rule is a step of the actor that its first parameter names, which takes its first message.
    """

    name: str
    own: tuple[tuple[str, str], ...]
    queue: Queue | None
    exists: str | None


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
    """All actors that exist at first, and their ids in the model they come from."""

    actors: tuple[Actor, ...]
    ids: tuple[int, ...] = ()

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
