"""Calls: a routine is written out where it is called."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from burnside.frontends.murphi.lower.returns import always_returns, entered
from burnside.frontends.murphi.lower.statements import Statements
from burnside.frontends.murphi.names.scope import Refused, Report, Scope
from burnside.frontends.murphi.names.terms import (
    Place,
    Procedure,
    Term,
    Value,
    Wrong,
    number_of,
    value_of,
)
from burnside.frontends.murphi.names.types import (
    Range,
    Simple,
    Type,
    describe,
    domain_of,
    extended,
    is_assignable,
    is_simple,
    undefined_of,
)
from burnside.frontends.murphi.read import syntax
from burnside.frontends.murphi.read.syntax import Expression, Field
from burnside.ir import nodes as n
from burnside.ir.nodes import Binary, Bound, Const
from burnside.source import Span
from burnside.values import replace

_MOST_CALLS: Final = 20_000  # that are written out in one rule


class Calls(Statements):
    """Writes out routines; ``_active`` are those that are being written."""

    def __init__(self, report: Report, *, copies_undefined: bool) -> None:
        super().__init__(report, copies_undefined=copies_undefined)
        self._active: list[str] = []
        self._calls = 0
        self._called: set[str] = set()

    def begin(self) -> None:
        """Forget the names and calls of the rule before."""
        self._calls = 0
        self._counts.clear()

    def declare_routine(self, routine: syntax.Routine, scope: Scope) -> None:
        """Let a name stand for a routine, which knows what is declared before it."""
        try:
            parameters = [(field, self.type(field.type, scope)) for field in routine.parameters]
            result = self.type(routine.result, scope) if routine.result is not None else None
        except Refused:
            scope.bind(routine.name, Wrong())
            return
        scope.declare(routine.name, Procedure(routine, tuple(parameters), result, scope.snapshot()))

    def check_routine(self, name: syntax.Name, scope: Scope) -> None:
        """Look at a routine if it is never called: what is wrong in it is reported all the same."""
        procedure = scope.look_up(name.text)
        if not isinstance(procedure, Procedure) or name.text in self._called:
            return
        self.begin()
        with suppress(Refused), self.collecting(), self._inside(name):
            scope = self._names_of(procedure)
            for field, kind in procedure.parameters:
                place = self.declare(field.name.text, kind, field.name.span)
                scope.declare(field.name, replace(place, readonly=not field.is_var))
            self._body(procedure, scope)

    # ------------------------------------------------------------ calls

    def call(self, call: syntax.Call, scope: Scope) -> Term | None:
        """The result of a routine, or None of a procedure."""
        procedure = scope.find(call.name)
        if not isinstance(procedure, Procedure):
            self.report.stop("BUR203", f"'{call.name.text}' is not a routine", call.name.span)
        if len(call.arguments) != len(procedure.parameters):
            wanted, given = len(procedure.parameters), len(call.arguments)
            message = f"'{call.name.text}' takes {wanted} argument{'s' if wanted != 1 else ''}, found {given}"
            self.report.stop("BUR204", message, call.span)
        self._calls += 1
        if self._calls > _MOST_CALLS:
            message = f"more than {_MOST_CALLS:,} calls are made in one rule"
            self.report.stop("BUR214", message, call.span, help="routines are written out where they are called")
        inner = self._names_of(procedure)
        for (field, kind), argument in zip(procedure.parameters, call.arguments, strict=True):
            self._give(field, kind, argument, scope, inner)
        with self._inside(call.name):
            return self._body(procedure, inner)

    @contextmanager
    def _inside(self, name: syntax.Name) -> Iterator[None]:
        if name.text in self._active:
            message = f"'{name.text}' calls itself, which is not supported"
            remedy = "write it as a loop: routines are written out where they are called"
            self.report.stop("BUR901", message, name.span, help=remedy)
        self._active.append(name.text)
        self._called.add(name.text)
        try:
            yield
        finally:
            self._active.pop()

    def _names_of(self, procedure: Procedure) -> Scope:
        known = procedure.scope
        assert isinstance(known, Scope)
        names = known.inner()
        names.bind(procedure.text.name, procedure)
        return names.inner()

    # ------------------------------------------------------------ arguments

    def _give(self, field: Field, kind: Type, argument: Expression, scope: Scope, inner: Scope) -> None:
        """Let a parameter stand for what it is given: a place, or a value that is copied."""
        if field.is_var:
            place = self.place(argument, scope, "a 'var' parameter")
            if place.type != kind:
                message = f"a 'var' parameter of {describe(kind)} is given {describe(place.type)}"
                self.report.stop("BUR203", message, argument.span, help="both must have the same type")
            inner.declare(field.name, self.frozen(place))
            return
        if isinstance(argument, syntax.Undefined):
            place = self.declare(field.name.text, kind, argument.span)
            inner.declare(field.name, replace(place, readonly=True))
            return
        found = self.term(argument, scope)
        if not is_assignable(kind, found.type):
            message = f"'{field.name.text}' is {describe(kind)}, which {describe(found.type)} is not"
            self.report.stop("BUR203", message, argument.span)
        inner.declare(field.name, self._copied(field.name.text, kind, found, argument.span))

    def _copied(self, name: str, kind: Type, found: Term, span: Span) -> Term:
        """What a parameter stands for that cannot be assigned."""
        if isinstance(found, Place):
            if found.root.local and found.readonly and found.type == kind:
                return found  # a parameter that is handed on
            if not is_simple(kind):
                return replace(self.declare(name, kind, span, self.frozen(found)), readonly=True)
            place = self.declare(name, kind, span)
            self.out.pop()
            number = self.moved(found, kind)  # type: ignore[arg-type]
            local = place.root.name
            self.out.append(n.Declare(local, extended(kind), number, span))  # type: ignore[arg-type]
            return replace(place, readonly=True)
        assert is_simple(kind)
        number = self.fit(found, kind)  # type: ignore[arg-type]
        if found.fixed and number == number_of(found):
            return replace(found, type=kind) if isinstance(kind, Range) else found
        local = self.fresh(name)
        domain = domain_of(kind)  # type: ignore[arg-type]
        self.out.append(n.Declare(local, domain, number, span))
        return value_of(kind, Bound(local, domain, span), span, fixed=True)  # type: ignore[arg-type]

    # ------------------------------------------------------------ bodies

    def _body(self, procedure: Procedure, scope: Scope) -> Term | None:
        """The statements of a routine, and its result."""
        text, kind = procedure.text, procedure.result
        if kind is not None and len(text.body) == 1 and not text.declarations:
            only = text.body[0]
            if isinstance(only, syntax.Return) and only.value is not None and is_simple(kind):
                return self._single(only.value, kind, text.name.text, scope)  # type: ignore[arg-type]
        what = f"'{text.name.text}'"
        result = self.declare(text.name.text, kind, text.span) if kind is not None else None
        self.locals(text.declarations, scope)
        self.exits.append(entered(self, what, text.body, kind, result))
        try:
            self.block(text.body, scope)
        finally:
            self.exits.pop()
        if result is None or kind is None:
            return None
        if not is_simple(kind):
            return replace(result, readonly=True)
        simple: Simple = kind  # type: ignore[assignment]
        if not any(map(always_returns, text.body)):
            has_returned = Binary("!=", self.raw(result), Const(undefined_of(simple)))
            message = f"the end of {what} is reached without a 'return'"
            self.out.append(n.Assert(has_returned, message, text.span))
        return self.read(result)

    def _single(self, expr: Expression, kind: Simple, name: str, scope: Scope) -> Value:
        """The result of a function that is one expression."""
        found = self.value(expr, scope)
        if not is_assignable(kind, found.type):
            message = f"'{name}' returns {describe(kind)}, not {describe(found.type)}"
            self.report.stop("BUR203", message, expr.span)
        return value_of(kind, self.fit(found, kind), expr.span, fixed=found.fixed)
