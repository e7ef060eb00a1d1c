"""Random models with facts about several processes at once: relations, pointers, ids in queues.

Few facts hold at a time, so that there can be more processes than in other models.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeAlias

from .generator import ModelWriter
from .language import BOOL, Domain, Parameters, Rule, Tree, Variable, numbers
from .naming import Namer

_Fact: TypeAlias = tuple[Tree, Tree, Tree]  # whether it holds; what makes it so, and what ends it


class RelationWriter(ModelWriter):
    """The first variable holds the facts; the first rules make some true, and perhaps end them."""

    def __init__(self, random: Random, namer: Namer) -> None:
        super().__init__(random, namer)
        self.symmetric, self.nearly, self.ring = True, False, False
        self.most = random.choice((1, 2, 2, 3))
        self.places: Variable | None = None  # a value for each process that changes with the facts about it

    def _declare_domains(self) -> None:
        self.process = self._process("P", self.random.choice((3, 3, 4, 4, 5)))
        self.other = self._process("Q", self.random.choice((2, 2, 3))) if self.often(0.4) else self.process

    def _variable(self, number: int) -> Variable:
        if number == 1 and self.often(0.7):
            self.places = self._empty((self.process,), self.random.choice((BOOL, numbers(0, 2))), 0)
            return self.places
        if number:
            return super()._variable(number)
        makers: list[Callable[[], Variable]] = [self._relation, self._relation, self._queue]
        if self.other.kind == "range":
            makers.append(self._pointers)
        return self.random.choice(makers)()

    def _relation(self) -> Variable:
        dimensions = (self.process, self.other)
        return self._empty(dimensions, BOOL, 0)

    def _pointers(self) -> Variable:
        targets = self._extended(self.other)
        return self._empty((self.process,), targets, targets.high)

    def _queue(self) -> Variable:
        name = self.namer.global_name("v0")
        return Variable(name, (), self.process, self.random.choice((2, 3)), ((),))

    def _empty(self, dimensions: tuple[Domain, ...], domain: Domain, value: int) -> Variable:
        elements = len(self.process) * (len(self.other) if len(dimensions) > 1 else 1)
        return Variable(
            self.namer.global_name(f"v{len(self.variables)}"), dimensions, domain, None, (value,) * elements
        )

    # ------------------------------------------------------------ rules

    def _rule(self, number: int) -> Rule:
        if number == 0 or (number == 1 and self.often(0.6)):
            return self._beginning() if number == 0 else self._ending()
        return super()._rule(number)

    def _beginning(self) -> Rule:
        parameters = (("i", self.process), ("j", self.other))
        holds, begin, _ = self._fact("i", "j")
        guard = self._and(("not", holds), self._has_room())
        if self.other is self.process and self.often(0.8):
            guard = self._and(("op", "!=", ("name", "i"), ("name", "j")), guard)
        for _ in range(self.random.choice((0, 1, 1, 2))):
            guard = self._and(guard, self._tie("i", "j"))
        if self.often(0.3):
            guard = self._and(guard, self.condition(dict(parameters), 1))
        more = (*self.statement(dict(parameters), 0),) if self.often(0.3) else self._placed(parameters)
        name = self.namer.rule("r0", [])
        return Rule(name, parameters, guard, (begin, *more), self._event(name, dict(parameters)))

    def _placed(self, parameters: Parameters) -> tuple[Tree, ...]:
        """One of the processes of a fact gets another value."""
        if self.places is None:
            return ()
        name = self.random.choice([n for n, d in parameters if d is self.process])
        value = self.value(self.places.domain, dict(parameters))
        return (("set", self.places.name, (("name", name),), value),)

    def _ending(self) -> Rule:
        parameters = (("i", self.process), ("j", self.other))
        holds, _, end = self._fact("i", "j")
        guard = self._and(holds, self.condition(dict(parameters), 1)) if self.often(0.5) else holds
        name = self.namer.rule("r1", [])
        return Rule(name, parameters, guard, (end, *self._placed(parameters)), self._event(name, dict(parameters)))

    def _fact(self, i: str, j: str) -> _Fact:
        """A fact about two processes; in a queue, about the one."""
        facts = self.variables[0]
        one, other = ("name", i), ("name", j)
        if facts.capacity is not None:
            head: Tree = ("op", "==", ("head", facts.name, ()), one)
            is_head = self._and(("not", ("empty", facts.name, ())), head)
            return is_head, ("push", facts.name, (), one), ("pop", facts.name, ())
        if facts.domain is BOOL:
            indices = (one, other)
            place = ("var", facts.name, indices)
            return place, ("set", facts.name, indices, ("true",)), ("set", facts.name, indices, ("false",))
        nobody = ("value", facts.domain, facts.domain.high)
        holds = ("op", "==", ("var", facts.name, (one,)), other)
        return holds, ("set", facts.name, (one,), other), ("set", facts.name, (one,), nobody)

    def _tie(self, i: str, j: str) -> Tree:
        """What other facts have to do with one that begins: without it, any could be exchanged for any."""
        third = ("k", self.process), ("k", self.other)
        options: list[Tree] = [
            ("quantified", "exists", (third[0],), self._fact("k", j)[0]),
            ("quantified", "exists", (third[1],), self._fact(i, "k")[0]),
        ]
        if self.other is self.process:
            path = self._and(self._fact(i, "k")[0], self._fact("k", j)[0])
            options += [self._fact(j, i)[0], ("quantified", "exists", third[:1], path)]
        tie = self.random.choice(options)
        return tie if self.often(0.1) else ("not", tie)

    def _has_room(self) -> Tree:
        """Whether one more fact may hold."""
        facts = self.variables[0]
        if facts.capacity is not None:
            return ("not", ("full", facts.name, ()))
        bound: tuple[tuple[str, Domain], ...] = (("k", self.process), ("l", self.other))
        if facts.domain is not BOOL:
            bound = bound[:1]
        holds: Tree = ("var", facts.name, tuple(("name", n) for n, _ in bound))
        if facts.domain is not BOOL:
            holds = ("op", "!=", holds, ("value", facts.domain, facts.domain.high))
        return ("op", "<", ("quantified", "count", bound, holds), ("num", self.most))

    @staticmethod
    def _and(one: Tree, other: Tree) -> Tree:
        return ("op", "&&", one, other)
