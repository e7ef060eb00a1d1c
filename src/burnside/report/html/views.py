"""A state as tables for people: arrays over the same ids share a table, a row for each id; an actor has its own row,
with the messages in its queue and who sent them. Fields of records stand apart, so that a step marks those it changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, product
from typing import final

from burnside.ir.cells import State
from burnside.ir.nodes import Domain, Model
from burnside.ir.topology import ActorClass, Queue
from burnside.ir.views import Place, Views
from burnside.ir.wholes import Whole, fields_apart
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
    """Rows and columns with headings; a row has a heading and, for every column, a place or a queue."""

    title: str
    corner: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Place | Waiting, ...]], ...]


@final
class StateView:
    """How the states of a model are shown."""

    def __init__(self, model: Model) -> None:
        self._queues = Queues(model)
        columns = _Columns(model.actors)
        views = Views(model)
        apart = [field for whole in views.wholes for field in fields_apart(whole)]
        self.tables = [_table(views, group, columns) for group in _alike(apart)]

    def texts(self, state: State) -> list[str]:
        """The text of every cell of every table, in order."""
        return [self._text(state, cell) for table in self.tables for _, row in table.rows for cell in row]

    def _text(self, state: State, cell: Place | Waiting) -> str:
        if isinstance(cell, Place):
            return cell.text(state)
        messages = self._queues.waiting(state, cell.queue, cell.actor)
        return ", ".join(f"{m.text} from {m.source}" if m.source else m.text for m in messages) or "–"


def _alike(variables: Sequence[Whole]) -> list[list[Whole]]:
    """Scalars together, arrays with one index together if it is the same, others alone."""
    groups: dict[tuple[Domain | str, ...], list[Whole]] = {}
    for variable in variables:
        key = variable.dimensions if len(variable.dimensions) < 2 else (variable.name,)
        groups.setdefault(key, []).append(variable)
    return [*groups.values()]


def _table(views: Views, variables: Sequence[Whole], columns: _Columns) -> Table:
    dimensions = variables[0].dimensions
    if not dimensions:
        return Table("", "", (), tuple((v.name, tuple(views.places(v))) for v in variables))
    if len(dimensions) > 1:
        return _grid(views, variables[0])
    ids = dimensions[0]
    shown = [v for v in variables if v.name not in columns.behind]
    rows = tuple(
        (ids.text(i), tuple(map(columns.cell, places)))
        for i, *places in zip(ids.values(), *map(views.places, shown), strict=True)
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

    def heading(self, variable: Whole) -> str:
        """What stands above a column."""
        return "queue" if variable.name in self._queues else self._headings.get(variable.name, variable.name)

    def cell(self, place: Place) -> Place | Waiting:
        """One place of a column."""
        queue = self._queues.get(place.whole.name)
        return place if queue is None else Waiting(queue, place.indices[0])


def _grid(views: Views, variable: Whole) -> Table:
    first, *others = variable.dimensions
    columns = [*product(*([d.text(i) for i in d.values()] for d in others))]
    places = views.places(variable)
    rows = [(first.text(i), tuple(islice(places, len(columns)))) for i in first.values()]
    return Table(variable.name, first.name, tuple(", ".join(column) for column in columns), tuple(rows))
