"""Burnside beside Spin and Rumur on the same protocols, in one run, as ratios."""

from pathlib import Path

from benchmarks.peers import memory, orders, runs, states, symmetry
from benchmarks.peers.tools import versions

from burnside.bench.machine import machine
from burnside.bench.suite import Suite

PEERS = Suite(
    {"states": states, "memory": memory, "symmetry": symmetry, "orders": orders, "runs": runs},
    directory=Path(__file__).parent / "tables",
    machine=lambda: machine() | versions(),
)
