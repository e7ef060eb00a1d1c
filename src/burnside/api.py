"""The Python interface, for notebooks and scripts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

from burnside import pipeline
from burnside.explore.native.run import SearchOptions
from burnside.explore.trace import Trace
from burnside.ir.nodes import Model, Value
from burnside.ir.printer import print_model
from burnside.ir.task import Task
from burnside.ir.temporal import Fairness
from burnside.report.json import check_object, count_object
from burnside.report.text import check_text, count_text
from burnside.report.values import CheckReport, CountReport

if TYPE_CHECKING:
    from burnside.report.detection import DetectReport


def load(path: str | Path, **constants: int | list[Any]) -> System:
    """Read a model; keyword arguments override its constants. Raises `burnside.source.ModelError`."""
    return System(pipeline.load_tasks(Path(path), {name: _value(value) for name, value in constants.items()}))


@final
@dataclass(frozen=True, slots=True)
class System:
    """A loaded model and what can be asked of it; a text may ask about several processes, each with its model."""

    tasks: tuple[Task, ...]

    @property
    def model(self) -> Model:
        """The model, of the first process if there are several."""
        return self.tasks[0].model

    def count(self, *, symmetry: str = "none", options: SearchOptions | None = None) -> Counted:
        """Explore the whole state space, or with ``symmetry="unique"`` one state of every orbit."""
        return Counted(pipeline.count(self.model, symmetry=symmetry, options=options))

    def check(
        self,
        *properties: str,
        symmetry: str = "auto",
        fairness: str | None = None,
        options: SearchOptions | None = None,
    ) -> Checked:
        """Decide properties: those named, or all; ``fairness`` is assumed of infinite runs whatever the model says."""
        assumed = None if fairness is None else Fairness(fairness)
        return Checked(
            pipeline.check_tasks(
                self.tasks, properties=properties, symmetry=symmetry, fairness=assumed, options=options
            )
        )

    def symmetries(self, *properties: str) -> DetectReport:
        """The symmetries of the model, or of the model with some properties."""
        return pipeline.detect(self.model, properties=properties)

    def __str__(self) -> str:
        return print_model(self.model)


@final
@dataclass(frozen=True)
class Counted:
    """The size of a state space; printing it shows what ``burnside count`` shows."""

    report: CountReport

    @property
    def states(self) -> int:
        """Number of states."""
        return self.report.exploration.states

    @property
    def transitions(self) -> int:
        """Number of transitions: enabled rule instances, summed over the states."""
        return self.report.exploration.transitions

    @property
    def deadlocks(self) -> int:
        """Number of states without a successor."""
        return self.report.exploration.deadlocks

    @property
    def depth(self) -> int | None:
        """Greatest distance of a state from an initial one; None if an adaptive search could not tell."""
        return self.report.exploration.depth

    def as_dict(self) -> dict[str, Any]:
        """The object that ``--json`` prints."""
        return count_object(self.report)

    def __str__(self) -> str:
        return count_text(self.report)


@final
@dataclass(frozen=True)
class Checked:
    """Verdicts; printing it shows what ``burnside check`` shows."""

    reports: tuple[CheckReport, ...]

    @cached_property
    def verdicts(self) -> dict[str, str]:
        """``holds``, ``violated`` or ``unknown`` by the name of the property."""
        return {r.full_name(c): c.verdict.value for r in self.reports for c in r.claims}

    @cached_property
    def traces(self) -> dict[str, Trace]:
        """Traces of the properties that have one."""
        return {r.full_name(c): c.trace for r in self.reports for c in r.claims if c.trace}

    def as_dict(self) -> dict[str, Any]:
        """The object that ``--json`` prints."""
        return check_object(self.reports)

    def __str__(self) -> str:
        return check_text(self.reports)


def _value(value: int | Sequence[Any]) -> Value:
    return value if isinstance(value, int) else tuple(_value(v) for v in value)
