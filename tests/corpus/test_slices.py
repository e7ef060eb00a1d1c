"""Every model of the corpus and every example without the variables that nothing depends on: answers are the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnside.claims.kinds import EventClaim, InfiniteRuns
from burnside.claims.task import Task
from burnside.decide.modes import Mode
from burnside.decide.slices import needs_of
from burnside.explore.native.run import SearchOptions
from burnside.frontends.loading import load_tasks
from burnside.reduce.slicing.cut import slice_model
from burnside.results.findings import CheckReport, StateFinding
from burnside.study import Study
from corpus.headers import Case
from corpus.test_corpus import CASES, answer_of, marked

ASKED = [case for case in CASES if case.verdicts and not case.is_slow]


def questions(task: Task) -> list[tuple[str, ...]]:
    """All claims together and each by itself, as far as something is left out for them."""
    names = [tuple(claim.name for claim in task.claims), *((claim.name,) for claim in task.claims)]
    by_name = {claim.name: claim for claim in task.claims}
    return [
        asked
        for asked in dict.fromkeys(names)
        if slice_model(task.model, needs_of([by_name[name] for name in asked], None)) is not None
    ]


@pytest.mark.parametrize("case", [marked(case) for case in ASKED])
def test_answers_are_the_same_without_some_variables(case: Case, cache: Path) -> None:
    """Verdicts and lengths of runs, with every combination of claims for which there is something to leave out."""
    for task in load_tasks(case.path, case.constants):
        for asked in questions(task):
            for mode in (Mode.NONE, Mode.UNIQUE):
                compare(task, asked, mode, cache)


def compare(task: Task, asked: tuple[str, ...], mode: Mode, cache: Path) -> None:
    """With and without."""
    options = SearchOptions(flags=("-O0",), cache=cache)
    whole = Study(task, options).check(asked, mode)
    part = Study(task, SearchOptions(flags=("-O0",), cache=cache, slices=True)).check(asked, mode)

    assert found_in(part) == found_in(whole)
    is_whole = any(isinstance(f.member.claim, EventClaim | InfiniteRuns) for f in part.findings)
    assert is_whole or part.count.exploration.states <= whole.count.exploration.states
    assert part.count.slicing is not None


def found_in(report: CheckReport) -> list[tuple[str, str, int | None]]:
    """Claims, answers, and how long runs to states are."""
    return [
        (f.member.name, answer_of(f), len(f.trace.steps) if f.trace and isinstance(f, StateFinding) else None)
        for f in report.findings
    ]


def test_something_is_left_out_of_some_models() -> None:
    """Most models have nothing that nobody reads."""
    found = [case for case in ASKED for task in load_tasks(case.path, case.constants) if questions(task)]

    assert len(found) >= 10
