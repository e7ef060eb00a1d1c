"""Answers: values that print as the commands do, and show themselves in notebooks."""

from __future__ import annotations

import html
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

from burnside.explore.walk import Walk
from burnside.report.json import check_object, count_object
from burnside.report.text import check_text, count_text
from burnside.results.findings import CheckReport, CountReport
from burnside.results.trace import Trace

if TYPE_CHECKING:
    from burnside.detect.naming import NamedGenerator
    from burnside.regular.report import Report
    from burnside.results.coverage import Coverage
    from burnside.results.detection import DetectReport


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

    def _repr_html_(self) -> str:
        return _preformatted(str(self))


@final
@dataclass(frozen=True)
class Covered:
    """What an exploration covers; ``coverage`` is None if it was not complete."""

    report: CountReport
    coverage: Coverage | None

    def as_dict(self) -> dict[str, Any]:
        """The object that ``--json`` prints."""
        from burnside.report.coverage import coverage_object

        return count_object(self.report) | {"coverage": self.coverage and coverage_object(self.coverage)}

    def __str__(self) -> str:
        from burnside.report.coverage import coverage_text

        return "\n".join([count_text(self.report), *coverage_text(self.coverage)])

    def _repr_html_(self) -> str:
        return _preformatted(str(self))


@final
@dataclass(frozen=True)
class Checked:
    """Verdicts; printing it shows what ``burnside check`` shows."""

    reports: tuple[CheckReport, ...]

    @cached_property
    def verdicts(self) -> dict[str, str]:
        """``holds``, ``violated`` or ``unknown`` by the name of the property."""
        return {r.full_name(f): f.verdict.value for r in self.reports for f in r.findings}

    @cached_property
    def traces(self) -> dict[str, Trace]:
        """Traces of the properties that have one."""
        return {r.full_name(f): f.trace for r in self.reports for f in r.findings if f.trace}

    def as_dict(self) -> dict[str, Any]:
        """The object that ``--json`` prints."""
        return check_object(self.reports)

    def __str__(self) -> str:
        return check_text(self.reports)

    def _repr_html_(self) -> str:
        return _preformatted(str(self))


@final
@dataclass(frozen=True)
class Simulated:
    """A random walk; the same ``seed`` takes the same way."""

    walk: Walk
    seed: int

    @property
    def trace(self) -> Trace:
        """The run, with the fault in its last state if there is one."""
        return self.walk.trace

    def as_dict(self) -> dict[str, Any]:
        """The object that ``--json`` prints."""
        from burnside.report.walk import walk_object

        return walk_object(self.walk, self.seed)

    def __str__(self) -> str:
        from burnside.report.walk import walk_text

        return walk_text(self.walk, self.seed) if self.walk.positions else "the model has no initial state"

    def _repr_html_(self) -> str:
        return _preformatted(str(self))


@final
@dataclass(frozen=True)
class Symmetric:
    """The symmetries of a model; printing it shows what ``burnside detect`` shows."""

    report: DetectReport

    @property
    def order(self) -> int:
        """The number of symmetries, the identity included."""
        return self.report.order

    @property
    def structure(self) -> str | None:
        """The name of the group, such as ``C5``; None if it is not known."""
        return self.report.structure

    @property
    def generators(self) -> tuple[NamedGenerator, ...]:
        """Symmetries that generate all of them, in the user's terms."""
        return self.report.generators

    def as_dict(self) -> dict[str, Any]:
        """The object that ``--json`` prints."""
        from burnside.report.detection import detect_object

        return detect_object(self.report)

    def __str__(self) -> str:
        from burnside.report.detection import detect_text

        return detect_text(self.report)

    def _repr_html_(self) -> str:
        return _preformatted(str(self))


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
class Answer:
    """What ``burnside pattern`` says."""

    report: Report

    @property
    def holds(self) -> bool:
        """Whether it is what was hoped for."""
        return self.report.holds

    def as_dict(self) -> dict[str, Any]:
        """The object that ``--json`` prints."""
        return self.report.content

    def __str__(self) -> str:
        return "\n".join(self.report.lines)

    def _repr_html_(self) -> str:
        return _preformatted(str(self))


def _preformatted(text: str) -> str:
    return f"<pre>{html.escape(text)}</pre>"
