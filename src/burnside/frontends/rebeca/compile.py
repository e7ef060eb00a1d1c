"""Classes as rules: one rule for each message server of a class, for all its rebecs.

A rule takes the message at the front of the queue of ``self``, keeps sender and parameters in locals, removes the
message and runs the body. Choices are parameters of the rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import final

from burnside.frontends.rebeca.paths import WayThrough, ways_through, without_unused
from burnside.frontends.rebeca.reach import choice_guards, mentions
from burnside.frontends.rebeca.scope import Choice, Frame, Unusable
from burnside.frontends.rebeca.shape import Ranges, Shape
from burnside.frontends.rebeca.statements import Translator
from burnside.frontends.rebeca.syntax import Routine
from burnside.frontends.rebeca.types import BOOLEAN, Class, Type
from burnside.frontends.rebeca.world import Rebec, World, null_as
from burnside.ir.nodes import (
    BOOL,
    TRUE,
    Binary,
    Bound,
    Const,
    Declare,
    Event,
    Expr,
    Item,
    Length,
    Logic,
    Parameter,
    Pop,
    Rule,
    Stmt,
)
from burnside.source import Diagnostics


@final
class Compiler:
    """Compiles a world: a draft at first, then with the ranges and the senders that are known from it."""

    def __init__(
        self, world: World, diagnostics: Diagnostics, draft: Compiler | None = None, ranges: Ranges | None = None
    ) -> None:
        self._world = world
        self._diagnostics = diagnostics
        self.shape: Shape = Shape(world, ranges, draft.shape.senders if draft else None)

    def rules(self) -> list[Rule]:
        """The rules of all message servers of classes with rebecs."""
        found: list[Rule] = []
        for name in self._world.ids:
            kind = self._world.classes[name]
            for message, server in kind.servers.items():
                found += self._server(kind, message, server)
        return found

    def check_others(self) -> None:
        """Report what is wrong with classes that have no rebecs."""
        for name, kind in self._world.classes.items():
            if name not in self._world.ids and not kind.is_abstract:
                for routine in (*kind.servers.values(), *([kind.constructor] if kind.constructor else [])):
                    self._check(kind, routine)
        for name in self._world.ids:
            kind = self._world.classes[name]
            for method in kind.methods.values():
                self._check(kind, method)

    def _check(self, kind: Class, routine: Routine) -> None:
        translator = Translator(self.shape, f"{kind.name}.{routine.name}", self._diagnostics)
        domain = self._world.domain_of_class(kind.name) if kind.name in self._world.ids else self._world.reference
        frame = Frame(kind, Bound("self", domain), Bound("sender", self._world.reference))
        try:
            translator.frames.append(frame)
            arguments = [translator.zero(translator.type(p.type)) for p in routine.parameters]
            if routine.result is not None:
                frame.result_type = translator.type(routine.result)
                if frame.result_type.name != "void":
                    frame.result = translator.local("result", frame.result_type)
            translator.calls.append(routine.name)
            translator.run(routine, frame, arguments)
        except Unusable:
            pass  # reported

    # ------------------------------------------------------------ message servers

    def _server(self, kind: Class, message: str, server: Routine) -> Iterator[Rule]:
        name = f"{kind.name}.{message}"
        translator = Translator(self.shape, name, self._diagnostics)
        self_ = Bound("self", self._world.domain_of_class(kind.name))
        front = (self_,)
        columns = [c for c in self.shape.columns(kind) if message in c.users]
        by_position = {c.users[message]: c for c in columns}
        arguments = [by_position[k].read(front) for k in range(len(server.parameters))]
        sender_item = Item(f"{kind.name}:sender", front, Const(0))
        sequences = [f"{kind.name}:queue", f"{kind.name}:sender", *(c.name for c in self.shape.columns(kind))]
        pops: list[Stmt] = [Pop(sequence, front) for sequence in sequences]
        try:
            sender = Bound("sender", self._world.reference)
            translator.out.append(Declare(sender.name, sender.domain, self.shape.sender(kind).read(front)))
            frame = Frame(kind, self_, sender)
            translator.run(server, frame, arguments, () if self._world.options.keeps_served else pops)
        except Unusable:
            pass  # reported
        if self._world.options.keeps_served:
            translator.out += pops
        is_next = Binary("==", Item(f"{kind.name}:queue", front, Const(0)), self.shape.message(kind, message))
        # The sequences of a queue are equally long. Saying so keeps faults that cannot happen out of the conditions.
        is_waiting = [Binary(">", Length(sequence, front), Const(0)) for sequence in sequences]
        shown = [Item(by_position[k].name, front, Const(0)) for k in range(len(server.parameters))]
        whole = Rule(
            name,
            (Parameter("self", self_.domain),),
            Logic("&&", (*is_waiting, is_next)),
            Event(name, (self_, sender_item, *shown)),
            tuple(translator.out),
            server.span,
        )
        yield from self._paths(whole, translator.choices, server)

    def _paths(self, whole: Rule, choices: Sequence[Choice], server: Routine) -> Iterator[Rule]:
        """The rule of a message server as rules for the paths through it."""
        ways = [WayThrough((), whole.body)] if self.shape.is_draft else ways_through(whole.body, choices)
        for number, way in enumerate(ways, 1):
            made = [choice for choice in choices if mentions(way.body, choice.name)]
            guards = (whole.guard, *way.conditions, *self._choices(way.body, made, server))
            yield replace(
                whole,
                name=whole.name if len(ways) == 1 else f"{whole.name} {number}",
                parameters=(*whole.parameters, *(Parameter(c.name, c.domain) for c in made)),
                guard=Logic("&&", tuple(_operands(guards))),
                body=without_unused(way.body),
            )

    def _choices(self, body: Sequence[Stmt], choices: Sequence[Choice], routine: Routine) -> list[Expr]:
        found: list[Expr] = []
        for choice, guard in zip(choices, choice_guards(body, choices), strict=True):
            if guard is None and not choice.creates:
                message = "a choice here cannot be followed: transitions without it may be counted several times"
                remedy = "choose before loops, and under conditions on variables that have not been changed yet"
                self._diagnostics.warning("BUR220", message, routine.span, help=remedy)
            elif guard is None and not self._diagnostics.has_errors:
                message = f"whether '{choice.creates}' is created depends on more than can be followed"
                remedy = "create the rebec before the loop, or in a message server of its own"
                self._diagnostics.error("BUR901", message, routine.span, help=remedy)
            elif guard is not None and guard != TRUE:
                found.append(guard)
        return found

    # ------------------------------------------------------------ constructors

    def constructors(self) -> Iterator[tuple[Rebec, Rule]]:
        """What the constructors of the rebecs of ``main`` do, in the order of the text."""
        for number in self._world.order:
            rebec = self._world.rebecs[number]
            if rebec.kind.constructor is not None:
                yield rebec, self._constructor(number, rebec, rebec.kind.constructor)

    def _constructor(self, number: int, rebec: Rebec, constructor: Routine) -> Rule:
        name = f"new {rebec.name}"
        translator = Translator(self.shape, name, self._diagnostics)
        try:
            frame = Frame(rebec.kind, Const(number), Const(self._world.size))
            translator.run(constructor, frame, self.first_arguments(rebec, constructor))
        except Unusable:
            pass  # reported
        guard = self._choices(translator.out, translator.choices, constructor)
        parameters = tuple(Parameter(c.name, c.domain) for c in translator.choices)
        condition = Logic("&&", (TRUE, *guard)) if guard else TRUE
        return Rule(name, parameters, condition, Event(name), tuple(translator.out), constructor.span)

    def first_arguments(self, rebec: Rebec, routine: Routine) -> list[Const]:
        """The arguments that ``main`` gives to a constructor or first message."""
        types = [self.shape.type_of(parameter.type) for parameter in routine.parameters]
        return [self._first(value, kind) for value, kind in zip(rebec.arguments, types, strict=True)]

    def _first(self, value: int, kind: Type) -> Const:
        if kind == BOOLEAN:
            return Const(value, BOOL)
        return Const(null_as(self._world, value) if kind.is_reference else value)


def _operands(conditions: Iterable[Expr]) -> Iterator[Expr]:
    for condition in conditions:
        if isinstance(condition, Logic) and condition.operator == "&&":
            yield from _operands(condition.operands)
        else:
            yield condition
