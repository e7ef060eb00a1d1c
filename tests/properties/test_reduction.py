"""The quotient against brute force: orbits by union-find, verdicts and lengths of traces without reduction."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from burnside.claims.kinds import DeadlockFree, Invariant, Reachable
from burnside.claims.members import Member
from burnside.claims.task import Task
from burnside.decide.modes import Mode
from burnside.detect.detection import Detection
from burnside.detect.run import detect
from burnside.explore.native import run as native
from burnside.explore.native.run import SearchOptions, explore
from burnside.frontends.loading import load
from burnside.ir.nodes import Model
from burnside.limits import Deadline
from burnside.reduce.symmetry.plan import EXACT, plan
from burnside.reduce.symmetry.transport import Transport
from burnside.resources import resource_directory
from burnside.results.exploration import Stop
from burnside.results.findings import Verdict
from burnside.study import Study
from support import reference
from support.brute_force import orbits_of, state_graph
from support.tiny_models import tiny_condition, tiny_model

LEFT_OUT = tuple(EXACT[:k] for k in range(len(EXACT)))

# Several threads on tiny levels, tables that grow at once.
FLAGS = ("-O0", "-DBURNSIDE_ALONE=1", "-DBURNSIDE_CHUNK=2", "-DBURNSIDE_BLOCK=4")


def options(cache: Path, threads: int = 1) -> SearchOptions:
    return SearchOptions(threads=threads, flags=FLAGS, cache=cache)


def symmetric_models(seeds: range) -> Iterator[tuple[int, Model, Detection]]:
    """Random models without faults that have some symmetry."""
    for seed in seeds:
        model = tiny_model(seed)
        found = detect(model)
        if found.symmetry.order > 1 and not any(() in t for t in state_graph(model).transitions):
            yield seed, model, found


def compare(seeds: range, most: int, cache: Path) -> int:
    """Check the exact strategies and local search on models; how many there were."""
    count = 0
    for seed, model, found in symmetric_models(seeds):
        states = state_graph(model).states
        expected = orbits_of(states, found.symmetry)
        for without in LEFT_OUT:
            reduction = plan(found.symmetry, without=without)
            assert reduction is not None
            for threads in (1, 2):
                quotient = explore(model, reductions=(reduction,), options=options(cache, threads))
                assert quotient.stop is Stop.COMPLETE
                assert quotient.states == len(expected), (seed, without, threads)
                assert quotient.full_states == len(states), (seed, without, threads)
        local = plan(found.symmetry, multi=True)
        assert local is not None
        assert len(expected) <= explore(model, reductions=(local,), options=options(cache)).states <= len(states), seed
        count += 1
        if count == most:
            break
    return count


@pytest.mark.parametrize(("start", "many"), [(0, 4), (200, 4), pytest.param(20, 40, marks=pytest.mark.slow)])
def test_one_state_of_every_orbit_is_stored(start: int, many: int, cache: Path) -> None:
    """Every exact strategy stores as many states as there are orbits, and knows the size of the whole space."""
    assert compare(range(start, start + 10 * many), many, cache) == many


@pytest.mark.slow
@pytest.mark.parametrize("start", range(1000, 5000, 1000))
def test_one_state_of_every_orbit_is_stored_at_length(start: int, cache: Path) -> None:
    """The same on many more models."""
    assert compare(range(start, start + 1000), 260, cache) == 260


def check_verdicts(seed: int, cache: Path) -> None:
    """Random properties: same verdicts and same lengths of shortest traces with and without reduction."""
    model = tiny_model(seed)
    random = Random(seed)
    claims = (
        Invariant("p", tiny_condition(random, model)),
        Reachable("q", tiny_condition(random, model)),
        DeadlockFree("d"),
    )
    asked = Task(Model(model.name, (), (), model.variables, model.rules, model.initially), claims)
    plain = [reference.explore(asked.model, [Member(c)]) for c in claims]
    for mode in ("unique", "multi", "auto"):
        report = Study(asked, options(cache)).check(mode=Mode(mode))
        for finding, without in zip(report.findings, plain, strict=True):
            witness = without.witnesses[0]
            assert (finding.trace is None) == (witness is None), (seed, mode, finding.member.name)
            if finding.trace is not None and witness is not None:
                assert len(finding.trace.steps) == len(witness) - 1, (seed, mode, finding.member.name)


def faultless(seeds: range) -> list[int]:
    return [s for s in seeds if not any(() in t for t in state_graph(tiny_model(s)).transitions)]


@pytest.fixture
def race(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two states are many: ``auto`` looks for symmetries and races both searches even on tiny models."""
    monkeypatch.setattr(native, "FEW_STATES", 2)


@pytest.mark.usefixtures("race")
@pytest.mark.parametrize("seed", faultless(range(12)))
def test_verdicts_do_not_depend_on_reduction(seed: int, cache: Path) -> None:
    """Verdicts and shortest traces are the same; every trace has been replayed by the reference semantics."""
    check_verdicts(seed, cache)


@pytest.mark.slow
@pytest.mark.usefixtures("race")
@pytest.mark.parametrize("start", range(12, 1012, 100))
def test_verdicts_do_not_depend_on_reduction_at_length(start: int, cache: Path) -> None:
    """The same for many more models."""
    for seed in faultless(range(start, start + 100)):
        check_verdicts(seed, cache)


@pytest.mark.parametrize(
    "seed", [*range(0, 300, 20), *(pytest.param(k, marks=pytest.mark.slow) for k in range(10, 300, 20))]
)
def test_the_canonical_form_is_constant_on_orbits_and_idempotent(seed: int) -> None:
    """The walk in Python: one image per orbit, fixed by itself, and reached by the element it names."""
    model = tiny_model(seed)
    found = detect(model)
    reduction = plan(found.symmetry)
    if reduction is None:
        return
    transport = Transport(reduction)
    for orbit in orbits_of(state_graph(model).states, found.symmetry):
        forms = {transport.canonical(transport.image(s))[0] for s in orbit}
        assert len(forms) == 1
        form = forms.pop()
        assert transport.canonical(form)[0] == form
        first, *others = sorted(orbit)
        for other in others:
            element = transport.element(first, other)
            assert element is not None
            assert transport.move(element, first) == other


def test_the_quotient_wins_the_race_where_it_is_far_smaller(cache: Path) -> None:
    """47 million states without symmetry: ``auto`` must not wait for them."""
    model = load(resource_directory("examples") / "classics" / "filter_lock.seq", {"N": 7})
    report = Study(model, SearchOptions(cache=cache)).check()

    assert report.count.symmetry.mode == "unique"
    assert report.count.exploration.states == 16_906
    assert all(finding.verdict is Verdict.HOLDS for finding in report.findings)


def test_without_symmetry_the_plain_search_goes_on(cache: Path) -> None:
    """More than a few states and no symmetry: all of them are explored, once."""
    task = load(resource_directory("examples") / "zhang2013" / "milner_scheduler.seq", {"N": 14})
    study = Study(task, SearchOptions(cache=cache))
    report = study.count(Mode.AUTO)

    assert report.symmetry.mode == "none"
    assert report.exploration.stop is Stop.COMPLETE
    assert report.exploration.states == study.count().exploration.states


def test_a_race_keeps_limits(cache: Path) -> None:
    """The time limit ends both searches with a partial report."""
    model = load(resource_directory("examples") / "zhang2013" / "leader_ring.seq", {"N": 12})
    report = Study(model, SearchOptions(cache=cache, deadline=Deadline.after(0.5))).count(Mode.AUTO)

    assert report.exploration.stop is Stop.TIME
