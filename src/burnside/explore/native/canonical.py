"""C and tables for canonical forms: how the positions of a reduction are packed, and its strategy.

Small groups become straight code on packed words (``images``). Everything else is data for ``runtime/reduce.h``.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import final

from burnside.explore.native.expressions import literal_mask
from burnside.explore.native.images import least_image
from burnside.explore.native.layout import Layout
from burnside.explore.native.sorting import sort_facts
from burnside.groups import Perm
from burnside.reduce.chain import NOWHERE, Branch, Compare, End, StabiliserDag
from burnside.reduce.plan import Chain, Images, LocalSearch, Reduction, Sort
from burnside.reduce.sorting import swaps

_MOST_PRUNERS = 256


def declarations(reduction: Reduction | None, layout: Layout) -> str:
    """Macros and constant tables that ``runtime/reduce.h`` expects."""
    if reduction is None:
        return "#define REDUCTION REDUCE_NOT"
    action = reduction.action
    fields = [layout.fields[c] for c in action.positions]
    starts, table = _raw_table(reduction, layout)
    raws = [action.values[k] - fields[action.position_of[k]].low for k in range(len(action.values))]
    moved = [0] * layout.words
    for place in fields:
        moved[place.word] |= place.mask
    parts = [
        f"#define POSITIONS {len(fields)}",
        f"#define LITERALS {len(action.values)}",
        f"#define FOLLOWED {action.followed}",
        _array("uint32_t", "position_word", [f.word for f in fields]),
        _array("uint32_t", "position_shift", [f.shift for f in fields]),
        _array("word", "position_mask", [(1 << f.width) - 1 for f in fields]),
        _array("uint32_t", "literal_start", starts),
        _array("uint16_t", "literal_of", table),
        _array("uint64_t", "raw_of", raws),
        _array("uint32_t", "position_of", action.position_of),
        _array("word", "moved_bits", moved),
    ]
    kind = "REDUCE_SORTED"
    for step in reduction.steps:
        match step:
            case Sort(trees=trees):
                parts += ["#define SORTS 1", '#include "sort.h"', sort_facts(action, trees, fields, layout.words)]
            case Images(elements=elements):
                kind = "REDUCE_IMAGES"
                parts.append(least_image(action, elements, fields, layout.words))
            case Chain():
                kind = "REDUCE_CHAIN"
            case LocalSearch():
                kind = "REDUCE_LOCAL"
    return "\n".join([f"#define REDUCTION {kind}", *parts])


def _raw_table(reduction: Reduction, layout: Layout) -> tuple[list[int], list[int]]:
    """For every position and raw value its literal; values that cannot occur have none."""
    action = reduction.action
    starts: list[int] = []
    table: list[int] = []
    for k, cell in enumerate(action.positions):
        starts.append(len(table))
        low = layout.fields[cell].low
        known = {action.values[p] - low: p for p in range(action.first[k], action.first[k + 1])}
        table += [known.get(raw, NOWHERE) for raw in range(1 << layout.fields[cell].width)]
    return starts, table


def _array(kind: str, name: str, values: Sequence[int]) -> str:
    return (
        f"static const {kind} {name}[] = {{{', '.join(f'{v}u' if v < 1 << 31 else literal_mask(v) for v in values)}}};"
    )


# ---------------------------------------------------------------- tables


class DagNode(ctypes.Structure):
    """``struct dag_node`` of ``runtime/run.h``."""

    _fields_ = (
        ("kind", ctypes.c_uint32),
        ("list", ctypes.c_uint32),
        ("list_size", ctypes.c_uint32),
        ("table", ctypes.c_uint32),
        ("child", ctypes.c_uint32),
        ("next", ctypes.c_uint32),
        ("order_low", ctypes.c_uint64),
        ("order_high", ctypes.c_uint64),
    )


class ReductionTables(ctypes.Structure):
    """``struct reduction`` of ``runtime/run.h``."""

    _fields_ = (
        ("nodes", ctypes.POINTER(DagNode)),
        ("lists", ctypes.POINTER(ctypes.c_uint32)),
        ("values", ctypes.POINTER(ctypes.c_uint16)),
        ("moves", ctypes.POINTER(ctypes.c_uint32)),
        ("children", ctypes.POINTER(ctypes.c_uint32)),
        ("elements", ctypes.POINTER(ctypes.c_uint16)),
        ("generators", ctypes.POINTER(ctypes.c_uint16)),
        ("generator_count", ctypes.c_uint32),
        ("pruners", ctypes.POINTER(ctypes.c_uint16)),
        ("pruner_sources", ctypes.POINTER(ctypes.c_uint16)),
        ("pruner_count", ctypes.c_uint32),
        ("order_low", ctypes.c_uint64),
        ("order_high", ctypes.c_uint64),
    )


_LOW = (1 << 64) - 1


def tables(reduction: Reduction) -> ReductionTables:
    """The tables of a reduction; the structure keeps what it points to alive."""
    order = reduction.action.order if reduction.counts_orbits else 0
    flat = _Flat()
    for step in reduction.steps:
        if isinstance(step, Chain):
            flat.add_dag(step.dag)
    generators = [image for g in reduction.action.group.generators for image in g]
    pruners = _pruners(reduction)
    return ReductionTables(
        (DagNode * max(1, len(flat.nodes)))(*flat.nodes),
        _buffer(ctypes.c_uint32, flat.lists),
        _buffer(ctypes.c_uint16, flat.values),
        _buffer(ctypes.c_uint32, flat.moves),
        _buffer(ctypes.c_uint32, flat.children),
        _buffer(ctypes.c_uint16, flat.elements),
        _buffer(ctypes.c_uint16, generators),
        len(reduction.action.group.generators),
        _buffer(ctypes.c_uint16, [image for p in pruners for image in p]),
        _buffer(ctypes.c_uint16, [k for p in pruners for k in _sources(reduction, p)]),
        len(pruners),
        order & _LOW,
        order >> 64,
    )


def _pruners(reduction: Reduction) -> list[Perm]:
    """Elements that thin out the initial states: all of a small group, else those that the steps know."""
    found = dict.fromkeys(reduction.action.group.generators)
    for step in reduction.steps:
        match step:
            case Sort(trees=trees):
                found |= dict.fromkeys(g for tree in trees for g in swaps(tree, len(reduction.action.values)))
            case Images(elements=elements):
                found |= dict.fromkeys(elements)
            case Chain(dag=dag):
                found |= dict.fromkeys(dag.elements)
    return list(found)[:_MOST_PRUNERS]


def _sources(reduction: Reduction, element: Perm) -> list[int]:
    """For every position the position whose literal an element brings there."""
    action = reduction.action
    sources = [0] * len(action.positions)
    for k in range(len(action.positions)):
        sources[action.position_of[element[action.first[k]]]] = k
    return sources


def _buffer(
    kind: type[ctypes.c_uint16] | type[ctypes.c_uint32], values: Sequence[int]
) -> ctypes.Array[ctypes.c_uint16]:
    return (kind * max(1, len(values)))(*values)  # type: ignore[return-value]


@final
@dataclass
class _Flat:
    """A stabiliser DAG as flat lists."""

    nodes: list[DagNode] = field(default_factory=list)
    lists: list[int] = field(default_factory=list)
    values: list[int] = field(default_factory=list)
    moves: list[int] = field(default_factory=list)
    children: list[int] = field(default_factory=list)
    elements: list[int] = field(default_factory=list)

    def add_dag(self, dag: StabiliserDag) -> None:
        self.nodes = [self._node(node) for node in dag.nodes]
        self.elements = [image for element in dag.elements for image in element]

    def _node(self, node: Branch | Compare | End) -> DagNode:
        positions = node.sources if isinstance(node, Branch) else node.positions
        start = len(self.lists)
        self.lists += positions
        if isinstance(node, End):
            return DagNode(0, start, len(positions), 0, 0, 0, node.order & _LOW, node.order >> 64)
        if isinstance(node, Compare):
            return DagNode(1, start, len(positions), 0, 0, node.next)
        table, child = len(self.values), len(self.children)
        self.values += node.value
        self.moves += node.element
        self.children += [node.children.get(v, 0) for v in range(max(node.children) + 1)]
        return DagNode(2, start, len(positions), table, child)
