"""Models with their answers, asked in every mode: one file, one model, its expectations behind ``//!``.

A line is ``NAME reached|unreached|holds|violated|unknown [after N]``, ``fault after N``, ``modes MODE…`` (instead of
all that fit), or figures of the whole state space, separated by commas: ``states``, ``orbits`` (what ``unique``
stores), ``deadlocks``, ``depth``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from burnside.decide.modes import Mode
from burnside.explore.native.run import SearchOptions
from burnside.frontends.loading import load_tasks
from burnside.results.exploration import Exploration
from burnside.results.findings import CheckReport, Finding
from burnside.study import Studies, Study

FILES = sorted(p for p in Path(__file__).parent.iterdir() if p.suffix in (".seq", ".csp", ".rebeca"))
MODES = ("none", "unique", "multi", "auto")
_CLAIM = re.compile(r"(.+) (reached|unreached|holds|violated|unknown)(?: after (\d+))?$")


@dataclass
class Expected:
    """What a file says."""

    claims: dict[str, tuple[str, int | None]] = field(default_factory=dict)
    figures: dict[str, int] = field(default_factory=dict)
    fault: int | None = None
    modes: tuple[str, ...] = MODES


def expected_of(path: Path) -> Expected:
    """The expectations in a file."""
    found = Expected()
    for line in path.read_text().splitlines():
        text = line.removeprefix("//! ")
        if text == line:
            continue
        if claim := _CLAIM.match(text):
            found.claims[claim[1]] = claim[2], None if claim[3] is None else int(claim[3])
        elif text.startswith("fault after "):
            found.fault = int(text.removeprefix("fault after "))
        elif text.startswith("modes "):
            found.modes = tuple(text.split()[1:])
        else:
            found.figures |= {name: int(value) for name, value in (part.split() for part in text.split(", "))}
    return found


def answer_of(finding: Finding) -> str:
    """A verdict in the words of the files."""
    if finding.member.claim.is_existential:
        return {"holds": "reached", "violated": "unreached"}.get(finding.verdict.value, finding.verdict.value)
    return finding.verdict.value


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_every_mode_gives_the_answer(path: Path, tmp_path: Path) -> None:
    """Verdicts, lengths of runs and figures, with and without symmetry, on one thread and on two."""
    expected = expected_of(path)
    tasks = load_tasks(path)
    for mode in expected.modes:
        for threads in (1, 2):
            options = SearchOptions(flags=("-O0", "-DBURNSIDE_ALONE=1"), cache=tmp_path, threads=threads)
            reports = Studies.of(tasks, options).check(mode=Mode(mode))
            where = f"{path.name}, {mode}, {threads} threads"
            _compare_claims(reports, expected, where)
        if expected.figures:
            count = Study(tasks[0], options).count(Mode(mode))
            _compare_figures(count.exploration, expected.figures, mode, where)
    assert expected.claims or expected.figures


def _compare_claims(reports: tuple[CheckReport, ...], expected: Expected, where: str) -> None:
    claims = {f.member.name: f for report in reports for f in report.findings}

    assert {name: answer_of(c) for name, c in claims.items()} == {n: a for n, (a, _) in expected.claims.items()}, where
    for name, (_, length) in expected.claims.items():
        trace = claims[name].trace
        assert length is None or (trace is not None and len(trace.steps) == length), (where, name)
    faults = [len(r.count.fault.steps) for r in reports if r.count.fault is not None]
    assert faults == ([] if expected.fault is None else [expected.fault]), where


def _compare_figures(found: Exploration, figures: dict[str, int], mode: str, where: str) -> None:
    is_reduced = found.full_states is not None
    seen = {"states": found.full_states if is_reduced else found.states, "depth": found.depth}
    if mode == "unique":
        seen["orbits"] = found.states
    if not is_reduced:
        seen["deadlocks"] = found.deadlocks
    elif "deadlocks" in figures:
        assert (found.deadlocks > 0) == (figures["deadlocks"] > 0), where
    if mode != "multi":  # which stores several states of an orbit, and knows no sizes of orbits
        assert {k: v for k, v in seen.items() if k in figures} == {k: v for k, v in figures.items() if k in seen}, where
