"""Passes over explored states stay within the memory that Python makes for them, and count what there is."""

from __future__ import annotations

import pytest
from runtime_models import run_sanitised

from burnside.explore.native.passes import explore_covering, explore_graph
from burnside.explore.native.run import SearchOptions
from burnside.results.exploration import Stop
from support.strategies import seeded_model
from support.tiny_models import tiny_model

SCRIPT = """
import sys
from pathlib import Path
from burnside.explore.native.passes import explore_covering, explore_graph
from burnside.explore.native.run import SearchOptions
from burnside.claims.task import Task
from burnside.study import Study
from support.strategies import seeded_model
from support.tiny_models import tiny_model

cache, seed, *flags = sys.argv[1:]
for model in (tiny_model(int(seed)), seeded_model(int(seed), most_states=200)):
    reduction = Study(Task(model)).quotient().reduction
    for reductions in ((), (reduction,) if reduction else ()):
        options = SearchOptions(cache=Path(cache), flags=tuple(flags))
        explore_graph(model, reductions=reductions, options=options)
        explore_covering(model, reductions=reductions, options=options)
"""


@pytest.mark.parametrize("seed", [11, *(pytest.param(k, marks=pytest.mark.slow) for k in (3, 4))])
def test_passes_run_clean(seed, tmp_path):
    """With tables and blocks so small that they grow and end everywhere."""
    run_sanitised(SCRIPT, str(tmp_path), str(seed), "-DBURNSIDE_CHUNK=3", "-DBURNSIDE_BLOCK=4", "-w")


def test_with_several_threads_the_same_is_covered():
    """Blocks of indices that are not used up are left out."""
    model = seeded_model(5, most_states=500)
    small = ("-O1", "-DBURNSIDE_BLOCK=4", "-DBURNSIDE_CHUNK=3", "-DBURNSIDE_ALONE=1")
    alone, together = (explore_covering(model, options=SearchOptions(threads=n, flags=small))[1] for n in (1, 2))

    assert alone is not None
    assert alone == together


def test_fired_rules_add_up_to_the_transitions():
    """Every transition is made by one rule instance."""
    model = tiny_model(2)
    found, covered = explore_covering(model)
    assert covered is not None
    assert sum(covered.fired) == found.transitions


def test_a_search_that_is_not_complete_has_no_graph():
    """What is there would be mistaken for the whole."""
    model = tiny_model(2)
    found, graph = explore_graph(model, options=SearchOptions(states=1))

    assert found.stop is Stop.STATES
    assert graph is None
