"""Linear temporal logic by definition: random formulas, ultimately periodic words, products of automata."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random

import igraph

from burnside.ltl.automaton import Automaton
from burnside.ltl.formula import (
    Formula,
    always,
    atom,
    conjunction,
    disjunction,
    equivalence,
    eventually,
    following,
    implication,
    negation,
    release,
    until,
    weak_until,
)

ATOMS = ("a", "b", "c")
Letter = frozenset[str]


def random_formula(random: Random, depth: int, *, has_next: bool = True) -> Formula:
    """A formula of at most that depth over three atoms; perhaps without speaking of the next position."""
    if depth == 0 or random.random() < 0.15:
        found = atom(random.choice(ATOMS))
        return negation(found) if random.random() < 0.3 else found
    unary = (negation, following, always, eventually) if has_next else (negation, always, eventually)
    binary = (until, release, weak_until, implication, equivalence, _both, _either)
    operator = random.choice((*unary, *unary, *binary))
    if operator in unary:
        return operator(random_formula(random, depth - 1, has_next=has_next))
    return operator(*(random_formula(random, depth - 1, has_next=has_next) for _ in range(2)))


def _both(one: Formula, other: Formula) -> Formula:
    return conjunction((one, other))


def _either(one: Formula, other: Formula) -> Formula:
    return disjunction((one, other))


def random_word(random: Random) -> tuple[list[Letter], int]:
    """Letters, and the position from which they repeat."""
    letters = [frozenset(a for a in ATOMS if random.random() < 0.5) for _ in range(random.randint(1, 6))]
    return letters, random.randrange(len(letters))


def satisfies(letters: Sequence[Letter], back: int, formula: Formula) -> bool:
    """Whether the word satisfies a formula, by the definition of its operators on the finitely many positions."""
    return _truth(letters, back, formula)[0]


def _truth(letters: Sequence[Letter], back: int, formula: Formula) -> list[bool]:
    count = len(letters)
    after = [*range(1, count), back]
    args = [_truth(letters, back, a) for a in formula.args]
    match formula.operator:
        case "true" | "false":
            return [formula.operator == "true"] * count
        case "atom":
            return [formula.atom in letter for letter in letters]
        case "not":
            return [formula.atom not in letter for letter in letters]
        case "and":
            return [all(parts) for parts in zip(*args, strict=True)]
        case "or":
            return [any(parts) for parts in zip(*args, strict=True)]
        case "next":
            return [args[0][after[k]] for k in range(count)]
        case "until":
            return [_reached(args[0], args[1], after, k) for k in range(count)]
        case _:  # left R right is the opposite of !left U !right
            left, right = ([not x for x in part] for part in args)
            return [not _reached(left, right, after, k) for k in range(count)]


def _reached(left: Sequence[bool], right: Sequence[bool], after: Sequence[int], start: int) -> bool:
    position = start
    for _ in range(2 * len(left) + 1):
        if right[position]:
            return True
        if not left[position]:
            return False
        position = after[position]
    return False


def accepts(automaton: Automaton, letters: Sequence[Letter], back: int) -> bool:
    """Whether an automaton accepts the word."""
    after = [*range(1, len(letters)), back]
    nodes = list(product(range(len(automaton)), range(len(letters))))
    edges = [
        ((q, k), (e.target, after[k]), e.marks) for q, k in nodes for e in automaton.edges[q] if e.reads(letters[k])
    ]
    return has_fair_cycle(nodes, edges, (0, 0), automaton.sets)


def intersect(one: Automaton, other: Automaton) -> bool:
    """Whether two automata accept a word in common."""
    nodes = list(product(range(len(one)), range(len(other))))
    edges = [
        ((p, q), (d.target, e.target), d.marks | {one.sets + m for m in e.marks})
        for p, q in nodes
        for d in one.edges[p]
        for e in other.edges[q]
        if not d.required & e.forbidden and not d.forbidden & e.required
    ]
    return has_fair_cycle(nodes, edges, (0, 0), one.sets + other.sets)


def has_fair_cycle(
    nodes: Sequence[tuple[int, int]],
    edges: Sequence[tuple[tuple[int, int], tuple[int, int], frozenset[int]]],
    start: tuple[int, int],
    sets: int,
) -> bool:
    """Whether a component that can be reached from ``start`` has edges of every acceptance set."""
    number = {node: k for k, node in enumerate(nodes)}
    graph = igraph.Graph(len(nodes), [(number[p], number[q]) for p, q, _ in edges], directed=True)
    reached = set(graph.subcomponent(number[start], mode="out"))
    component = graph.connected_components(mode="strong").membership
    marks: dict[int, set[int]] = {}
    for p, q, found in edges:
        if number[p] in reached and component[number[p]] == component[number[q]]:
            marks.setdefault(component[number[p]], set()).update(found)
    return any(len(found) == sets for found in marks.values())
