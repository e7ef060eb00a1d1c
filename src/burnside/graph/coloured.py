"""Coloured graphs: undirected, no loops, one colour per vertex. They know nothing of models."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TypeAlias, final

from burnside.values import dataclass

# What a vertex is, as a word and further values, and its height. Names of users stand behind such a word, never alone.
Kind: TypeAlias = tuple[object, ...]
Colour: TypeAlias = tuple[Kind, int]


@final
@dataclass(frozen=True)
class ColouredGraph:
    """Vertices 0..n-1 with colours and readable labels, and edges as pairs."""

    colours: tuple[Colour, ...]
    edges: tuple[tuple[int, int], ...]
    labels: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.colours)

    @cached_property
    def colour_numbers(self) -> tuple[int, ...]:
        """Colours as small numbers, in the order of how they are written."""
        numbers = {colour: k for k, colour in enumerate(sorted(set(self.colours), key=repr))}
        return tuple(numbers[c] for c in self.colours)


def marked(graph: ColouredGraph, marks: Mapping[int, int]) -> ColouredGraph:
    """The same graph with some vertices told apart from all others; those with equal marks not from one another."""
    colours = list(graph.colours)
    for vertex, mark in marks.items():
        kind, height = colours[vertex]
        colours[vertex] = ("marked", mark, *kind), height
    return ColouredGraph(tuple(colours), graph.edges, graph.labels)


def dimacs_text(graph: ColouredGraph) -> str:
    """The format of bliss: ``p edge``, ``n vertex colour``, ``e vertex vertex``, counted from 1."""
    lines = [f"p edge {len(graph)} {len(graph.edges)}"]
    lines += [f"n {k + 1} {c}" for k, c in enumerate(graph.colour_numbers)]
    lines += [f"e {a + 1} {b + 1}" for a, b in graph.edges]
    return "\n".join(lines) + "\n"


def dot_text(graph: ColouredGraph) -> str:
    """Graphviz, with a colour from a fixed scheme and the label of every vertex."""
    lines = ["graph model {", '  node [style=filled, colorscheme=set312, shape=box, fontname="sans-serif"];']
    for k, number in enumerate(graph.colour_numbers):
        label = graph.labels[k] if graph.labels else str(graph.colours[k])
        lines.append(f'  {k} [label="{_escape(label)}", fillcolor={number % 12 + 1}];')
    lines += [f"  {a} -- {b};" for a, b in graph.edges]
    return "\n".join([*lines, "}"]) + "\n"


def _escape(text: str) -> str:
    return "".join(c if c.isprintable() and c not in '"\\' else f"\\u{ord(c):04x}" for c in text)
