"""What is asked about one process of a text: a model, and claims about it. A text may ask about several processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, final

from burnside.claims.kinds import Claim, DeadlockFree
from burnside.claims.members import Member, members_of
from burnside.ir.nodes import Model
from burnside.source import Diagnostic, ModelError, Note, did_you_mean
from burnside.values import dataclass

# What is asked of a model that asks nothing.
DEFAULT_CLAIM: Final = DeadlockFree("deadlockfree")


@final
@dataclass(frozen=True, slots=True)
class Simplification:
    """How much of a net its model does not have, because nothing that is asked depends on it: so many places and
    transitions of so many; of what it has, ``joined`` steps are two of the net or more.
    """

    places: int
    of_places: int
    transitions: int
    of_transitions: int
    joined: int

    @property
    def reason(self) -> str:
        """Why they were left out."""
        return "nothing that is asked depends on them"


@final
@dataclass(frozen=True, slots=True)
class Task:
    """A model and the claims about it. ``process`` names it where a text asks about several processes;
    ``simplification`` says what of the text the model does not have, if that was asked for and found.
    """

    model: Model
    claims: tuple[Claim, ...] = ()
    process: str = ""
    simplification: Simplification | None = None

    @property
    def members(self) -> tuple[Member[Claim], ...]:
        """All that is asked, one by one."""
        return tuple(members_of(self.claims))

    def spellings(self, member: Member[Claim]) -> Iterator[str]:
        """The names that select a member: its own and its family's, alone or behind that of the process."""
        for name in dict.fromkeys((member.name, member.claim.name)):
            yield name
            if self.process:
                yield f"{self.process}.{name}"


@final
@dataclass(frozen=True, slots=True)
class Asked:
    """A task, and what of it is asked for."""

    task: Task
    members: tuple[Member[Claim], ...]


def select(tasks: Sequence[Task], names: Sequence[str] = ()) -> tuple[Asked, ...]:
    """What names select of some tasks, whole families or single members; all without names. Tasks of which nothing is
    selected are left out; if none of them asks anything, the first is asked for deadlocks.

    With several processes ``deadlockfree`` selects the claims of that name about all, ``P.deadlockfree`` that about P.
    """
    every = tuple(Asked(task, task.members) for task in tasks if task.claims)
    every = every or (Asked(tasks[0], (Member(DEFAULT_CLAIM),)),)
    if not names:
        return every
    _check_names(every, names)
    chosen = (
        Asked(asked.task, tuple(m for m in asked.members if any(s in names for s in asked.task.spellings(m))))
        for asked in every
    )
    return tuple(asked for asked in chosen if asked.members)


def _check_names(every: Sequence[Asked], names: Sequence[str]) -> None:
    known = sorted({name for asked in every for m in asked.members for name in asked.task.spellings(m)})
    for name in names:
        if name not in known:
            remedy = did_you_mean(name, known) or f"the model has: {', '.join(known[:20])}"
            raise ModelError([Diagnostic("BUR212", f"there is no property '{name}'", notes=(Note(remedy, "help"),))])
