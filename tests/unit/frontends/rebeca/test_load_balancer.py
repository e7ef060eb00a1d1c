"""The script that writes load balancers: it writes the models beside it, and others of the sizes they should have."""

from __future__ import annotations

import runpy
import subprocess
import sys
from collections.abc import Callable
from math import factorial
from pathlib import Path

import pytest

from burnside.actors.symmetry import find_symmetries
from burnside.claims.task import Task
from burnside.decide.modes import Mode
from burnside.frontends.rebeca import load
from burnside.source import Source
from burnside.study import Study

EXAMPLES = Path(__file__).parents[4] / "examples" / "jaghoori2005"
SCRIPT = EXAMPLES / "load_balancer.py"
load_balancer: Callable[..., str] = runpy.run_path(str(SCRIPT))["load_balancer"]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("static", ["static", "--clients", "6", "--balancers", "2", "--servers", "3"]),
        ("dynamic", ["dynamic", "--clients", "6", "--balancers", "2", "--servers", "3"]),
        ("small", ["dynamic", "--clients", "4", "--balancers", "2", "--servers", "2"]),
    ],
)
def test_the_models_that_ship_are_written_by_the_script(name, arguments, tmp_path):
    """Apart from what they say about themselves."""
    written = tmp_path / "model.rebeca"
    subprocess.run([sys.executable, str(SCRIPT), *arguments, "-o", str(written)], check=True)

    shipped = (EXAMPLES / f"load_balancer_{name}.rebeca").read_text().splitlines()
    assert written.read_text().splitlines() == [line for line in shipped if not line.startswith("//! ")]


@pytest.mark.parametrize("variant", ["static", "dynamic"])
def test_both_variants_have_the_same_states(variant):
    """One client for each of two balancers, three servers; the general detector exchanges numbered clients, too."""
    tasks, _, _ = load(Source("model", load_balancer(variant, clients=2, balancers=2, servers=3)), {})
    assert tasks
    model = tasks[0].model

    assert Study(Task(model)).count(Mode.NONE).exploration.states == 933
    assert Study(Task(model)).count(Mode.UNIQUE).exploration.states == 500


@pytest.mark.parametrize(("clients", "balancers", "servers"), [(6, 2, 3), (6, 3, 1), (12, 4, 2), (1, 1, 1)])
def test_clients_of_a_balancer_and_balancers_can_be_exchanged(clients, balancers, servers):
    """By Definition 4, with references that are sent; numbers tell everybody apart."""
    orders = {}
    for variant in ("static", "dynamic"):
        text = load_balancer(variant, clients=clients, balancers=balancers, servers=servers)
        topology = load(Source("model", text), {}).topology
        assert topology is not None
        orders[variant] = find_symmetries(topology).order

    assert orders == {"static": 1, "dynamic": factorial(clients // balancers) ** balancers * factorial(balancers)}


@pytest.mark.parametrize("arguments", [["static", "--clients", "0"], ["dynamic", "--clients", "1"], ["other"]])
def test_impossible_sizes_are_refused(arguments):
    done = subprocess.run([sys.executable, str(SCRIPT), *arguments], capture_output=True, text=True)

    assert done.returncode == 2
    assert "usage" in done.stderr
