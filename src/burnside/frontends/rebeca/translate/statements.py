"""Statements of message servers as statements of the model.

The model has neither ``return`` nor ``break``: a flag says that the rest is to be left out. Methods are written out
where they are called, and so are loops in which something is chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Final, assert_never, final

from burnside.frontends.rebeca.names.types import BOOLEAN, VOID, Type, limits
from burnside.frontends.rebeca.names.walk import assigns, has_choice, leaves, mentions, returns
from burnside.frontends.rebeca.read import syntax
from burnside.frontends.rebeca.read.declarations import Routine
from burnside.frontends.rebeca.read.syntax import Expression, Statement
from burnside.frontends.rebeca.translate.messages import MessageTranslator
from burnside.frontends.rebeca.translate.scope import Frame, Local, Together, Typed, Unusable
from burnside.ir import nodes as n
from burnside.ir.build import conjunction
from burnside.ir.nodes import FALSE, TRUE, Expr, Stmt
from burnside.source import did_you_mean

MOST_ROUNDS: Final = 10_000
MOST_WRITTEN_OUT: Final = 64
FEW_ROUNDS: Final = 8
MOST_CALLS: Final = 20
MOST_STATEMENTS: Final = 4_000  # of one program, as often as they are written out
MOST_STATEMENTS_TOGETHER: Final = 40_000


@final
class Translator(MessageTranslator):
    """Translates routines; see `expressions` and `messages` for the parts of it."""

    # ------------------------------------------------------------ blocks

    def sequence(self, statements: Sequence[Statement]) -> None:
        """Statements one after the other; behind one that may leave, the rest depends on flags."""
        for position, statement in enumerate(statements):
            try:
                self._statement(statement)
            except Unusable:
                if self.written > MOST_STATEMENTS or self.shape.written > MOST_STATEMENTS_TOGETHER:
                    raise  # methods and loops that are written out may have no end in sight
                continue  # reported; the rest may have more to report
            flags = self._flags(statement)
            rest = statements[position + 1 :]
            if flags and rest:
                with self.block() as inner:
                    self.sequence(rest)
                self.out.append(n.If(_none_of(flags), tuple(inner)))
                return

    def _flags(self, statement: Statement) -> list[n.Bound]:
        """The flags that a statement may set."""
        frame = self.frame
        found = [frame.returned] if frame.returned and returns(statement) else []
        found += [frame.broken] if frame.broken and leaves(statement, "break") else []
        found += [frame.skipped] if frame.skipped and leaves(statement, "continue") else []
        return found

    def _statement(self, statement: Statement) -> None:
        self.written += 1
        self.shape.written += 1
        if self.written > MOST_STATEMENTS:
            raise self.stop("BUR502", f"the program has more than {MOST_STATEMENTS:,} statements", statement.span)
        if self.shape.written > MOST_STATEMENTS_TOGETHER:
            message = f"all programs together have more than {MOST_STATEMENTS_TOGETHER:,} statements"
            raise self.stop("BUR502", message, statement.span)
        match statement:
            case syntax.Declaration(fields=fields):
                for field in fields:
                    self._declaration(field)
            case syntax.Evaluate(expression=expression):
                self._effect(expression)
            case syntax.Block(body=body):
                with self.block() as inner:
                    self.sequence(body)
                if any(isinstance(s, n.Declare) for s in inner):
                    self.out.append(n.If(TRUE, tuple(inner)))
                else:
                    self.out += inner
            case syntax.If():
                condition = self.truth(statement.condition)
                with self.block() as then:
                    self.sequence([statement.then])
                with self.block() as otherwise:
                    self.sequence([statement.otherwise] if statement.otherwise else [])
                self.out.append(n.If(condition, tuple(then), tuple(otherwise), statement.span))
            case syntax.Loop():
                self._loop(statement)
            case syntax.Switch():
                self._switch(statement)
            case syntax.Return():
                self._return(statement)
            case syntax.Leave(word=word):
                flag = self.frame.broken if word == "break" else self.frame.skipped
                if flag is None:
                    raise self.stop("BUR203", f"'{word}' outside a loop", statement.span)
                self.out.append(n.Assign(flag, TRUE))
            case _:
                assert_never(statement)

    def _declaration(self, field: syntax.Field) -> None:
        kind = self.type(field.type)
        if kind == VOID:
            raise self.stop("BUR203", f"'{field.name}' cannot have the type 'void'", field.span)
        if kind.sizes:
            self._array(field, kind)
            return
        if isinstance(field.initial, syntax.ArrayValue):
            raise self.stop("BUR206", f"'{field.name}' is no array", field.span)
        value = self.zero(kind) if field.initial is None else self.fitting(field.initial, kind)
        self.bind(field.name, Local(kind, (self.declare(field.name, kind, value, field.span),), field.span))

    def _array(self, field: syntax.Field, kind: Type) -> None:
        elements = prod(kind.sizes)
        if elements > MOST_WRITTEN_OUT:
            message = f"a local array of {elements} elements"
            remedy = f"declare it under 'statevars', or use at most {MOST_WRITTEN_OUT} elements"
            raise self.stop("BUR901", message, field.span, help=remedy)
        places = tuple(self._elements(field, field.initial, kind))
        self.bind(field.name, Local(kind, places, field.span))

    def _elements(self, field: syntax.Field, initial: syntax.Initial | None, kind: Type) -> Iterator[n.Bound]:
        """The elements of a local array, each with its first value before the next one is computed."""
        if not kind.sizes:
            if isinstance(initial, syntax.ArrayValue):
                raise self.stop("BUR206", "more braces than the array has dimensions", field.span)
            value = self.zero(kind) if initial is None else self.fitting(initial, kind)
            yield self.declare(field.name, kind, value, field.span)
            return
        items: Sequence[syntax.Initial | None] = [None] * kind.sizes[0]
        if initial is not None:
            if not isinstance(initial, syntax.ArrayValue) or len(initial.items) != kind.sizes[0]:
                raise self.stop("BUR206", f"expected {kind.sizes[0]} values in braces", field.span)
            items = initial.items
        for item in items:
            yield from self._elements(field, item, kind.element)

    def _effect(self, expression: Expression) -> None:
        if not isinstance(expression, syntax.Call | syntax.Assignment | syntax.New):
            raise self.stop("BUR203", "this statement has no effect", expression.span)
        self.value(expression)

    # ------------------------------------------------------------ routines

    def run(self, routine: Routine, frame: Frame, arguments: Sequence[Expr], first: Sequence[Stmt] = ()) -> None:
        """The body of a routine with given arguments; ``first`` runs when the parameters have their values."""
        self.frames.append(frame)
        for parameter, argument in zip(routine.parameters, arguments, strict=True):
            kind = self.type(parameter.type)
            place = self.declare(parameter.name, kind, argument, parameter.span)
            self.bind(parameter.name, Local(kind, (place,), parameter.span))
        self.out += first
        if routine.body is not None:
            if returns(routine.body):
                frame.returned = self.flag("returned")
            self.sequence(routine.body.body)
        self.frames.pop()

    def call_method(self, call: syntax.Call) -> Typed:
        """A method of the class, written out."""
        kind = self.frame.kind
        method = kind.methods.get(call.name)
        if method is None or method.body is None:
            raise self._unknown_method(call)
        qualified = f"{kind.name}.{call.name}"
        if qualified in self.calls:
            raise self.stop("BUR209", f"method '{call.name}' calls itself", call.span, help="use a loop")
        if len(self.calls) == MOST_CALLS:
            raise self.stop("BUR104", f"methods call one another more than {MOST_CALLS} levels deep", call.span)
        arguments = self.arguments(call.name, call.arguments, method, call.span)
        result = VOID if method.result is None else self.type(method.result)
        frame = Frame(kind, self.frame.self, self.frame.sender, result_type=result)
        if result != VOID:
            frame.result = self.declare(f"{call.name}.result", result, self.zero(result), call.span)
        self.calls.append(qualified)
        self.run(method, frame, arguments)
        self.calls.pop()
        return Typed(result, frame.result or n.Const(0))

    def _unknown_method(self, call: syntax.Call) -> Unusable:
        kind = self.frame.kind
        if call.name in kind.servers:
            remedy = f"send it as a message: 'self.{call.name}(…)'"
            return self.stop("BUR201", f"'{call.name}' is a message server, not a method", call.span, help=remedy)
        known = [*kind.methods, "assertion", "pow"]
        message = f"class '{kind.name}' has no method '{call.name}'"
        return self.stop("BUR201", message, call.span, help=did_you_mean(call.name, known))

    def _return(self, statement: syntax.Return) -> None:
        frame = self.frame
        if (statement.value is None) != (frame.result is None):
            wanted = "no value" if frame.result is None else f"a value of type '{frame.result_type}'"
            raise self.stop("BUR203", f"expected {wanted} here", statement.span)
        if statement.value is not None and frame.result is not None and frame.result_type is not None:
            self.out.append(n.Assign(frame.result, self.fitting(statement.value, frame.result_type), statement.span))
        if frame.returned is not None:
            self.out.append(n.Assign(frame.returned, TRUE))

    # ------------------------------------------------------------ loops

    def _loop(self, loop: syntax.Loop) -> None:
        with self.block() as inner:
            outer = self.frame.broken, self.frame.skipped
            counted = self._counting(loop)
            if counted is not None and len(counted[1]) <= FEW_ROUNDS and self.rounds <= FEW_ROUNDS:
                self._write_out(loop, *counted)
            elif not has_choice((loop.condition, loop.body, loop.after)):
                self._rounds(loop)
            elif counted is not None:
                self._write_out(loop, *counted)
            else:
                remedy = f"write 'for (int i = 0; i < N; i++)' with at most {MOST_WRITTEN_OUT} rounds"
                raise self.stop(
                    "BUR901", "something is chosen in a loop whose rounds are not known", loop.span, help=remedy
                )
            self.frame.broken, self.frame.skipped = outer
        self.out.append(n.If(TRUE, tuple(inner)))

    def _rounds(self, loop: syntax.Loop) -> None:
        for statement in loop.first:
            self._statement(statement)
        frame = self.frame
        frame.broken = self.flag("broken") if leaves(loop.body, "break") else None
        flags = [f for f in (frame.broken, frame.returned if returns(loop.body) else None) if f]
        outer, self.together = self.together, self.together or Together(self.fresh("rounds"))
        with self.block() as effects:
            condition = TRUE if loop.condition is None else self.truth(loop.condition)
        runs: Expr
        if effects or loop.runs_first:
            # The condition has effects: it is computed at the start of a round.
            going = self.declare("going", BOOLEAN, TRUE, loop.span)
            first = self.declare("first", BOOLEAN, TRUE, loop.span) if loop.runs_first else None
            with self.block() as body:
                if first is not None:
                    test = n.If(first, (n.Assign(first, FALSE),), (*effects, n.Assign(going, condition)))
                    self.out.append(test)
                else:
                    self.out += [*effects, n.Assign(going, condition)]
                with self.block() as round_of:
                    self._round(loop)
                self.out.append(n.If(going, tuple(round_of)))
            runs = going
        else:
            with self.block() as body:
                self._round(loop)
            runs = condition
        if flags:
            runs = conjunction((_none_of(flags), runs))
        if outer is not None:
            body = [*self.together.counted(), *body]
        elif self.together.is_used:
            self.out.append(self.together.declared)
        self.together = outer
        self.out.append(n.While(runs, MOST_ROUNDS, tuple(body), loop.span))

    def _round(self, loop: syntax.Loop) -> None:
        """Body and what follows it; ``continue`` leaves out the rest of the body only."""
        frame = self.frame
        frame.skipped = self.flag("skipped") if leaves(loop.body, "continue") else None
        with self.block() as body:
            self.sequence([loop.body])
        self.out += body if not any(isinstance(s, n.Declare) for s in body) else [n.If(TRUE, tuple(body))]
        leaving = [f for f in (frame.broken, frame.returned if returns(loop.body) else None) if f]
        with self.block() as after:
            for statement in loop.after:
                self._statement(statement)
        if after:
            self.out += [n.If(_none_of(leaving), tuple(after))] if leaving else after

    def _write_out(self, loop: syntax.Loop, counter: syntax.Field, values: Sequence[int]) -> None:
        """A loop round by round: short ones, and those with choices, since every round needs choices of its own."""
        frame = self.frame
        outer, self.rounds = self.rounds, self.rounds * max(1, len(values))
        frame.broken = self.flag("broken") if leaves(loop.body, "break") else None
        flags = [f for f in (frame.broken, frame.returned if returns(loop.body) else None) if f]
        for value in values:
            with self.block() as body:
                self.bind(counter.name, Local(self.type(counter.type), (), counter.span, n.Const(value)))
                frame.skipped = self.flag("skipped") if leaves(loop.body, "continue") else None
                self.sequence([loop.body])
            self.out.append(n.If(_none_of(flags) if flags else TRUE, tuple(body)))
        self.rounds = outer

    def _counting(self, loop: syntax.Loop) -> tuple[syntax.Field, list[int]] | None:
        """The counter of a loop with a fixed number of rounds, and its values."""
        match loop:
            case syntax.Loop(
                first=(syntax.Declaration(fields=(counter,)),),
                condition=syntax.Binary(operator=operator, left=syntax.Name(name=tested), right=bound),
                after=(syntax.Evaluate(expression=syntax.Assignment(target=syntax.Name(name=stepped)) as step),),
                runs_first=False,
            ) if counter.name == tested == stepped and not assigns(loop.body, tested):
                if mentions((bound, step.value), tested):
                    return None  # 'i += i' is no fixed step, and no other variable of that name is meant
                first = None if isinstance(counter.initial, syntax.ArrayValue) else counter.initial
                numbers = [self._known_number(e) for e in (first, bound, step.value)]
                if None not in numbers and step.operator in ("+", "-"):
                    start, last, size = (number or 0 for number in numbers)
                    by = -size if step.operator == "-" else size
                    values = _values(operator, start, last, by, self.type(counter.type))
                    return None if values is None else (counter, values)
            case _:
                pass
        return None

    def _known_number(self, expr: Expression | None) -> int | None:
        if expr is None:
            return 0
        with self.block() as effects:
            found = self.number(expr).expr
        return found.value if isinstance(found, n.Const) and not effects else None

    # ------------------------------------------------------------ switch

    def _switch(self, switch: syntax.Switch) -> None:
        with self.block() as inner:
            subject = self.number(switch.subject)
            chosen = self.declare("subject", subject.type, subject.expr, switch.span)
            labels = [case.label for case in switch.cases if case.label is not None]
            numbers = [self._label(label) for label in labels]
            if len(set(numbers)) < len(numbers):
                raise self.stop("BUR202", "two cases have the same label", switch.span)
            entered = self.flag("entered")
            outer = self.frame.broken
            self.frame.broken = self.flag("broken")
            for case in switch.cases:
                self._case(case, chosen, entered, numbers)
            self.frame.broken = outer
        self.out.append(n.If(TRUE, tuple(inner)))

    def _label(self, label: Expression) -> int:
        number = self._known_number(label)
        if number is None:
            raise self.stop("BUR207", "the label of a case must be constant", label.span)
        return number

    def _case(self, case: syntax.Case, chosen: n.Bound, entered: n.Bound, numbers: Sequence[int]) -> None:
        frame = self.frame
        if case.label is not None:
            fits: Expr = n.Binary("==", chosen, n.Const(self._label(case.label)))
        else:
            fits = conjunction(n.Binary("!=", chosen, n.Const(number)) for number in numbers)
        with self.block() as body:
            self.out.append(n.Assign(entered, TRUE))
            self.sequence(case.body)
        flags = [f for f in (frame.broken, frame.returned, frame.skipped) if f]
        condition = conjunction((_none_of(flags), n.Logic("||", (entered, fits))))
        self.out.append(n.If(condition, tuple(body), (), case.span))


def _none_of(flags: Sequence[n.Bound]) -> Expr:
    return conjunction(n.Unary("!", flag) for flag in flags)


def _values(operator: str, start: int, last: int, step: int, kind: Type) -> list[int] | None:
    """The values of a counter, or None if there are too many, they do not end, or the type does not hold them."""
    goes_on = {
        "<": lambda number: number < last,
        "<=": lambda number: number <= last,
        ">": lambda number: number > last,
        ">=": lambda number: number >= last,
        "!=": lambda number: number != last,
    }
    if operator not in goes_on or not kind.is_number:
        return None
    low, high = limits(kind)
    found: list[int] = []
    number = start
    while low <= number <= high and len(found) <= MOST_WRITTEN_OUT:
        if not goes_on[operator](number):
            return found
        found.append(number)
        number += step
    return None
