"""A suite: tables, what runs each of them, and what is said about them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, final

from burnside.bench.differences import Figure, difference_lines
from burnside.bench.machine import machine
from burnside.bench.tables import Table, read_table
from burnside.values import dataclass


@final
@dataclass(frozen=True)
class Suite:
    """Tables by name, in the order in which they are run.

    A runner has `run_rows(table)` and `text_lines(rows)`; if a paper has figures, `figures(row)`; if they are drawn,
    `draw(table, rows)`; if there is more to say, `remarks(rows)`. ``directory`` holds the tables (by default that of
    the published ones), and ``machine`` says what they are measured on.
    """

    runners: Mapping[str, ModuleType]
    directory: Path | None = None
    machine: Callable[[], dict[str, str]] = machine

    def table(self, name: str) -> Table:
        """A table by its name."""
        return read_table(name, self.directory)

    def figures(self, name: str, rows: Sequence[dict[str, Any]]) -> list[Figure]:
        """What papers print beside what was measured."""
        runner = self.runners[name]
        return [figure for row in rows for figure in runner.figures(row)] if hasattr(runner, "figures") else []

    def remarks(self, table: Table, rows: Sequence[dict[str, Any]]) -> Iterator[str]:
        """What has to be said about measured rows: what is compared, what differs from a paper and why, other notes."""
        yield from table.notes
        if hasattr(self.runners[table.name], "remarks"):
            yield from self.runners[table.name].remarks(rows)
        figures = self.figures(table.name, rows)
        yield from difference_lines(table, figures)
        said = {figure.note for figure in figures if figure.is_exact and figure.differs}
        for row in rows:
            if row.get("note") and row["note"] not in said:
                said.add(row["note"])
                names = [f"{r['system']} {r['size']}".strip() for r in rows if r.get("note") == row["note"]]
                yield f"{', '.join(names)}: {row['note']}"
