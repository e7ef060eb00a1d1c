"""Classes as rules: one rule for each message server of a class, for all its rebecs.

A rule takes the message at the front of the queue of ``self``, keeps sender and parameters in locals, removes the
message and runs the body. Choices are parameters of the rule.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import final

from burnside.frontends.rebeca.names.types import BOOLEAN, VOID, Class, Type
from burnside.frontends.rebeca.names.world import Rebec, World, null_as
from burnside.frontends.rebeca.read.declarations import Routine
from burnside.frontends.rebeca.translate.paths import paths_of, without_unused
from burnside.frontends.rebeca.translate.reach import choice_guards, mentions
from burnside.frontends.rebeca.translate.scope import Choice, Frame, Unusable
from burnside.frontends.rebeca.translate.shape import Ranges, Shape
from burnside.frontends.rebeca.translate.statements import Translator
from burnside.ir import nodes as n
from burnside.ir.build import conjunction
from burnside.ir.nodes import BOOL, TRUE, Expr, Parameter, Rule, Stmt
from burnside.source import Diagnostics


@final
class Compiler:
    """Compiles a world: a draft at first, then with what is known from it: ranges, and who sends what."""

    def __init__(
        self, world: World, diagnostics: Diagnostics, draft: Compiler | None = None, ranges: Ranges | None = None
    ) -> None:
        self._world = world
        self._diagnostics = diagnostics
        self.shape: Shape = Shape(world, ranges, draft.shape.sends if draft else ())

    def rules(self) -> list[Rule]:
        """The rules of all message servers of classes with rebecs; after a draft, of those that may run."""
        found: list[Rule] = []
        for name in self._world.ids:
            kind = self._world.classes[name]
            for message, server in kind.servers.items():
                if self.shape.is_draft or f"{name}.{message}" in self.shape.reached:
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
        frame = Frame(kind, n.Bound("self", domain), n.Bound("sender", self._world.reference))
        with suppress(Unusable):  # reported
            arguments = [translator.zero(translator.type(p.type)) for p in routine.parameters]
            if routine.result is not None:
                frame.result_type = translator.type(routine.result)
                if frame.result_type != VOID:
                    frame.result = translator.local("result", frame.result_type)
            translator.calls.append(f"{kind.name}.{routine.name}")
            translator.run(routine, frame, arguments)

    # ------------------------------------------------------------ message servers

    def _server(self, kind: Class, message: str, server: Routine) -> Iterator[Rule]:
        name = f"{kind.name}.{message}"
        translator = Translator(self.shape, name, self._diagnostics)
        self_ = n.Bound("self", self._world.domain_of_class(kind.name))
        front = _Front(self.shape, kind, message, self_)
        keeps_served = self._world.options.keeps_served
        sender = n.Bound("sender", self._world.reference)
        translator.out.append(n.Declare(sender.name, sender.domain, front.sender))
        with suppress(Unusable):  # reported
            translator.run(server, Frame(kind, self_, sender), front.arguments, () if keeps_served else front.pops)
        body = (*translator.out, *(front.pops if keeps_served else ()))
        whole = Rule(name, (Parameter("self", self_.domain),), front.is_there, front.event, body, server.span)
        yield from self._paths(whole, translator, server)

    def _paths(self, whole: Rule, translator: Translator, routine: Routine) -> Iterator[Rule]:
        """The rule of a routine as rules for the paths through it; a draft serves to find ranges only."""
        if self.shape.is_draft:
            yield whole
            return
        choices = translator.choices
        ways = paths_of(whole.body, choices, translator.never_given)
        for number, way in enumerate(ways, 1):
            made = [choice for choice in choices if mentions(way.body, choice.name)]
            guards = (whole.guard, *way.conditions, *self._choices(way.body, made, routine, way.created))
            yield replace(
                whole,
                name=whole.name if len(ways) == 1 else f"{whole.name} {number}",
                parameters=(*whole.parameters, *(Parameter(c.name, c.domain) for c in made)),
                guard=conjunction(guards),
                body=without_unused(way.body),
            )

    def _choices(
        self, body: Sequence[Stmt], choices: Sequence[Choice], routine: Routine, settled: Collection[Choice]
    ) -> list[Expr]:
        """Conditions on the parameters of choices, but for those that are settled."""
        found: list[Expr] = []
        for choice, guard in zip(choices, choice_guards(body, choices), strict=True):
            if choice in settled:
                continue
            if guard is None and not choice.creates:
                message = "a choice here cannot be followed: transitions without it may be counted several times"
                remedy = "choose before loops, and under conditions on variables that have not been changed yet"
                self._diagnostics.warning("BUR220", message, routine.span, help=remedy)
            elif guard is None and not self._diagnostics.has_errors:
                message = f"whether '{choice.creates}' is created depends on more than can be followed"
                remedy = "create the rebec before the loop, or in a message server of its own"
                self._diagnostics.error("BUR901", message, routine.span, help=remedy)
            elif guard is not None:
                found.append(guard)
        return found

    # ------------------------------------------------------------ constructors

    def constructors(self) -> Iterator[tuple[Rebec, list[Rule]]]:
        """What the constructors of the rebecs of ``main`` do, in the order of the text."""
        for number in self._world.order:
            rebec = self._world.rebecs[number]
            if rebec.kind.constructor is not None:
                yield rebec, list(self._constructor(number, rebec, rebec.kind.constructor))

    def _constructor(self, number: int, rebec: Rebec, constructor: Routine) -> Iterator[Rule]:
        name = f"new {rebec.name}"
        translator = Translator(self.shape, name, self._diagnostics)
        frame = Frame(rebec.kind, n.Const(number), n.Const(self._world.size))
        with suppress(Unusable):  # reported
            translator.run(constructor, frame, self.first_arguments(rebec, constructor))
        whole = Rule(name, (), TRUE, n.Event(name), tuple(translator.out), constructor.span)
        yield from self._paths(whole, translator, constructor)

    def first_arguments(self, rebec: Rebec, routine: Routine) -> list[n.Const]:
        """The arguments that ``main`` gives to a constructor or first message."""
        types = [self.shape.type_of(parameter.type) for parameter in routine.parameters]
        return [self._first(value, kind) for value, kind in zip(rebec.arguments, types, strict=True)]

    def _first(self, value: int, kind: Type) -> n.Const:
        if kind == BOOLEAN:
            return n.Const(value, BOOL)
        return n.Const(null_as(self._world, value) if kind.is_reference else value)


@final
class _Front:
    """The message at the front of the queue of a rebec, if it is a certain one."""

    def __init__(self, shape: Shape, kind: Class, message: str, rebec: n.Bound) -> None:
        at = (rebec,)
        parameters = shape.arguments(kind, message)
        sequences = [f"{kind.name}:queue", f"{kind.name}:sender", *(c.name for c in shape.columns(kind))]
        self.arguments = [column.read(at) for column in parameters]
        self.sender = shape.sender(kind).read(at)
        self.pops = tuple(n.Pop(sequence, at) for sequence in sequences)
        first = {sequence: n.Item(sequence, at, n.Const(0)) for sequence in sequences}
        shown = (first[f"{kind.name}:sender"], *(first[column.name] for column in parameters))
        self.event = n.Event(f"{kind.name}.{message}", (rebec, *shown))
        # The sequences of a queue are equally long. Saying so keeps faults that cannot happen out of the conditions.
        is_waiting = (n.Binary(">", n.Length(sequence, at), n.Const(0)) for sequence in sequences)
        is_next = n.Binary("==", first[f"{kind.name}:queue"], shape.message(kind, message))
        self.is_there = n.Logic("&&", (*is_waiting, is_next))
