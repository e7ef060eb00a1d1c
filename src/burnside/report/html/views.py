"""A state as tables for people: arrays over the same ids share a table, a row for each id; an actor has its own row,
with the messages in its queue and who sent them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias, final

from burnside.ir.cells import Cells, State
from burnside.ir.nodes import Domain, Model, Variable
from burnside.report.actor_trace import Queues, speaks_of_actors

Described: TypeAlias = Mapping[str, str]


@final
@dataclass(frozen=True)
class Table:
    """Rows and columns with headings; ``cells`` are the names of elements, or several that make up one text."""

    title: str
    corner: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]


@final
class StateView:
    """How the states of a model are shown."""

    def __init__(self, model: Model) -> None:
        self._cells = Cells(model)
        self._queues = Queues(model)
        is_of_actors = speaks_of_actors(model)
        self.tables = [_table(group, is_of_actors=is_of_actors) for group in _alike(model.variables)]

    def texts(self, state: State) -> list[str]:
        """The text of every cell of every table, in order."""
        described = self._cells.describe(state)
        return [self._text(described, names) for table in self.tables for _, row in table.rows for names in row]

    def _text(self, described: Described, names: Sequence[str]) -> str:
        if len(names) == 1:
            return described[names[0]]
        kind, _, rest = names[0].partition(":")  # the sequences of a queue
        messages = self._queues.waiting(described, kind, rest.partition("[")[2].removesuffix("]"))
        return ", ".join(f"{m.text} from {m.sender}" if m.sender else m.text for m in messages) or "–"


def _alike(variables: Sequence[Variable]) -> list[list[Variable]]:
    """Scalars together, arrays with one index together if it is the same, others alone."""
    groups: dict[tuple[Domain | str, ...], list[Variable]] = {}
    for variable in variables:
        key = variable.dimensions if len(variable.dimensions) < 2 else (variable.name,)
        groups.setdefault(key, []).append(variable)
    return [*groups.values()]


def _table(variables: Sequence[Variable], *, is_of_actors: bool) -> Table:
    dimensions = variables[0].dimensions
    if not dimensions:
        return Table("", "", (), tuple((v.name, ((v.name,),)) for v in variables))
    if len(dimensions) > 1:
        return _grid(variables[0])
    ids = dimensions[0]
    columns = _columns(variables, ids.name if is_of_actors else "")
    rows = tuple(
        (ids.text(i), tuple(_elements(names, ids.text(i)) for names in columns.values())) for i in ids.values()
    )
    return Table("", ids.name, tuple(columns), rows)


def _grid(variable: Variable) -> Table:
    first, *others = variable.dimensions
    places = [*product(*([d.text(i) for i in d.values()] for d in others))]
    rows = []
    for i in first.values():
        cells = tuple((f"{variable.name}[{first.text(i)}]" + "".join(f"[{k}]" for k in place),) for place in places)
        rows.append((first.text(i), cells))
    return Table(variable.name, first.name, tuple(", ".join(place) for place in places), tuple(rows))


def _columns(variables: Sequence[Variable], actor: str) -> dict[str, list[str]]:
    """The variables behind each column. What belongs to a queue of messages is one column."""
    columns: dict[str, list[str]] = {}
    for variable in variables:
        if actor and variable.name.startswith(f"{actor}:") and variable.is_sequence:
            columns.setdefault("queue", []).append(variable.name)
        else:
            short = variable.name.removeprefix(actor).lstrip(".:") if actor else variable.name
            columns.setdefault(short, []).append(variable.name)
    return columns


def _elements(names: Sequence[str], at: str) -> tuple[str, ...]:
    return tuple(f"{name}[{at}]" for name in names)
