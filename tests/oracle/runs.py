"""Claims about infinite runs, decided on the explicit state space.

The product is the classical tableau: a node is a state, a step that leaves it, and for every ``X f`` and ``f U g`` a
guess whether f, or f U g, is true at the next position. A guess is right if it is what is true there, and ``f U g`` may
not be true for ever without g. So every node has its predecessors determined, and no automaton is needed.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import product
from typing import TypeAlias

import igraph

from .interpreter import Fault, State, Step
from .language import Tree
from .space import Claim, Space

Unit: TypeAlias = Hashable
Move: TypeAlias = "tuple[State, Step | None]"  # a state and the step that leaves it, none where the run stays for ever
Node: TypeAlias = "tuple[int, tuple[bool, ...]]"  # the number of a move, and guesses

TRUE: Tree = ("state", ("true",), {})

_CONSTANTS = (("true",), ("false",))


class TooManyNodes(Exception):
    """The product is larger than what is looked at."""


def core(f: Tree, names: Mapping[str, int]) -> Tree:
    """The same formula with not, and, X and U only; conditions and events carry the values of their names."""
    match f:
        case ("state", condition):
            return ("state", condition, dict(names))
        case ("event", name, arguments):
            return ("event", name, arguments, dict(names))
        case ("not" | "X" as what, a):
            return (what, core(a, names))
        case ("F", a):
            return ("U", TRUE, core(a, names))
        case ("G", a):
            return ("not", ("U", TRUE, ("not", core(a, names))))
        case ("and" | "U" as what, a, b):
            return (what, core(a, names), core(b, names))
        case ("or", a, b):
            return ("not", ("and", ("not", core(a, names)), ("not", core(b, names))))
        case ("=>", a, b):
            return core(("or", ("not", a), b), names)
        case ("<=>", a, b):
            return core(("or", ("and", a, b), ("and", ("not", a), ("not", b))), names)
        case ("R", a, b):
            return ("not", core(("U", ("not", a), ("not", b)), names))
        case ("W", a, b):
            return core(("or", ("U", a, b), ("G", a)), names)
        case ("each", kind, name, domain, a):
            members = [core(a, {**names, name: v}) for v in domain.values()]
            if kind == "exists":
                members = [("not", m) for m in members]
            result = members[0]
            for m in members[1:]:
                result = ("and", result, m)
            return result if kind == "forall" else ("not", result)
    raise ValueError(f)


class Runs:
    """The runs of a model, and which of them are fair."""

    def __init__(self, space: Space, claim: Claim, fairness: str, most: int = 20_000) -> None:
        self.space = space
        self.fairness = fairness
        self.formula = core(claim.family.condition, claim.names)
        self._parts: list[Tree] = []  # of the formula, each behind its own parts
        self._inner: list[list[int]] = []
        self._collect(self.formula)
        self._guessed = [k for k, f in enumerate(self._parts) if f[0] in ("X", "U")]
        self.moves: list[Move] = [(s, step) for s in space.distance for step in (space.steps[s] or [None])]
        if len(self.moves) << len(self._guessed) > most:
            raise TooManyNodes

    def _collect(self, f: Tree) -> int:
        inner = [self._collect(part) for part in f[1:]] if f[0] in ("not", "and", "X", "U") else []
        self._parts.append(f)
        self._inner.append(inner)
        return len(self._parts) - 1

    # ------------------------------------------------------------ what is true

    def faults(self) -> bool:
        """Whether a condition cannot be evaluated in some state."""
        try:
            for move in self.moves:
                for f in self._parts:
                    self._atom(f, move)
        except Fault:
            return True
        return False

    def _atom(self, f: Tree, move: Move) -> bool | None:
        state, step = move
        if f[0] == "state":
            return bool(self.space.interpreter.value(f[1], state, f[2]))
        if f[0] != "event":
            return None
        _, name, arguments, names = f
        if step is None or step.event.name != name:
            return False
        if arguments is None:
            return True
        wanted = [None if a is None else self.space.interpreter.value(a, state, names) for a in arguments]
        values = [v for _, v in step.event.arguments]
        return len(wanted) == len(values) and all(w in (None, v) for w, v in zip(wanted, values, strict=True))

    def _truth(self, atoms: Sequence[bool | None], guesses: Sequence[bool]) -> list[bool]:
        """The truth of every part of the formula, from its atoms and what is guessed of the next position."""
        found: list[bool] = []
        guess = dict(zip(self._guessed, guesses, strict=True))
        for k, f in enumerate(self._parts):
            inner = [found[p] for p in self._inner[k]]
            match f[0]:
                case "not":
                    found.append(not inner[0])
                case "and":
                    found.append(inner[0] and inner[1])
                case "X":
                    found.append(guess[k])
                case "U":
                    found.append(inner[1] or (inner[0] and guess[k]))
                case _:
                    found.append(bool(atoms[k]))
        return found

    # ------------------------------------------------------------ the product

    def verdicts(self) -> list[str]:
        """The verdicts that are right; without faults there is one.

        Runs end where a rule faults: whoever meets a fault does not know, who finds a violation elsewhere may stop
        there, and nobody has to look where no continuation could violate the formula, or for one that no word violates.
        """
        if self.faults():
            return ["unknown", "violated", "holds"]
        is_violated, meets_fault = self._search()
        if not self.space.faults:
            return ["violated" if is_violated else "holds"]
        is_open = is_violated or (meets_fault and not self._is_tautology())
        return ["unknown", *(["violated"] if is_violated else []), *([] if is_open else ["holds"])]

    def _is_tautology(self, most: int = 1 << 12) -> bool:
        """Whether no word at all violates the formula, whatever is true at its positions; not if that takes long."""
        free = [k for k, f in enumerate(self._parts) if f[0] in ("state", "event") and f[1] not in _CONSTANTS]
        distinct = [k for k in free if self._parts.index(self._parts[k]) == k]
        if 1 << len(distinct) + len(self._guessed) > most:
            return False
        truths, after = [], {}
        for values in product((False, True), repeat=len(distinct) + len(self._guessed)):
            chosen = {str(self._parts[k]): v for k, v in zip(distinct, values, strict=False)}
            atoms = [chosen.get(str(f), f[1:2] == (("true",),)) for f in self._parts]
            guesses = values[len(distinct) :]
            truth = self._truth(atoms, guesses)
            after.setdefault(self._wanted(truth), []).append(len(truths))
            truths.append((guesses, truth))
        graph = igraph.Graph(
            len(truths), [(k, n) for k, (g, _) in enumerate(truths) for n in after.get(g, ())], directed=True
        )
        starts = [k for k, (_, truth) in enumerate(truths) if not truth[-1]]
        reached = {n for k in starts for n in graph.subcomponent(k, mode="out")}
        return not any(
            reached.issuperset(component)
            and (len(component) > 1 or graph.are_adjacent(component[0], component[0]))
            and self._keeps_promises([truths[k][1] for k in component])
            for component in graph.connected_components(mode="strong")
        )

    def _wanted(self, truth: Sequence[bool]) -> tuple[bool, ...]:
        """What the position before must have guessed."""
        return tuple(truth[self._inner[g][0] if self._parts[g][0] == "X" else g] for g in self._guessed)

    def _search(self) -> tuple[bool, bool]:
        """Whether some fair run violates the formula, and whether one that still may do so meets a fault."""
        atoms = [[self._atom(f, m) for f in self._parts] for m in self.moves]
        first: dict[State, list[int]] = {}
        for k, (state, _) in enumerate(self.moves):
            first.setdefault(state, []).append(k)
        entering: dict[State, list[int]] = {}
        for k, (state, step) in enumerate(self.moves):
            entering.setdefault(step.target if step else state, []).append(k)
        truths: dict[Node, list[bool]] = {}
        after: dict[Node, list[Node]] = {}
        for k, guesses in product(range(len(self.moves)), product((False, True), repeat=len(self._guessed))):
            node = (k, guesses)
            truth = truths[node] = self._truth(atoms[k], guesses)
            wanted = self._wanted(truth)
            for before in entering.get(self.moves[k][0], ()):
                after.setdefault((before, wanted), []).append(node)
        starts = [n for s in self.space.initial for n in truths if self.moves[n[0]][0] == s and not truths[n][-1]]
        reached = set(starts)
        waiting = list(starts)
        for node in waiting:
            fresh = [n for n in after.get(node, ()) if n not in reached]
            reached.update(fresh)
            waiting += fresh
        # Which states are terminal is no matter of runs: they end where no rule can fire.
        faulty = {n for n in reached if self.space.faulty[self.moves[n[0]][0]]}
        return self._has_fair_set(reached - faulty, after, truths), bool(faulty)

    def _has_fair_set(
        self, nodes: set[Node], after: Mapping[Node, Sequence[Node]], truths: Mapping[Node, list[bool]]
    ) -> bool:
        order = list(nodes)
        number = {node: k for k, node in enumerate(order)}
        edges = [(number[n], number[m]) for n in order for m in after.get(n, ()) if m in number]
        looped = {a for a, b in edges if a == b}
        for component in igraph.Graph(len(order), edges, directed=True).connected_components(mode="strong"):
            if len(component) == 1 and component[0] not in looped:
                continue
            inside = {order[k] for k in component}
            if not self._keeps_promises([truths[n] for n in inside]):
                continue
            unfair = self.unfair([self.moves[n[0]] for n in inside])
            if not unfair:
                return True
            if not self.fairness.startswith("weak"):
                rest = {n for n in inside if not unfair & self.enabled(self.moves[n[0]][0])}
                if self._has_fair_set(rest, after, truths):
                    return True
        return False

    def _keeps_promises(self, truths: Sequence[list[bool]]) -> bool:
        untils = [k for k in self._guessed if self._parts[k][0] == "U"]
        return all(any(not t[k] or t[self._inner[k][1]] for t in truths) for k in untils)

    # ------------------------------------------------------------ fairness

    def units(self, state: State, step: Step) -> set[Unit]:
        """Who acts: processes, a rule that has none, an event with its arguments, or just this step."""
        if self.fairness == "global":
            return {(state, step.rule.name, step.arguments)}
        if self.fairness.endswith("events"):
            return {(step.event.name, step.event.arguments)}
        if step.rule.actors is not None:
            values = {name: value for (name, _), value in zip(step.rule.parameters, step.arguments, strict=True)}
            return {_actor(kind, number, values) for kind, number in step.rule.actors}
        for (_, domain), value in zip(step.rule.parameters, step.arguments, strict=True):
            if domain.ids:
                return {("process", domain.ids, value)}
        return {("rule", step.rule.name)}

    def enabled(self, state: State) -> set[Unit]:
        """Who could act."""
        return {unit for step in self.space.steps[state] for unit in self.units(state, step)}

    def unfair(self, moves: Sequence[Move]) -> set[Unit]:
        """Who is treated unfairly by a run that repeats just these moves for ever."""
        if self.fairness == "none":
            return set()
        acting = {unit for state, step in moves if step is not None for unit in self.units(state, step)}
        enabled = [self.enabled(state) for state in {state for state, _ in moves}]
        combine = set.intersection if self.fairness.startswith("weak") else set.union
        return combine(*enabled) - acting

    # ------------------------------------------------------------ a run that is shown

    def flaw(self, stem: Sequence[Move], loop: Sequence[Sequence[Move]]) -> str:
        """Why a run does not violate the claim, or is unfair; for each step of the loop there may be several moves."""
        word = [*stem, *(moves[0] for moves in loop)]
        if self._satisfied(word, len(stem)):
            return "satisfies the formula"
        if self.fairness == "global":
            here = self._reachable(loop[0][0][0])
            return "" if all(self._reachable(s) == here for s in here) else "can be left"
        return "is unfair" if self.unfair([m for moves in loop for m in moves]) else ""

    def _satisfied(self, word: Sequence[Move], back: int) -> bool | None:
        """Whether a formula is true at the first position of a word that goes on at ``back`` after its end.

        None if that depends on a condition that cannot be evaluated.
        """
        values: list[list[bool | None]] = []
        following = [*range(1, len(word)), back]
        for f, parts in zip(self._parts, self._inner, strict=True):
            inner = [values[p] for p in parts]
            match f[0]:
                case "not":
                    found = [_not(v) for v in inner[0]]
                case "and":
                    found = [_both(a, b) for a, b in zip(*inner, strict=True)]
                case "X":
                    found = [inner[0][k] for k in following]
                case "U":
                    found = list(inner[1])
                    for _ in word:  # the least solution
                        found = [
                            _not(_both(_not(inner[1][k]), _not(_both(inner[0][k], found[following[k]]))))
                            for k in range(len(word))
                        ]
                case _:
                    found = [self._known(f, move) for move in word]
            values.append(found)
        return values[-1][0]

    def _known(self, f: Tree, move: Move) -> bool | None:
        try:
            return bool(self._atom(f, move))
        except Fault:
            return None

    def _reachable(self, state: State) -> frozenset[State]:
        seen = {state}
        waiting = [state]
        for here in waiting:
            fresh = {step.target for step in self.space.steps[here]} - seen
            seen |= fresh
            waiting += fresh
        return frozenset(seen)


def _not(value: bool | None) -> bool | None:
    return None if value is None else not value


def _both(one: bool | None, other: bool | None) -> bool | None:
    if one is False or other is False:
        return False
    return None if one is None or other is None else True


def _actor(kind: str, number: Tree | None, values: Mapping[str, int]) -> Unit:
    if number is None:
        return "somebody", kind
    return "process", kind, values[number[1]] if number[0] == "name" else number[1]
