"""The vertices of a coloured graph in the user's words."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, final

from burnside.detect.detection import Detection
from burnside.values import dataclass

_CONNECTIVES: Final = ("and", "or", "nor", "count", "argument", "weight")


class Role(IntEnum):
    """What a vertex stands for, in the order in which a step goes through the graph."""

    VARIABLE = 0
    BEFORE = 1
    CONDITION = 2
    EVENT = 3
    AFTER = 4


@final
@dataclass(frozen=True)
class Vertex:
    """What a vertex stands for, its label and the number of its colour. Conditions have no words of their own."""

    role: Role
    label: str
    colour: int

    @property
    def is_dot(self) -> bool:
        """Whether it is drawn without its label."""
        return self.role is Role.CONDITION


def vertices_of(found: Detection) -> list[Vertex]:
    """All vertices, in order."""
    encoding, literals = found.encoding, found.symmetry.literals
    graph = encoding.graph
    named: dict[int, tuple[Role, str]] = {}
    for cell, vertex in (*encoding.cells.items(), *encoding.large.items()):
        named[vertex] = Role.VARIABLE, literals.cells.all[cell].name
    for (cell, value), vertex in encoding.literals.items():
        named[vertex] = Role.BEFORE, literals.text(literals.numbers[cell, value])
    for (cell, value), vertex in encoding.next_literals.items():
        name, shown = literals.cells.all[cell].name, literals.value_text(cell, value)
        named[vertex] = Role.AFTER, f"{name}' = {shown}"
    for vertex, (kind, _) in enumerate(graph.colours):
        role = Role.CONDITION if kind[0] in _CONNECTIVES else Role.EVENT
        named.setdefault(vertex, (role, graph.labels[vertex]))
    return [Vertex(*named[k], colour) for k, colour in enumerate(graph.colour_numbers)]
