"""Which canonical form is used for a group: strategies are tried in order, each takes the direct factors that it is
certain of.

`Sorting` takes symmetric groups (and wreath products over them), `SortedCosets` groups with a large part of this kind,
`Refinement` symmetric groups on pairs and the like, `RefinedCosets` groups with a large part of that kind, `AllImages`
other small groups and all with few images, `StabiliserWalk` any group.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from burnside.groups.work import OutOfWork, Work
from burnside.limits import phase
from burnside.reduce.symmetry.action import Action, action_of
from burnside.reduce.symmetry.chain import StabiliserWalk
from burnside.reduce.symmetry.cosets import RefinedCosets, SortedCosets
from burnside.reduce.symmetry.images import AllImages
from burnside.reduce.symmetry.local_search import LocalSearch
from burnside.reduce.symmetry.reduction import SymmetryReduction
from burnside.reduce.symmetry.refinement import Refinement
from burnside.reduce.symmetry.sorting import Sorting
from burnside.reduce.symmetry.strategy import Strategy

if TYPE_CHECKING:  # detection brings numerical libraries along, which plain exploring does not need
    from burnside.detect.symmetry import Symmetry

# The quickest first; but small groups take all images before anything but sorting (`_steps`).
EXACT: Final[tuple[type[Strategy], ...]] = (
    Sorting,
    SortedCosets,
    Refinement,
    RefinedCosets,
    AllImages,
    StabiliserWalk,
)

FEW_WORDS = 48  # of images, which are computed sooner than anything else is found out (2 ns each)
MOST_POINTS = 60_000  # they are numbered by 16 bits in C
MOST_WORK = 50_000_000  # images of points for each stage of planning: some seconds, some hundred megabytes


class TooComplex(Exception):
    """A group takes more work than is allowed."""


def plan(
    symmetry: Symmetry,
    *,
    multi: bool = False,
    without: Collection[type[Strategy]] = (),
    checkpoint: Callable[[], None] | None = None,
) -> SymmetryReduction | None:
    """The reduction for a symmetry, or None if it moves nothing that can be reduced; `TooComplex` if that takes more
    work than it is allowed to.

    ``multi`` asks for local search; ``without`` leaves out strategies, whose work a more general one then does.
    ``checkpoint`` is called between pieces of work; an exception that it raises ends the planning.
    """
    try:
        action = action_of(symmetry, work=Work(MOST_WORK, checkpoint))
    except OutOfWork as error:
        raise TooComplex("its group takes too long to work with") from error
    return plan_action(action, multi=multi, without=without, checkpoint=checkpoint)


@phase("planning the reduction")
def plan_action(
    action: Action,
    *,
    multi: bool = False,
    without: Collection[type[Strategy]] = (),
    checkpoint: Callable[[], None] | None = None,
) -> SymmetryReduction | None:
    """The same for an action, which the caller answers for."""
    if action.group.is_trivial:
        return None
    if len(action.values) + action.followed > MOST_POINTS:
        raise TooComplex(f"it moves more than {MOST_POINTS:,} values")
    if multi:
        return _reduction(action, (LocalSearch(action, "asked for"),))
    allowed = [s for s in EXACT if s not in without and (s.follows_points or not action.followed)]
    steps = _steps(action, allowed, checkpoint)
    return _reduction(action, steps or (LocalSearch(action, "the stabiliser chain grows too large"),))


def _reduction(action: Action, steps: tuple[Strategy, ...]) -> SymmetryReduction:
    return SymmetryReduction(action, steps, "; ".join(step.reason for step in steps))


def _steps(
    action: Action, strategies: Collection[type[Strategy]], checkpoint: Callable[[], None] | None
) -> tuple[Strategy, ...]:
    """Strategies that take all direct factors between them, one after the other; none if something is left."""
    steps: list[Strategy] = []
    waiting = list(strategies)
    while waiting:
        first = Sorting if Sorting in waiting else AllImages if action.image_words <= FEW_WORDS else waiting[0]
        strategy = first if first in waiting else waiting[0]
        waiting.remove(strategy)
        try:
            taken = strategy.take(action, Work(MOST_WORK, checkpoint))
        except OutOfWork:
            continue
        if taken is None:
            continue
        steps.append(taken.strategy)
        if taken.rest is None or taken.rest.is_trivial:
            return tuple(steps)
        action = replace(action, group=taken.rest)
    return ()
