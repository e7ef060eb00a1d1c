"""Regular operations on automata: what a regular expression is built from.

Automata have no empty moves, so each operation copies the moves of start states to where the next word may
begin.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from burnside.regular.automata import Nfa, Ordered, shifted
from burnside.regular.search import TooLarge

S = TypeVar("S", bound=Ordered)

LARGEST_EXPRESSION = 2_000


def nothing() -> Nfa[S]:
    """The empty language."""
    return Nfa((), frozenset(), frozenset())


def epsilon() -> Nfa[S]:
    """The language of the empty word."""
    return Nfa(({},), frozenset((0,)), frozenset((0,)))


def one_of(symbols: Iterable[S]) -> Nfa[S]:
    """The words of length one over the given symbols."""
    row = {s: frozenset((1,)) for s in sorted(set(symbols))}
    return Nfa((row, {}), frozenset((0,)), frozenset((1,)))


def concatenate(left: Nfa[S], right: Nfa[S]) -> Nfa[S]:
    """The words of ``left`` followed by words of ``right``."""
    shift = left.size
    second = shifted(right.rows, shift)
    starts = frozenset(q + shift for q in right.starts)
    begin = _joined([second[q - shift] for q in starts])
    rows = [_joined([row, begin]) if q in left.accepting else dict(row) for q, row in enumerate(left.rows)]
    accepting = frozenset(q + shift for q in right.accepting)
    if right.starts & right.accepting:
        accepting |= left.accepting
    return _checked(Nfa((*rows, *second), left.starts, accepting))


def repeat(body: Nfa[S]) -> Nfa[S]:
    """One or more words of ``body``."""
    begin = _joined([body.rows[q] for q in body.starts])
    rows = [_joined([row, begin]) if q in body.accepting else dict(row) for q, row in enumerate(body.rows)]
    return Nfa(tuple(rows), body.starts, body.accepting)


def optional(body: Nfa[S]) -> Nfa[S]:
    """The words of ``body``, and the empty word."""
    fresh = body.size
    return Nfa((*body.rows, {}), body.starts | {fresh}, body.accepting | {fresh})


def power(body: Nfa[S], least: int, most: int | None) -> Nfa[S]:
    """Between ``least`` and ``most`` words of ``body``; None is any number."""
    result: Nfa[S] = epsilon()
    for _ in range(least):
        result = concatenate(result, body)
    if most is None:
        return concatenate(result, optional(repeat(body)))
    for _ in range(most - least):
        result = concatenate(result, optional(body))
    return result


def _joined(rows: Iterable[Mapping[S, frozenset[int]]]) -> dict[S, frozenset[int]]:
    union: dict[S, frozenset[int]] = {}
    for row in rows:
        for symbol, targets in row.items():
            union[symbol] = union.get(symbol, frozenset()) | targets
    return union


def _checked(nfa: Nfa[S]) -> Nfa[S]:
    if nfa.size > LARGEST_EXPRESSION:
        raise TooLarge
    return nfa
