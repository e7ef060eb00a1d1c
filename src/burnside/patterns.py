"""Patterns of regular systems, and of the instances of a model: what ``burnside pattern`` asks of the other stages."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

from burnside.claims.task import Task
from burnside.explore.native.run import SearchOptions
from burnside.frontends.loading import ModelFile, read_source
from burnside.regular import report
from burnside.regular.family import Member
from burnside.regular.family_report import FamilyOptions, RegularForm, find_in_family
from burnside.regular.formats import read_system
from burnside.regular.induced import process_actions
from burnside.regular.system import System
from burnside.results.findings import CheckReport, Verdict
from burnside.source import Diagnostic, ModelError, Note
from burnside.study import Study

Warned = Callable[[Diagnostic], None]


def load_regular(path: Path, warned: Warned | None = None, *, help: str = "") -> System:
    """A regular system; `ModelError` with every diagnostic if it is wrong."""
    system, diagnostics = read_system(read_source(path))
    if system is None:
        remedies = (Note(help, "help"),) if help and path.suffix != ".regular" else ()
        raise ModelError([replace(d, notes=(*d.notes, *remedies)) for d in diagnostics])
    for diagnostic in diagnostics:
        if warned is not None:
            warned(diagnostic)
    return system


def image(system: System, pattern: str, options: SearchOptions) -> tuple[report.Report, list[Study]]:
    """The image of a system under a pattern, its safety questions decided by exploring it; what was explored."""
    explored: list[Study] = []

    def explore(task: Task) -> dict[str, list[tuple[int, ...]] | None]:
        explored.append(Study(task, options))
        return runs_against(explored[-1].check())

    return report.image(system, pattern, explore), explored


def runs_against(checked: CheckReport) -> dict[str, list[tuple[int, ...]] | None]:
    """For every invariant that was decided, the states of a run against it, or None."""
    decided = (finding for finding in checked.findings if finding.verdict is not Verdict.UNKNOWN)
    return {f.member.name: f.trace and [f.trace.initial, *(step.state for step in f.trace.steps)] for f in decided}


# ---------------------------------------------------------------- instances of a model


def instances(given: Sequence[tuple[str, list[Any]]]) -> dict[str, dict[str, Any]]:
    """The constants of every instance, by its size; nothing unless exactly one constant has several values."""
    values: dict[str, list[Any]] = {}
    for name, several in given:
        values.setdefault(name, []).extend(value for value in several if value not in values.get(name, []))
    sizes = [name for name, several in values.items() if len(several) > 1]
    if len(sizes) != 1:
        return {}
    fixed = {name: several[0] for name, several in values.items()}
    shown = ((size, json.dumps(size, separators=(",", ":"))) for size in values[sizes[0]])
    return {f"{sizes[0]}={text}": {**fixed, sizes[0]: size} for size, text in shown}


def family(
    members: Iterator[Member], form: RegularForm | None, *, depth: int = 3, domain: str | None = None
) -> tuple[report.Report, list[Member]]:
    """Propose permutations of processes for every size from the symmetries of instances."""
    started = perf_counter()
    known = list(members)
    options = FamilyOptions(depth, domain, perf_counter() - started)
    return find_in_family(known, form, options), known


def detect_member(path: Path, size: str, values: Mapping[str, Any], warned: Warned | None = None) -> Member:
    """One instance and its symmetries; what is wrong with the model says at which size."""

    def at(diagnostic: Diagnostic) -> Diagnostic:
        return replace(diagnostic, notes=(*diagnostic.notes, Note(f"for {size}")))

    try:
        task = ModelFile(path, values).first(None if warned is None else lambda d: warned(at(d)))
        found = Study(task).symmetries().detection
    except ModelError as error:
        raise ModelError([at(diagnostic) for diagnostic in error.diagnostics]) from error
    return Member(size, found.symmetry.order, process_actions(found.symmetry), is_validated=not found.rejected)
