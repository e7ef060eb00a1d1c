"""Claims about infinite runs, decided on the explicit state space.

The product is the classical tableau: a node is a state, a step that leaves it, and for every ``X f`` and ``f U g`` a
guess whether f, or f U g, is true at the next position. A guess is right if it is what is true there, and ``f U g`` may
not be true for ever without g. So every node has its predecessors determined, and no automaton is needed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import TypeAlias

import igraph

from .interpreter import Fault, State, Step
from .language import Tree
from .space import Claim, Space
from .tableau import Tableau, core, is_atom

Unit: TypeAlias = Hashable
Move: TypeAlias = "tuple[State, Step | None]"  # a state and the step that leaves it, none where the run stays for ever
Node: TypeAlias = "tuple[int, tuple[bool, ...]]"  # the number of a position, and guesses
Position: TypeAlias = "tuple[Move, list[bool | None]]"  # a move, and which parts of a formula are true by themselves


class TooManyNodes(Exception):
    """The product is larger than what is looked at."""


class Runs:
    """The runs of a model, and which of them are fair."""

    def __init__(self, space: Space, claim: Claim, fairness: str, most: int = 20_000) -> None:
        self.space = space
        self.fairness = fairness
        self._tableau = Tableau(core(claim.family.condition, claim.names))
        self.moves: list[Move] = [(s, step) for s in space.distance for step in (space.steps[s] or [None])]
        if len(self.moves) << len(self._tableau.guessed) > most:
            raise TooManyNodes

    # ------------------------------------------------------------ what is true

    @property
    def can_evaluate(self) -> bool:
        """Whether no condition faults."""
        return len(self._positions) == len(self.moves)

    @cached_property
    def _positions(self) -> list[Position]:
        """Every move with the truth of conditions and events; one that cannot be evaluated may be either."""
        return [(move, atoms) for move in self.moves for atoms in self._valuations(move)]

    def _valuations(self, move: Move) -> Iterator[list[bool | None]]:
        known = [self._known(f, move) for f in self._tableau.parts]
        open_ = {str(f): f for f, value in zip(self._tableau.parts, known, strict=True) if value is None and is_atom(f)}
        for values in product((False, True), repeat=len(open_)):
            chosen = dict(zip(open_, values, strict=True))
            yield [chosen.get(str(f), value) for f, value in zip(self._tableau.parts, known, strict=True)]

    def _known(self, f: Tree, move: Move) -> bool | None:
        """Whether a condition or an event is true; None if it cannot be evaluated, and for what is neither."""
        try:
            return self._atom(f, move) if is_atom(f) else None
        except Fault:
            return None

    def _atom(self, f: Tree, move: Move) -> bool:
        state, step = move
        if f[0] == "state":
            return bool(self.space.interpreter.value(f[1], state, f[2]))
        _, name, arguments, names = f
        if step is None or step.event.name != name:
            return False
        if arguments is None:
            return True
        wanted = [None if a is None else self.space.interpreter.value(a, state, names) for a in arguments]
        values = [v for _, v in step.event.arguments]
        return len(wanted) == len(values) and all(w in (None, v) for w, v in zip(wanted, values, strict=True))

    # ------------------------------------------------------------ the product

    def verdicts(self) -> list[str]:
        """The verdicts that are right; without faults there is one.

        Runs end where a rule faults: whoever meets a fault does not know, who finds a violation elsewhere may stop
        there, and nobody has to look where no continuation could violate the formula, or for one that no word violates.
        Nor is anything known where a condition cannot be evaluated on which the formula depends.
        """
        may_be_violated, met = self._search(self._positions)
        if self.can_evaluate and not self.space.faults:
            return ["violated" if may_be_violated else "holds"]
        meets_fault = any(self.space.faulty[state] for state, _ in met)
        is_open = may_be_violated or (meets_fault and not self._tableau.is_tautology) or self._cannot_evaluate(met)
        return ["unknown", *(["violated"] if may_be_violated else []), *([] if is_open else ["holds"])]

    def _cannot_evaluate(self, moves: Sequence[Move]) -> bool:
        """Whether a condition faults somewhere on which the formula depends."""
        faulty = [f for f in self._tableau.parts if is_atom(f) and any(self._known(f, m) is None for m in moves)]
        return any(map(self._tableau.depends_on, faulty))

    def _search(self, positions: Sequence[Position]) -> tuple[bool, list[Move]]:
        """Whether some fair run may violate the formula, and all moves of runs that still may do so."""
        entering: dict[State, list[int]] = {}
        for k, ((state, step), _) in enumerate(positions):
            entering.setdefault(step.target if step else state, []).append(k)
        truths: dict[Node, list[bool]] = {}
        after: dict[Node, list[Node]] = {}
        for k, guesses in product(range(len(positions)), product((False, True), repeat=len(self._tableau.guessed))):
            (state, _), atoms = positions[k]
            node = (k, guesses)
            truth = truths[node] = self._tableau.truth(atoms, guesses)
            wanted = self._tableau.wanted(truth)
            for before in entering.get(state, ()):
                after.setdefault((before, wanted), []).append(node)
        initial = set(self.space.initial)
        starts = [n for n, truth in truths.items() if positions[n[0]][0][0] in initial and not truth[-1]]
        reached = set(starts)
        waiting = list(starts)
        for node in waiting:
            fresh = [n for n in after.get(node, ()) if n not in reached]
            reached.update(fresh)
            waiting += fresh
        # Which states are terminal is no matter of runs: they end where no rule can fire.
        faulty = {n for n in reached if self.space.faulty[positions[n[0]][0][0]]}
        moves = {n: positions[n[0]][0] for n in reached}
        met = [positions[k][0] for k in {k for k, _ in reached}]
        return self._has_fair_set(reached - faulty, after, truths, moves), met

    def _has_fair_set(
        self,
        nodes: set[Node],
        after: Mapping[Node, Sequence[Node]],
        truths: Mapping[Node, list[bool]],
        moves: Mapping[Node, Move],
    ) -> bool:
        order = list(nodes)
        number = {node: k for k, node in enumerate(order)}
        edges = [(number[n], number[m]) for n in order for m in after.get(n, ()) if m in number]
        looped = {a for a, b in edges if a == b}
        for component in igraph.Graph(len(order), edges, directed=True).connected_components(mode="strong"):
            if len(component) == 1 and component[0] not in looped:
                continue
            inside = {order[k] for k in component}
            if not self._tableau.keeps_promises([truths[n] for n in inside]):
                continue
            unfair = self.unfair([moves[n] for n in inside])
            if not unfair:
                return True
            if not self.fairness.startswith("weak"):
                rest = {n for n in inside if not unfair & self.enabled(moves[n][0])}
                if self._has_fair_set(rest, after, truths, moves):
                    return True
        return False

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
        match self._satisfied(word, len(stem)):
            case True:
                return "satisfies the formula"
            case None:
                return "violates the formula only if a condition that cannot be evaluated is true, or false"
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
        for f, parts in zip(self._tableau.parts, self._tableau.inner, strict=True):
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
