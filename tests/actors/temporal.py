"""Conditions and formulas of property files judged by definition, on the graph of the interpreter and on single runs.

A run violates a formula if a product of the graph with guesses about the future has a fair cycle: for every formula
behind an ``X`` and for every until, a node guesses whether it holds in the next moment, and every step must have
guessed right. An until that is guessed for ever must come true.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import igraph

from actors import tree as t
from actors.interpreter import Graph, Run, State, World

Formula = tuple[Any, ...]
Node = tuple[State, tuple[bool, ...]]

OPERATORS = {"G": 1, "F": 1, "X": 1, "U": 2, "W": 2, "R": 2}
TRUE: Formula = ("true",)


class Conditions(Run):
    """The value of an expression of a property file in a state."""

    def __init__(self, world: World, state: State, definitions: Mapping[str, t.Node]) -> None:
        super().__init__(world, world.thaw(state), "", None, [])
        self.definitions = definitions

    def value(self, expr: t.Node) -> Any:
        """Rebecs and definitions have names here."""
        match expr:
            case t.Name(name=name) if name in self.definitions:
                return self.value(self.definitions[name])
            case t.Name(name=name) if name in self.rebecs:
                return name
            case t.Member(owner=t.Name(name=owner), name=name):
                return self.rebecs[owner].values[name]
            case t.Binary(operator="->", left=left, right=right):
                return not self.value(left) or self.value(right)
            case _:
                return super().value(expr)


def formula_of(expr: t.Node, definitions: Mapping[str, t.Node]) -> Formula:
    """A formula over next and until; whatever has no time in it is an atom."""

    def both(left: Formula, right: Formula) -> Formula:
        return ("not", ("or", ("not", left), ("not", right)))

    def read(expr: t.Node) -> Formula:
        return formula_of(expr, definitions)

    match expr:
        case _ if not has_time(expr, definitions):
            return ("atom", expr)
        case t.Name(name=name):
            return read(definitions[name])
        case t.Unary(operator="!", operand=operand):
            return ("not", read(operand))
        case t.Binary(operator="&&", left=left, right=right):
            return both(read(left), read(right))
        case t.Binary(operator="||", left=left, right=right):
            return ("or", read(left), read(right))
        case t.Binary(operator="->", left=left, right=right):
            return ("or", ("not", read(left)), read(right))
        case t.Call(name="X", arguments=(body,)):
            return ("next", read(body))
        case t.Call(name="F", arguments=(body,)):
            return ("until", TRUE, read(body))
        case t.Call(name="G", arguments=(body,)):
            return ("not", ("until", TRUE, ("not", read(body))))
        case t.Call(name="U", arguments=(left, right)):
            return ("until", read(left), read(right))
        case t.Call(name="R", arguments=(left, right)):
            return ("not", ("until", ("not", read(left)), ("not", read(right))))
        case t.Call(name="W", arguments=(left, right)):
            for_ever = ("not", ("until", TRUE, ("not", read(left))))
            return ("or", ("until", read(left), read(right)), for_ever)
    raise AssertionError(expr)


def has_time(expr: t.Node, definitions: Mapping[str, t.Node]) -> bool:
    """Whether a temporal operator stands in an expression, or in what its names are defined as."""
    match expr:
        case t.Call(name=name):
            assert name in OPERATORS
            return True
        case t.Name(name=name):
            return name in definitions and has_time(definitions[name], definitions)
        case t.Unary(operand=operand):
            return has_time(operand, definitions)
        case t.Binary(left=left, right=right):
            return has_time(left, definitions) or has_time(right, definitions)
    return False


def parts(formula: Formula) -> Iterator[Formula]:
    """A formula and all below it."""
    yield formula
    if formula[0] != "atom":
        for part in formula[1:]:
            yield from parts(part)


@dataclass(frozen=True)
class Fair:
    """Weak or strong fairness to rebecs, or none."""

    kind: str

    def unfair(self, enabled: Sequence[set[str]], acting: set[str]) -> set[str]:
        """Who could act (always, or again and again) and does not."""
        if self.kind == "none":
            return set()
        return (set.intersection if self.kind == "weak" else set.union)(*enabled) - acting


class Judge:
    """Decides formulas on one graph."""

    def __init__(self, graph: Graph, definitions: Mapping[str, t.Node]) -> None:
        self.graph = graph
        self.definitions = definitions
        self._known: dict[tuple[State, t.Node], bool] = {}

    def holds_in(self, state: State, condition: t.Node) -> bool:
        """The truth of a condition in a state."""
        if (state, condition) not in self._known:
            self._known[state, condition] = bool(Conditions(self.graph.world, state, self.definitions).value(condition))
        return self._known[state, condition]

    def first_violation(self, condition: t.Node) -> int | None:
        """The distance of the nearest state in which a condition does not hold."""
        return min((d for state, d in self.graph.depth.items() if not self.holds_in(state, condition)), default=None)

    def enabled(self, state: State) -> set[str]:
        """The rebecs that have a message."""
        return {name for name, _ in self.graph.steps[state]}

    # ------------------------------------------------------------ all runs

    def holds(self, formula: Formula, fair: Fair) -> bool:
        """Whether every fair run satisfies a formula."""
        wrong: Formula = ("not", formula)
        untils = [p for p in dict.fromkeys(parts(wrong)) if p[0] == "until"]
        guesses = list(dict.fromkeys([*untils, *(p[1] for p in parts(wrong) if p[0] == "next")]))
        edges = list(self._product(guesses))
        nodes = {node for source, _, target in edges for node in (source, target)}
        reached = self._reached(
            [n for n in nodes if n[0] in self.graph.initial and self._truth(n, wrong, guesses)], edges
        )
        promises = [[not self._truth(n, u, guesses) or self._truth(n, u[2], guesses) for u in untils] for n in reached]
        return not self._has_fair_set(reached, edges, dict(zip(reached, promises, strict=True)), fair)

    def _truth(self, node: Node, formula: Formula, guesses: Sequence[Formula]) -> bool:
        match formula:
            case ("true",):
                return True
            case ("atom", condition):
                return self.holds_in(node[0], condition)
            case ("not", inner):
                return not self._truth(node, inner, guesses)
            case ("or", left, right):
                return self._truth(node, left, guesses) or self._truth(node, right, guesses)
            case ("next", inner):
                return node[1][guesses.index(inner)]
            case ("until", left, right):
                goes_on = self._truth(node, left, guesses) and node[1][guesses.index(formula)]
                return self._truth(node, right, guesses) or goes_on
        raise AssertionError(formula)

    def _product(self, guesses: Sequence[Formula]) -> Iterator[tuple[Node, str, Node]]:
        every = list(product((False, True), repeat=len(guesses)))
        now = {
            (state, guess): tuple(self._truth((state, guess), g, guesses) for g in guesses)
            for state in self.graph.depth
            for guess in every
        }
        for state, steps in self.graph.steps.items():
            for name, after in steps or [("", state)]:
                for guess in every:
                    yield (state, now[after, guess]), name, (after, guess)

    @staticmethod
    def _reached(start: Sequence[Node], edges: Sequence[tuple[Node, str, Node]]) -> list[Node]:
        following: dict[Node, list[Node]] = {}
        for source, _, target in edges:
            following.setdefault(source, []).append(target)
        waiting, seen = list(start), set(start)
        for node in waiting:
            fresh = set(following.get(node, ())) - seen
            seen |= fresh
            waiting += fresh
        return waiting

    def _has_fair_set(
        self,
        nodes: Sequence[Node],
        edges: Sequence[tuple[Node, str, Node]],
        promises: Mapping[Node, list[bool]],
        fair: Fair,
    ) -> bool:
        number = {node: k for k, node in enumerate(nodes)}
        kept = [e for e in edges if e[0] in number and e[2] in number]
        graph = igraph.Graph(len(nodes), [(number[s], number[d]) for s, _, d in kept], directed=True)
        member = graph.connected_components(mode="strong").membership
        inside: dict[int, list[tuple[Node, str, Node]]] = {}
        for edge in kept:
            if member[number[edge[0]]] == member[number[edge[2]]]:
                inside.setdefault(member[number[edge[0]]], []).append(edge)
        for own in inside.values():
            here = list(dict.fromkeys(e[0] for e in own))
            if not all(any(column) for column in zip(*(promises[n] for n in here), strict=True)):
                continue
            unfair = fair.unfair([self.enabled(n[0]) for n in here], {e[1] for e in own})
            if not unfair:
                return True
            rest = [n for n in here if not self.enabled(n[0]) & unfair]
            if fair.kind == "strong" and self._has_fair_set(rest, own, promises, fair):
                return True
        return False

    # ------------------------------------------------------------ one run

    def is_violated_by(
        self, formula: Formula, states: Sequence[State], acting: Sequence[str], back: int, fair: Fair
    ) -> bool:
        """Whether a run is fair and does not satisfy a formula: from its last state it goes on at position ``back``.

        ``acting`` are those who act in the states; nobody does in the last one if the run ends there.
        """
        loop = range(back, len(states))
        unfair = fair.unfair([self.enabled(states[k]) for k in loop], {acting[k] for k in loop})
        return not unfair and not self._along(formula, states, back)[0]

    def _along(self, formula: Formula, states: Sequence[State], back: int) -> list[bool]:
        count = len(states)
        after = [*range(1, count), back]
        match formula:
            case ("true",):
                return [True] * count
            case ("atom", condition):
                return [self.holds_in(state, condition) for state in states]
            case ("not", inner):
                return [not truth for truth in self._along(inner, states, back)]
            case ("or", left, right):
                pairs = zip(self._along(left, states, back), self._along(right, states, back), strict=True)
                return [one or other for one, other in pairs]
            case ("next", inner):
                found = self._along(inner, states, back)
                return [found[k] for k in after]
            case ("until", left, right):
                holds, comes = self._along(left, states, back), self._along(right, states, back)
                found = list(comes)
                for _ in range(2 * count):  # the least solution
                    found = [comes[k] or (holds[k] and found[after[k]]) for k in range(count)]
                return found
        raise AssertionError(formula)
