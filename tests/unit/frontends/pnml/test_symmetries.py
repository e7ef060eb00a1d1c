"""Symmetries of nets of which they are known, and beside all permutations of places."""

from __future__ import annotations

from collections import Counter
from math import factorial

import pytest

from burnside.decide.modes import Mode
from burnside.study import Study
from nets import families
from nets.comparing import found_symmetries, task_of


@pytest.mark.parametrize(
    ("net", "order", "name"),
    [
        (families.philosophers(5), 10, "D5"),
        (families.philosophers(12), 24, "D12"),
        (families.philosophers(100), 200, "D100"),
        (families.referendum(2), 8, "D4"),
        (families.referendum(10), 2**10 * factorial(10), "C2 wr S10"),
        (families.referendum(50), 2**50 * factorial(50), "C2 wr S50"),
        (families.token_ring(4), 1, "1"),
        (families.token_ring(8), 1, "1"),
        (families.shared_memory(5), factorial(5), "S5"),
        (families.shared_memory(12), factorial(12), "S12"),
        (families.files_of_sites(4, 4), factorial(4) ** 2, "S4^2"),
        (families.files_of_sites(3, 5), factorial(3) * factorial(5), "S5 × S3"),
    ],
    ids=lambda value: "" if isinstance(value, int) or value.startswith("<") else value,
)
def test_families_have_their_groups(net: str, order: int, name: str) -> None:
    found = Study(task_of(net)).symmetries()

    assert (found.order, found.structure) == (order, name)
    assert not found.detection.rejected


@pytest.mark.parametrize(
    "net",
    [
        families.philosophers(5),
        families.referendum(6),
        families.token_ring(4),
        families.shared_memory(4),
        families.files_of_sites(2, 3),
    ],
    ids=["philosophers", "referendum", "ring", "memory", "files"],
)
def test_orbits_stand_for_all_markings(net: str) -> None:
    study = Study(task_of(net))

    assert study.count(Mode.UNIQUE).exploration.full_states in (None, study.count(Mode.NONE).exploration.states)


def test_every_symmetry_of_a_net_is_found() -> None:
    """There are no more representatives than permutations of places that keep the net leave orbits."""
    met = sum((found_symmetries(seed) for seed in range(60)), Counter[str]())

    assert min(met["compared"], met["symmetric"]) > 8, met
