"""The published tables, run again: paper beside measured."""

from types import ModuleType

from burnside.bench import actors, adaptive, auto, detection, liveness, patterns, reduction, strategies

# What runs each table; a runner has `run_rows(table)` and `text_lines(rows)`.
RUNNERS: dict[str, ModuleType] = {
    "auto": auto,
    "canonical-forms": strategies,
    "jaghoori2005": actors,
    "lin2016-table1": patterns,
    "liveness": liveness,
    "wahl2007-fig3": adaptive,
    "wahl2007-fig4": adaptive,
    "wahl2007-growth": adaptive,
    "wahl2007-table1": adaptive,
    "zhang2013-growth": detection,
    "zhang2013-table1": detection,
    "zhang2013-table2": reduction,
    "zhang2013-table3": reduction,
}
