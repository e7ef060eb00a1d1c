"""Local search: the least image under the generators, again and again until nothing improves [DonaldsonMiller06].

Quick for every group, but an orbit may have several representatives. It takes over where nothing exact is possible.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import cached_property
from typing import final

from burnside.groups import Perm
from burnside.groups.perm import compose, identity
from burnside.groups.work import Work
from burnside.reduce.symmetry.action import Action, Image
from burnside.reduce.symmetry.strategy import Moved, Packing, Strategy, Taken
from burnside.reduce.tables import Table
from burnside.values import dataclass


@final
@dataclass(frozen=True)
class LocalSearch(Strategy):
    """Improve under the generators while that helps."""

    name = "local search"
    is_exact = False

    action: Action
    reason: str = "asked for"

    @classmethod
    def take(cls, action: Action, work: Work) -> Taken | None:  # noqa: ARG003 (others need it)
        """Any group."""
        return Taken(cls(action))

    @property
    def pruners(self) -> Iterable[Perm]:
        """The generators are known anyway."""
        return ()

    def code(self, function: str, packing: Packing) -> str:  # noqa: ARG002 (others need it)
        """The search is the same for all groups: generators are a table."""
        return f"""\
#include "local_search.h"

static count_t {function}(struct scratch *x, word *s) {{
    return search_locally(x, s, {len(self.action.group.generators)});
}}"""

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """The generators."""
        return (Table("generators", array("H", (image for g in self.action.group.generators for image in g))),)

    def representative(self, image: Image) -> Moved:
        """Where the search ends."""
        perm = identity(self.action.group.degree)
        while True:
            least, step = min((self.action.apply(g, image), g) for g in self.action.group.generators)
            if least >= image:
                return image, perm
            image, perm = least, compose(perm, step)
