"""The published tables, run again: paper beside measured."""

from types import ModuleType

from burnside.bench import (
    actors,
    adaptive,
    auto,
    detection,
    liveness,
    partial_order,
    patterns,
    reduction,
    scale,
    self_tests,
    strategies,
)
from burnside.bench.suite import Suite

# What runs each table: those of the papers, then our own.
RUNNERS: dict[str, ModuleType] = {
    "zhang2013-table1": detection,
    "zhang2013-table2": reduction,
    "zhang2013-table3": reduction,
    "wahl2007-fig2": adaptive,
    "wahl2007-fig3": adaptive,
    "wahl2007-fig4": adaptive,
    "wahl2007-table1": adaptive,
    "lin2016-table1": patterns,
    "jaghoori2005": actors,
    "zhang2013-growth": detection,
    "wahl2007-growth": adaptive,
    "canonical-forms": strategies,
    "auto": auto,
    "liveness": liveness,
    "partial-order": partial_order,
    "self-tests": self_tests,
    "scale": scale,
}

PUBLISHED = Suite(RUNNERS)
