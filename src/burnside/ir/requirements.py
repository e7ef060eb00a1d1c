"""What symmetries are asked to keep, as values: no name that a user chooses can be taken for something else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, final

from burnside.ir.nodes import Expr


class Subject(Enum):
    """What a condition is about."""

    PROPERTY = "property"
    TERMINAL = "the terminal states"
    ATOM = "condition"
    PROCESS = "the processes that act"
    INITIALLY = "the conditions on initial states"


@final
@dataclass(frozen=True, slots=True)
class Family:
    """Conditions that symmetries may exchange with one another: members of a property's family, for instance.

    ``names`` tell subjects apart of which there are several; ``is_fault`` marks where conditions cannot be evaluated.
    """

    subject: Subject
    names: tuple[str, ...] = ()
    is_fault: bool = False

    def __str__(self) -> str:
        about = f"{self.subject.value} '{': '.join(self.names)}'" if self.names else self.subject.value
        return f"faults of {about}" if self.is_fault else about


class Required(NamedTuple):
    """A condition to be kept, with the values of the names bound in it."""

    family: Family
    condition: Expr
    names: Mapping[str, int]
