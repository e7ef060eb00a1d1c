"""Messages, built-in functions and creation."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from math import isqrt

from burnside.frontends.rebeca.names.types import ANY, INT, VOID, Class, Type, limits
from burnside.frontends.rebeca.read import syntax
from burnside.frontends.rebeca.read.declarations import Routine
from burnside.frontends.rebeca.read.lexicon import TIMED
from burnside.frontends.rebeca.read.syntax import Expression
from burnside.frontends.rebeca.translate.expressions import ExpressionTranslator
from burnside.frontends.rebeca.translate.scope import Choice, Frame, Typed
from burnside.frontends.rebeca.translate.shape import Send
from burnside.ir import nodes as n
from burnside.ir.build import disjunction, within
from burnside.ir.nodes import TRUE, Domain, Expr, Stmt
from burnside.source import Span, did_you_mean

MOST_POWER = 64


class MessageTranslator(ExpressionTranslator):
    """Translates calls of every kind."""

    @abstractmethod
    def call_method(self, call: syntax.Call) -> Typed:
        """A method of the class."""

    @abstractmethod
    def run(self, routine: Routine, frame: Frame, arguments: Sequence[Expr], first: Sequence[Stmt] = ()) -> None:
        """The body of a routine with given arguments; ``first`` runs when the parameters have their values."""

    def call(self, call: syntax.Call) -> Typed:
        """A message if there is a receiver, else a built-in function or a method."""
        if call.receiver is not None:
            self._send(call, call.receiver)
            return Typed(VOID, n.Const(0))
        if call.name in self.frame.kind.methods:
            return self.call_method(call)
        match call.name:
            case "assertion":
                self._assertion(call)
                return Typed(VOID, n.Const(0))
            case "pow" | "sqrt":
                return self._power(call)
            case name if name in TIMED:
                message = f"'{name}' belongs to Timed Rebeca, which is not supported"
                raise self.stop("BUR901", message, call.span, help="leave it out: Core Rebeca has no time")
            case _:
                return self.call_method(call)

    def arguments(self, name: str, given: Sequence[Expression], routine: Routine, span: Span) -> list[Expr]:
        """The arguments of a call, computed from the left."""
        if len(given) != len(routine.parameters):
            message = f"'{name}' takes {len(routine.parameters)} arguments, found {len(given)}"
            raise self.stop("BUR204", message, span)
        found: list[Typed] = []
        for argument, parameter in zip(given, routine.parameters, strict=True):
            mark = len(self.out)
            kind = self.type(parameter.type)
            value = Typed(kind, self.fitting(argument, kind))
            found = [self.settle(earlier, mark) for earlier in found] + [value]
        return [value.expr for value in found]

    # ------------------------------------------------------------ built-in functions

    def _assertion(self, call: syntax.Call) -> None:
        if len(call.arguments) not in (1, 2):
            raise self.stop("BUR204", f"an assertion takes 1 or 2 arguments, found {len(call.arguments)}", call.span)
        text = "the assertion does not hold"
        if len(call.arguments) == 2:
            reason = call.arguments[1]
            if not isinstance(reason, syntax.Text):
                raise self.stop("BUR203", "the reason of an assertion is a text in quotes", reason.span)
            text = f"assertion: {reason.text}"
        self.out.append(n.Assert(self.truth(call.arguments[0]), text, call.span))

    def _power(self, call: syntax.Call) -> Typed:
        numbers = [self.number(argument).expr for argument in call.arguments]
        constants = [number.value for number in numbers if isinstance(number, n.Const)]
        match call.name, constants:
            case "pow", [value, power] if len(numbers) == 2 and 0 <= power <= MOST_POWER and abs(value) <= MOST_POWER:
                result = value**power
            case "sqrt", [value] if len(numbers) == 1 and value >= 0:
                result = isqrt(value)
            case _:
                raise self.stop(
                    "BUR901", f"'{call.name}' of values that are not known before the model runs", call.span
                )
        low, high = limits(INT)
        if not low <= result <= high:
            raise self.stop("BUR105", f"{result} is too large for an 'int'", call.span)
        return Typed(INT, n.Const(result))

    # ------------------------------------------------------------ messages

    def _send(self, call: syntax.Call, receiver: Expression) -> None:
        target = self.value(receiver)
        if not target.type.is_reference or target.type.name == "null":
            raise self.stop("BUR203", f"a value of type '{target.type}' takes no messages", receiver.span)
        server = self._server(call, target.type)
        mark = len(self.out)
        values = self.arguments(call.name, call.arguments, server, call.span)
        target = self.settle(target, mark)
        takers = self.world.concrete(target.type)
        names = [name for name in takers if self._takes(self.world.classes[name], call.name, server)]
        if not isinstance(receiver, syntax.Self):
            self._check_receiver(target, names, call)
        for name in names:
            pushes = self._pushes(self.world.classes[name], call.name, target.expr, values, call.span)
            if len(names) == 1:
                self.out += pushes
            else:
                self.out.append(n.If(self.is_of_class(target.expr, name), tuple(pushes), (), call.span))

    def _server(self, call: syntax.Call, kind: Type) -> Routine:
        """The message server as the type of the receiver declares it."""
        if kind == ANY:
            return self._server_of_any(call)
        servers = self.world.classes[kind.name].servers
        if call.name not in servers:
            remedy = did_you_mean(call.name, servers)
            message = f"class '{kind}' has no message server '{call.name}'"
            raise self.stop("BUR201", message, call.span, help=remedy)
        return servers[call.name]

    def _server_of_any(self, call: syntax.Call) -> Routine:
        """The message server that the classes of possible senders have in common."""
        classes = [c for c in self.world.classes.values() if call.name in c.servers]
        classes = [c for c in classes if len(c.servers[call.name].parameters) == len(call.arguments)]
        if not classes:
            raise self.stop("BUR201", f"no class has a message server '{call.name}' with such arguments", call.span)
        found = classes[0].servers[call.name]
        for other in classes[1:]:
            if not self._takes(other, call.name, found):
                message = f"'{call.name}' has other parameters in class '{other.name}' than in '{classes[0].name}'"
                remedy = f"cast the sender: '(({other.name})sender).{call.name}(…)'"
                raise self.stop("BUR203", message, call.span, help=remedy)
        return found

    def _takes(self, kind: Class, name: str, server: Routine) -> bool:
        own = kind.servers.get(name)
        return own is not None and [p.type for p in own.parameters] == [p.type for p in server.parameters]

    def _check_receiver(self, target: Typed, names: Sequence[str], call: syntax.Call) -> None:
        """Sending to no rebec, or to one that has no such message server, is a fault."""
        if self._may_be_nobody(target.expr):
            text = f"'{call.name}' is sent to no rebec"
            self.out.append(n.Assert(n.Binary("!=", target.expr, n.Const(self.world.size)), text, call.span))
        if target.type == ANY:
            takers = {i for name in names for i in self.world.ids[name]}
            if takers != set(range(self.world.size)):
                cases = [self.is_of_class(target.expr, name) for name in names]
                text = f"the sender has no message server '{call.name}'"
                self.out.append(n.Assert(disjunction(cases), text, call.span))

    def _may_be_nobody(self, target: Expr) -> bool:
        if isinstance(target, n.Lookup):
            table = self.shape.tables[target.table]
            return isinstance(table, tuple) and self.world.size in table
        return not isinstance(target, n.Const) or target.value == self.world.size

    def _pushes(self, kind: Class, name: str, target: Expr, values: Sequence[Expr], span: Span) -> list[Stmt]:
        """One item for each sequence of the receiver's queue."""
        if self.shape.is_draft:
            self.shape.sends.add(Send(self.routine, self.frame.kind.name, kind.name, name))
        found: list[Stmt] = [
            *self._range_checks(kind.servers[name], values, span),
            n.Push(f"{kind.name}:queue", (target,), self.shape.message(kind, name), span),
            n.Push(f"{kind.name}:sender", (target,), self.shape.sender(kind).write(self.frame.self), span),
        ]
        for column in self.shape.columns(kind):
            position = column.users.get(name)
            item = column.filler if position is None else column.write(values[position])
            found.append(n.Push(column.name, (target,), item, span))
        return found

    def _range_checks(self, server: Routine, values: Sequence[Expr], span: Span) -> Iterator[Stmt]:
        """Numbers that a parameter may not hold are a fault; a column may be wider than the parameter."""
        if self.shape.is_draft:
            return
        for parameter, value in zip(server.parameters, values, strict=True):
            kind = self.type(parameter.type)
            if not kind.is_number:
                continue
            low, high = limits(kind)
            least, most = self.shape.bounds.of(value)
            if least < low or most > high:
                yield n.Assert(within(value, low, high), f"the argument '{parameter.name}' is no '{kind}'", span)

    # ------------------------------------------------------------ creation

    def create(self, new: syntax.New) -> Typed:
        """``new``: take a free place among those of the class, any of them."""
        kind = self.type(new.type)
        found = self.world.classes.get(kind.name)
        if found is None or found.is_abstract or kind.sizes:
            raise self.stop("BUR203", f"no rebec of type '{kind}' can be created", new.span)
        known = self._known_rebecs(new, found)
        mark = len(self.out)
        first = found.constructor or found.servers.get("initial")
        wanted = first or Routine("", (), None, None, new.span)
        values = self.arguments(kind.name, new.arguments, wanted, new.span)
        known = [self.settle(value, mark) for value in known]
        created = self._take_place(found, new.span)
        for field, value in zip(found.known, known, strict=True):
            self.out.append(n.Assign(n.Read(f"{found.name}.{field.name}", (created,)), value.expr, new.span))
        if found.constructor is not None:
            self._construct(found, found.constructor, created, values, new.span)
        elif first is not None:
            self.out += self._pushes(found, first.name, created, values, new.span)
        return Typed(kind, created)

    def _take_place(self, kind: Class, span: Span) -> n.Bound:
        """Any free place for a rebec of a class; that there is none is a limit."""
        pool = self.world.pools.get(kind.name)
        if pool is None:
            raise self.stop(
                "BUR205", f"no rebec of class '{kind.name}' may be created", span, help="allow at least one"
            )
        names = self.world.names[pool[0] : pool[-1] + 1]
        domain = Domain(f"{kind.name}:new", pool[0], pool[-1] + 1, ("none",), self.world.reference.name, names)
        choice = Choice(self.fresh("new"), domain, (), kind.name)
        self.choices.append(choice)
        text = f"more than {len(pool)} rebecs of class '{kind.name}' are created"
        self.out.append(n.Assert(n.Binary("!=", choice.parameter, n.Const(pool[-1] + 1)), text, span, is_limit=True))
        created = self.declare("created", Type(kind.name), choice.parameter, span)
        self.out.append(n.Assign(n.Read(f"{kind.name}:exists", (created,)), TRUE, span))
        return created

    def _construct(
        self, kind: Class, constructor: Routine, created: n.Bound, values: Sequence[Expr], span: Span
    ) -> None:
        """A constructor runs at once; who creates is its sender."""
        if f"new {kind.name}" in self.calls:
            raise self.stop("BUR214", f"constructors of '{kind.name}' create rebecs without end", span)
        self.calls.append(f"new {kind.name}")
        self.run(constructor, Frame(kind, created, self.frame.self), values)
        self.calls.pop()

    def _known_rebecs(self, new: syntax.New, kind: Class) -> list[Typed]:
        if len(new.known) != len(kind.known):
            message = f"class '{kind.name}' has {len(kind.known)} known rebecs, found {len(new.known)}"
            raise self.stop("BUR204", message, new.span)
        found: list[Typed] = []
        for given, field in zip(new.known, kind.known, strict=True):
            mark = len(self.out)
            wanted = self.shape.type_of(field.type)
            value = Typed(wanted, self.fitting(given, wanted))
            found = [self.settle(earlier, mark) for earlier in found] + [value]
        return found
