"""How processes use their parameters: which arrays they index by them, and which variables they store them in.

Only names in reports depend on this, never a result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import final

from burnside.frontends.cspsharp.read.declarations import Definition
from burnside.frontends.cspsharp.read.syntax import Assignment, CallProcess, Expression, Name


@final
class Usage:
    """What becomes of the bare parameters of definitions, also where they are passed on."""

    def __init__(self, definitions: Mapping[str, Definition]) -> None:
        self._definitions = definitions
        self._found: dict[tuple[str, int], tuple[set[tuple[str, int]], set[str]]] = {}

    def indexes(self, process: str, argument: int, array: str, position: int) -> bool:
        """Whether a process uses an argument, by itself, as an index of an array."""
        return (array, position) in self._of(process, argument)[0]

    def stores(self, process: str, argument: int, variable: str) -> bool:
        """Whether a process assigns an argument, by itself, to a variable."""
        return variable in self._of(process, argument)[1]

    def _of(self, process: str, argument: int) -> tuple[set[tuple[str, int]], set[str]]:
        key = (process, argument)
        if key not in self._found:
            indexed: set[tuple[str, int]] = set()
            stored: set[str] = set()
            for name, parameter in self._reached(process, argument):
                for node in _nodes(self._definitions[name].body):
                    if isinstance(node, Name):
                        indexed |= {(node.name, k) for k, i in enumerate(node.indices) if _is_bare(i, parameter)}
                    elif isinstance(node, Assignment) and not node.operator and _is_bare(node.value, parameter):
                        stored.add(node.target.name)
            self._found[key] = indexed, stored
        return self._found[key]

    def _reached(self, process: str, argument: int) -> Iterator[tuple[str, str]]:
        """The definitions that a parameter gets to by calls, and what it is called there."""
        pending, seen = [(process, argument)], set[tuple[str, int]]()
        while pending:
            at = pending.pop()
            definition = self._definitions.get(at[0])
            if at in seen or definition is None or at[1] >= len(definition.parameters):
                continue
            seen.add(at)
            parameter = definition.parameters[at[1]]
            yield definition.name, parameter
            for node in _nodes(definition.body):
                if isinstance(node, CallProcess):
                    pending += [(node.name, k) for k, a in enumerate(node.arguments) if _is_bare(a, parameter)]


def _is_bare(expr: Expression, parameter: str) -> bool:
    return isinstance(expr, Name) and expr.name == parameter and not expr.indices


def _nodes(node: object) -> Iterator[object]:
    """Every node of a piece of syntax."""
    if isinstance(node, tuple):
        for part in node:
            yield from _nodes(part)
        return
    fields = getattr(node, "__dataclass_fields__", None)
    if fields is not None:
        yield node
        for name in fields:
            if name != "span":
                yield from _nodes(getattr(node, name))
