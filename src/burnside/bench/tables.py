"""Tables of figures, as TOML files: what a paper prints with its citation, what is right, and why the two differ."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, final

from burnside.ir.nodes import Value
from burnside.resources import resource_directory
from burnside.values import dataclass, field, replace


@final
@dataclass(frozen=True)
class Row:
    """One row: a system at a size, what the paper prints and what is right. Some take long."""

    system: str
    example: str
    constants: dict[str, Value]
    expected: dict[str, Any]
    paper: dict[str, Any] = field(default_factory=dict)
    note: str = ""
    size: str = ""
    slow: bool = False

    @property
    def name(self) -> str:
        """What tells the row from the others of its table."""
        parts = (self.system, self.size, *(self.expected.get(key, "") for key in ("property", "fairness", "mode")))
        return " ".join(part for part in parts if part)


@final
@dataclass(frozen=True)
class Table:
    """A table of rows.

    ``notes`` are about all of it: what is compared, and what of the paper's table is not here. ``differs`` says for a
    figure (such as 'seconds') why ours are not those of the paper in any row.
    """

    name: str
    title: str
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    differs: dict[str, str] = field(default_factory=dict)

    def quick(self) -> Table:
        """The table without the rows that take long."""
        return replace(self, rows=tuple(row for row in self.rows if not row.slow))


def table_names(directory: Path | None = None) -> list[str]:
    """The tables there are: the published ones, or those in a directory."""
    return sorted(p.stem for p in _directory(directory).glob("*.toml"))


def read_table(name: str, directory: Path | None = None) -> Table:
    """A table by its name: one of the published ones, or one in a directory."""
    with (_directory(directory) / f"{name}.toml").open("rb") as file:
        content = tomllib.load(file)
    rows = tuple(_row(r) for r in content["row"])
    return Table(name, content["title"], rows, tuple(content.get("notes", ())), content.get("differs", {}))


def _directory(directory: Path | None) -> Path:
    return directory or resource_directory("tables")


def _row(entry: dict[str, Any]) -> Row:
    constants = {k: _value(v) for k, v in entry["constants"].items()}
    named = ("system", "example", "constants", "paper", "note", "size", "slow")
    expected = {k: v for k, v in entry.items() if k not in named}
    size = entry.get("size") or ", ".join(f"{k}={_shown(v)}" for k, v in entry["constants"].items())
    return Row(
        entry["system"],
        entry["example"],
        constants,
        expected,
        entry.get("paper", {}),
        entry.get("note", ""),
        size,
        entry.get("slow", False),
    )


def _value(value: Any) -> Value:
    return tuple(map(_value, value)) if isinstance(value, list) else int(value)


def _shown(value: Any) -> str:
    return "-".join(map(str, value)) if isinstance(value, list) else str(value)
