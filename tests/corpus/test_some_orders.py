"""Every model of the corpus and every example with partial order: answers are those of its header, sets are stubborn.

With ``--self-test`` every set of the run is compared with the semantics: the steps of the set can be exchanged with all
that can happen without them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from burnside.decide.modes import Mode
from burnside.explore.native.run import SearchOptions
from burnside.explore.orders import Orders
from burnside.frontends.loading import load_tasks
from burnside.results.exploration import Stop
from burnside.results.findings import CheckReport
from burnside.study import Studies
from corpus.headers import Case
from corpus.test_corpus import CASES, answer_of, marked

SMALL, LARGE = 60, 600  # states


def of_size(low: int, high: int) -> list[Case]:
    """Cases with verdicts and so many states; those that say nothing about that are few."""
    return [case for case in CASES if case.verdicts and low <= case.figures.get("states", low) < high]


@pytest.mark.parametrize("case", [marked(case) for case in of_size(0, SMALL)])
def test_sets_are_stubborn_and_answers_right(case: Case, cache: Path) -> None:
    """On the quotient, which is the model itself where there is no symmetry."""
    compare(case, cache, Mode.UNIQUE)


@pytest.mark.slow
@pytest.mark.parametrize("case", [marked(case) for case in of_size(0, LARGE)])
def test_sets_of_larger_models_are_stubborn(case: Case, cache: Path) -> None:
    """Also without symmetry, and of larger models."""
    for mode in (Mode.NONE, Mode.UNIQUE):
        compare(case, cache, mode)


def compare(case: Case, cache: Path, mode: Mode) -> None:
    """What is found, and that every set of the run is stubborn."""
    options = SearchOptions(partial_order=Orders.ON, self_test=True, flags=("-O0",), cache=cache)
    for report in Studies.of(load_tasks(case.path, case.constants), options).check([*case.verdicts], mode):
        compare_report(report, case, f"{case.name}, {mode.value}")


def compare_report(report: CheckReport, case: Case, where: str) -> None:
    """Verdicts; the lengths of runs to deadlocks; and that every state of the search was tested."""
    for finding in report.findings:
        name = f"{report.process}.{finding.member.name}" if report.process else finding.member.name
        verdict, length = case.verdicts[name]
        if case.fault is None or verdict != "unknown":  # what is decided before a fault depends on distances
            assert answer_of(finding) == verdict, (where, name)
        if length is not None and finding.trace is not None and finding.member.claim.word == "deadlockfree":
            assert len(finding.trace.steps) == length, (where, name)
    used, found = report.count.partial_order, report.count.exploration
    if used is not None and used.is_used and found.stop is Stop.COMPLETE:
        assert found.self_test is not None, where
        assert found.self_test.checked >= found.states, where
        assert not found.self_test.failed, where
