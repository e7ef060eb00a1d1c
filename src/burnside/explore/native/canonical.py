"""C and tables for canonical forms: how the positions of a reduction are packed, and its strategy.

Small groups become straight code on packed words: an element moves bits by masks and shifts, flips values by
exclusive or, and renames other values through a constant. Everything else is data for ``runtime/reduce.h``.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import final

from burnside.explore.native.expressions import literal_mask
from burnside.explore.native.layout import Field, Layout
from burnside.groups import Perm
from burnside.reduce.chain import NOWHERE, Branch, Compare, End, StabiliserDag
from burnside.reduce.plan import Chain, Images, Reduction

_WIDEST_TABLE = 64
_MOST_PRUNERS = 256


def declarations(reduction: Reduction | None, layout: Layout) -> str:
    """Macros and constant tables that ``runtime/reduce.h`` expects."""
    if reduction is None:
        return "#define REDUCTION REDUCE_NOT"
    kind = {Chain: "REDUCE_CHAIN", Images: "REDUCE_IMAGES"}.get(type(reduction.strategy), "REDUCE_LOCAL")
    action = reduction.action
    fields = [layout.fields[c] for c in action.positions]
    starts, table = _raw_table(reduction, layout)
    raws = [action.values[k] - fields[action.position_of[k]].low for k in range(len(action.values))]
    moved = [0] * layout.words
    for place in fields:
        moved[place.word] |= place.mask
    parts = [
        f"#define REDUCTION {kind}",
        f"#define POSITIONS {len(fields)}",
        f"#define LITERALS {len(action.values)}",
        _array("uint32_t", "position_word", [f.word for f in fields]),
        _array("uint32_t", "position_shift", [f.shift for f in fields]),
        _array("word", "position_mask", [(1 << f.width) - 1 for f in fields]),
        _array("uint32_t", "literal_start", starts),
        _array("uint16_t", "literal_of", table),
        _array("uint64_t", "raw_of", raws),
        _array("uint32_t", "position_of", action.position_of),
        _array("word", "moved_bits", moved),
    ]
    if isinstance(reduction.strategy, Images):
        parts.append(_least_image(reduction, reduction.strategy.elements, fields, layout.words))
    return "\n".join(parts)


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


# ---------------------------------------------------------------- images on packed words


def _least_image(reduction: Reduction, elements: Sequence[Perm], fields: Sequence[Field], words: int) -> str:
    lines = [
        "static void least_image(const word *s, word *least, uint64_t *fixing) {",
        "memcpy(least, s, WORDS * sizeof(word));",
    ]
    still = [f"(s[{w}] & ~moved_bits[{w}])" for w in range(words)]
    for element in elements:
        lines.append("{")
        parts = _image_words(reduction, element, fields, words)
        lines += [f"const word t{w} = {' | '.join([still[w], *parts[w]])};" for w in range(words)]
        same = " & ".join(f"(t{w} == s[{w}])" for w in range(words))
        lines.append(f"*fixing += {same};")
        lines.append(_keep_less(words))
        lines.append("}")
    return "\n".join([*lines, "}"])


def _keep_less(words: int) -> str:
    if words == 1:
        return "least[0] = t0 < least[0] ? t0 : least[0];"
    less = "0"
    for w in reversed(range(words)):
        less = f"(t{w} < least[{w}] || (t{w} == least[{w}] && {less}))"
    copies = " ".join(f"least[{w}] = t{w};" for w in range(words))
    return f"if ({less}) {{ {copies} }}"


def _image_words(reduction: Reduction, element: Perm, fields: Sequence[Field], words: int) -> list[list[str]]:
    """For every word of the image the terms whose union it is."""
    action = reduction.action
    moves: dict[tuple[int, int, int], int] = {}
    flips = [0] * words
    parts: list[list[str]] = [[] for _ in range(words)]
    for k, source in enumerate(fields):
        points = range(action.first[k], action.first[k + 1])
        target = fields[action.position_of[element[points[0]]]]
        raws = {action.values[p] - source.low: action.values[element[p]] - target.low for p in points}
        flip = next(iter(raws)) ^ next(iter(raws.values()))
        if all(old ^ flip == new for old, new in raws.items()):
            key = (source.word, target.word, target.shift - source.shift)
            moves[key] = moves.get(key, 0) | source.mask
            flips[target.word] |= flip << target.shift
        else:
            parts[target.word].append(_renamed(source, target, raws))
    for (word, into, distance), mask in sorted(moves.items()):
        bits = f"(s[{word}] & {literal_mask(mask)})"
        shift = f" << {distance}" if distance > 0 else f" >> {-distance}" if distance < 0 else ""
        parts[into].append(f"({bits}{shift})")
    for word, flip in enumerate(flips):
        if flip:
            parts[word] = [f"(({' | '.join(parts[word])}) ^ {literal_mask(flip)})"]
    return parts


def _renamed(source: Field, target: Field, raws: dict[int, int]) -> str:
    """A field whose values are renamed: looked up in a constant that holds all of them, or by comparison."""
    raw = f"(s[{source.word}] >> {source.shift} & {literal_mask((1 << source.width) - 1)})"
    if (max(raws) + 1) * target.width <= _WIDEST_TABLE:
        packed = sum(new << old * target.width for old, new in raws.items())
        value = f"({literal_mask(packed)} >> ({raw} * {target.width}) & {literal_mask((1 << target.width) - 1)})"
        return f"({value} << {target.shift})"
    choice = "0"
    for old, new in raws.items():
        choice = f"({raw} == {old}u ? {literal_mask(new << target.shift)} : {choice})"
    return choice


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
    order = reduction.action.order if reduction.is_exact and reduction.action.order < 1 << 127 else 0
    flat = _Flat()
    if isinstance(reduction.strategy, Chain):
        flat.add_dag(reduction.strategy.dag)
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
    """Elements that thin out the initial states: all of a small group, else those that the strategy knows."""
    generators = reduction.action.group.generators
    match reduction.strategy:
        case Images(elements=elements):
            known: Sequence[Perm] = elements
        case Chain(dag=dag):
            known = dag.elements
        case _:
            known = ()
    return list(dict.fromkeys((*generators, *known)))[:_MOST_PRUNERS]


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
