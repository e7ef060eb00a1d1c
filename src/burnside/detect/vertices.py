"""The vertices of the coloured graph while it grows: kinds, children, heights; and truth values as vertices."""

from __future__ import annotations

from collections.abc import Iterable
from typing import final

from burnside.graph.coloured import Kind
from burnside.values import dataclass, field

AND: Kind = ("and",)
_OR: Kind = ("or",)
_NOR: Kind = ("nor",)


@final
class Vertices:
    """Grows a graph; a vertex with children is found again by its kind and children."""

    def __init__(self) -> None:
        self.kinds: list[Kind] = []
        self.children: list[frozenset[int]] = []
        self.heights: list[int] = []
        self._known: dict[tuple[Kind, frozenset[int]], int] = {}

    def leaf(self, kind: Kind) -> int:
        """A new vertex without children."""
        return self._add(kind, frozenset())

    def node(self, kind: Kind, children: Iterable[int]) -> int:
        """The vertex of this kind with exactly these children."""
        key = (kind, frozenset(children))
        vertex = self._known.get(key)
        if vertex is None:
            vertex = self._known[key] = self._add(*key)
        return vertex

    def _add(self, kind: Kind, children: frozenset[int]) -> int:
        self.kinds.append(kind)
        self.children.append(children)
        self.heights.append(1 + max(map(self.heights.__getitem__, children), default=-1))
        return len(self.kinds) - 1

    # ------------------------------------------------------------ truth values: a vertex, True or False

    def conjunction(self, parts: Iterable[int | bool]) -> int | bool:
        """All of them; nested conjunctions are opened."""
        kept: set[int] = set()
        for part in parts:
            if part is False:
                return False
            if part is not True:
                if self.kinds[part] is AND:
                    kept |= self.children[part]
                else:
                    kept.add(part)
        if not kept:
            return True
        return kept.pop() if len(kept) == 1 else self.node(AND, kept)

    def disjunction(self, parts: Iterable[int | bool], *, negated: bool = False) -> int | bool:
        """Any of them, or none of them if ``negated``."""
        kept: set[int] = set()
        for part in parts:
            if part is True:
                return not negated
            if part is not False:
                if self.kinds[part] is _OR:
                    kept |= self.children[part]
                else:
                    kept.add(part)
        if not kept:
            return negated
        if len(kept) == 1 and not negated:
            return kept.pop()
        return self.node(_NOR if negated else _OR, kept)

    def negation(self, part: int | bool) -> int | bool:
        """Not that; a double negation disappears."""
        if isinstance(part, bool):
            return not part
        if self.kinds[part] == _NOR:
            return self.disjunction(self.children[part])
        return self.disjunction((part,), negated=True)


@final
@dataclass(frozen=True, slots=True)
class LiteralVertices:
    """The vertices of cells and of their literals, before and after a step; large cells have no literals."""

    cells: dict[int, int] = field(default_factory=dict)
    old: dict[tuple[int, int], int] = field(default_factory=dict)
    next: dict[tuple[int, int], int] = field(default_factory=dict)
    large: dict[int, int] = field(default_factory=dict)
    large_next: dict[int, int] = field(default_factory=dict)
