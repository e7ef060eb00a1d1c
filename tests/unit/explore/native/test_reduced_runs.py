"""Canonical forms under the sanitisers: generated code and tables of every method, in a process of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from runtime_models import run_sanitised

SCRIPT = """
import sys
from pathlib import Path
from random import Random

from burnside.explore.native.run import SearchOptions, explore
from burnside.reduce.symmetry.plan import EXACT, plan_action
from support.literal_actions import disguise, random_shape

cache, flags = Path(sys.argv[1]), tuple(sys.argv[3:])
random = Random(int(sys.argv[2]))
shape = disguise(random, random_shape(random))
found = set()
for skipped in range(len(EXACT)):
    reduction = plan_action(shape.action, without=EXACT[:skipped])
    for threads in (1, 2):
        options = SearchOptions(threads=threads, memory=64 << 20, flags=flags, cache=cache)
        found.add(explore(shape.model, reductions=(reduction,), options=options).states)
assert len(found) == 1, found
"""


@pytest.mark.parametrize("seed", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in (1, 2, 3))])
def test_canonical_forms_run_clean(seed: int, tmp_path: Path) -> None:
    """Address and undefined-behaviour sanitisers find nothing, whichever method and number of threads."""
    run_sanitised(SCRIPT, str(tmp_path), str(seed), "-DBURNSIDE_CHUNK=3", "-DBURNSIDE_BLOCK=4", "-DBURNSIDE_ROOM=4")


SOME_ORDERS = """
import sys
from pathlib import Path

import burnside
from oracle.language import text_of
from oracle.models import random_model

folder, flags = Path(sys.argv[1]), tuple(sys.argv[3:])
first = int(sys.argv[2])
for seed in range(first, first + 2):
    model = random_model(seed)
    names = [p.name for p in model.properties if p.kind != "ltl"]
    path = folder / f"{seed}.seq"
    path.write_text(text_of(model))
    system = burnside.load(path)
    for how in ({"threads": 2}, {"search": "dfs"}, {"symmetry": "unique"}) if names else ():
        how = {"symmetry": "none", "self_test": True, **how}
        system.check(*names, partial_order="on", memory=64 << 20, flags=flags, cache=folder, **how)
"""


ORDERS_OF_RUNS = """
import sys
from pathlib import Path

from burnside.claims.kinds import InfiniteRuns
from burnside.claims.members import members_of
from burnside.decide.modes import Mode
from burnside.decide import runs
from burnside.decide.workbench import Workbench
from support.orders_of_runs import options_for, random_claim

runs.is_installed = lambda: False  # Spot, which does not run under the sanitisers
first = int(sys.argv[2])
for seed in range(first, first + 2):
    model, formula, atoms = random_claim(seed)
    claim = InfiniteRuns("claim", formula, tuple(atoms.items()))
    options = options_for(seed, Path(sys.argv[1]), tuple(sys.argv[3:]))
    for mode in (Mode.NONE, Mode.UNIQUE):
        runs.decide_members(Workbench(model, options), claim, [*members_of((claim,))], mode)
"""


@pytest.mark.parametrize("seed", [1, *(pytest.param(k, marks=pytest.mark.slow) for k in range(3, 13, 2))])
def test_orders_of_infinite_runs_run_clean(seed: int, tmp_path: Path) -> None:
    """The same for products with partial order."""
    run_sanitised(ORDERS_OF_RUNS, str(tmp_path), str(seed), "-DBURNSIDE_BLOCK=4")


@pytest.mark.parametrize("seed", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in range(2, 16, 2))])
def test_stubborn_sets_run_clean(seed: int, tmp_path: Path) -> None:
    """The same for partial order, on models with everything in them."""
    run_sanitised(SOME_ORDERS, str(tmp_path), str(seed), "-DBURNSIDE_CHUNK=3", "-DBURNSIDE_BLOCK=4")
