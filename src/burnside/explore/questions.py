"""What is asked about one process: the claims of its model, and those that are no properties of single states."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import final

from burnside.explore.claims import Claim, claims_of
from burnside.ir.nodes import Property, PropertyKind
from burnside.ir.task import Behaviour, Optimum, Task
from burnside.ir.temporal import TemporalClaim, temporal_claims

# What is asked of a model that asks nothing.
DEFAULT_PROPERTY = Property("deadlockfree", PropertyKind.DEADLOCK_FREE)


@final
@dataclass(frozen=True, slots=True)
class Questions:
    """A task, or what names select of it."""

    task: Task
    claims: tuple[Claim, ...]
    behaviours: tuple[Behaviour, ...]
    optima: tuple[Optimum, ...]
    temporal: tuple[TemporalClaim, ...] = ()

    @staticmethod
    def of(task: Task) -> Questions:
        """All that a task asks."""
        temporal = tuple(temporal_claims(task.model.temporal))
        return Questions(task, tuple(claims_of(task.model.properties)), task.behaviours, task.optima, temporal)

    @staticmethod
    def of_all(tasks: Sequence[Task]) -> tuple[Questions, ...]:
        """All that some tasks ask; if that is nothing, the first is asked for deadlocks."""
        every = tuple(asked for asked in map(Questions.of, tasks) if asked)
        return every or (Questions(tasks[0], (Claim(DEFAULT_PROPERTY),), (), ()),)

    def __bool__(self) -> bool:
        return bool(self.claims or self.behaviours or self.optima or self.temporal)

    def names(self) -> Iterator[str]:
        """Every name that selects something."""
        members: tuple[Claim | TemporalClaim, ...] = (*self.claims, *self.temporal)
        for claim in members:
            yield from self._spellings(claim.name)
            yield from self._spellings(claim.family.name)
        for behaviour in self.behaviours:
            yield from self._spellings(behaviour.name)
        for optimum in self.optima:
            yield from self._spellings(optimum.name)

    def chosen(self, names: Collection[str]) -> Questions:
        """What some names select."""

        def is_chosen(name: str) -> bool:
            return any(spelling in names for spelling in self._spellings(name))

        return Questions(
            self.task,
            tuple(c for c in self.claims if is_chosen(c.name) or is_chosen(c.family.name)),
            tuple(b for b in self.behaviours if is_chosen(b.name)),
            tuple(o for o in self.optima if is_chosen(o.name)),
            tuple(t for t in self.temporal if is_chosen(t.name) or is_chosen(t.family.name)),
        )

    def _spellings(self, name: str) -> Iterator[str]:
        yield name
        if self.task.process:
            yield f"{self.task.process}.{name}"
