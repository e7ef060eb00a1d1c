"""Labelled graphs for tests: a reader of ``.aut`` texts and bisimilarity, both independent of the code under test."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

_HEADER = re.compile(r"des \((\d+), (\d+), (\d+)\)")
_LINE = re.compile(r'\((\d+), "((?:[^"\\]|\\.)*)", (\d+)\)')
_LOOP = re.compile(r"\[(.*)\]", re.DOTALL)
_ESCAPED = {'"': '"', "\\": "\\", "n": "\n", "r": "\r", "t": "\t"}


@dataclass
class LabelledGraph:
    """Steps by state, marks (labels of self-loops ``[name]``) by state, and the initial states."""

    initial: set[int]
    steps: dict[int, list[tuple[str, int]]]
    marks: dict[int, list[str]] = field(default_factory=dict)


def read_aut(text: str, tau: str = "tau") -> LabelledGraph:
    """Read an ``.aut`` text; a fresh initial state gives way to those it leads to, loops become marks."""
    header, *lines = text.splitlines()
    found = _HEADER.fullmatch(header)
    assert found is not None, header
    first, transitions, states = map(int, found.groups())
    assert len(lines) == transitions
    graph = LabelledGraph({first}, {k: [] for k in range(states)}, {k: [] for k in range(states)})
    for line in lines:
        match = _LINE.fullmatch(line)
        assert match is not None, line
        source, label, target = int(match[1]), _unescaped(match[2]), int(match[3])
        assert source < states
        assert target < states
        mark = _LOOP.fullmatch(label)
        if mark is not None and source == target:
            graph.marks[source].append(mark[1])
        else:
            graph.steps[source].append((label, target))
    if first != 0:
        assert first == states - 1
        assert {label for label, _ in graph.steps[first]} <= {tau}
        graph.initial = {target for _, target in graph.steps.pop(first)}
        graph.marks.pop(first)
    return graph


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda m: _ESCAPED[m[1]], text)


def without_arguments(label: str) -> str:
    """``get(0, 1)`` as ``get``: symmetries permute arguments, never names."""
    return label.partition("(")[0]


def are_bisimilar(one: LabelledGraph, other: LabelledGraph, erase: Callable[[str], str] = without_arguments) -> bool:
    """Whether two graphs are bisimilar up to what ``erase`` erases, by refining partitions of all their states.

    States are told apart by how often each erased mark occurs: symmetries permute the members of a family.
    """
    nodes = [(0, k) for k in one.steps] + [(1, k) for k in other.steps]
    graphs = (one, other)
    block: dict[tuple[int, int], Hashable] = {
        (g, k): frozenset(Counter(map(erase, graphs[g].marks[k])).items()) for g, k in nodes
    }
    count = 0
    while len(set(block.values())) > count:
        count = len(set(block.values()))
        seen = {
            (g, k): (block[g, k], frozenset((erase(label), block[g, t]) for label, t in graphs[g].steps[k]))
            for g, k in nodes
        }
        numbers: dict[Hashable, int] = {}
        block = {node: numbers.setdefault(signature, len(numbers)) for node, signature in seen.items()}
    return {block[0, k] for k in one.initial} == {block[1, k] for k in other.initial}
