"""Random formulas about nets, what they are worth, and their XML; shares no code with Burnside.

A formula is a tuple: an operator and its parts. Runs that end stay in their last marking.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import igraph

from nets.judge import Judged, Marking

Formula = tuple[Any, ...]
TEMPORAL = ("X", "F", "G", "U")
MOST_TEMPORAL = 4


# ---------------------------------------------------------------- what is asked


def condition(chance: random.Random, net: Judged, depth: int) -> Formula:
    """A formula about single markings."""
    if depth and chance.random() < 0.6:
        operator = chance.choice(("not", "and", "or", "and", "or", "=>", "<=>", "xor"))
        parts = {"not": 1, "and": chance.randint(1, 3), "or": chance.randint(1, 3)}.get(operator, 2)
        return (operator, *(condition(chance, net, depth - 1) for _ in range(parts)))
    kind = chance.random()
    if kind < 0.3:
        return ("fireable", *(chance.randrange(len(net.steps)) for _ in range(chance.randint(1, 2))))
    if kind < 0.35:
        return ("deadlock",)
    return chance.choice(("<=", "<=", "<", ">=", ">", "==", "!=")), _number(chance, net), _number(chance, net)


def _number(chance: random.Random, net: Judged) -> Formula:
    kind = chance.random()
    if kind < 0.35:
        return "constant", chance.randint(0, 3)
    places = ("tokens", *(chance.randrange(len(net.marking)) for _ in range(chance.randint(1, 3))))
    if kind < 0.9:
        return places
    return chance.choice(("+", "-")), places, ("constant", chance.randint(0, 2))


def about_runs(chance: random.Random, net: Judged) -> Formula:
    """An LTL formula with few temporal operators."""
    while True:
        found = _about_runs(chance, net, 3)
        if 1 <= sum(part[0] in TEMPORAL for part in subformulas(found)) <= MOST_TEMPORAL:
            return found


def _about_runs(chance: random.Random, net: Judged, depth: int) -> Formula:
    if not depth or chance.random() < 0.15:
        return condition(chance, net, 1)
    operator = chance.choice(("X", "F", "F", "G", "G", "U", "not", "and", "or"))
    parts = 2 if operator in ("U", "and", "or") else 1
    return (operator, *(_about_runs(chance, net, depth - 1) for _ in range(parts)))


def subformulas(formula: Formula) -> Iterator[Formula]:
    """A formula and all that it consists of."""
    yield formula
    if formula[0] not in ("fireable", "tokens", "constant", "deadlock"):
        for part in formula[1:]:
            yield from subformulas(part)


# ---------------------------------------------------------------- what it is worth


def value(formula: Formula, net: Judged, marking: Marking, known: dict[Formula, bool] | None = None) -> Any:
    """What a formula is worth in a marking; ``known`` says it of temporal parts."""
    operator, *parts = formula
    if operator in TEMPORAL:
        assert known is not None
        return known[formula]
    match operator:
        case "fireable":
            return any(step in net.enabled(marking) for step in parts)
        case "deadlock":
            return not net.after[marking]
        case "tokens":
            return sum(marking[place] for place in parts)
        case "constant":
            return parts[0]
    worth = [value(part, net, marking, known) for part in parts]
    match operator:
        case "not":
            return not worth[0]
        case "and":
            return all(worth)
        case "or":
            return any(worth)
        case "=>":
            return not worth[0] or worth[1]
        case "<=>" | "==":
            return worth[0] == worth[1]
        case "xor" | "!=":
            return worth[0] != worth[1]
        case "<=":
            return worth[0] <= worth[1]
        case "<":
            return worth[0] < worth[1]
        case ">=":
            return worth[0] >= worth[1]
        case ">":
            return worth[0] > worth[1]
        case "+":
            return worth[0] + worth[1]
        case "-":
            return worth[0] - worth[1]
    raise ValueError(operator)


def every_run(formula: Formula, net: Judged) -> bool:
    """Whether all runs satisfy an LTL formula.

    Looks for one that does not: a marking comes with a guess what each temporal part is worth there, steps keep guesses
    that fit together, and what is guessed to come has to come.
    """
    temporal = list(dict.fromkeys(part for part in subformulas(formula) if part[0] in TEMPORAL))
    guesses = [dict(zip(temporal, _bits(n, len(temporal)), strict=True)) for n in range(1 << len(temporal))]
    markings = list(net.after)
    nodes = [(m, g) for m in markings for g in range(len(guesses))]
    number = {node: k for k, node in enumerate(nodes)}
    edges = []
    for marking, guess in nodes:
        for after in {m for _, m in net.after[marking]} or {marking}:
            edges += [
                (number[marking, guess], number[after, following])
                for following in range(len(guesses))
                if _fits(temporal, net, (marking, guesses[guess]), (after, guesses[following]))
            ]
    graph = igraph.Graph(len(nodes), edges, directed=True)
    starts = [number[net.marking, g] for g, guess in enumerate(guesses) if not value(formula, net, net.marking, guess)]
    loops = {source for source, target in edges if source == target}
    reached: set[int] = set()
    for start in starts:
        reached.update(graph.subcomponent(start, mode="out"))
    for component in graph.connected_components(mode="strong"):
        if component[0] in reached and (len(component) > 1 or component[0] in loops):
            inside = [(nodes[k][0], guesses[nodes[k][1]]) for k in component]
            if all(any(_kept(part, net, m, g) for m, g in inside) for part in temporal):
                return False
    return True


def _bits(number: int, count: int) -> list[bool]:
    return [bool(number >> k & 1) for k in range(count)]


def _fits(
    temporal: list[Formula],
    net: Judged,
    now: tuple[Marking, dict[Formula, bool]],
    then: tuple[Marking, dict[Formula, bool]],
) -> bool:
    (marking, guess), (after, following) = now, then
    for part in temporal:
        operator, first = part[0], part[1]
        if operator == "X":
            right = value(first, net, after, following)
        elif operator == "F":
            right = value(first, net, marking, guess) or following[part]
        elif operator == "G":
            right = value(first, net, marking, guess) and following[part]
        else:
            right = value(part[2], net, marking, guess) or (value(first, net, marking, guess) and following[part])
        if guess[part] != bool(right):
            return False
    return True


def _kept(part: Formula, net: Judged, marking: Marking, guess: dict[Formula, bool]) -> bool:
    """Whether nothing that part guesses to come is still to come."""
    match part[0]:
        case "X":
            return True
        case "G":
            return guess[part] or not value(part[1], net, marking, guess)
        case _:
            return not guess[part] or bool(value(part[-1], net, marking, guess))


# ---------------------------------------------------------------- texts

_NAMES = {
    "not": "negation",
    "and": "conjunction",
    "or": "disjunction",
    "=>": "implication",
    "<=>": "equivalence",
    "xor": "exclusive-disjunction",
    "<=": "integer-le",
    "<": "integer-lt",
    ">=": "integer-ge",
    ">": "integer-gt",
    "==": "integer-eq",
    "!=": "integer-ne",
    "+": "integer-sum",
    "-": "integer-difference",
    "X": "next",
    "F": "finally",
    "G": "globally",
}


def xml(formula: Formula, net: Judged) -> str:
    """A formula as the contest writes it."""
    operator, *parts = formula
    match operator:
        case "fireable":
            inner = "".join(f"<transition>{net.steps[t].name}</transition>" for t in parts)
            return f"<is-fireable>{inner}</is-fireable>"
        case "deadlock":
            return "<deadlock/>"
        case "tokens":
            return f"<tokens-count>{''.join(f'<place>p{p}</place>' for p in parts)}</tokens-count>"
        case "constant":
            return f"<integer-constant>{parts[0]}</integer-constant>"
        case "U":
            before, reach = (xml(part, net) for part in parts)
            return f"<until><before>{before}</before><reach>{reach}</reach></until>"
    return f"<{_NAMES[operator]}>{''.join(xml(part, net) for part in parts)}</{_NAMES[operator]}>"


def file_of(*formulas: str) -> str:
    """A file with formulas whose names are q0, q1 and so on."""
    properties = (
        f"<property><id>q{k}</id><description>?</description><formula>{formula}</formula></property>"
        for k, formula in enumerate(formulas)
    )
    return f'<?xml version="1.0"?><property-set xmlns="http://mcc.lip6.fr/">{"".join(properties)}</property-set>'
