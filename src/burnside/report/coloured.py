"""The vertices of a coloured graph in the user's words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final, final

from burnside.detect.run import Detection

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
    graph, literals = found.encoding.graph, found.symmetry.literals
    cells = {cell.name for cell in literals.cells.all}
    before = {vertex: literals.text(literals.numbers[point]) for point, vertex in found.encoding.literals.items()}
    # The graph calls values by numbers; the user does not.
    after = {f"{literals.cells.all[c].name}' = {v}": literals.numbers[c, v] for c, v in found.encoding.literals}
    result = []
    for number, (label, colour) in enumerate(zip(graph.labels, graph.colour_numbers, strict=True)):
        if number in before:
            result.append(Vertex(Role.BEFORE, before[number], colour))
        elif label in after:
            result.append(Vertex(Role.AFTER, literals.text(after[label]).replace(" = ", "' = ", 1), colour))
        elif label in cells:
            result.append(Vertex(Role.VARIABLE, label, colour))
        else:
            is_condition = label.partition(" ")[0] in _CONNECTIVES
            result.append(Vertex(Role.CONDITION if is_condition else Role.EVENT, label, colour))
    return result
