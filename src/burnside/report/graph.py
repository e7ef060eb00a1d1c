"""The explored graph in formats that other tools read: Aldebaran and JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from burnside.results.answers import GraphAnswer
from burnside.results.graph import GraphReport

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


# ---------------------------------------------------------------- Aldebaran


def aut(answer: GraphAnswer) -> Iterator[str]:
    """The lines of an ``.aut`` file."""
    return aut_lines(answer.graph, tau=answer.silent, loops=answer.has_loops)


def aut_lines(report: GraphReport, *, tau: str = "tau", loops: bool = False) -> Iterator[str]:
    """The ``.aut`` format of CADP and mCRL2.

    The format has one initial state: of several, each is reached by a ``tau`` step from a fresh one, which gets the
    last number so that the others keep theirs. ``loops`` gives a state a self-loop ``[name]`` for every claim that
    is true in it.
    """
    graph = report.graph
    count = len(graph)
    has_fresh = graph.initial != 1
    first = count if has_fresh else 0
    marks = sum(len(list(report.holding(k))) for k in range(count)) if loops else 0
    edges = graph.edge_count + marks + (graph.initial if has_fresh else 0)
    yield f"des ({first}, {edges}, {count + has_fresh})\n"
    if has_fresh:
        yield from (_aut_line(first, tau, k) for k in range(graph.initial))
    for number in range(count):
        if loops:
            yield from (_aut_line(number, f"[{name}]", number) for name in report.holding(number))
        yield from (_aut_line(number, event, edge.target) for edge, event in report.labelled_steps(number))


def _aut_line(source: int, label: str, target: int) -> str:
    return f"({source}, {_aut_label(label)}, {target})\n"


@lru_cache(maxsize=10_000)
def _aut_label(label: str) -> str:
    return f'"{"".join(map(_aut_character, label))}"'


def _aut_character(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    return character if character.isprintable() else character.encode("unicode_escape").decode()


# ---------------------------------------------------------------- JSON lines


def jsonl(answer: GraphAnswer) -> Iterator[str]:
    """The lines of a ``.jsonl`` file."""
    return json_lines(answer.graph)


def json_lines(report: GraphReport) -> Iterator[str]:
    """One object for the graph, one for every state, one for every transition."""
    yield _line(_head(report))
    for number in range(len(report.graph)):
        yield _line(_state_object(report, number))
    for number in range(len(report.graph)):
        for edge, event in report.labelled_steps(number):
            rule = report.events.instances[edge.instance].rule.name
            yield _line({"kind": "transition", "source": number, "event": event, "rule": rule, "target": edge.target})


def _head(report: GraphReport) -> dict[str, Any]:
    return {
        "kind": "graph",
        "states": len(report.graph),
        "transitions": report.graph.edge_count,
        "initial_states": report.graph.initial,
        "symmetry": {"mode": report.symmetry.mode, "order": report.symmetry.order},
        "properties": [member.name for member in report.members],
    }


def _state_object(report: GraphReport, number: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "kind": "state",
        "id": number,
        "initial": number < report.graph.initial,
        "deadlock": report.graph.is_stuck(number),
        "values": report.cells.describe(report.graph.state(number)),
        "properties": {member.name: report.holds(number, k) for k, member in enumerate(report.members)},
    }
    if report.is_quotient:
        result["orbit"] = report.graph.orbits[number] if report.has_sizes else None
    return result


def _line(entry: dict[str, Any]) -> str:
    return json.dumps(entry, ensure_ascii=False) + "\n"
