"""Every model of the corpus and every example, asked in every way there is: the answers are those of its header."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from burnside.claims.kinds import Fairness, InfiniteRuns, StateClaim
from burnside.claims.members import Member, about_states
from burnside.claims.task import Task
from burnside.decide.modes import Mode
from burnside.frontends.loading import load_tasks
from burnside.ir.cells import State
from burnside.patterns import load_regular
from burnside.regular.report import check_library
from burnside.results.exploration import Exploration, Stop
from burnside.results.findings import CheckReport, Finding
from burnside.study import Studies, Study
from corpus.configurations import CONFIGURATIONS, Configuration
from corpus.headers import FAIRNESS, ROOT, Case, announced_by, cases_of, models_in
from support import reference

MODELS = [
    path
    for folder in ("tests/corpus/models", "examples")
    for path in models_in(ROOT / folder)
    if not announced_by(path)
]
CASES = [case for path in MODELS for case in cases_of(path)]

# The reference semantics takes some milliseconds for a state.
SOON_SEARCHED, SEARCHED = 600, 10_000


def marked(case: Case, *, is_slow: bool = False) -> object:
    """A case as a parameter of a test."""
    return pytest.param(case, id=case.name, marks=[pytest.mark.slow] if is_slow or case.is_slow else [])


@pytest.mark.parametrize("path", MODELS, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_a_model_says_what_is_right_about_it(path: Path) -> None:
    """There is a case, and every claim is decided in one: by itself, or by a member of its family."""
    cases = cases_of(path)
    said = {name for case in cases for name in (*case.verdicts, *case.fairness)}

    assert cases
    for task in () if path.suffix == ".regular" else load_tasks(path, cases[0].constants):
        for claim in task.claims:
            spellings = {s for m in task.members if m.claim is claim for s in task.spellings(m)}
            assert spellings & said, claim.name


# ---------------------------------------------------------------- states


def fits(configuration: Configuration, case: Case) -> bool:
    """Whether a model is asked in a way: adaptively if it says what that gives, depth first if nothing faults."""
    if configuration.mode is Mode.ADAPTIVE:
        return "annotated" in case.figures
    if case.modes is not None and configuration.mode.value not in case.modes:
        return False
    return not (configuration.depth_first and case.fault is not None)


@pytest.mark.parametrize("case", [marked(case) for case in CASES if case.figures or case.verdicts])
def test_every_configuration_gives_the_answers(case: Case, cache: Path) -> None:
    """Verdicts, lengths of runs, and figures."""
    compare_all(case, [c for c in CONFIGURATIONS if not c.is_slow], cache)


@pytest.mark.parametrize("case", [marked(case, is_slow=True) for case in CASES if case.figures or case.verdicts])
def test_every_slow_configuration_gives_the_answers(case: Case, cache: Path) -> None:
    """The same in ways that take longer."""
    compare_all(case, [c for c in CONFIGURATIONS if c.is_slow], cache)


def compare_all(case: Case, configurations: Sequence[Configuration], cache: Path) -> None:
    """Ask in every way that fits; a model is loaded, and its symmetries are found, once."""
    known = [Study(task) for task in load_tasks(case.path, case.constants)]
    for configuration in configurations:
        if fits(configuration, case):
            options = configuration.options(cache, case.figures.get("states", 0))
            compare(case, configuration, Studies([study.with_options(options) for study in known]))


def compare(case: Case, configuration: Configuration, studies: Studies) -> None:
    """Ask in one way."""
    where = f"{case.name}, {configuration.name}"
    if case.verdicts:
        reports = studies.check([*case.verdicts], configuration.mode)
        compare_verdicts(reports, case, where, has_lengths=not configuration.depth_first)
    if case.figures and configuration.mode is not Mode.MULTI:  # which stores several states of some orbits
        study = studies.all[0]
        compare_figures(study.count(configuration.mode).exploration, case, configuration, where)
        if configuration.mode is Mode.UNIQUE and "order" in case.figures:
            assert study.symmetries().order == case.figures["order"], where


def compare_verdicts(reports: Sequence[CheckReport], case: Case, where: str, *, has_lengths: bool) -> None:
    """What was decided, and how long the runs are that show it."""
    found = {f"{r.process}.{f.member.name}" if r.process else f.member.name: f for r in reports for f in r.findings}

    assert {name: answer_of(f) for name, f in found.items()} == {n: v for n, (v, _) in case.verdicts.items()}, where
    for name, (_, length) in case.verdicts.items():
        trace = found[name].trace
        if length is not None and has_lengths:
            assert trace is not None and len(trace.steps) == length, (where, name)
    faults = [len(r.count.fault.steps) for r in reports if r.count.fault is not None]
    assert faults == ([] if case.fault is None else [case.fault]), where


def answer_of(finding: Finding) -> str:
    """A verdict in the words of headers."""
    if finding.member.claim.is_existential:
        return {"holds": "reached", "violated": "unreached"}.get(finding.verdict.value, finding.verdict.value)
    return finding.verdict.value


def compare_figures(found: Exploration, case: Case, configuration: Configuration, where: str) -> None:
    """All that a search knows of all states."""
    is_reduced = found.full_states is not None
    seen: dict[str, int | None] = {}
    if configuration.mode is Mode.ADAPTIVE:
        seen["annotated"] = found.states
    else:
        seen["states"] = found.full_states if is_reduced else found.states
    if configuration.mode is Mode.UNIQUE:
        seen["orbits"] = found.states
    if configuration.mode is Mode.NONE:
        seen |= {"transitions": found.transitions, "deadlocks": found.deadlocks}
    elif "deadlocks" in case.figures:
        assert (found.deadlocks > 0) == (case.figures["deadlocks"] > 0), where
    if not configuration.depth_first:
        seen["depth"] = found.depth
    expected = {name: value for name, value in case.figures.items() if name in seen}

    assert found.stop is Stop.COMPLETE, where
    assert {name: seen[name] for name in expected} == expected, where


# ---------------------------------------------------------------- the reference semantics


def searched(cases: Sequence[Case]) -> list[object]:
    """The cases that are small enough."""
    fitting = [c for c in cases if c.fault is None and c.figures.get("states", SEARCHED) < SEARCHED]
    return [marked(c, is_slow=c.figures["states"] > SOON_SEARCHED) for c in fitting]


@pytest.mark.parametrize("case", searched(CASES))
def test_the_reference_semantics_gives_the_answers(case: Case) -> None:
    """A plain search in Python, without any symmetry: figures, and verdicts about states."""
    tasks = load_tasks(case.path, case.constants)
    found = reference.explore(tasks[0].model)
    compare_figures(found, case, CONFIGURATIONS[0], case.name)
    for task in tasks:
        members = [m for m in about_states(task.members) if {*task.spellings(m)} & {*case.verdicts}]
        decided = reference.explore(task.model, members)
        for member, witness in zip(members, decided.witnesses, strict=True):
            assert_decided(case, task, member, witness)


def assert_decided(case: Case, task: Task, member: Member[StateClaim], witness: Sequence[State] | None) -> None:
    """A verdict follows from whether there is a witness, a way to what is sought or violates the claim."""
    verdict, length = next(case.verdicts[name] for name in task.spellings(member) if name in case.verdicts)
    words = ("reached", "unreached") if member.claim.is_existential else ("violated", "holds")

    assert verdict == words[witness is None], (case.name, member.name)
    assert length is None or (witness is not None and len(witness) == length + 1), (case.name, member.name)


# ---------------------------------------------------------------- regular systems


@pytest.mark.parametrize("case", [marked(case) for case in CASES if case.path.suffix == ".regular"])
def test_a_regular_system_has_the_symmetries_it_says(case: Case) -> None:
    """Those of the library, at every size, and no others."""
    found = check_library(load_regular(case.path)).content["patterns"]

    assert [name for name, holds in found.items() if holds] == [*(case.patterns or ())]


# ---------------------------------------------------------------- fairness


@pytest.mark.parametrize(
    ("case", "claim"),
    [
        pytest.param(case, claim, id=f"{case.name} {claim}", marks=[pytest.mark.slow] if case.is_slow else [])
        for case in CASES
        for claim in case.fairness
    ],
)
def test_a_claim_holds_under_the_stated_fairness_only(case: Case, claim: str, cache: Path) -> None:
    """What holds without fairness holds under any, and what strong fairness does not help is violated under weak."""
    expected = case.fairness[claim]
    implied: tuple[Fairness, ...] = ()
    if expected.startswith("+"):
        implied = FAIRNESS[1:]
    elif expected.startswith("-----"):
        implied = (Fairness.NONE, Fairness.WEAK, Fairness.WEAK_EVENTS)
    (task,) = load_tasks(case.path, case.constants)
    study = Study(task, CONFIGURATIONS[0].options(cache))
    for fairness, sign in zip(FAIRNESS, expected, strict=True):
        if fairness not in implied:
            (finding,) = study.check([claim], Mode.NONE, fairness).findings

            assert isinstance(finding.member.claim, InfiniteRuns)
            assert answer_of(finding) == {"+": "holds", "-": "violated"}[sign], fairness
