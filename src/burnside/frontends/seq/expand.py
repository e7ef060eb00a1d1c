"""Calls of definitions: checked, bounded in size, expanded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import final

from burnside.frontends.seq.budget import Budget
from burnside.frontends.seq.constants import Constants
from burnside.frontends.seq.operations import Operations
from burnside.frontends.seq.reader import Reader
from burnside.frontends.seq.scope import Definition, TypedName
from burnside.frontends.seq.terms import (
    Interval,
    Listed,
    Record,
    Selected,
    Term,
    Undecided,
    Unresolved,
    domains_of,
    expressions_of,
    is_single,
    map_term,
)
from burnside.frontends.seq.types import SetType, flat
from burnside.ir import nodes as n
from burnside.ir.build import conjunction
from burnside.ir.check import type_of_domain
from burnside.ir.ids import argument as id_argument
from burnside.ir.ids import result
from burnside.ir.nodes import BOOL, TRUE, Const, Domain, Expr, Parameter, Variable
from burnside.ir.rewrite import map_expr
from burnside.ir.simplify import typed_constant
from burnside.source import Span


@final
class Expansion:
    """Expands definitions."""

    def __init__(self, reader: Reader, constants: Constants, operations: Operations, budget: Budget) -> None:
        self._reader = reader
        self._constants = constants
        self._operations = operations
        self._budget = budget

    def expand(self, definition: Definition, arguments: Sequence[Term], span: Span) -> Term:
        """The body of a definition with arguments for its parameters."""
        wanted = len(definition.parameters)
        if len(arguments) != wanted:
            what = "argument" if wanted == 1 else "arguments"
            self._reader.error("BUR204", f"'{definition.name}' takes {wanted} {what}, found {len(arguments)}", span)
            return Const(0, None, span)
        values: dict[str, Expr] = {}
        sets: dict[str, Selected] = {}
        for argument, parameter in zip(arguments, definition.parameters, strict=True):
            self._take(argument, parameter, values, sets)
        if self._reader.failed:
            return definition.body  # of the right type, so that nothing else is said
        body = self._operations.substituted(self._apart(definition.body, sets), values, span)
        found = map_term(body, lambda expr: self._with_sets(expr, sets)) if sets else body
        return self._with_ids(found, definition.body, span)

    def _take(self, argument: Term, parameter: TypedName, values: dict[str, Expr], sets: dict[str, Selected]) -> None:
        """Note what a parameter stands for."""
        given = self._operations.as_type(argument, parameter.type)
        if isinstance(parameter.type, SetType):
            if isinstance(given, Selected):
                sets[stand_in(parameter)] = given
            return
        if isinstance(parameter.type, Domain):
            single = self._operations.scalar(given)
            if not self._reader.failed:
                self._constants.expect(single, type_of_domain(parameter.type))
        if not self._reader.failed:
            names = [parameter.name + path for path, _ in flat(parameter.type)]
            parts = self._operations.parts(given, parameter.type)
            values.update(zip(names, (id_argument(e, self._reader.scope.declared) for e in parts), strict=True))

    def _with_ids(self, term: Term, declared: Term, span: Span) -> Term:
        """What a definition gives, of which ids are known to be ids."""
        if isinstance(term, Record) and isinstance(declared, Record):
            pairs = zip(term.parts, declared.parts, strict=True)
            return Record(term.type, tuple(self._with_ids(part, one, span) for part, one in pairs), term.span)
        if is_single(term) and is_single(declared):
            return result(term, declared, self._reader.scope.declared, span)
        return term

    def _apart(self, body: Term, sets: Mapping[str, Selected]) -> Term:
        """A body whose quantifiers bind no name that the sets use."""
        if not sets:
            return body
        used = {f" {k}": e for k, s in enumerate(sets.values()) for e in expressions_of(s)}
        return map_term(body, lambda expr: self._budget.inserted(expr, used, None))

    def _with_sets(self, expr: Expr, sets: Mapping[str, Selected]) -> Expr:
        """What is asked of a parameter, asked of the set that it stands for."""
        changed = map_expr(expr, lambda part: self._with_sets(part, sets))
        if isinstance(changed, n.Read) and changed.variable in sets:
            return self._operations.instance(sets[changed.variable], changed.indices)
        return changed


def stand_in(parameter: TypedName) -> str:
    """The variable that stands for a set among the parameters of a definition; no text can have its name."""
    return f"`{parameter.span.start if parameter.span else 0}`{parameter.name}"


def stand_in_variable(parameter: TypedName) -> Variable:
    """The same as a variable, of which only the shape matters."""
    assert isinstance(parameter.type, SetType)
    return Variable(stand_in(parameter), domains_of(parameter.type.element), BOOL, None, ())


def to_check(definition: Definition) -> Iterator[tuple[tuple[Parameter, ...], Expr]]:
    """The expressions of a definition, each with the names it may use.

    What is asked of a set among the parameters becomes a comparison of the same types.
    """
    stand_ins = {stand_in(p) for p in definition.parameters if isinstance(p.type, SetType)}
    names = tuple(
        Parameter(p.name + path, domain, p.span)
        for p in definition.parameters
        if not isinstance(p.type, SetType)
        for path, domain in flat(p.type)
    )
    sets = {stand_in(p): p.type for p in definition.parameters if isinstance(p.type, SetType)}

    def compared(expr: Expr) -> Expr:
        changed = map_expr(expr, compared)
        if isinstance(changed, n.Read) and changed.variable in stand_ins:
            pairs = zip(changed.indices, domains_of(sets[changed.variable].element), strict=True)
            return conjunction(n.Binary("==", i, typed_constant(d.low, d), i.span) for i, d in pairs)
        return changed

    for more, expr in _computed(definition.body):
        yield (*names, *more), compared(expr)


def _computed(term: Term | Interval) -> Iterator[tuple[tuple[Parameter, ...], Expr]]:
    match term:
        case Record(parts=parts):
            for part in parts:
                yield from _computed(part)
        case Selected(element=element, names=names, condition=condition):
            yield tuple(Parameter(x, d) for x, d in zip(names, domains_of(element), strict=True)), condition
        case Listed(items=items):
            for item in items:
                yield from _computed(item)
        case Interval(low=low, high=high):
            yield (), low
            yield (), high
        case Undecided(condition=condition, then=then, otherwise=otherwise):
            yield (), condition
            yield from _computed(then)
            yield from _computed(otherwise)
        case Unresolved():
            pass
        case _:
            yield (), term


def checking(name: str, parameters: Iterable[n.Parameter], expr: Expr) -> n.Rule:
    """A rule that computes an expression. Names are locals: as parameters they would be counted as instances."""
    names = tuple(n.Declare(p.name, p.domain, typed_constant(p.domain.low, p.domain), expr.span) for p in parameters)
    computed = n.Assert(n.Binary("==", expr, expr, expr.span), "", expr.span)
    return n.Rule(name, (), TRUE, n.Event(""), (*names, computed), expr.span)
