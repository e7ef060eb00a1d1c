"""What costs symmetry: processes and values that could be exchanged if something were not written, and where it is.

Symmetry is *expected* of the processes of a domain, and of the values of a domain of data that are only copied and
compared. Where it is missing, smallest sets of sites are named (``culprits``); what is calculated with process ids
comes last, since a ring is mostly meant to be one. The groups here belong to other models: they are neither validated
nor used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import thread_time
from typing import final

from burnside.claims.requirements import Required
from burnside.detect.actions import name_action
from burnside.detect.culprits import Budget, BudgetSpent
from burnside.detect.detection import Detection
from burnside.detect.losses import Loss, MissingSymmetries, NamedGroup, Unexplained
from burnside.detect.run import Symmetries
from burnside.groups import describe
from burnside.ir.nodes import Const
from burnside.limits import NEVER, Deadline, phase
from burnside.values import dataclass

MOST_QUESTIONS = 400
_SECONDS = 60.0  # of processor time


@final
@dataclass(frozen=True, slots=True)
class PropertyCost:
    """The symmetries that a property keeps, and what of it costs the others."""

    name: str
    kept: NamedGroup
    losses: tuple[Loss, ...]


@final
@dataclass(frozen=True, slots=True)
class Explanation:
    """Missing symmetries, and what properties cost of the ``group`` of the model; ``is_complete`` unless the model was
    too large, or the budget spent. ``unexplained`` are domains of which some processes are told apart by nothing that
    is written in single places. What the properties ``elsewhere`` keep is not known before they are decided.
    """

    group: NamedGroup
    losses: tuple[Loss, ...]
    properties: tuple[PropertyCost, ...] = ()
    is_complete: bool = True
    unexplained: tuple[Unexplained, ...] = ()
    elsewhere: tuple[str, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Asked:
    """A property by name, with what symmetries must keep for it."""

    name: str
    requirements: tuple[Required, ...]


@phase("explaining symmetries")
def explain(
    symmetries: Symmetries,
    requirements: Sequence[Required],
    properties: Sequence[Asked],
    deadline: Deadline = NEVER,
) -> Explanation:
    """The symmetries that a model lacks if some conditions are to be kept, and what each property costs.

    Whatever has been found when the time is over is reported as incomplete. Without a limit of the user's, processor
    time is what counts: what is said should not depend on what else a machine does.
    """
    end = thread_time() + _SECONDS

    def checkpoint() -> None:
        if deadline.is_over() or thread_time() > end:
            raise BudgetSpent

    found = symmetries.keeping(requirements)
    explaining = MissingSymmetries(symmetries.model, requirements, found, Budget(MOST_QUESTIONS, checkpoint))
    losses = explaining.losses()
    costs, are_known = _costs(symmetries, properties, checkpoint, are_explained=not requirements)
    own = named_group(symmetries.keeping()) if costs else named_group(found)
    return Explanation(own, losses, costs, explaining.is_complete and are_known, explaining.unexplained)


def named_group(found: Detection) -> NamedGroup:
    """The group that was detected."""
    action = name_action(found.symmetry)
    return NamedGroup(found.symmetry.order, describe(found.symmetry.group) if action is None else action.text)


def _costs(
    symmetries: Symmetries, properties: Sequence[Asked], checkpoint: Callable[[], None], *, are_explained: bool
) -> tuple[tuple[PropertyCost, ...], bool]:
    costs: list[PropertyCost] = []
    are_known = True
    try:
        for asked in properties:
            checkpoint()
            required = [r for r in asked.requirements if not isinstance(r.condition, Const)]
            kept = symmetries.keeping(required)
            losses: tuple[Loss, ...] = ()
            if are_explained and kept.symmetry.order < symmetries.keeping().symmetry.order:
                budget = Budget(MOST_QUESTIONS, checkpoint)
                explaining = MissingSymmetries(symmetries.model, required, kept, budget, only_properties=True)
                losses = explaining.losses()
                are_known &= explaining.is_complete
            costs.append(PropertyCost(asked.name, named_group(kept), losses))
    except BudgetSpent:
        return tuple(costs), False
    return tuple(costs), are_known
