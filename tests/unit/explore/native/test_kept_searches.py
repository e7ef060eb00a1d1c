"""Searches that keep levels, and go on from them, under the sanitisers; files with any bytes harm nothing."""

from __future__ import annotations

import pytest
from runtime_models import MEMORY_SANITISERS, THREAD_SANITISER, run_sanitised

from support.tiny import tiny

# A search, gone on with after some of its levels, in memory and on disk; and again with bytes of a level changed.
SCRIPT = """
import os, random, sys
from pathlib import Path

import pytest

from burnside.claims.task import Task
from burnside.decide.modes import Mode
from burnside.explore.checkpoints import Checkpoint
from burnside.explore.manifests import Asked
from burnside.explore.native.run import SearchOptions
from burnside.explore.orders import Orders
from burnside.frontends.seq import load
from burnside.results.exploration import Store
from burnside.source import ModelError, Source
from burnside.study import Study
from burnside.values import replace
from support.kept import every_level

del os.environ["LD_PRELOAD"]  # it is here, and compilers need none
folder, orders, *flags = Path(sys.argv[1]), *sys.argv[2:]
text = '''
    process P = 0 .. 4;
    var x[P]: 0 .. 2; var y[P]: 0 .. 4; var z: 0 .. 1;
    rule up(i: P) when x[i] < 2 do { x[i] := x[i] + 1; y[i] := 4 - y[i]; }
    rule back(i: P) when x[i] == 2 && z == 0 do { x[i] := 0; z := 1; }
    invariant few: (count i in P: x[i] == 2) < 5;
'''
study = Study(load(Source("model.seq", text), {}).tasks[0])
mode = Mode.UNIQUE if orders == "on" else Mode.NONE
options = SearchOptions(cache=folder / "cache", flags=tuple(flags), partial_order=Orders(orders), threads=2)

def search(kept, **how):
    with kept:
        found = study.with_options(replace(options, checkpoint=kept, **how)).decide(study.state_members(), mode, None)
    return [f.verdict for f in found.findings], len(found.findings[0].trace.steps)

with every_level(pytest.MonkeyPatch()) as moments:
    right = search(Checkpoint.create(folder / "kept", Asked("check", "", {}, {})))
chance = random.Random(1)
for number in range(1, len(moments.manifests), 2):
    again = moments.restore(number, folder / "kept", folder / str(number))
    store = Store.DISK if number % 4 == 1 else Store.COMPACT
    assert search(Checkpoint.open(again), store=store) == right
    levels = again / "1-1.levels" if number == 1 else again / "1-2.levels"
    levels.write_bytes(chance.randbytes(levels.stat().st_size))
    with pytest.raises(ModelError, match="damaged"):
        search(Checkpoint.open(again), store=store)
"""


@pytest.mark.parametrize("flags", [MEMORY_SANITISERS, THREAD_SANITISER], ids=["memory", "threads"])
@pytest.mark.parametrize("orders", ["off", "on"])
def test_searches_that_go_on_run_clean(orders, flags, tmp_path):
    """Without reductions, and with symmetry and partial order; in tiny tables, by two threads."""
    run_sanitised(SCRIPT, str(tmp_path), orders, *tiny(FLUSH=16, STREAM_WORDS=64), "-w", flags=flags)


def test_keys_beyond_a_bitmap_are_not_looked_up(tmp_path):
    """Where all states there could be have a bit each, bytes of a damaged file could name others."""
    run_sanitised(SCRIPT, str(tmp_path), "off", "-w")
