"""Searches that keep fingerprints: long ones change nothing; short ones leave states out, and invent none."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from burnside.explore.native.emit import emit
from burnside.explore.native.run import SearchOptions, explore
from burnside.explore.replay import replay
from burnside.results.exploration import Stop, Store
from properties.test_native_agrees import MEMORY, TINY, claims_for
from support import reference
from support.strategies import seeded_task
from support.thorough import some


@pytest.mark.parametrize("seed", some(range(300)))
def test_short_fingerprints_only_leave_states_out(seed: int, tmp_path: Path) -> None:
    """However many states collide, what is found is there: as many states at most, and runs of the model."""
    task = seeded_task(seed)
    claims = claims_for(task, seed)
    expected = reference.explore(task.model, claims)
    bits, threads = Random(seed).choice([2, 5, 9, 14, 66]), 1 + seed % 2
    options = SearchOptions(
        store=Store.COMPACT, fingerprint=bits, flags=TINY, cache=tmp_path, memory=MEMORY, threads=threads
    )
    found = explore(task.model, claims, options=options)

    is_exact = emit(task.model, claims, (), bits).fingerprints is None
    assert found.is_exact == (is_exact or found.store.has_indices)
    for path in found.witnesses:
        assert path is None or replay(task.model, path)
    if expected.stop is Stop.COMPLETE:
        assert found.stop is Stop.COMPLETE
        assert found.states <= expected.states
        assert found.transitions <= expected.transitions
        assert found.states == expected.states or (not is_exact and found.collision > 0)
    if bits == 66:
        assert (found.stop, found.initial) == (expected.stop, expected.initial)
