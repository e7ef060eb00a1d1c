"""Canonical forms under the sanitisers: generated code and tables of every method, in a process of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from runtime_models import MEMORY_SANITISERS

TESTS = Path(__file__).parents[2]

SCRIPT = """
import sys
from pathlib import Path
from random import Random

from burnside.explore.native.run import SearchOptions, explore
from burnside.reduce.plan import plan_action
from literal_actions import disguise, random_shape

cache, flags = Path(sys.argv[1]), tuple(sys.argv[3:])
random = Random(int(sys.argv[2]))
shape = disguise(random, random_shape(random))
found = set()
for without in ((), ("sorting",), ("sorting", "images")):
    reduction = plan_action(shape.action, without=without)
    for threads in (1, 2):
        options = SearchOptions(threads=threads, memory=64 << 20, flags=flags, cache=cache)
        found.add(explore(shape.model, reduction=reduction, options=options).states)
assert len(found) == 1, found
"""


def sanitiser() -> str | None:
    """The library that must be there before anything else, if the compiler has it."""
    if shutil.which("cc") is None:
        return None
    found = subprocess.run(["cc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=False)
    return found.stdout.strip() if Path(found.stdout.strip()).is_absolute() else None


@pytest.mark.parametrize("seed", range(4))
def test_canonical_forms_run_clean(seed: int, tmp_path: Path) -> None:
    """Address and undefined-behaviour sanitisers find nothing, whichever method and number of threads."""
    library = sanitiser()
    if library is None:
        pytest.skip("needs a C compiler with address sanitiser")
    environment = os.environ | {
        "LD_PRELOAD": library,
        "ASAN_OPTIONS": "detect_leaks=0",  # the interpreter itself is full of them
        "PYTHONPATH": str(TESTS),
    }
    flags = (*MEMORY_SANITISERS, "-DBURNSIDE_CHUNK=3", "-DBURNSIDE_BLOCK=4")
    command = [sys.executable, "-c", SCRIPT, str(tmp_path), str(seed), *flags]
    result = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)

    assert result.returncode == 0, result.stderr[-4000:]
