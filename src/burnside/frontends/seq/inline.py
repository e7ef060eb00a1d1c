"""Bodies of procedures at the places of their calls: names become those of the caller, references become places.

::

    procedure add(ref x: 0 .. 9, d: 0 .. 3) { x := x + d; }         if true {
    … add(total[i], n + 1); …                                         var d: 0 .. 3 := n + 1;
                                                                      total[i] := total[i] + d;
                                                                    }
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

from burnside.frontends.seq.places import Place
from burnside.ir import nodes as n
from burnside.ir.nodes import Bound, Expr, Stmt
from burnside.ir.rewrite import fresh_name, map_expr, map_stmt, substitute
from burnside.ir.walk import blocks, descend, operands
from burnside.values import replace


@final
class Inlining:
    """One call: ``values`` for the names of the body, ``places`` for the variables that stand for references.

    ``taken`` has all names around the call; locals of the body get others.
    """

    def __init__(self, values: Mapping[str, Expr], places: Mapping[str, Place], taken: set[str]) -> None:
        self._places = places
        self._taken = taken
        self._values = dict(values)

    def block(self, body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        """A block as it is for the caller."""
        outer = self._values
        self._values = dict(outer)
        found = tuple(map(self._statement, body))
        self._values = outer
        return found

    def expr(self, expr: Expr) -> Expr:
        """An expression as it is for the caller."""
        return self._placed(substitute(expr, self._values, self._taken))

    def _placed(self, expr: Expr) -> Expr:
        changed = map_expr(expr, self._placed)
        match changed:
            case n.Read(variable=name, indices=indices, span=span) if name in self._places:
                place = self._places[name]
                domain = place.type if isinstance(place.type, n.Domain) else n.BOOL
                return replace(place, span=span).single(place.name, domain, indices)
            case n.Item(variable=name) | n.Length(variable=name) if name in self._places:
                place = self._places[name]
                return replace(changed, variable=place.name, indices=(*place.indices, *changed.indices))
            case _:
                return changed

    def _statement(self, statement: Stmt) -> Stmt:
        match statement:
            case n.Declare(name=name, domain=domain, value=value):
                given = self.expr(value)
                return n.Declare(self._renamed(name, domain), domain, given, statement.span)
            case n.For(name=name, domain=domain, body=body):
                outer = dict(self._values)
                new = self._renamed(name, domain)
                inside = self.block(body)
                self._values = outer
                return n.For(new, domain, inside, statement.span)
            case n.Assign(target=target, value=value):
                place = self.expr(target)
                assert isinstance(place, n.Read | n.Item | Bound)
                return n.Assign(place, self.expr(value), statement.span)
            case n.Push(variable=name) | n.Pop(variable=name) | n.Clear(variable=name):
                changed = map_stmt(statement, self.expr, self.block)
                assert isinstance(changed, n.Push | n.Pop | n.Clear)
                kept = self._places.get(name)
                if kept is None:
                    return changed
                return replace(changed, variable=kept.name, indices=(*kept.indices, *changed.indices))
            case _:
                return map_stmt(statement, self.expr, self.block)

    def _renamed(self, name: str, domain: n.Domain) -> str:
        """A name for a local of the body that nothing around the call has."""
        new = fresh_name(name, self._taken)
        self._taken.add(new)
        self._values[name] = Bound(new, domain)
        return new


def size_of(body: tuple[Stmt, ...]) -> int:
    """How many nodes a program has."""
    own = sum(1 + sum(1 for e in operands(s) for _ in descend(e)) for s in body)
    return own + sum(size_of(block) for s in body for block in blocks(s))


def height_of(body: tuple[Stmt, ...]) -> int:
    """How deep a program is nested, expressions included."""
    inside = (1 + height_of(block) for s in body for block in blocks(s))
    exprs = (1 + depth for s in body for e in operands(s) for _, depth in descend(e))
    return max((*inside, *exprs, 0))
