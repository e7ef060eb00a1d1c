"""Statements."""

from __future__ import annotations

from functools import partial
from typing import Final

from burnside.frontends.murphi.lower.code import WIDE
from burnside.frontends.murphi.lower.declarations import Declarations
from burnside.frontends.murphi.lower.returns import Exit, always_returns, may_return, with_rest
from burnside.frontends.murphi.names.scope import Refused, Report, Scope
from burnside.frontends.murphi.names.terms import Place, Value, Wrong
from burnside.frontends.murphi.names.types import (
    BOOLEAN,
    INTEGER,
    Simple,
    describe,
    domain_of,
    is_assignable,
    is_simple,
)
from burnside.frontends.murphi.read import syntax
from burnside.frontends.murphi.read.syntax import Block, Expression, Statement
from burnside.ir import nodes as n
from burnside.ir.build import conjunction, disjunction
from burnside.ir.nodes import FALSE, Binary, Bound, Const, Expr
from burnside.source import Span

MOST_ROUNDS: Final = 1_000  # of a loop without a known end, as in CMurphi


class Statements(Declarations):
    """Lowers statements; ``copies_undefined`` says that assignments of one variable to another copy also nothing."""

    def __init__(self, report: Report, *, copies_undefined: bool) -> None:
        super().__init__(report)
        self.copies_undefined = copies_undefined
        self.exits: list[Exit] = []
        self.assumed: set[n.Assert] = set()
        self.covered: dict[n.Assert, syntax.Check] = {}

    # ------------------------------------------------------------ blocks

    def block(self, body: Block, scope: Scope) -> None:
        """Statements one after the other; behind one that may return, the others happen only if it did not."""
        for number, statement in enumerate(body):
            rest = body[number + 1 :]
            if isinstance(statement, syntax.If) and rest and may_return(statement):
                merged = with_rest(statement, rest)
                if merged is not None:
                    self._guarded(merged, scope)
                    return
            self._guarded(statement, scope)
            if always_returns(statement):
                return
            if may_return(statement) and rest:
                with self.collecting() as behind:
                    self.block(rest, scope)
                self.out.append(n.If(self.exits[-1].not_taken(), tuple(behind)))
                return

    def _guarded(self, statement: Statement, scope: Scope) -> None:
        try:
            self._statement(statement, scope)
        except Refused:
            if self.report.diagnostics.is_full:
                raise

    def inner(self, body: Block, scope: Scope) -> tuple[n.Stmt, ...]:
        """Statements as a block of their own."""
        with self.collecting() as found:
            self.block(body, scope.inner())
        return tuple(found)

    def locals(self, declarations: tuple[syntax.Declaration, ...], scope: Scope) -> None:
        """Declare what stands in front of statements."""
        for declared in declarations:
            match declared:
                case syntax.ConstantDeclaration():
                    self.declare_constant(declared, scope)
                case syntax.TypeDeclaration():
                    self.declare_type(declared, scope)
                case syntax.VariableDeclaration(field=field):
                    try:
                        kind = self.type(field.type, scope)
                        scope.declare(field.name, self.declare(field.name.text, kind, field.name.span))
                    except Refused:
                        scope.declare(field.name, Wrong())

    def _statement(self, statement: Statement, scope: Scope) -> None:
        match statement:
            case syntax.Assignment():
                self._assign(statement, scope)
            case syntax.If(branches=branches, otherwise=otherwise):
                self._if(branches, otherwise, scope)
            case syntax.Switch():
                self._switch(statement, scope)
            case syntax.For():
                self._for(statement, scope)
            case syntax.While(condition=condition, body=body, span=span):
                self._while(condition, body, span, scope)
            case syntax.WithAliases(aliases=aliases, body=body):
                inner = scope.inner()
                self.bind_aliases(aliases, inner)
                self.block(body, inner)
            case syntax.Perform(call=call):
                self.call(call, scope)
            case syntax.Return():
                self._return(statement, scope)
            case syntax.Check() | syntax.Failure():
                self._check(statement, scope)
            case syntax.Put(value=value):
                if value is not None:
                    with self.collecting():  # a text for the terminal has no meaning for the model
                        self.term(value, scope)
            case syntax.Clear(place=place, span=span):
                self.fill(self.place(place, scope, "cleared"), span, undefined=False)
            case syntax.Undefine(place=place, span=span):
                self.fill(self.place(place, scope, "undefined"), span, undefined=True)
            case syntax.MultisetAdd() | syntax.MultisetRemove() | syntax.MultisetRemoveAll():
                self.refuse_multiset(statement.span)

    # ------------------------------------------------------------ assignments and aliases

    def _assign(self, statement: syntax.Assignment, scope: Scope) -> None:
        target = self.place(statement.target, scope, "assigned")
        before = len(self.out)
        if isinstance(statement.value, syntax.Undefined):
            self.fill(target, statement.span, undefined=True)
            return
        source = self.term(statement.value, scope)
        if not is_assignable(target.type, source.type):
            message = f"'{statement.target.span.text}' is {describe(target.type)}, which {describe(source.type)} is not"
            self.report.stop("BUR203", message, statement.value.span)
        if not is_simple(target.type):
            assert isinstance(source, Place)
            self.copy(target, source, statement.span)
            return
        if len(self.out) > before:
            moved = self.out[before:]
            del self.out[before:]
            target = self.frozen(target)
            self.out += moved
        kind: Simple = target.type  # type: ignore[assignment]
        if isinstance(source, Place) and self.copies_undefined:
            self.put(target, self.moved(source, kind), statement.span)
            return
        value = self.read(source) if isinstance(source, Place) else source
        self.put(target, self.fit(value, kind), statement.span)

    def bind_aliases(self, aliases: tuple[syntax.Alias, ...], scope: Scope) -> None:
        """Let names stand for places, whose indices are evaluated now, and for values."""
        for alias in aliases:
            try:
                found = self.term(alias.value, scope)
                if isinstance(found, Place):
                    scope.bind(alias.name, self.frozen(found))
                else:
                    scope.bind(alias.name, found if found.is_constant else self.saved(found))
            except Refused:
                scope.bind(alias.name, Wrong())

    # ------------------------------------------------------------ branches

    def _if(self, branches: tuple[tuple[Expression, Block], ...], otherwise: Block, scope: Scope) -> None:
        if not branches:
            self.block(otherwise, scope.inner())
            return
        (asked, body), *others = branches
        condition = self.truth(asked, scope)
        then = self.inner(body, scope)
        with self.collecting() as rest:
            self._if(tuple(others), otherwise, scope)
        if isinstance(condition, Const):
            self.out += then if condition.value else rest
        else:
            self.out.append(n.If(condition, then, tuple(rest), asked.span))

    def _switch(self, statement: syntax.Switch, scope: Scope) -> None:
        subject = self.value(statement.subject, scope)
        held = subject if len(statement.cases) == 0 else self.saved(subject)
        self._cases(statement, 0, held, scope)

    def _cases(self, statement: syntax.Switch, number: int, subject: Value, scope: Scope) -> None:
        if number == len(statement.cases):
            self.block(statement.otherwise, scope.inner())
            return
        values, body = statement.cases[number]
        conditions: list[Expr] = []
        for value in values:
            found = self.alone(partial(self.value, value, scope), value.span)
            if not is_assignable(subject.type, found.type):
                message = f"{describe(subject.type)} is compared with {describe(found.type)}"
                self.report.stop("BUR203", message, value.span)
            conditions.append(self.equal(subject, found, value.span))
        then = self.inner(body, scope)
        with self.collecting() as rest:
            self._cases(statement, number + 1, subject, scope)
        self.out.append(n.If(disjunction(conditions), then, tuple(rest), statement.span))

    # ------------------------------------------------------------ loops

    def _for(self, statement: syntax.For, scope: Scope) -> None:
        binder, inner = statement.binder, scope.inner()
        if isinstance(binder, syntax.Steps) and not self._is_known(binder, scope):
            self._for_steps(statement, binder, inner)
            return
        name, domain = self.bound(binder, inner)
        body = self._round(statement.body, inner)
        self.out.append(n.For(name, domain, body, statement.span))

    def _round(self, body: Block, scope: Scope) -> tuple[n.Stmt, ...]:
        """The body of a loop, which does nothing once it has returned."""
        found = self.inner(body, scope)
        return (n.If(self.exits[-1].not_taken(), found),) if any(map(may_return, body)) else found

    def _is_known(self, binder: syntax.Steps, scope: Scope) -> bool:
        with self.collecting():
            parts = [binder.first, binder.last, *([binder.step] if binder.step is not None else [])]
            return all(self.number(part, scope).is_constant for part in parts)

    def _for_steps(self, statement: syntax.For, binder: syntax.Steps, scope: Scope) -> None:
        """A loop whose ends are known only when it begins."""
        span = statement.span
        ends = [partial(self.number, end, scope) for end in (binder.first, binder.last)]
        step_of = partial(self._step, binder, scope)
        first, last, step = self.in_order([*ends, step_of])
        last, step = self.saved(last), self.saved(step)
        if not step.is_constant:
            text = "a loop with a step of 0 has no end"
            self.out.append(n.Assert(Binary("!=", step.expr, Const(0)), text, span))
        name = self.fresh(binder.name.text)
        local = Bound(name, WIDE, binder.name.span)
        self.out.append(n.Declare(name, WIDE, first.expr, span))
        scope.bind(binder.name, Value(INTEGER, local, True, binder.name.span))
        up, down = Binary("<=", local, last.expr), Binary(">=", local, last.expr)
        goes_on: Expr = n.Choice(Binary(">", step.expr, Const(0)), up, down)
        if isinstance(step.expr, Const):
            goes_on = up if step.expr.value > 0 else down
        body = (*self._round(statement.body, scope), n.Assign(local, Binary("+", local, step.expr), span))
        self.out.append(n.While(self._unless_left(goes_on, statement.body), MOST_ROUNDS, body, span))

    def _step(self, binder: syntax.Steps, scope: Scope) -> Value:
        return Value(INTEGER, Const(1), True) if binder.step is None else self.number(binder.step, scope)

    def _unless_left(self, condition: Expr, body: Block) -> Expr:
        if any(map(may_return, body)):
            return conjunction((self.exits[-1].not_taken(), condition))
        return condition

    def _while(self, condition: Expression, body: Block, span: Span, scope: Scope) -> None:
        with self.collecting() as before:
            asked = self.truth(condition, scope)
        if before:
            # The statements in front of the condition belong to every round.
            name, domain = self.fresh("goes_on"), domain_of(BOOLEAN)
            again = Bound(name, domain, span)
            ask = (*before, n.Assign(again, n.Choice(asked, Const(1), Const(0)), span))
            self.out.append(n.Declare(name, domain, Const(0), span))
            self.out.append(n.If(n.TRUE, ask))
            found = (*self._round(body, scope), n.If(n.TRUE, ask))
            goes_on: Expr = Binary("==", again, Const(1))
        else:
            found, goes_on = self._round(body, scope), asked
        self.out.append(n.While(self._unless_left(goes_on, body), MOST_ROUNDS, found, span))

    # ------------------------------------------------------------ checks, returns

    def _check(self, statement: syntax.Check | syntax.Failure, scope: Scope) -> None:
        if isinstance(statement, syntax.Failure):
            self.out.append(n.Assert(FALSE, statement.message or "an error", statement.span))
            return
        text = statement.message or f"the assertion does not hold: {' '.join(statement.condition.span.text.split())}"
        condition = self.truth(statement.condition, scope)
        if statement.word == "assert":
            self.out.append(n.Assert(condition, text, statement.span))
            return
        noted = n.Assert(condition, f"{statement.word} {self.fresh('noted')}", statement.span)
        self.out.append(noted)
        if statement.word == "assume":
            self.assumed.add(noted)
        else:
            self.covered[noted] = statement

    def _return(self, statement: syntax.Return, scope: Scope) -> None:
        here = self.exits[-1]
        if (statement.value is None) != (here.kind is None):
            message = f"{here.what} returns {'no' if here.kind is None else 'a'} value"
            self.report.stop("BUR203", message, statement.span)
        if statement.value is not None:
            assert here.kind is not None and here.result is not None
            found = self.term(statement.value, scope)
            if not is_assignable(here.kind, found.type):
                message = f"{here.what} returns {describe(here.kind)}, not {describe(found.type)}"
                self.report.stop("BUR203", message, statement.value.span)
            if is_simple(here.kind):
                value = self.read(found) if isinstance(found, Place) else found
                self.put(here.result, self.fit(value, here.kind), statement.span)  # type: ignore[arg-type]
            else:
                assert isinstance(found, Place)
                self.copy(here.result, found, statement.span)
        here.take(self, statement.span)
