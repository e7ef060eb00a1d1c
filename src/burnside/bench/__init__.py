"""The published tables, run again: paper beside measured."""

from types import ModuleType

from burnside.bench import detection, patterns

# What runs each table; a runner has `run_rows(table)` and `text_lines(rows)`.
RUNNERS: dict[str, ModuleType] = {
    "lin2016-table1": patterns,
    "zhang2013-growth": detection,
    "zhang2013-table1": detection,
}
