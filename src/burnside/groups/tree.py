"""Schreier trees: the orbit of a base point together with elements that lead back to it."""

from __future__ import annotations

from typing import final

from burnside.groups.perm import Perm, compose, identity, inverse

_EXPLICIT = 4_000_000  # keep coset representatives as whole permutations up to this many images per level
_JUMP = 12  # edges that one shortcut saves; far shortcuts cost many products


@final
class SchreierTree:
    """The orbit of ``base`` under the generators given so far, as a tree whose edges are generators.

    Walking from a point to the root multiplies the inverse of the representative together. Small orbits keep the
    products, so each is computed once. In large ones the depth matters: cyclic groups would give a tree that is one
    long path, so `flatten` adds shortcuts (further elements of the group) until it is logarithmic.
    """

    def __init__(self, base: int, degree: int) -> None:
        self.base = base
        self.degree = degree
        self.generators: list[Perm] = []
        self._inverses: list[Perm] = []
        self._shortcuts: list[Perm] = []
        self._edge: dict[int, int] = {base: -1}  # number of the edge into a point; shortcuts count -2, -3, ...
        self._depth: dict[int, int] = {base: 0}
        self._back: dict[int, Perm] = {base: identity(degree)}

    def __contains__(self, point: int) -> bool:
        return point in self._edge

    def __len__(self) -> int:
        return len(self._edge)

    @property
    def points(self) -> tuple[int, ...]:
        """The orbit in the order of discovery, the base point first."""
        return tuple(self._edge)

    @property
    def depth(self) -> int:
        """The number of edges between the root and the farthest point."""
        return max(self._depth.values())

    def extend(self, g: Perm, inverse_g: Perm) -> bool:
        """Add a generator, given with its inverse since many trees share it.

        Return whether the tree was replaced, so that old representatives are out of date.
        """
        self.generators.append(g)
        self._inverses.append(inverse_g)
        last = len(self.generators) - 1
        new = [q for p in self.points if (q := self._reach(p, g, last)) is not None]
        self._close(new, range(last + 1))
        return self._flatten() if new else False

    def back(self, point: int) -> Perm:
        """The element that takes ``point`` to the base point."""
        path = []
        while (known := self._back.get(point)) is None:
            path.append(point)
            point = self._label(self._edge[point])[point]
        explicit = len(self) * self.degree <= _EXPLICIT
        for p in reversed(path):
            known = compose(self._label(self._edge[p]), known)
            if explicit:
                self._back[p] = known
        return known

    def representative(self, point: int) -> Perm:
        """An element that takes the base point to ``point``; always the same one."""
        return inverse(self.back(point))

    def is_tree_edge(self, point: int, number: int) -> bool:
        """Whether generator ``number`` at ``point`` is an edge of the tree: its Schreier generator is trivial."""
        image = self.generators[number][point]
        return self._edge[image] == number and self._inverses[number][image] == point

    def _label(self, edge: int) -> Perm:
        """The permutation that walks ``edge`` towards the root."""
        return self._inverses[edge] if edge >= 0 else self._shortcuts[-2 - edge]

    def _reach(self, point: int, g: Perm, edge: int) -> int | None:
        image = g[point]
        if image in self._edge:
            return None
        self._edge[image] = edge
        self._depth[image] = self._depth[point] + 1
        return image

    def _close(self, queue: list[int], numbers: range) -> None:
        """Breadth-first closure of ``queue``, which grows meanwhile."""
        for p in queue:
            for number in numbers:
                image = self._reach(p, self.generators[number], number)
                if image is not None:
                    queue.append(image)

    def _flatten(self) -> bool:
        """Add shortcuts while the tree is deep and representatives are not kept."""
        allowed = 2 * len(self).bit_length() + 2
        if len(self) * self.degree <= _EXPLICIT or self.depth <= allowed:
            return False
        for _ in range(allowed):
            if self.depth <= allowed:
                break
            self._add_shortcut()
        return True

    def _add_shortcut(self) -> None:
        """Jump a few edges along the longest path, and search the orbit again: later jumps are jumps of jumps."""
        stop = max(self._depth, key=self._depth.__getitem__)
        for _ in range(self.depth - _JUMP):
            stop = self._label(self._edge[stop])[stop]
        self._shortcuts.append(self.back(stop))
        steps = [(-2 - k, inverse(s)) for k, s in enumerate(self._shortcuts)] + list(enumerate(self.generators))
        self._edge, self._depth = {self.base: -1}, {self.base: 0}
        self._back = {self.base: identity(self.degree)}
        queue = [self.base]
        for p in queue:
            queue += [q for edge, g in steps if (q := self._reach(p, g, edge)) is not None]
