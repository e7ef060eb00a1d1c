"""The published tables, run again: paper beside measured."""

from types import ModuleType

from burnside.bench import detection, patterns, reduction, strategies

# What runs each table; a runner has `run_rows(table)` and `text_lines(rows)`.
RUNNERS: dict[str, ModuleType] = {
    "canonical-forms": strategies,
    "lin2016-table1": patterns,
    "zhang2013-growth": detection,
    "zhang2013-table1": detection,
    "zhang2013-table2": reduction,
    "zhang2013-table3": reduction,
}
