"""A state as tables for people: arrays over the same ids share a table, a row for each id; an actor has its own row,
with the messages in its queue and who sent them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, product
from typing import final

from burnside.ir.cells import Cells, Element, State
from burnside.ir.nodes import Domain, Model, Variable
from burnside.ir.topology import ActorClass, Queue
from burnside.report.actor_trace import Queues
from burnside.values import dataclass


@final
@dataclass(frozen=True)
class Waiting:
    """The messages that wait for an actor."""

    queue: Queue
    actor: int


@final
@dataclass(frozen=True)
class Table:
    """Rows and columns with headings; a row has a heading and, for every column, an element or a queue."""

    title: str
    corner: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Element | Waiting, ...]], ...]


@final
class StateView:
    """How the states of a model are shown."""

    def __init__(self, model: Model) -> None:
        self._cells = Cells(model)
        self._queues = Queues(model)
        columns = _Columns(model.actors)
        self.tables = [_table(self._cells, group, columns) for group in _alike(model.variables)]

    def texts(self, state: State) -> list[str]:
        """The text of every cell of every table, in order."""
        return [self._text(state, cell) for table in self.tables for _, row in table.rows for cell in row]

    def _text(self, state: State, cell: Element | Waiting) -> str:
        if isinstance(cell, Element):
            return cell.text(state)
        messages = self._queues.waiting(state, cell.queue, cell.actor)
        return ", ".join(f"{m.text} from {m.source}" if m.source else m.text for m in messages) or "–"


def _alike(variables: Sequence[Variable]) -> list[list[Variable]]:
    """Scalars together, arrays with one index together if it is the same, others alone."""
    groups: dict[tuple[Domain | str, ...], list[Variable]] = {}
    for variable in variables:
        key = variable.dimensions if len(variable.dimensions) < 2 else (variable.name,)
        groups.setdefault(key, []).append(variable)
    return [*groups.values()]


def _table(cells: Cells, variables: Sequence[Variable], columns: _Columns) -> Table:
    dimensions = variables[0].dimensions
    if not dimensions:
        return Table("", "", (), tuple((v.name, tuple(cells.elements_of(v))) for v in variables))
    if len(dimensions) > 1:
        return _grid(cells, variables[0])
    ids = dimensions[0]
    shown = [v for v in variables if v.name not in columns.behind]
    rows = tuple(
        (ids.text(i), tuple(map(columns.cell, elements)))
        for i, *elements in zip(ids.values(), *map(cells.elements_of, shown), strict=True)
    )
    return Table("", ids.name, tuple(columns.heading(v) for v in shown), rows)


@final
class _Columns:
    """How the variables of actors are shown: by their names in the text, and the sequences of a queue as one column."""

    def __init__(self, actors: Sequence[ActorClass]) -> None:
        self._queues = {kind.queue.kinds: kind.queue for kind in actors if kind.queue}
        self._headings = {variable: name for kind in actors for variable, name in kind.own}
        self._headings |= {kind.exists: "exists" for kind in actors if kind.exists}
        self.behind = {queue.senders for queue in self._queues.values()}
        self.behind |= {c for queue in self._queues.values() for m in queue.messages for c in m.arguments}

    def heading(self, variable: Variable) -> str:
        """What stands above a column."""
        return "queue" if variable.name in self._queues else self._headings.get(variable.name, variable.name)

    def cell(self, element: Element) -> Element | Waiting:
        """One place of a column."""
        queue = self._queues.get(element.variable.name)
        return element if queue is None else Waiting(queue, element.indices[0])


def _grid(cells: Cells, variable: Variable) -> Table:
    first, *others = variable.dimensions
    places = [*product(*([d.text(i) for i in d.values()] for d in others))]
    elements = iter(cells.elements_of(variable))
    rows = [(first.text(i), tuple(islice(elements, len(places)))) for i in first.values()]
    return Table(variable.name, first.name, tuple(", ".join(place) for place in places), tuple(rows))
