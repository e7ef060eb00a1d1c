"""Random models with variables that nothing depends on, and with some that only seem to be like that.

To a random model, variables are added that are written and never read, read by one another, read where something could
fault, in events, in conditions on initial or terminal states, or by a property that is not always asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from .interpreter import TooLarge
from .language import BOOL, Domain, Model, Parameters, Property, Rule, Tree, Variable, numbers
from .models import random_model
from .space import Space

_MOST = 350  # states


def model_with_dead(seed: int) -> tuple[Model, Counter[str]]:
    """The model of a seed, and what was added to it."""
    random = Random(f"dead {seed}")
    base = random_model(seed, most=random.choice((20, 40, 80)))
    while True:
        writer = _DeadWriter(base, random)
        model = writer.model()
        try:
            space = Space(model, _MOST)
        except TooLarge:
            continue
        if space.initially_faults or space.initial:
            return model, writer.added


class _DeadWriter:
    """Adds variables to a model."""

    def __init__(self, model: Model, random: Random) -> None:
        self._random = random
        self._model = model
        self._variables = [*model.variables]
        self._rules = [*model.rules]
        self._properties = [*model.properties]
        self._initially = [*model.initially]
        self._terminal = model.terminal
        self._taken = {v.name for v in model.variables}
        self.added: Counter[str] = Counter()

    def model(self) -> Model:
        """The model with one to three kinds of variables more."""
        for kind in self._random.choices([*_KINDS], k=self._random.choice((1, 1, 2, 3))):
            getattr(self, f"_{kind}")()
            self.added[kind.replace("_", " ")] += 1
        return replace(
            self._model,
            variables=tuple(self._variables),
            rules=tuple(self._rules),
            properties=tuple(self._properties),
            initially=tuple(self._initially),
            terminal=self._terminal,
        )

    # ------------------------------------------------------------ pieces

    def _variable(self, domain: Domain, dimensions: tuple[Domain, ...] = (), capacity: int | None = None) -> Variable:
        name = "dead"
        while name in self._taken:
            name += "'"
        self._taken.add(name)
        elements = 1
        for dimension in dimensions:
            elements *= len(dimension)
        initial: Any = self._random.choice(domain.values())
        if capacity is not None:
            initial = ()
        elif elements * len(domain) <= 4 and self._random.random() < 0.3:
            initial = None
        variable = Variable(name, dimensions, domain, capacity, (initial,) * elements)
        place = self._random.randint(0, len(self._variables))
        self._variables.insert(place, variable)
        return variable

    def _counter(self) -> Variable:
        return self._variable(numbers(0, self._random.choice((1, 2, 2, 3))))

    def _add(self, *statements: Tree, rule: int | None = None) -> None:
        """Put statements into some rule, at its beginning or its end."""
        number = self._random.randrange(len(self._rules)) if rule is None else rule
        chosen = self._rules[number]
        is_first = self._random.random() < 0.5
        body = (*statements, *chosen.body) if is_first else (*chosen.body, *statements)
        self._rules[number] = replace(chosen, body=body)

    def _write_somewhere(self, variable: Variable, *values: Tree) -> None:
        for value in values:
            self._add(("set", variable.name, (), value))

    @staticmethod
    def _read(variable: Variable) -> Tree:
        return ("var", variable.name, ())

    def _live(self) -> Variable | None:
        """A variable of the model that holds one value."""
        single = [v for v in self._model.variables if not v.dimensions and v.capacity is None and len(v.domain) < 6]
        return self._random.choice(single) if single else None

    def _next(self, variable: Variable) -> Tree:
        ahead: Tree = ("op", "+", self._read(variable), ("num", 1))
        return ("op", "%", ahead, ("num", len(variable.domain)))

    # ------------------------------------------------------------ kinds

    def _written_only(self) -> None:
        variable = self._counter()
        self._write_somewhere(variable, ("num", 0), ("num", 1))

    def _counting_round(self) -> None:
        variable = self._counter()
        self._write_somewhere(variable, self._next(variable))

    def _counting_up_to_a_limit(self) -> None:
        variable = self._counter()
        here = self._read(variable)
        grow: Tree = ("set", variable.name, (), ("op", "+", here, ("num", 1)))
        self._add(("if", ("op", "<", here, ("num", variable.domain.high)), (grow,), ()))

    def _counting_too_far(self) -> None:
        variable = self._variable(numbers(0, self._random.choice((2, 3, 4))))
        self._write_somewhere(variable, ("op", "+", self._read(variable), ("num", 1)))

    def _limit_after_a_write(self) -> None:
        """What the condition says is no longer true where the assignment is."""
        variable = self._counter()
        here = self._read(variable)
        grow: Tree = ("set", variable.name, (), ("op", "+", here, ("num", 1)))
        self._add(("if", ("op", "<", here, ("num", variable.domain.high)), (grow, grow), ()))

    def _chain(self) -> None:
        first, second = self._counter(), self._variable(numbers(0, 3))
        self._write_somewhere(first, self._next(first))
        self._write_somewhere(second, self._read(first))

    def _copy_of_live(self) -> None:
        live = self._live()
        if live is not None:
            variable = self._variable(live.domain)
            self._write_somewhere(variable, self._read(live))

    def _wide_copy_of_live(self) -> None:
        """A live value in a domain that it may not fit."""
        live = self._live()
        if live is not None and live.domain.type == "number":
            variable = self._variable(numbers(0, 1))
            value = self._read(live)
            self._write_somewhere(variable, ("ord", value) if live.domain.ids else value)

    def _index(self) -> None:
        at = self._counter()
        size = self._random.choice((at.domain.high, at.domain.high + 1))
        array = self._variable(numbers(0, 1), (numbers(0, max(0, size - 1)),))
        self._write_somewhere(at, self._next(at))
        self._add(("set", array.name, (self._read(at),), ("num", 1)))

    def _divisor(self) -> None:
        at, result = self._counter(), self._variable(numbers(0, 6))
        self._write_somewhere(at, self._next(at))
        self._write_somewhere(result, ("op", self._random.choice(("/", "%")), ("num", 6), self._read(at)))

    def _array_of_processes(self) -> None:
        for number, rule in self._shuffled():
            for name, domain in rule.parameters:
                if domain.ids == domain.name and len(domain) < 4:
                    array = self._variable(BOOL, (domain,))
                    self._add(("set", array.name, (("name", name),), ("true",)), rule=number)
                    return

    def _shuffled(self) -> list[tuple[int, Rule]]:
        rules = [*enumerate(self._rules)]
        self._random.shuffle(rules)
        return rules

    def _queue(self) -> None:
        queue = self._variable(numbers(0, 1), (), self._random.choice((1, 2)))
        push: Tree = ("push", queue.name, (), ("num", self._random.randint(0, 1)))
        is_safe = self._random.random() < 0.7
        self._add(("if", ("not", ("full", queue.name, ())), (push,), ()) if is_safe else push)
        if self._random.random() < 0.5:
            pop: Tree = ("pop", queue.name, ())
            self._add(("if", ("not", ("empty", queue.name, ())), (pop,), ()))

    def _cleared_queue(self) -> None:
        queue = self._variable(numbers(0, 1), (), 2)
        self._add(("clear", queue.name, ()), ("push", queue.name, (), ("num", 1)))

    def _item(self) -> None:
        queue = self._variable(numbers(0, 1), (), 1)
        push: Tree = ("push", queue.name, (), ("num", 1))
        self._add(("if", ("not", ("full", queue.name, ())), (push,), ()))
        self._add(("set item", queue.name, (), ("num", 0), ("num", 0)))

    def _local(self) -> None:
        first, second = self._counter(), self._variable(numbers(0, 3))
        self._write_somewhere(first, self._next(first))
        keep: Tree = ("set", second.name, (), ("name", "held"))
        domain = numbers(0, self._random.choice((1, 3)))
        self._add(("if", ("true",), (("local", "held", domain, self._read(first)), keep), ()))

    def _branch(self) -> None:
        first, second = self._counter(), self._counter()
        self._write_somewhere(first, self._next(first))
        test: Tree = ("op", "==", self._read(first), ("num", 1))
        if self._random.random() < 0.3:
            test = ("op", "&&", ("false",), test)
        here: Tree = ("set", second.name, (), ("num", 1))
        other: Tree = ("set", second.name, (), ("num", 0))
        self._add(("if", test, (here,), (other,) if self._random.random() < 0.5 else ()))

    def _branch_around_live(self) -> None:
        """What is written under a condition depends on it."""
        number, rule = self._random.choice([*enumerate(self._rules)])
        first = self._counter()
        self._write_somewhere(first, self._next(first))
        rule = self._rules[number]
        test: Tree = ("op", "==", self._read(first), ("num", 1))
        self._rules[number] = replace(rule, body=(("if", test, rule.body, ()),))

    def _loop(self) -> None:
        first = self._counter()
        turn: Tree = ("set", first.name, (), self._next(first))
        self._add(("for", "turn", numbers(0, 1), (turn,)))

    def _unsure_loop(self) -> None:
        first = self._counter()
        turn: Tree = ("set", first.name, (), self._next(first))
        self._add(("while", ("op", "!=", self._read(first), ("num", 0)), self._random.choice((1, 4)), (turn,)))

    def _assertion(self) -> None:
        first = self._counter()
        self._write_somewhere(first, self._next(first))
        self._add(("assert", ("op", "<=", self._read(first), ("num", self._random.choice((0, 1, 3))))))

    def _sum(self) -> None:
        array = self._variable(BOOL, (numbers(0, 1),))
        total = self._variable(numbers(0, self._random.choice((1, 2))))
        self._add(("set", array.name, (("num", self._random.randint(0, 1)),), ("true",)))
        counted: Tree = ("quantified", "count", (("each", numbers(0, 1)),), ("var", array.name, (("name", "each"),)))
        self._write_somewhere(total, counted)

    def _guard(self) -> None:
        first, second = self._counter(), self._counter()
        self._write_somewhere(first, self._next(first))
        self._write_somewhere(second, self._next(second))
        number, rule = self._random.choice([*enumerate(self._rules)])
        test: Tree = ("op", "!=", self._read(first), ("num", 1))
        self._rules[number] = replace(rule, guard=test if rule.guard is None else ("op", "&&", rule.guard, test))

    def _event(self) -> None:
        first = self._counter()
        self._write_somewhere(first, self._next(first))
        shown: tuple[Tree, Domain] = (self._read(first), first.domain)
        if self._random.random() < 0.3:
            shown = (("op", "/", ("num", 2), self._read(first)), numbers(0, 2))
        number, rule = self._random.choice([*enumerate(self._rules)])
        asked = _events_in(tuple(p.condition for p in self._properties))
        name, arguments = rule.event or (rule.name if rule.parameters or rule.name in asked else "shown", ())
        if name not in asked:
            arguments = (*arguments, shown)
        elif arguments and arguments[-1][1].type == "number" and not arguments[-1][1].ids:
            arguments = (*arguments[:-1], shown)  # properties tell how many there are
        else:
            return
        self._rules[number] = replace(rule, event=(name, arguments))

    def _initial_relation(self) -> None:
        live = self._live()
        if live is not None:
            domain = live.domain
            variable = self._variable(domain)
            if None not in variable.initial:
                self._variables[self._variables.index(variable)] = replace(variable, initial=(None,))
            self._initially.append(("op", "==", self._read(variable), self._read(live)))

    def _terminal_condition(self) -> None:
        first = self._counter()
        self._write_somewhere(first, self._next(first))
        test: Tree = ("op", "==", self._read(first), ("num", 0))
        self._terminal = test if self._terminal is None else ("op", "||", self._terminal, test)

    def _property(self) -> None:
        first = self._counter()
        self._write_somewhere(first, self._next(first))
        kind = self._random.choice(("invariant", "reachable"))
        test: Tree = ("op", "==", self._read(first), ("num", self._random.randint(0, 1)))
        name = f"about {first.name}"
        self._properties.append(Property(kind, name, condition=test))

    def _parameter(self) -> None:
        """A rule that does nothing else than write any value."""
        first = self._variable(numbers(0, 1))
        value: Parameters = (("any", numbers(0, 1)),)
        guard = self._random.choice([rule.guard for rule in self._rules if not rule.parameters] or [None])
        self._rules.append(Rule("writes any", value, guard, (("set", first.name, (), ("name", "any")),)))
        while [rule.name for rule in self._rules].count(self._rules[-1].name) > 1:
            self._rules[-1] = replace(self._rules[-1], name=self._rules[-1].name + "'")


def _events_in(tree: Tree) -> set[str]:
    """The events that formulas mention."""
    inner = [part for part in tree if isinstance(part, tuple)]
    found = {tree[1]} if len(tree) == 3 and tree[0] == "event" else set()
    return found.union(*map(_events_in, inner))


def _kinds() -> Iterator[str]:
    yield from ("written_only", "counting_round", "counting_up_to_a_limit", "counting_too_far", "limit_after_a_write")
    yield from ("chain", "copy_of_live", "wide_copy_of_live", "index", "divisor", "array_of_processes", "queue")
    yield from ("cleared_queue", "item", "local", "branch", "branch_around_live", "loop", "unsure_loop", "assertion")
    yield from ("sum", "guard", "event", "initial_relation", "terminal_condition", "property", "parameter")


_KINDS = tuple(_kinds())
