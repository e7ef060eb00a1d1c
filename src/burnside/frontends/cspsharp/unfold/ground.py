"""Expressions and programs of CSP# as those of the sequential model, parameters replaced by their values.

Constants are folded on the way, so that two texts with the same meaning for given parameters give equal nodes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Final, TypeAlias, assert_never

from burnside.frontends.cspsharp.names.scope import (
    Channel,
    Ground,
    Scope,
    assigned_names,
    constant,
    mentions,
    performed_names,
)
from burnside.frontends.cspsharp.names.variables import is_truth, slot_name
from burnside.frontends.cspsharp.read import syntax
from burnside.frontends.cspsharp.read.declarations import Define
from burnside.frontends.cspsharp.read.syntax import Expression, Name, Statement
from burnside.ir import nodes as n
from burnside.ir.build import comparison, connect, negation
from burnside.ir.nodes import BOOL, Domain, Expr
from burnside.ir.operators import EQUALITIES, ORDERINGS
from burnside.ir.semantics import FaultRaised, apply_operator
from burnside.ir.uses import free_names, variables_read
from burnside.source import Span, did_you_mean

# What names mean: values, and inside programs and macros expressions.
Environment: TypeAlias = Mapping[str, Expr]

MOST_INSTANCES: Final = 10_000
MOST_ROUNDS: Final = 10_000
WIDE: Final = Domain("", -(1 << 31) + 1, (1 << 31) - 1)
CHANNEL_TESTS: Final = ("cfull", "cempty", "ccount", "csize", "cpeek")


class ExpressionGrounder:
    """Turns expressions into nodes of the sequential model."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self._open: list[str] = []
        self._locals: list[str] = []  # those in scope of the program at hand, the callers of a macro included
        self._keeps_variables = False

    # ------------------------------------------------------------ expressions

    def expression(self, expr: Expression, env: Environment) -> Expr:
        """The node for an expression."""
        match expr:
            case syntax.Number(value=value) | syntax.Truth(value=value):
                return constant(value, expr.span)
            case Name():
                return self._name(expr, env)
            case syntax.Operation(operator=operator, operands=operands):
                return self._operation(operator, [self.expression(o, env) for o in operands], expr.span)
            case syntax.Indexed(operator=operator, ranges=ranges, body=body):
                parts = [self.expression(body, inner) for inner in self.choices(ranges, env)]
                return connect(operator, parts, expr.span)
            case syntax.CallMacro():
                return self._call(expr, env)
            case _:
                assert_never(expr)

    def condition(self, expr: Expression, env: Environment) -> Expr:
        """The node for a condition of a process.

        Variables that never change are not replaced by their values here: which events a process may ever do,
        its alphabet, depends on its parameters and not on whether some program happens to write a variable.
        """
        self._keeps_variables = True
        try:
            return self.expression(expr, env)
        finally:
            self._keeps_variables = False

    def value(self, expr: Expression, env: Environment, what: str) -> Ground:
        """The value of an expression that must not depend on variables."""
        node = self.expression(expr, env)
        if isinstance(node, n.Const):
            return node
        raise self.scope.stop(
            "BUR207", f"{what} must be a constant", expr.span, help="variables change while the model runs"
        )

    def number(self, expr: Expression, env: Environment, what: str) -> int:
        """The value of a constant expression that must be a number."""
        value = self.value(expr, env, what)
        if value.domain == BOOL:
            raise self.scope.stop("BUR203", f"{what} must be a number", expr.span)
        return value.value

    def choices(self, ranges: Sequence[syntax.Range], env: Environment) -> list[dict[str, Expr]]:
        """The environments of an indexed form, in order."""
        names = [r.name for r in ranges]
        values = [self._values_of(r, env) for r in ranges]
        total = 1
        for several in values:
            total *= len(several)
        if total > MOST_INSTANCES:
            raise self.scope.stop("BUR205", f"this stands for {total:,} instances", ranges[0].span)
        return [{**env, **dict(zip(names, map(constant, choice), strict=True))} for choice in product(*values)]

    def _values_of(self, chosen: syntax.Range, env: Environment) -> list[int]:
        found: list[int] = []
        for low, high in chosen.items:
            first = self.number(low, env, "the bound of an index")
            last = self.number(high, env, "the bound of an index")
            if last - first > MOST_INSTANCES:
                raise self.scope.stop("BUR205", f"this stands for {last - first + 1:,} instances", chosen.span)
            found += range(first, last + 1)
        return list(dict.fromkeys(found))

    def _name(self, expr: Name, env: Environment) -> Expr:
        if not expr.indices and expr.name in env:
            known = env[expr.name]
            return replace(known, span=expr.span) if isinstance(known, n.Const) else known
        define = self.scope.defines.get(expr.name)
        if define is not None and not expr.indices:
            return self.defined(define.name, expr.span)
        variable = self.scope.variables.get(expr.name)
        if variable is None:
            what = "channel" if expr.name in self.scope.channels else ""
            remedy = did_you_mean(expr.name, [*self.scope.known_names(), *env])
            message = f"'{expr.name}' is a channel, not a value" if what else f"there is no variable '{expr.name}'"
            raise self.scope.stop("BUR201", message, expr.span, help=remedy)
        if len(expr.indices) != len(variable.dimensions):
            wanted, found = len(variable.dimensions), len(expr.indices)
            what = "index" if wanted == 1 else "indices"
            raise self.scope.stop("BUR204", f"'{expr.name}' takes {wanted} {what}, found {found}", expr.span)
        indices = tuple(self.expression(i, env) for i in expr.indices)
        if not variable.is_constant:
            return n.Read(expr.name, indices, expr.span)
        return self._constant_read(expr, indices)

    def _constant_read(self, expr: Name, indices: tuple[Expr, ...]) -> Expr:
        """A variable that never changes is its value, or a table if the index is not known yet."""
        variable = self.scope.variables[expr.name]
        if self._keeps_variables:
            lookup = n.Lookup(expr.name, indices or (n.Const(0),), expr.span)
            return n.Binary("!=", lookup, n.Const(0), expr.span) if variable.is_truth else lookup
        position = 0
        for index, size in zip(indices, variable.dimensions, strict=True):
            if not isinstance(index, n.Const) or not 0 <= index.value < size:
                lookup = n.Lookup(expr.name, indices, expr.span)
                return n.Binary("!=", lookup, n.Const(0), expr.span) if variable.is_truth else lookup
            position = position * size + index.value
        value = variable.initial[position]
        assert value is not None
        return constant(bool(value) if variable.is_truth else value, expr.span)

    def defined(self, name: str, span: Span) -> Expr:
        """What a name stands for that ``#define`` introduces."""
        define = self.scope.defines[name]
        if define.name in self.scope.given:
            return replace(self.scope.given[define.name], span=span)
        if define.parameters is not None or isinstance(define.body, tuple):
            raise self.scope.stop("BUR203", f"'{define.name}' is a macro", span, help=f"write call({define.name}, …)")
        return self._expand(define, {}, span)

    def _expand(self, define: Define, env: Environment, span: Span) -> Expr:
        if define.name in self._open:
            raise self.scope.stop("BUR209", f"'{define.name}' refers to itself", span)
        if len(self._open) > 40:
            raise self.scope.stop("BUR104", "definitions are nested more than 40 levels deep", span)
        assert not isinstance(define.body, tuple)
        self._open.append(define.name)
        try:
            return self.expression(define.body, env)
        finally:
            self._open.pop()

    # ------------------------------------------------------------ operators

    def _operation(self, operator: str, operands: list[Expr], span: Span) -> Expr:
        if operator in ("&&", "||"):
            return connect(operator, operands, span)
        if operator == "xor":
            operator = "!="
        if len(operands) == 1:
            return negation(operands[0], span) if operator == "!" else self._minus(operands[0], span)
        left, right = operands
        if isinstance(left, n.Const) and isinstance(right, n.Const) and left.domain == right.domain:
            try:
                value = apply_operator(operator, left.value, right.value)
            except FaultRaised as fault:
                raise self.scope.stop("BUR207", f"this has no value: {fault.message}", span) from fault
            if operator in (*EQUALITIES, *ORDERINGS):
                return constant(bool(value), span)
            if left.domain is None:
                if abs(value) > 1 << 62:
                    raise self.scope.stop("BUR105", "this number is too large", span)
                return constant(value, span)
        return n.Binary(operator, left, right, span)

    @staticmethod
    def _minus(operand: Expr, span: Span) -> Expr:
        if isinstance(operand, n.Const) and operand.domain is None:
            return n.Const(-operand.value, None, span)
        return n.Unary("-", operand, span)

    # ------------------------------------------------------------ macros and channels

    def _call(self, call: syntax.CallMacro, env: Environment) -> Expr:
        if call.name in CHANNEL_TESTS and call.name not in self.scope.defines:
            return self._channel_test(call, env)
        define, inner = self._macro(call, env)
        if isinstance(define.body, tuple):
            raise self.scope.stop("BUR203", f"macro '{call.name}' is a program, not an expression", call.span)
        return self._expand(define, inner, call.span)

    def _macro(self, call: syntax.CallMacro, env: Environment) -> tuple[Define, dict[str, Expr]]:
        define = self.scope.defines.get(call.name)
        if define is None:
            macros = [name for name, d in self.scope.defines.items() if d.parameters is not None]
            remedy = did_you_mean(call.name, [*macros, *CHANNEL_TESTS])
            raise self.scope.stop("BUR201", f"there is no macro '{call.name}'", call.span, help=remedy)
        parameters = define.parameters or ()
        if len(parameters) != len(call.arguments):
            wanted, found = len(parameters), len(call.arguments)
            raise self.scope.stop("BUR204", f"'{call.name}' takes {wanted} arguments, found {found}", call.span)
        inner: dict[str, Expr] = {}
        for name, argument in zip(parameters, call.arguments, strict=True):
            node = self.expression(argument, env)
            changed = sorted(variables_read(node) & self._written_before(define, name))
            if changed:
                message = f"an argument that reads '{changed[0]}', which macro '{define.name}' writes, is not supported"
                remedy = f"let the macro begin with a copy: 'var value = {name};'"
                raise self.scope.stop("BUR901", message, argument.span, help=remedy)
            inner[name] = node
        return define, inner

    def _written_before(self, define: Define, parameter: str) -> set[str]:
        """Variables that the program of a macro may write before it uses a parameter for the last time.

        Only if an argument reads none of them is it all one whether it is evaluated before the macro or inside.
        """
        body = define.body if isinstance(define.body, tuple) else ()
        # From a local of the same name on, that is meant.
        hidden = [
            k for k, statement in enumerate(body) if isinstance(statement, syntax.Local) and statement.name == parameter
        ]
        body = body[: hidden[0] + 1] if hidden else body
        uses = [k for k, statement in enumerate(body) if mentions((statement,), parameter)]
        if not uses:
            return set()
        # An assignment and a local are evaluated before they write.
        is_simple = isinstance(body[uses[-1]], syntax.Assignment | syntax.Local)
        return self._written_by(body[: uses[-1] if is_simple else uses[-1] + 1])

    def _written_by(self, program: tuple[Statement, ...]) -> set[str]:
        """Variables that a program writes, also through macros."""
        written, seen, pending = set[str](), set[str](), [program]
        while pending:
            body = pending.pop()
            written |= {*assigned_names(body)}
            for name in {*performed_names(body)} - seen:
                seen.add(name)
                define = self.scope.defines.get(name)
                if define is not None and isinstance(define.body, tuple):
                    pending.append(define.body)
        return written

    def channel(self, name: Name, env: Environment) -> tuple[Channel, tuple[Expr, ...]]:
        """A channel and the indices of the one that is meant."""
        channel = self.scope.channels.get(name.name)
        if channel is None:
            remedy = did_you_mean(name.name, self.scope.channels)
            raise self.scope.stop("BUR201", f"there is no channel '{name.name}'", name.span, help=remedy)
        wanted = 0 if channel.size is None else 1
        if len(name.indices) != wanted:
            what = "index" if wanted == 1 else "indices"
            message = f"'{name.name}' takes {wanted} {what}, found {len(name.indices)}"
            raise self.scope.stop("BUR204", message, name.span)
        indices = tuple(self.expression(i, env) for i in name.indices)
        for index in indices:
            if isinstance(index, n.Const) and not 0 <= index.value < (channel.size or 0):
                last = (channel.size or 0) - 1
                raise self.scope.stop("BUR205", f"index {index.value} of '{name.name}' is outside 0..{last}", name.span)
        return channel, indices

    def _channel_test(self, call: syntax.CallMacro, env: Environment) -> Expr:
        if len(call.arguments) != 1 or not isinstance(call.arguments[0], Name):
            raise self.scope.stop("BUR204", f"'{call.name}' takes one channel", call.span)
        channel, indices = self.channel(call.arguments[0], env)
        channel.is_tested |= channel.capacity > 0
        variable = slot_name(channel, 0)
        size = n.Const(channel.capacity, None, call.span)
        length: Expr = n.Length(variable, indices, call.span) if channel.capacity else n.Const(0, None, call.span)
        match call.name:
            case "csize":
                return size
            case "ccount":
                return length
            case "cempty":
                return comparison("==", length, n.Const(0, None, call.span), call.span)
            case "cfull":
                return comparison("==", length, size, call.span)
            case _:
                if not channel.capacity:
                    raise self.scope.stop("BUR203", f"'{channel.name}' holds no messages", call.span)
                return n.Item(variable, indices, n.Const(0), call.span)

    # ------------------------------------------------------------ what is seen of a step

    def agree(self, name: str, arguments: Sequence[Expr], span: Span) -> None:
        """Note of which type the arguments of an event are, or the parts of a message: everywhere of the same.

        Values then tell events apart: what ``e.1`` is taken for is never ``e.true``.
        """
        for k, argument in enumerate(arguments):
            if free_names(argument):
                continue
            kind = is_truth(argument, self.scope)
            if self.scope.kinds.setdefault((name, len(arguments), k), kind) != kind:
                here, elsewhere = ("a truth value", "a number") if kind else ("a number", "a truth value")
                message = f"'{name}' has {here} where it has {elsewhere} in another place"
                remedy = f"rename one of the two, or write numbers in both: '{name}' means other things with each"
                raise self.scope.stop("BUR203", message, argument.span or span, help=remedy)
