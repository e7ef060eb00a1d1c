"""Where our figures are not those of a paper, and why: found by comparing, reasons taken from the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias, final

from burnside.bench.tables import Table
from burnside.values import dataclass

Number: TypeAlias = int | float


@final
@dataclass(frozen=True)
class Figure:
    """One figure of one row: the paper's beside ours.

    The paper's is a text where it has none ('OM') or says it in words. A figure that `is_exact` must be the paper's,
    or the row must say why not (`note`); for the others the table gives one reason for all rows.
    """

    row: str
    name: str
    paper: Number | str
    ours: Number | str
    note: str = ""
    is_exact: bool = False

    @property
    def differs(self) -> bool:
        """Whether the paper has another figure, or none."""
        return self.paper != self.ours


def difference_lines(table: Table, figures: Iterable[Figure]) -> Iterator[str]:
    """What differs, a line each: exact figures row by row, then every other figure for the whole table."""
    found = list(figures)
    for figure in found:
        if figure.is_exact and figure.differs:
            why = f"; {figure.note}" if figure.note else ""
            yield f"{figure.name} of {figure.row}: {_shown(figure.ours)} (in the paper: {_shown(figure.paper)}){why}"
    for name in dict.fromkeys(figure.name for figure in found):
        if chosen := [f for f in found if f.name == name and f.differs and not f.is_exact]:
            total = sum(f.name == name for f in found)
            yield f"{name}: {_summary(chosen, total)}{_reason(table, name)}"


def unexplained(table: Table, figures: Iterable[Figure]) -> list[Figure]:
    """Figures that differ although neither their row nor their table says why."""
    return [f for f in figures if f.differs and not (f.note if f.is_exact else table.differs.get(f.name))]


def _reason(table: Table, name: str) -> str:
    return f". {table.differs[name]}" if name in table.differs else ""


def _summary(chosen: Sequence[Figure], total: int) -> str:
    """How many figures are smaller and by how much; those that are larger, or that the paper lacks, one by one."""
    compared = [(f, f.paper, f.ours) for f in chosen if not isinstance(f.paper, str) and not isinstance(f.ours, str)]
    less = [paper / ours for _, paper, ours in compared if ours < paper]
    parts = []
    if less:
        parts.append(f"less than in the paper in {len(less)} of {total} cases, {_range(less)}")
    if more := [f"{f.row} ({_times(ours / paper)})" for f, paper, ours in compared if paper < ours and paper]:
        parts.append(f"more than in the paper for {', '.join(more)}")
    if lacking := [f"{f.row} ({f.paper})" for f in chosen if isinstance(f.paper, str)]:
        parts.append(f"the paper has none for {', '.join(lacking)}")
    return "; ".join(parts)


def _range(factors: Sequence[float]) -> str:
    least, most = _times(min(factors)), _times(max(factors))
    return f"by a factor of {least}" if least == most else f"by factors of {least} to {most}"


def _times(factor: float) -> str:
    return f"{factor:,.0f}" if factor >= 10 else f"{factor:.1f}" if factor >= 1.1 else f"{factor:.2f}"


def _shown(figure: Number | str) -> str:
    return figure if isinstance(figure, str) else f"{figure:,}"
