"""The general exact method: a stabiliser DAG over literals, walked once per state.

A node stands for a subgroup (the pointwise stabiliser of the literals fixed so far) and the positions
already decided. *Compare* nodes decide positions that the subgroup does not touch: only candidates that are
least there stay. *Branch* nodes decide one position: for every literal that the subgroup can bring there,
the node knows the least value it can become and one element that does it. The least value over all
candidates wins, the candidates that reach it are moved, equal candidates are merged, and the walk goes on
in the stabiliser of the literal now fixed.

The result is the least image in an order of positions that depends on the values met. That is as canonical
as any fixed order: every choice depends only on the orbit of the state. Merging keeps count of how many
group elements lead to each candidate, so the size of the orbit comes for free.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import final

from burnside.groups import Perm, PermGroup, stabiliser_chain
from burnside.groups.perm import compose, identity
from burnside.groups.work import Work
from burnside.reduce.symmetry.action import NO_LITERAL, Action, Image
from burnside.reduce.symmetry.strategy import Moved, Packing, Strategy, Taken
from burnside.reduce.tables import Table
from burnside.values import dataclass, field

MOST_NODES = 5_000
_MEMORY = 8  # what it costs to keep a point, compared with computing one
_LOW = (1 << 64) - 1
_END, _COMPARE, _BRANCH = range(3)  # kinds of nodes in C: ``runtime/chain.h``


# ---------------------------------------------------------------- the strategy


@final
@dataclass(frozen=True)
class StabiliserWalk(Strategy):
    """Walk a stabiliser DAG: exact for every group, as long as the DAG stays small."""

    name = "stabiliser chain"
    reason = "the general method"
    follows_points = True

    action: Action
    dag: StabiliserDag

    @classmethod
    def take(cls, action: Action, work: Work) -> Taken | None:
        """Any group whose DAG has not too many nodes."""
        dag = build_dag(action, work)
        return None if dag is None else Taken(cls(action, dag))

    @property
    def pruners(self) -> Iterable[Perm]:
        """The elements of the DAG."""
        return self.dag.elements

    def code(self, function: str, packing: Packing) -> str:  # noqa: ARG002 (others need it)
        """The walk is the same for all DAGs: they are tables."""
        return f"""\
#include "chain.h"

static count_t {function}(struct scratch *x, word *s) {{
    return walk_dag(x, s);
}}"""

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """The DAG as flat lists."""
        return _Flat().of(self.dag)

    def representative(self, image: Image) -> Moved:
        """The walk in Python, with the elements that C applies."""
        candidates = {image: identity(self.action.group.degree)}
        node = self.dag.nodes[0]
        while not isinstance(node, End):
            if isinstance(node, Compare):
                candidates = _keep_least(candidates, node.positions)
                node = self.dag.nodes[node.next]
            else:
                value, candidates = self._branch(node, candidates)
                node = self.dag.nodes[node.children[value]]
        candidates = _keep_least(candidates, node.positions)
        return next(iter(candidates.items()))

    def _branch(self, node: Branch, candidates: dict[Image, Perm]) -> tuple[int, dict[Image, Perm]]:
        least = min(node.value[image[k]] for image in candidates for k in node.sources)
        moved: dict[Image, Perm] = {}
        for image, perm in candidates.items():
            for k in node.sources:
                if node.value[image[k]] == least:
                    element = self.dag.elements[node.element[image[k]]]
                    moved.setdefault(self.action.apply(element, image), compose(perm, element))
        return least, moved


def _keep_least(candidates: dict[Image, Perm], positions: Iterable[int]) -> dict[Image, Perm]:
    for k in positions:
        least = min(image[k] for image in candidates)
        candidates = {image: perm for image, perm in candidates.items() if image[k] == least}
    return candidates


# ---------------------------------------------------------------- the DAG


@final
@dataclass
class Branch:
    """Decide ``position``: ``value[l]`` is the least value literal ``l`` can become there, ``element[l]`` how."""

    position: int
    sources: tuple[int, ...]
    value: list[int]
    element: list[int]
    children: dict[int, int] = field(default_factory=dict)


@final
@dataclass
class Compare:
    """Keep the candidates that are least at some positions, in order."""

    positions: tuple[int, ...]
    next: int = -1


@final
@dataclass
class End:
    """Nothing is left to move; ``order`` elements of the group fix every candidate here."""

    positions: tuple[int, ...]
    order: int


@final
@dataclass
class StabiliserDag:
    """Nodes (the first one is the root) and the group elements they refer to."""

    nodes: list[Branch | Compare | End] = field(default_factory=list)
    elements: list[Perm] = field(default_factory=list)


def build_dag(action: Action, work: Work) -> StabiliserDag | None:
    """The DAG of an action; None beyond the limit of nodes, OutOfWork beyond that of work."""
    try:
        return _Builder(action, work).build()
    except _TooManyNodes:
        return None


class _TooManyNodes(Exception):
    """The DAG grows beyond its limit."""


@final
class _Builder:
    def __init__(self, action: Action, work: Work) -> None:
        self._action = action
        self._work = work
        self._literals = len(action.values)  # points beyond are only followed
        self._dag = StabiliserDag()
        self._known: dict[tuple[frozenset[int], frozenset[int]], int] = {}
        self._elements: dict[Perm, int] = {}
        self._groups: dict[frozenset[int], PermGroup] = {}
        self._stabilisers: dict[tuple[frozenset[int], int], frozenset[int]] = {}

    def build(self) -> StabiliserDag:
        self._node(self._closed(self._action.group), frozenset())
        return self._dag

    def _closed(self, group: PermGroup) -> frozenset[int]:
        """All points a subgroup fixes. A pointwise stabiliser is determined by them, so they serve as its name."""
        fixed = frozenset(range(group.degree)) - frozenset(group.moved_points)
        self._groups.setdefault(fixed, group)
        return fixed

    def _node(self, fixed: frozenset[int], decided: frozenset[int]) -> int:
        key = (fixed, decided)
        if key not in self._known:
            if len(self._dag.nodes) >= MOST_NODES:
                raise _TooManyNodes
            number = len(self._dag.nodes)
            self._known[key] = number
            self._dag.nodes.append(End((), 1))  # keeps the place
            self._dag.nodes[number] = self._make(fixed, decided)
        return self._known[key]

    def _make(self, fixed: frozenset[int], decided: frozenset[int]) -> Branch | Compare | End:
        group = self._groups[fixed]
        self._work.spend(group.degree)
        undecided = [k for k in range(len(self._action.positions)) if k not in decided]
        if group.is_trivial:
            return End(tuple(undecided), 1)
        moved = {self._action.position_of[p] for p in group.moved_points if p < self._literals}
        still = tuple(k for k in undecided if k not in moved)
        if still:
            return Compare(still, self._node(fixed, decided | frozenset(still)))
        if not undecided:
            assert group.order is not None
            return End((), group.order)
        return self._branch(fixed, decided, undecided, group)

    def _branch(self, fixed: frozenset[int], decided: frozenset[int], undecided: list[int], group: PermGroup) -> Branch:
        orbits = [
            o
            for o in group.orbits
            if o[0] < self._literals and (len(o) > 1 or self._action.position_of[o[0]] not in decided)
        ]
        reach = self._reach(orbits, undecided)
        position = min(undecided, key=lambda k: (len(reach[k]), k))
        size = len(self._action.values)
        branch = Branch(position, tuple(sorted(reach[position])), [NO_LITERAL] * size, [0] * size)
        for orbit in orbits:
            here = [p for p in orbit if self._action.position_of[p] == position]
            if here:
                self._fill(branch, group, min(here), orbit)
        for value in sorted({v for v in branch.value if v != NO_LITERAL}):
            literal = self._action.first[position] + value
            branch.children[value] = self._child(fixed, literal, decided | {position}, group)
        return branch

    def _reach(self, orbits: list[tuple[int, ...]], undecided: list[int]) -> dict[int, set[int]]:
        """For every undecided position, the positions whose literals can be brought there."""
        reach: dict[int, set[int]] = {k: {k} for k in undecided}
        for orbit in orbits:
            positions = {self._action.position_of[p] for p in orbit}
            for k in positions & reach.keys():
                reach[k] |= positions
        return reach

    def _fill(self, branch: Branch, group: PermGroup, target: int, orbit: tuple[int, ...]) -> None:
        """For each literal of an orbit: it can become ``target``, the least literal of the orbit at the position."""
        chain = stabiliser_chain(group, base=(target,), work=self._work)
        back = chain.levels[0].back
        self._work.spend(len(orbit) * group.degree)
        for literal in orbit:
            branch.value[literal] = target - self._action.first[branch.position]
            branch.element[literal] = self._element(back(literal))

    def _child(self, fixed: frozenset[int], literal: int, decided: frozenset[int], group: PermGroup) -> int:
        if (fixed, literal) not in self._stabilisers:
            stabiliser = stabiliser_chain(group, base=(literal,), work=self._work).stabiliser(1).group
            self._stabilisers[fixed, literal] = self._closed(stabiliser)
        return self._node(self._stabilisers[fixed, literal], decided)

    def _element(self, perm: Perm) -> int:
        number = self._elements.get(perm)
        if number is None:
            self._work.spend(_MEMORY * len(perm))
            number = self._elements[perm] = len(self._dag.elements)
            self._dag.elements.append(perm)
        return number


# ---------------------------------------------------------------- tables


@final
class _Flat:
    """The parts of a DAG side by side, as ``runtime/chain.h`` reads them."""

    def __init__(self) -> None:
        self._nodes = array("I")
        self._lists = array("I")
        self._values = array("H")
        self._moves = array("I")
        self._children = array("I")
        self._orders = array("Q")

    def of(self, dag: StabiliserDag) -> tuple[Table, ...]:
        """The tables of a DAG."""
        for node in dag.nodes:
            self._nodes.extend(self._node(node))
        elements = array("H", (image for element in dag.elements for image in element))
        return (
            Table("dag_nodes", self._nodes),
            Table("dag_lists", self._lists),
            Table("dag_values", self._values),
            Table("dag_moves", self._moves),
            Table("dag_children", self._children),
            Table("dag_orders", self._orders),
            Table("dag_elements", elements),
        )

    def _node(self, node: Branch | Compare | End) -> Sequence[int]:
        """``struct dag_node``: kind, list, its size, and where to go on or to look."""
        positions = node.sources if isinstance(node, Branch) else node.positions
        start = len(self._lists)
        self._lists.extend(positions)
        match node:
            case End(order=order):
                self._orders.extend((order & _LOW, order >> 64 & _LOW))
                return _END, start, len(positions), len(self._orders) - 2, 0
            case Compare(next=after):
                return _COMPARE, start, len(positions), after, 0
            case Branch():
                table, child = len(self._values), len(self._children)
                self._values.extend(node.value)
                self._moves.extend(node.element)
                self._children.extend(node.children.get(v, 0) for v in range(max(node.children) + 1))
                return _BRANCH, start, len(positions), table, child
