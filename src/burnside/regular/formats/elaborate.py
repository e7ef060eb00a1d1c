"""From the tree of an expression to its automaton: look up names, tell words from pairs, report what does not fit."""

from __future__ import annotations

from typing import TypeVar, assert_never, final

from burnside.regular.alphabet import PAD, Alphabet, Pair
from burnside.regular.automata import Dfa, Nfa, Ordered, intersect, reduce, subtract, unite
from burnside.regular.combine import concatenate, epsilon, nothing, one_of, power
from burnside.regular.formats.expressions import RESERVED
from burnside.regular.formats.syntax import Call, Couple, Expr, Known, Meet, Repeat, Sequence, Side, Single, Union
from burnside.regular.library import Permutation
from burnside.regular.relations import Language, Relation, compose, converse, cross, identity
from burnside.source import Diagnostics, Span, did_you_mean
from burnside.values import dataclass, field

WORDS, PAIRS = "words", "pairs"
_BOTH = frozenset((WORDS, PAIRS))
S = TypeVar("S", bound=Ordered)


@final
@dataclass(frozen=True, slots=True)
class Definition:
    """A named expression as words, as pairs, or (``any*``, say) as both, depending on where it is used."""

    words: Nfa[int] | None
    pairs: Nfa[Pair] | None


@final
@dataclass
class Scope:
    """The letters and definitions an expression may use."""

    alphabet: Alphabet
    diagnostics: Diagnostics
    definitions: dict[str, Definition] = field(default_factory=dict)

    def letter(self, name: str, span: Span) -> int | None:
        """The number of a letter, or None after a diagnostic."""
        if name in self.alphabet.names:
            return self.alphabet.names.index(name)
        remedy = did_you_mean(name, [*self.alphabet.names, *self.definitions])
        self.diagnostics.error("BUR601", f"'{name}' is not a letter of the alphabet", span, help=remedy)
        return None

    def define(self, name: str, expr: Expr) -> None:
        """Give an expression a name. It is built at once, so definitions cannot refer to themselves."""
        kinds = _kinds(expr, self)
        if not kinds:
            self.diagnostics.error("BUR609", f"'{name}' mixes words of letters and pairs of words", expr.span)
        words = self.language(expr).nfa() if WORDS in kinds else None
        pairs = self.relation(expr).nfa() if PAIRS in kinds else None
        self.definitions[name] = Definition(words, pairs)

    def language(self, expr: Expr) -> Language:
        """The words an expression denotes, as a minimal automaton."""
        return reduce(_words(expr, self))

    def relation(self, expr: Expr) -> Relation:
        """The pairs of words an expression denotes, as a minimal automaton."""
        return reduce(_pairs(expr, self))


def _words(expr: Expr, scope: Scope) -> Nfa[int]:
    match expr:
        case Single(side, span):
            name = _definition(side, scope)
            if name is not None:
                return _defined_words(name, span, scope)
            if _reserved(side) == "id":
                scope.diagnostics.error("BUR609", "'id' is a pair, but a word of letters is expected here", span)
            return one_of(_letters(side, scope))
        case Couple(_, _, span) | Known(_, _, span) | Call(_, _, span):
            scope.diagnostics.error("BUR609", "a pair of words, but a word of letters is expected here", span)
            return nothing()
        case Sequence(parts):
            return _joined([_words(p, scope) for p in parts])
        case Union(parts):
            return unite([_words(p, scope) for p in parts])
        case Meet(first, rest):
            return _met(_words(first, scope), [(sign, _words(p, scope)) for sign, p in rest])
        case Repeat(body, least, most):
            return power(_words(body, scope), least, most)
        case _:
            assert_never(expr)


def _pairs(expr: Expr, scope: Scope) -> Nfa[Pair]:
    match expr:
        case Single(side, span):
            name = _definition(side, scope)
            if name is not None:
                return _defined_pairs(name, span, scope)
            return _lone(side, span, scope)
        case Couple(left, right, span):
            return _couple(left, right, span, scope)
        case Known(name, place):
            return Permutation(name, place).relation(scope.alphabet.size).nfa()
        case Call():
            return _call(expr, scope).nfa()
        case Sequence(parts):
            return _joined([_pairs(p, scope) for p in parts])
        case Union(parts):
            return unite([_pairs(p, scope) for p in parts])
        case Meet(first, rest):
            return _met(_pairs(first, scope), [(sign, _pairs(p, scope)) for sign, p in rest])
        case Repeat(body, least, most):
            return power(_pairs(body, scope), least, most)
        case _:
            assert_never(expr)


def _lone(side: Side, span: Span, scope: Scope) -> Nfa[Pair]:
    """A symbol without ``/`` where pairs are expected: ``id``, ``any`` pair, or a mistake."""
    if _reserved(side) == "id":
        return one_of(scope.alphabet.diagonal)
    if side.names is None:
        return one_of(scope.alphabet.pairs)
    shown = span.text
    if _letters(side, scope):
        advice = f"write '{shown}/{shown}' for a process that stays '{shown}'"
        scope.diagnostics.error("BUR609", f"'{shown}' is a letter, but a pair is expected here", span, help=advice)
    return nothing()


def _couple(left: Side, right: Side, span: Span, scope: Scope) -> Nfa[Pair]:
    firsts, seconds = _letters(left, scope), _letters(right, scope)
    if left.names == () == right.names:
        scope.diagnostics.error("BUR605", "padding on both sides is no pair of letters", span)
        return nothing()
    return one_of((a, b) for a in firsts or [PAD] * (left.names == ()) for b in seconds or [PAD] * (right.names == ()))


def _call(expr: Call, scope: Scope) -> Relation:
    first = expr.arguments[0]
    match expr.name:
        case "pairs":
            return cross(scope.language(first), scope.language(expr.arguments[1]))
        case "same":
            return identity(scope.language(first))
        case "inverse":
            return converse(scope.relation(first))
        case _:
            return compose(scope.relation(first), scope.relation(expr.arguments[1]))


def _letters(side: Side, scope: Scope) -> list[int]:
    if side.names is None:
        return list(scope.alphabet.letters)
    found = (scope.letter(name, span) for name, span in side.names if _reserved(side) != "id")
    return [a for a in found if a is not None]


def _reserved(side: Side) -> str:
    """The reserved word a side consists of, if any."""
    plain = side.names is not None and len(side.names) == 1 and not side.quoted
    return side.names[0][0] if plain and side.names and side.names[0][0] in RESERVED else ""


def _definition(side: Side, scope: Scope) -> str | None:
    """The definition a side refers to: letters come first, and quoted names are always letters."""
    if side.quoted or not side.names or side.names[0][0] in scope.alphabet.names:
        return None
    return side.names[0][0] if side.names[0][0] in scope.definitions else None


def _defined_words(name: str, span: Span, scope: Scope) -> Nfa[int]:
    words = scope.definitions[name].words
    if words is None:
        scope.diagnostics.error("BUR609", f"'{name}' stands for pairs of words, not for words", span)
    return words or nothing()


def _defined_pairs(name: str, span: Span, scope: Scope) -> Nfa[Pair]:
    pairs = scope.definitions[name].pairs
    if pairs is None:
        scope.diagnostics.error("BUR609", f"'{name}' stands for words, not for pairs of words", span)
    return pairs or nothing()


def _kinds(expr: Expr, scope: Scope) -> frozenset[str]:
    """What an expression can denote; empty if its parts disagree."""
    match expr:
        case Single(side):
            return _single_kinds(side, scope)
        case Couple() | Known() | Call():
            return frozenset((PAIRS,))
        case Sequence(parts) | Union(parts):
            return _BOTH.intersection(*(_kinds(p, scope) for p in parts))
        case Meet(first, rest):
            return _kinds(first, scope).intersection(*(_kinds(p, scope) for _, p in rest))
        case Repeat(body):
            return _kinds(body, scope)
        case _:
            assert_never(expr)


def _single_kinds(side: Side, scope: Scope) -> frozenset[str]:
    name = _definition(side, scope)
    if name is not None:
        known = scope.definitions[name]
        return frozenset(k for k, built in ((WORDS, known.words), (PAIRS, known.pairs)) if built is not None)
    if side.names is None:
        return _BOTH
    return frozenset((PAIRS if _reserved(side) == "id" else WORDS,))


def _joined(parts: list[Nfa[S]]) -> Nfa[S]:
    result: Nfa[S] = epsilon()
    for part in parts:
        result = concatenate(result, part)
    return result


def _met(first: Nfa[S], rest: list[tuple[str, Nfa[S]]]) -> Nfa[S]:
    result: Dfa[S] = reduce(first)
    for sign, part in rest:
        result = intersect(result, reduce(part)) if sign == "&" else subtract(result, reduce(part))
    return result.nfa()
