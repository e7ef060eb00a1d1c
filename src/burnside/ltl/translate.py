"""From a formula to an automaton for the words that satisfy it: the tableau of Couvreur [Couvreur99].

A state is a formula that the rest of the word must satisfy. It is unfolded into alternatives: what must hold now, what
must hold from the next position on, and which ``until`` were put off. Putting one off for ever is not allowed: an edge
belongs to the acceptance set of an ``until`` unless it puts that one off.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import final

from burnside.ltl.automaton import EMPTY, Automaton, Edge, reduced
from burnside.ltl.formula import FALSE, TRUE, Formula, conjunction
from burnside.values import dataclass

MOST_STATES = 5_000
MOST_ALTERNATIVES = 2_000


class TooLarge(Exception):
    """The automaton of a formula grows beyond its limit."""


@final
@dataclass(frozen=True, slots=True)
class _Alternative:
    required: frozenset[str] = frozenset()
    forbidden: frozenset[str] = frozenset()
    following: frozenset[Formula] = frozenset()
    put_off: frozenset[Formula] = frozenset()

    def joined(self, other: _Alternative) -> _Alternative | None:
        """Both at once, if they do not contradict each other."""
        required, forbidden = self.required | other.required, self.forbidden | other.forbidden
        if required & forbidden:
            return None
        return _Alternative(required, forbidden, self.following | other.following, self.put_off | other.put_off)

    def covers(self, other: _Alternative) -> bool:
        """Whether this one asks for less than another one."""
        return (
            self.required <= other.required
            and self.forbidden <= other.forbidden
            and self.following <= other.following
            and self.put_off <= other.put_off
        )


def translate(formula: Formula) -> Automaton:
    """An automaton that accepts exactly the words that satisfy ``formula``; `TooLarge` if it grows too much."""
    return _Translation().run(formula)


@final
class _Translation:
    def __init__(self) -> None:
        self._known: dict[Formula, tuple[_Alternative, ...]] = {}

    def run(self, formula: Formula) -> Automaton:
        if formula is FALSE:
            return EMPTY
        states = {formula: 0}
        queue = [formula]
        rows: list[list[tuple[_Alternative, int]]] = []
        for state in queue:
            row = []
            for alternative in self._unfold(state):
                target = conjunction(alternative.following)
                if target is FALSE:
                    continue
                if target not in states:
                    if len(states) >= MOST_STATES:
                        raise TooLarge
                    states[target] = len(states)
                    queue.append(target)
                row.append((alternative, states[target]))
            rows.append(row)
        return reduced(_automaton(rows))

    def _unfold(self, formula: Formula) -> tuple[_Alternative, ...]:
        known = self._known.get(formula)
        if known is None:
            known = self._known[formula] = _least(self._compute(formula))
        return known

    def _compute(self, formula: Formula) -> Iterable[_Alternative]:
        match formula.operator:
            case "true":
                return (_Alternative(),)
            case "false":
                return ()
            case "atom":
                return (_Alternative(required=frozenset((formula.atom,))),)
            case "not":
                return (_Alternative(forbidden=frozenset((formula.atom,))),)
            case "next":
                return (_Alternative(following=_conjuncts(formula.args[0])),)
            case "and":
                return self._all(formula.args)
            case "or":
                return [a for part in formula.args for a in self._unfold(part)]
        left, right = formula.args
        later = _Alternative(following=frozenset((formula,)))
        if formula.operator == "until":
            wait = _Alternative(following=later.following, put_off=later.following)
            return (*self._unfold(right), *_joined(self._unfold(left), (wait,)))
        return _joined(self._unfold(right), (*self._unfold(left), later))

    def _all(self, parts: Iterable[Formula]) -> Iterable[_Alternative]:
        found: tuple[_Alternative, ...] = (_Alternative(),)
        for part in parts:
            found = _least(_joined(found, self._unfold(part)))
        return found


def _conjuncts(formula: Formula) -> frozenset[Formula]:
    if formula is TRUE:
        return frozenset()
    return frozenset(formula.args if formula.operator == "and" else (formula,))


def _joined(some: Iterable[_Alternative], others: Iterable[_Alternative]) -> list[_Alternative]:
    pairs = (one.joined(other) for one, other in product(some, others))
    return [pair for pair in pairs if pair is not None]


def _least(alternatives: Iterable[_Alternative]) -> tuple[_Alternative, ...]:
    """Without those that ask for more than another one."""
    distinct = list(dict.fromkeys(alternatives))
    if len(distinct) > MOST_ALTERNATIVES:
        raise TooLarge
    return tuple(a for a in distinct if not any(b is not a and b.covers(a) for b in distinct))


def _automaton(rows: list[list[tuple[_Alternative, int]]]) -> Automaton:
    put_off = sorted({f for row in rows for alternative, _ in row for f in alternative.put_off}, key=str)
    number = {f: k for k, f in enumerate(put_off)}
    every = frozenset(number.values())
    edges = tuple(
        tuple(
            Edge(a.required, a.forbidden, target, every - {number[f] for f in a.put_off if f in number})
            for a, target in row
        )
        for row in rows
    )
    return Automaton(edges, len(put_off))
