"""Answers: values that print as the commands do, and show themselves in notebooks."""

from __future__ import annotations

import html
import json
from abc import ABC, abstractmethod
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

from burnside.explore.walk import Walk
from burnside.report.renderers import formats_of, render
from burnside.results.answers import CheckAnswer, CountAnswer, DetectAnswer, PatternAnswer, WalkAnswer
from burnside.results.findings import CheckReport, CountReport
from burnside.results.remarks import fault_diagnostic, remarks_on
from burnside.results.trace import Trace
from burnside.source import Diagnostic
from burnside.values import dataclass

if TYPE_CHECKING:
    from burnside.actors.compare import ActorReport
    from burnside.detect.naming import NamedGenerator
    from burnside.regular.report import Report
    from burnside.results.coverage import Coverage
    from burnside.results.detection import DetectReport


class Shown(ABC):
    """An answer in every format that a command prints it in."""

    @property
    @abstractmethod
    def answer(self) -> CheckAnswer | CountAnswer | DetectAnswer | PatternAnswer | WalkAnswer:
        """What the command would show."""

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What there is to say about the model besides the answer, such as warnings."""
        return self.answer.diagnostics

    def render(self, format: str = "text") -> str:
        """What the command prints with ``--format``: ``text``, ``json`` and others, depending on what was asked."""
        known = formats_of(self.answer.kind)
        if format not in known:
            raise ValueError(f"format is {format!r}: it can be {', '.join(known)}")
        return str(render(self.answer, format))

    def as_dict(self) -> dict[str, Any]:
        """The object that ``--json`` prints."""
        found: dict[str, Any] = json.loads(self.render("json"))
        return found

    def __str__(self) -> str:
        return self.render()

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


@final
@dataclass(frozen=True)
class Counted(Shown):
    """The size of a state space; printing it shows what ``burnside count`` shows."""

    report: CountReport
    warnings: tuple[Diagnostic, ...] = ()

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

    @property
    def answer(self) -> CountAnswer:
        """What ``burnside count`` would show."""
        return CountAnswer(self.report, None, (*self.warnings, *remarks_on(self.report)))


@final
@dataclass(frozen=True)
class Covered(Shown):
    """What an exploration covers; ``coverage`` is None if it was not complete."""

    report: CountReport
    coverage: Coverage | None
    warnings: tuple[Diagnostic, ...] = ()

    @property
    def answer(self) -> CountAnswer:
        """What ``burnside count --coverage`` would show."""
        return CountAnswer(self.report, (self.coverage,), (*self.warnings, *remarks_on(self.report)))


@final
@dataclass(frozen=True)
class Checked(Shown):
    """Verdicts; printing it shows what ``burnside check`` shows."""

    reports: tuple[CheckReport, ...]
    file: str = ""
    warnings: tuple[Diagnostic, ...] = ()

    @cached_property
    def verdicts(self) -> dict[str, str]:
        """``holds``, ``violated`` or ``unknown`` by the name of the property."""
        return {r.full_name(f): f.verdict.value for r in self.reports for f in r.findings}

    @cached_property
    def traces(self) -> dict[str, Trace]:
        """Traces of the properties that have one."""
        return {r.full_name(f): f.trace for r in self.reports for f in r.findings if f.trace}

    @property
    def answer(self) -> CheckAnswer:
        """What ``burnside check`` would show."""
        return CheckAnswer(self.file, self.reports, None, (*self.warnings, *remarks_on(*self.reports)))


@final
@dataclass(frozen=True)
class Simulated(Shown):
    """A random walk; the same ``seed`` takes the same way."""

    walk: Walk
    seed: int
    warnings: tuple[Diagnostic, ...] = ()

    @property
    def trace(self) -> Trace:
        """The run, with the fault in its last state if there is one."""
        return self.walk.trace

    @property
    def answer(self) -> WalkAnswer:
        """What ``burnside simulate`` would show."""
        fault = self.walk.here.fault if self.walk.positions else None
        faults = () if fault is None else (fault_diagnostic(fault),)
        return WalkAnswer(self.walk, self.seed, None, (*self.warnings, *faults))


@final
@dataclass(frozen=True)
class Symmetric(Shown):
    """The symmetries of a model; printing it shows what ``burnside detect`` shows."""

    report: DetectReport
    actors: ActorReport | None = None
    warnings: tuple[Diagnostic, ...] = ()

    @property
    def order(self) -> int:
        """The number of symmetries, the identity included."""
        return self.report.order

    @property
    def structure(self) -> str | None:
        """The name of the group as an abstract one, such as ``C5``; None if it is not known."""
        return self.report.structure

    @property
    def action(self) -> str | None:
        """The group by what it acts upon, such as ``C5 (Phil)``; None if it is not a product of such actions."""
        return self.report.action.text if self.report.action else None

    @property
    def generators(self) -> tuple[NamedGenerator, ...]:
        """Symmetries that generate all of them, in the user's terms."""
        return self.report.generators

    @property
    def answer(self) -> DetectAnswer:
        """What ``burnside detect`` would show."""
        return DetectAnswer(self.report, self.actors, self.warnings)


@final
@dataclass(frozen=True)
class Picture:
    """A picture, and how much it shows."""

    svg: str
    size: str

    def save(self, path: str | Path) -> None:
        """Write it to a file."""
        Path(path).write_text(self.svg, encoding="utf-8")

    def _repr_html_(self) -> str:
        return self.svg[self.svg.find("<svg") :]


@final
@dataclass(frozen=True)
class Page:
    """A page that needs nothing else."""

    text: str

    def save(self, path: str | Path) -> None:
        """Write it to a file."""
        Path(path).write_text(self.text, encoding="utf-8")

    def _repr_html_(self) -> str:
        shown = html.escape(self.text, quote=True)
        return f'<iframe srcdoc="{shown}" width="100%" height="600" style="border:0"></iframe>'


@final
@dataclass(frozen=True)
class Answer(Shown):
    """What ``burnside pattern`` says."""

    report: Report

    @property
    def holds(self) -> bool:
        """Whether it is what was hoped for."""
        return self.report.holds

    @property
    def answer(self) -> PatternAnswer:
        """What the command would show."""
        return PatternAnswer(self.report.content, self.report.lines)
