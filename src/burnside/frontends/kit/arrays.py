"""Local arrays of programs, element by element: a program of the model has single values only.

An element whose index is known is a local variable; else it is found by halves::

    var t[0 .. 2]: D := e;          var `t[0]`: D := e; var `t[1]`: D := e; var `t[2]`: D := e;
    x := t[i];                      x := if i <= 0 then `t[0]` else if i <= 1 then `t[1]` else `t[2]`;
    t[i] := x;                      if i <= 0 { `t[0]` := x; } else if i <= 1 { `t[1]` := x; } else { `t[2]` := x; }

An index outside its dimension is a fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Final, TypeAlias, TypeVar, final

from burnside.ir import nodes as n
from burnside.ir.build import disjunction
from burnside.ir.check import INT, type_of_domain
from burnside.ir.nodes import BOOL, TRUE, Bound, Checked, Const, Domain, Expr, Stmt
from burnside.ir.rewrite import fresh_name
from burnside.ir.simplify import typed_constant
from burnside.ir.walk import expanded_size
from burnside.source import Span
from burnside.values import dataclass

MOST_ELEMENTS: Final = 256
MOST_WRITTEN_OUT: Final = 20_000  # nodes of one access

At: TypeAlias = tuple[int, ...]
T = TypeVar("T")


@final
@dataclass(frozen=True, slots=True)
class LocalArray:
    """A local variable for each element; no more than `MOST_ELEMENTS` of them."""

    name: str
    dimensions: tuple[Domain, ...]
    domain: Domain

    @property
    def size(self) -> int:
        """How many elements there are."""
        return prod(dimension.size for dimension in self.dimensions)

    def cost(self, indices: Sequence[Expr]) -> int:
        """How many nodes an access with these indices is, at most."""
        return self.size * (1 + sum(map(expanded_size, indices)))

    def element(self, at: At, span: Span | None = None) -> Bound:
        """The local that is an element."""
        places = "".join(f"[{d.text(k)}]" for d, k in zip(self.dimensions, at, strict=True))
        return Bound(self.name + places, self.domain, span)

    @property
    def elements(self) -> Iterator[Bound]:
        """All elements, row by row."""
        return map(self.element, product(*(d.values() for d in self.dimensions)))

    def declared(self, value: Expr, span: Span | None) -> tuple[Stmt, ...]:
        """The declaration: all elements begin with a value, which is computed once."""
        first, *others = self.elements
        after = (n.Declare(e.name, self.domain, first, span) for e in others)
        return (n.Declare(first.name, self.domain, value, span), *after)

    def read(self, indices: Sequence[Expr], span: Span | None, number: Callable[[Expr], Expr] = lambda e: e) -> Expr:
        """The value of an element; ``number`` makes a number of an index that has no order."""

        def choice(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
            return n.Choice(condition, then, otherwise, span)

        return _Cases(self, indices, number).of((), lambda at: self.element(at, span), choice)

    def written(
        self,
        indices: Sequence[Expr],
        value: Expr,
        taken: set[str],
        span: Span | None,
        number: Callable[[Expr], Expr] = lambda e: e,
    ) -> tuple[Stmt, ...]:
        """An assignment to an element: indices are computed first, then the value, each once, in locals of names that
        are not ``taken``.
        """
        kept: list[Stmt] = []

        def keep(expr: Expr, name: str, domain: Domain) -> Expr:
            if isinstance(expr, Const | Bound):
                return expr
            fresh = fresh_name(name, taken)
            taken.add(fresh)
            kept.append(n.Declare(fresh, domain, expr, expr.span or span))
            return Bound(fresh, domain, expr.span)

        places = [keep(i, f"index of {self.name}", d) for i, d in zip(indices, self.dimensions, strict=True)]
        known = [p for p, d in zip(places, self.dimensions, strict=True) if isinstance(p, Const) and _fits(p, d)]
        given = value if len(known) == len(places) else keep(value, f"{self.name}[…]", self.domain)

        def branch(condition: Expr, then: Stmt, otherwise: Stmt) -> Stmt:
            return n.If(condition, (then,), (otherwise,), span)

        def assigned(at: At) -> Stmt:
            return n.Assign(self.element(at, span), given, span)

        done = _Cases(self, places, number).of((), assigned, branch)
        return (n.If(TRUE, (*kept, done), (), span),) if kept else (done,)


@final
@dataclass(frozen=True, slots=True)
class _Cases:
    """One access, which depends on what its indices are."""

    array: LocalArray
    indices: Sequence[Expr]
    number: Callable[[Expr], Expr]

    def of(self, at: At, leaf: Callable[[At], T], join: Callable[[Expr, T, T], T]) -> T:
        """What is made for all elements that begin with these places, joined by what decides among them."""
        if len(at) == len(self.indices):
            return leaf(at)
        index, domain = self.indices[len(at)], self.array.dimensions[len(at)]
        if isinstance(index, Const) and _fits(index, domain):
            return self.of((*at, index.value), leaf, join)
        asked = index if _fits(index, domain) else Checked(index, domain, index.span)
        if domain.size == 1:  # which may be the wrong one
            only = self.of((*at, domain.low), leaf, join)
            return join(self._is_among(asked, domain, domain.values()), only, only)

        def among(values: range) -> T:
            if len(values) == 1:
                return self.of((*at, values[0]), leaf, join)
            middle = len(values) // 2
            below = values[:middle]
            return join(self._is_among(asked, domain, below), among(below), among(values[middle:]))

        return among(domain.values())

    def _is_among(self, index: Expr, domain: Domain, below: range) -> Expr:
        """Whether an index is one of the least values that are left."""
        if domain == BOOL:
            return n.Unary("!", index, index.span)
        if domain.is_enumeration:
            return disjunction(n.Binary("==", index, typed_constant(v, domain), index.span) for v in below)
        return n.Binary("<=", self.number(index), Const(below[-1]), index.span)


def _fits(index: Expr, domain: Domain) -> bool:
    """Whether an index is certain to be one of a dimension, and of its kind, by its form."""
    if domain == BOOL:
        return True
    match index:
        case Const(value=value, domain=None):
            return value in domain and type_of_domain(domain) == INT
        case Const(value=value, domain=Domain() as own):
            low = high = value
        case Bound(domain=own):
            low, high = own.low, own.high
        case _:
            return False
    is_same = type_of_domain(own) == type_of_domain(domain) and own.index == domain.index
    return is_same and domain.low <= low and high <= domain.high
