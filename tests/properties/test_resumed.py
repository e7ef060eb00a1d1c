"""Searches of random models that are interrupted after any level: the answer is that of a search that was not."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from burnside.claims.members import Member
from burnside.decide.modes import Mode
from burnside.explore import checkpoints
from burnside.explore.checkpoints import Asked, Checkpoint
from burnside.explore.native.run import SearchOptions
from burnside.explore.orders import Orders
from burnside.frontends.loading import load_tasks
from burnside.results.exploration import Stop, Store
from burnside.results.findings import CheckReport, StateFinding
from burnside.study import Study
from burnside.values import replace
from oracle.language import text_of
from oracle.models import random_model
from oracle.orders import model_in_orders
from support.kept import every_level
from support.kills import TINY
from support.thorough import some

PER_TEST = 10
FLAGS = (*TINY, "-DBURNSIDE_MOST_HELD=8", "-DBURNSIDE_FLUSH=4")  # so small sets are merged again and again
MODES = [
    (Mode.NONE, Orders.OFF),
    (Mode.UNIQUE, Orders.OFF),
    (Mode.NONE, Orders.ON),
    (Mode.UNIQUE, Orders.ON),
    (Mode.MULTI, Orders.OFF),
]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is compiled for all models."""
    return tmp_path_factory.mktemp("cache")


def answer_of(report: CheckReport) -> list[object]:
    """Verdicts, and runs and faults by their lengths; the figures, if they do not depend on the order of states."""
    found, fault = report.count.exploration, report.count.fault
    answer: list[object] = [(f.verdict, f.trace and len(f.trace.steps)) for f in report.findings]
    answer += [found.stop, fault and (len(fault.steps), fault.fault and fault.fault.message)]
    if found.stop is Stop.COMPLETE:
        answer += [found.states, found.transitions, found.deadlocks, found.depth, found.initial, found.full_states]
    return answer


def asked(study: Study, options: SearchOptions, mode: Mode) -> tuple[CheckReport, list[object]]:
    """All claims about states, in one search."""
    members: tuple[Member, ...] = study.state_members()
    report = study.with_options(options).decide(members, mode, None)
    assert all(isinstance(finding, StateFinding) for finding in report.findings)
    return report, answer_of(report)


@pytest.mark.parametrize("start", some(range(0, 120, PER_TEST)))
def test_an_interruption_changes_nothing(
    start: int, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the mode, the store, the threads and the level; with tables so tiny that all grow and go to disk."""
    met: Counter[str] = Counter()
    for seed in range(start, start + PER_TEST):
        path, directory = tmp_path / f"{seed}.seq", tmp_path / f"{seed}"
        path.write_text(text_of(random_model(seed) if seed % 2 else model_in_orders(seed)))
        study, (mode, orders) = Study(load_tasks(path)[0]), MODES[seed % len(MODES)]
        if not study.state_members():
            continue
        options = SearchOptions(store=Store.COMPACT, partial_order=orders, flags=FLAGS, cache=cache)
        with every_level(monkeypatch) as moments:
            kept = Checkpoint.create(directory, Asked("check", str(path), {}, {}))
            report, right = asked(study, replace(options, checkpoint=kept), mode)
            kept.close()
        assert asked(study, options, mode)[1] == right, f"seed {seed}: kept, and not kept"
        met.update([report.count.exploration.stop.value, *(["violated"] if "violated" in str(right) else [])])

        for number in {0, 1, len(moments.manifests) // 2, len(moments.manifests) - 1} & {
            *range(len(moments.manifests))
        }:
            again = moments.restore(number, directory, tmp_path / f"{seed}-{number}")
            monkeypatch.setattr(checkpoints, "PAUSE", number % 2)
            store = (Store.COMPACT, Store.DISK)[(seed + number) % 2]
            with Checkpoint.open(again) as left:
                how = replace(options, checkpoint=left, threads=1 + number % 2, store=store)
                report, found = asked(study, how, mode)
            assert found == right, f"seed {seed}, {mode.value}, {orders.value}: after manifest {number}, {store.value}"
            met["resumed"] += report.count.exploration.kept is not None and report.count.exploration.kept.resumed > 0
    assert met["resumed"] > PER_TEST
