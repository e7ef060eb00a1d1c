"""Tables of published figures, as TOML files with their citations."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, replace
from typing import Any, final

from burnside.ir.nodes import Value
from burnside.resources import resource_directory


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


@final
@dataclass(frozen=True)
class Table:
    """A published table."""

    name: str
    title: str
    rows: tuple[Row, ...]

    def quick(self) -> Table:
        """The table without the rows that take long."""
        return replace(self, rows=tuple(row for row in self.rows if not row.slow))


def table_names() -> list[str]:
    """The tables there are."""
    return sorted(p.stem for p in resource_directory("tables").glob("*.toml"))


def read_table(name: str) -> Table:
    """A table by its name."""
    with (resource_directory("tables") / f"{name}.toml").open("rb") as file:
        content = tomllib.load(file)
    return Table(name, content["title"], tuple(_row(r) for r in content["row"]))


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
