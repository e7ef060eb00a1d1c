"""What a strategy is: a way to representatives under a group, or under direct factors of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar, TypeAlias, final

from burnside.groups import Perm, PermGroup
from burnside.groups.work import Work
from burnside.ir.packing import Field
from burnside.reduce.symmetry.action import Action, Image
from burnside.reduce.tables import Table
from burnside.values import dataclass

Moved: TypeAlias = tuple[Image, Perm]  # an image, and an element that leads to it


@final
@dataclass(frozen=True, slots=True)
class Packing:
    """Where the positions of an action are packed, and how many words a state has."""

    fields: tuple[Field, ...]
    words: int


@final
@dataclass(frozen=True, slots=True)
class Taken:
    """A strategy for some direct factors of a group, and the group that is left to others; None if it takes all."""

    strategy: Strategy
    rest: PermGroup | None = None


class Strategy(ABC):
    """A way to representatives, at work on direct factors of the group of an action. Each has a file of its own.

    ``name`` is what reports call it. It ``is_exact`` if every orbit gets exactly one representative. It
    ``follows_points`` if its C keeps track of points that are in no state (processes, under fairness), by the very
    elements that `representative` composes.
    """

    name: ClassVar[str]
    is_exact: ClassVar[bool] = True
    follows_points: ClassVar[bool] = False

    @classmethod
    @abstractmethod
    def take(cls, action: Action, work: Work) -> Taken | None:
        """The strategy for what it is certain of, or None; OutOfWork if that takes too long to find out."""

    @property
    @abstractmethod
    def reason(self) -> str:
        """Why it was chosen, for people."""

    @property
    @abstractmethod
    def pruners(self) -> Iterable[Perm]:
        """Elements of the group that are known anyway: an initial state that one of them makes smaller is left out."""

    @property
    def tables(self) -> tuple[Table, ...]:
        """Numbers that the C looks up."""
        return ()

    @abstractmethod
    def code(self, function: str, packing: Packing) -> str:
        """C that defines ``count_t function(struct scratch *x, word *s)``.

        It replaces the state ``s`` by its representative and returns how many elements of its factor fix ``s``, or 0
        after a failure (``runtime/representatives.h``). ``x`` is memory of the thread.
        """

    @abstractmethod
    def representative(self, image: Image) -> Moved:
        """A representative of an image, and an element that takes the image there.

        It is the same for all images of an orbit if the strategy is exact, but need not be the one that C finds.
        """
