"""Random properties: of states and of infinite runs, single ones and families."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from .language import FAIRNESS, Domain, Model, Parameters, Property, Tree
from .naming import Namer

Condition = Callable[[Mapping[str, Domain], int], Tree]


class ClaimWriter:
    """Writes properties of a model, given how conditions on its states are written."""

    def __init__(
        self, random: Random, namer: Namer, model: Model, domains: Sequence[Domain], condition: Condition
    ) -> None:
        self._random = random
        self._namer = namer
        self._model = model
        self._domains = [d for d in domains if len(d) <= 4]
        self._plain_condition = condition
        self._may_fault = False

    def _condition(self, context: Mapping[str, Domain], depth: int) -> Tree:
        """A condition; in claims that may fault, one that cannot be evaluated in states where another does not hold.

        Members of a family may then differ in where they hold, or in where they fault alone.
        """
        found = self._plain_condition(context, depth)
        if not (self._may_fault and self._random.random() < 0.5):
            return found
        divisor: Tree = ("if", self._plain_condition(context, 1), ("num", 1), ("num", 0))
        quotient: Tree = ("op", "/", ("num", 1), divisor)
        if self._random.random() < 0.5:
            return ("op", "&&", ("op", "==", quotient, ("num", 1)), found)
        return ("op", "||", found, ("op", "==", quotient, ("num", 0)))

    def terminal(self) -> Tree | None:
        return self._condition({}, 1) if self._random.random() < 0.3 else None

    def properties(self) -> tuple[Property, ...]:
        found: list[Property] = []
        for kind in self._random.choices(
            ("invariant", "reachable", "reachable", "deadlockfree"), k=self._random.choice((1, 2, 2, 3))
        ):
            if kind == "deadlockfree" and any(p.kind == kind for p in found):
                continue
            name = self._namer.property(f"p{len(found)}", [p.name for p in found])
            if kind == "deadlockfree":
                found.append(Property(kind, name, stuttering=self._random.random() < 0.4))
                continue
            parameters = self._parameters()
            self._may_fault = self._random.random() < 0.04
            found.append(Property(kind, name, parameters, self._condition(dict(parameters), 2)))
        for _ in range(self._random.choice((0, 0, 1, 1))):
            name = self._namer.property(f"t{len(found)}", [p.name for p in found])
            parameters = self._parameters() if self._random.random() < 0.6 else ()
            parameters = parameters[:1]
            self._may_fault = self._random.random() < 0.15
            found.append(
                Property("ltl", name, parameters, self._claim(dict(parameters)), self._random.choice(FAIRNESS))
            )
        return tuple(found)

    def _parameters(self) -> Parameters:
        if not self._domains or self._random.random() < 0.5:
            return ()
        count = 2 if self._random.random() < 0.25 else 1
        return tuple((name, self._random.choice(self._domains)) for name in ("x", "y")[:count])

    def _claim(self, context: Mapping[str, Domain]) -> Tree:
        """Often that something happens, or becomes true: what fairness is for."""
        if self._random.random() < 0.4:
            eventually: Tree = ("F", self._formula(context, self._random.choice((0, 0, 1))))
            return eventually if self._random.random() < 0.6 else ("G", eventually)
        return self._formula(context, self._random.choice((2, 3, 3)))

    def _formula(self, context: Mapping[str, Domain], depth: int) -> Tree:
        chance = self._random.random()
        if depth == 0 or chance < 0.1:
            return self._atom(context)
        if chance < 0.6:
            return (self._random.choice(("G", "F", "G", "F", "not", "X")), self._formula(context, depth - 1))
        if chance < 0.67 and self._domains and "h" not in context:
            domain = self._random.choice(self._domains)
            if len(domain) <= 2:
                kind = self._random.choice(("forall", "exists"))
                return ("not", ("each", kind, "h", domain, self._formula({**context, "h": domain}, depth - 1)))
        operator = self._random.choice(("and", "or", "=>", "U", "R", "W", "<=>"))
        return (operator, self._formula(context, depth - 1), self._formula(context, depth - 2 if depth > 1 else 0))

    def _atom(self, context: Mapping[str, Domain]) -> Tree:
        if self._random.random() < 0.6:
            return ("state", self._condition(context, 1))
        rule = self._random.choice(self._model.rules)
        name, arguments = rule.event or (rule.name, tuple((None, d) for _, d in rule.parameters))
        if self._random.random() < 0.3:
            return ("event", name, None)
        others = self._arities(name)
        if len(others) > 1:
            return ("event", name, None)
        return ("event", name, tuple(self._argument(d, context) for _, d in arguments))

    def _arities(self, event: str) -> set[Any]:
        """The kinds of arguments that rules give an event of this name."""
        found = set()
        for rule in self._model.rules:
            name, arguments = rule.event or (rule.name, tuple((None, d) for _, d in rule.parameters))
            if name == event:
                found.add(tuple(d.type for _, d in arguments))
        return found

    def _argument(self, domain: Domain, context: Mapping[str, Domain]) -> Tree | None:
        options: list[Tree | None] = [None, ("value", domain, self._random.choice(domain.values()))]
        named = [(n, d.ids and domain.ids not in ("", d.ids)) for n, d in context.items() if d.type == domain.type]
        options += [("ord", ("name", n)) if is_other else ("name", n) for n, is_other in named] * 3
        return self._random.choice(options)
