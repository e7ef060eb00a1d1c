"""Generated checkers under the sanitisers: no undefined behaviour, no stray access, whatever the model does."""

from __future__ import annotations

import shutil

import pytest
from runtime_models import MEMORY_SANITISERS, TINY, compile_program

from burnside.claims.members import about_states
from burnside.explore.native.emit import emit
from burnside.results.exploration import Stop
from support import reference
from support.strategies import seeded_task

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")

FLAGS = (*MEMORY_SANITISERS, *TINY, "-fno-strict-aliasing")


def check(seed: int) -> None:
    """The checker of a random model runs clean, and its figures are those of the reference."""
    task = seeded_task(seed)
    model, claims = task.model, about_states(task.members) if seed % 2 else ()
    program = compile_program(emit(model, claims).program, FLAGS)
    expected = reference.explore(model, claims)
    for threads in (1, 2):
        found = program.run(threads=threads, memory=8 << 20)
        if expected.stop is Stop.COMPLETE:
            assert (found["states"], found["transitions"]) == (expected.states, expected.transitions)


@pytest.mark.parametrize("seed", range(2000, 2006))
def test_the_checker_of_a_random_model_runs_clean(seed):
    """Address and undefined-behaviour sanitisers find nothing in a few models."""
    check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2006, 2120))
def test_the_checkers_of_many_random_models_run_clean(seed):
    """The same for a hundred more."""
    check(seed)
