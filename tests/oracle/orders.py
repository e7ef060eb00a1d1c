"""Models for partial order: a few parts with little to do with one another, some of which go on for ever.

Rules move values between several variables, swap and sort them, are guarded in several cells, send at one end of a
queue and receive at the other, divide in guards, and fault by indices, quotients, ranges, assertions and full queues.
Some queues have another one beside them, with the same messages or with a second part of each; some rules do something
for every process, or send it something; some claims are about all pairs of processes; some states take several words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random

from .clocks import with_clock
from .interpreter import TooLarge
from .language import BOOL, Domain, Model, Parameters, Property, Rule, Tree, Variable, numbers
from .naming import Namer
from .space import Space

Context = Mapping[str, Domain]


def model_in_orders(seed: int, most: int = 400) -> Model:
    """The model of a seed: the first with enough states and not too many."""
    random = Random(f"orders {seed}")
    while True:
        namer = Namer(random, strange=False)
        model = _OrdersWriter(random, namer).model()
        for queue in [v for v in model.variables if v.capacity is not None]:
            if random.random() < 0.6:
                model = _Beside(random, queue, namer.global_name(f"{queue.name}s")).model(model)
        if random.random() < 0.3:
            model = with_clock(model, random, namer)
        try:
            space = Space(model, most)
        except TooLarge:
            continue
        if space.initially_faults or (space.initial and len(space) > 6):
            return model


def _number(value: int) -> Tree:
    return ("num", value)


def _binary(operator: str, left: Tree, right: Tree) -> Tree:
    return ("op", operator, left, right)


def _all(conditions: list[Tree]) -> Tree | None:
    found: Tree | None = None
    for condition in conditions:
        found = condition if found is None else _binary("&&", found, condition)
    return found


class _OrdersWriter:
    def __init__(self, random: Random, namer: Namer) -> None:
        self.random = random
        self.namer = namer
        self.careless = random.random() < 0.25  # something may fault
        self.symmetric = random.random() < 0.5  # no process is named
        self.wide = random.random() < 0.06  # states of more than a word
        size = random.choice((2, 2, 3))
        name = namer.global_name("P")
        self.process = Domain(name, 0, size - 1, (), "range", name, f"0 .. {size - 1}")
        self.variables = [self._variable(k) for k in range(random.choice((2, 3, 3, 4)))]
        self.queues = [self._queue(k) for k in range(random.choice((0, 0, 1, 1, 2)))]

    def often(self, likely: float) -> bool:
        return self.random.random() < likely

    def model(self) -> Model:
        rules = tuple(self._rule(k) for k in range(self.random.choice((2, 3, 4, 4, 5))))
        initially = tuple(self._atom({}) for _ in range(1)) if self.often(0.1) else ()
        terminal = self._atom({}) if self.often(0.3) else None
        variables = (*self.variables, *self.queues)
        return Model((self.process,), variables, rules, self._claims(), initially=initially, terminal=terminal)

    # ------------------------------------------------------------ declarations

    def _shape(self) -> tuple[Domain, ...]:
        return (self.process,) if self.often(0.45) else ()

    def _variable(self, number: int) -> Variable:
        shape = self._shape()
        many = len(self.process) if shape else 1
        domain = BOOL if self.often(0.15) else numbers(0, self.random.choice((1, 1, 2, 2, 3)))
        if self.wide and number == 0:
            shape, many, domain = (self.process,), len(self.process), numbers(0, (1 << 30) - 1)
        first = self.random.choice(domain.values()[:4])
        initial = [first if self.symmetric or self.often(0.7) else self.random.choice(domain.values()[:4])] * many
        if self.often(0.1) and len(domain) < 5:
            initial = [None] * many
        return Variable(self.namer.global_name(f"x{number}"), shape, domain, None, tuple(initial))

    def _queue(self, number: int) -> Variable:
        shape = self._shape()
        many = len(self.process) if shape else 1
        capacity = self.random.choice((1, 2, 2, 3))
        items = tuple(self.random.randrange(2) for _ in range(self.random.choice((0, 0, 1, capacity))))
        return Variable(self.namer.global_name(f"q{number}"), shape, numbers(0, 1), capacity, (items,) * many)

    # ------------------------------------------------------------ places and values

    def _indices(self, variable: Variable, context: Context) -> tuple[Tree, ...]:
        if not variable.dimensions:
            return ()
        options: list[Tree] = [("name", n) for n in context]
        options += [_binary("%", _binary("+", n, _number(1)), _number(len(self.process))) for n in [*options]]
        if not options or not (self.symmetric or self.often(0.6)):
            options = [("value", self.process, self.random.choice(self.process.values()))]
        if self.careless and self.often(0.25):
            options = [("var", v.name, ()) for v in self.variables if v.domain is not BOOL and not v.dimensions]
        return (self.random.choice(options or [_number(0)]),)

    def _place(self, context: Context, *, is_truth: bool = False) -> tuple[Tree, Domain]:
        fitting = [v for v in self.variables if (v.domain is BOOL) is is_truth]
        if not fitting:
            return (self._about_all(context), BOOL) if is_truth else (_number(1), numbers(1, 1))
        variable = self.random.choice(fitting)
        return ("var", variable.name, self._indices(variable, context)), variable.domain

    def _of_two(self, context: Context) -> Tree:
        """A number that is 0 or 1, for a queue."""
        (one, domain) = self._place(context)
        return self._fitted(one, numbers(0, 1), domain.high)

    def _value(self, context: Context) -> Tree:
        """A number, mostly a small one."""
        one, other = self._place(context)[0], self._place(context)[0]
        return self.random.choice(
            (
                one,
                one,
                _number(self.random.randrange(2)),
                (self.random.choice(("min", "max")), (one, other)),
                _binary(self.random.choice("+-*"), one, other),
                ("if", self._atom(context), one, other),
                self._quotient(one, other),
            )
        )

    def _quotient(self, one: Tree, other: Tree) -> Tree:
        """By another value: one that may be zero, in careless models without more ado."""
        found = _binary(self.random.choice("/%"), one, other)
        return found if self.careless else ("if", _binary("!=", other, _number(0)), found, one)

    def _fitted(self, value: Tree, domain: Domain, highest: int = 9) -> Tree:
        """Inside a domain; in careless models not always."""
        if highest <= domain.high or (self.careless and self.often(0.3)):
            return value
        if self.often(0.5):
            return _binary("%", value, _number(domain.high + 1))
        return ("max", (_number(0), ("min", (value, _number(domain.high)))))

    # ------------------------------------------------------------ conditions

    def _atom(self, context: Context) -> Tree:
        """A condition about one cell or several."""
        (one, domain), (other, _) = self._place(context), self._place(context)
        constant = _number(self.random.choice(domain.values()[:4]))
        options: list[Tree] = [
            _binary(self.random.choice(("==", "!=", "<", ">=")), one, constant),
            _binary(self.random.choice(("==", "!=", "<", ">=")), one, constant),
            _binary(self.random.choice(("==", "<", "<=")), one, other),
            _binary("==", _binary("+", one, other), _number(self.random.randrange(4))),
            _binary(
                "&&",
                _binary("!=", other, _number(0)),
                _binary("==", _binary(self.random.choice("/%"), one, other), _number(self.random.randrange(3))),
            ),
            self._place(context, is_truth=True)[0],
            self._about_all(context),
        ]
        if self.queues:
            options += [self._about_queue(context)] * 2
        found = self.random.choice(options)
        return ("not", found) if self.often(0.15) else found

    def _about_all(self, context: Context) -> Tree:
        one, domain = self._place({**context, "n": self.process})
        each = _binary(self.random.choice(("==", "!=", "<=")), one, _number(self.random.choice(domain.values()[:4])))
        return ("quantified", self.random.choice(("forall", "exists")), (("n", self.process),), each)

    def _about_queue(self, context: Context) -> Tree:
        queue = self.random.choice(self.queues)
        indices = self._indices(queue, context)
        head = _binary("==", ("head", queue.name, indices), _number(self.random.randrange(2)))
        return self.random.choice(
            (
                (self.random.choice(("empty", "full")), queue.name, indices),
                _binary("<", ("len", queue.name, indices), _number(self.random.randrange(3))),
                _binary("&&", ("not", ("empty", queue.name, indices)), head),
            )
        )

    # ------------------------------------------------------------ rules

    def _rule(self, number: int) -> Rule:
        parameters: Parameters = (("i", self.process),) if self.symmetric or self.often(0.5) else ()
        context = dict(parameters)
        kinds = [self._set, self._set, self._count, self._count, self._move, self._move]
        if self.queues:
            kinds += [self._send, self._send, self._receive, self._receive]
        guards, body = self.random.choice(kinds)(context)
        guards += [self._atom(context) for _ in range(self.random.choice((0, 0, 1, 1, 2)))]
        self.random.shuffle(guards if self.careless else [])
        if self.often(0.12):  # the same for all processes
            inner = {**context, "m": self.process}
            each = self._sent_to_all(inner) if self.queues and self.often(0.4) else self._assigned(inner)
            body = [*body, ("for", "m", self.process, (each,))]
        if self.careless and self.often(0.15):
            body = [("assert", self._atom(context)), *body]
        event = ("e", ()) if self.often(0.2) else None
        return Rule(self.namer.rule(f"r{number}", []), parameters, _all(guards), tuple(body), event)

    def _assigned(self, context: Context, value: Tree | None = None, highest: int = 9) -> Tree:
        """A statement that writes to a variable."""
        variable = self.random.choice(self.variables)
        indices = self._indices(variable, context)
        if variable.domain is BOOL:
            return ("set", variable.name, indices, self._atom(context))
        return ("set", variable.name, indices, self._fitted(value or self._value(context), variable.domain, highest))

    def _set(self, context: Context) -> tuple[list[Tree], list[Tree]]:
        body = [self._assigned(context) for _ in range(self.random.choice((1, 1, 2)))]
        if self.often(0.25):
            other = (self._assigned(context),) if self.often(0.5) else ()
            return [], [("if", self._atom(context), tuple(body), other)]
        return [], body

    def _count(self, context: Context) -> tuple[list[Tree], list[Tree]]:
        """Up once, or round and round."""
        place, domain = self._place(context)
        if place[0] != "var":
            return self._set(context)
        up = _binary("+", place, _number(1))
        if self.often(0.3):
            return [], [("set", place[1], place[2], _binary("%", up, _number(domain.high + 1)))]
        guards = [] if self.careless and self.often(0.4) else [_binary("<", place, _number(domain.high))]
        return guards, [("set", place[1], place[2], up)]

    def _move(self, context: Context) -> tuple[list[Tree], list[Tree]]:
        """Two or three variables exchange what they hold, in order or as it is; or one gets what another has."""
        places = [self._place(context) for _ in range(self.random.choice((2, 2, 3)))]
        if any(place[0] != "var" for place, _ in places):
            return self._set(context)
        names = [("name", f"w{k}") for k in range(len(places))]
        body: list[Tree] = [("let", name[1], place) for name, (place, _) in zip(names, places, strict=True)]
        given: list[Tree] = [*names[1:], names[0]]
        if self.often(0.25):
            given = [("min", tuple(names[:2])), ("max", tuple(names[:2])), *names[2:]]
        highest = max(domain.high for _, domain in places)
        written = [
            ("set", place[1], place[2], self._fitted(value, domain, highest))
            for (place, domain), value in zip(places, given, strict=True)
        ]
        return [], body + written[: self.random.choice((1, len(places), len(places)))]

    def _send(self, context: Context) -> tuple[list[Tree], list[Tree]]:
        queue = self.random.choice(self.queues)
        indices = self._indices(queue, context)
        value = self._of_two(context) if self.often(0.6) else _number(self.random.randrange(2))
        guards: list[Tree] = [] if self.careless and self.often(0.5) else [("not", ("full", queue.name, indices))]
        body: list[Tree] = [("push", queue.name, indices, value)]
        return guards, body + ([self._assigned(context)] if self.often(0.4) else [])

    def _sent_to_all(self, context: Context) -> Tree:
        """A message in a loop, which may find no room in one of its turns."""
        queue = self.random.choice(self.queues)
        indices = self._indices(queue, context)
        sending: Tree = ("push", queue.name, indices, _number(self.random.randrange(2)))
        return sending if self.careless else ("if", ("not", ("full", queue.name, indices)), (sending,), ())

    def _receive(self, context: Context) -> tuple[list[Tree], list[Tree]]:
        """Keep what is taken, drop it, send it on, or exchange it for what is held."""
        queue, onto = self.random.choice(self.queues), self.random.choice(self.queues)
        indices, there = self._indices(queue, context), self._indices(onto, context)
        head: Tree = ("head", queue.name, indices)
        guards: list[Tree] = [] if self.careless and self.often(0.2) else [("not", ("empty", queue.name, indices))]
        body: list[Tree] = [("let", "w", head), ("pop", queue.name, indices)]
        if self.often(0.5):
            value: Tree = ("name", "w") if self.often(0.7) else self._of_two(context)
            sending: Tree = ("push", onto.name, there, value)
            if not (self.careless and self.often(0.3)):
                sending = ("if", ("not", ("full", onto.name, there)), (sending,), ())
            body.append(("if", self._atom(context), (sending,), ()) if self.often(0.4) else sending)
        if self.often(0.6):
            body.append(self._assigned(context, ("name", "w"), 1))
        return guards, body

    # ------------------------------------------------------------ claims

    def _asked(self, context: Context) -> Tree:
        if self.often(0.15):
            return self._about_pairs(context)
        return self._about_queue(context) if self.queues and self.often(0.5) else self._atom(context)

    def _about_pairs(self, context: Context) -> Tree:
        """What holds between some process and all others, or between every one and another."""
        one, other = self.random.sample(("forall", "exists"), 2)
        pair = {**context, "n": self.process, "o": self.process}
        apart = _binary("==" if other == "forall" else "!=", ("name", "n"), ("name", "o"))
        (held, _), (beside, _) = self._place(pair), self._place(pair)
        about = _binary(self.random.choice(("==", "!=", "<=")), held, beside)
        each = _binary("||" if other == "forall" else "&&", apart, about)
        return ("quantified", one, (("n", self.process),), ("quantified", other, (("o", self.process),), each))

    def _claims(self) -> tuple[Property, ...]:
        found = []
        for kind in self.random.choices(("invariant", "reachable", "reachable"), k=self.random.choice((1, 1, 2))):
            parameters: Parameters = (("i", self.process),) if self.often(0.4) else ()
            parts = [self._asked(dict(parameters)) for _ in range(self.random.choice((1, 2, 2, 3)))]
            condition = parts[0]
            for part in parts[1:]:
                condition = _binary("&&" if kind == "reachable" else "||", condition, part)
            found.append(Property(kind, self.namer.property(f"p{len(found)}", []), parameters, condition))
        if self.often(0.6):
            found.append(Property("deadlockfree", self.namer.property("d", [])))
        return tuple(found)


class _Beside:
    """A queue that gets and loses a message whenever another one does: the same, or some other part of it."""

    def __init__(self, random: Random, queue: Variable, name: str) -> None:
        self.random = random
        self.queue = queue
        self.name = name
        self.is_same = random.random() < 0.5

    def model(self, model: Model) -> Model:
        rules = tuple(self._rule(rule) for rule in model.rules)
        claims = tuple(replace(c, condition=c.condition and self._read(c.condition)) for c in model.properties)
        variables = (*model.variables, replace(self.queue, name=self.name))
        return replace(model, variables=variables, rules=rules, properties=claims)

    def _rule(self, rule: Rule) -> Rule:
        return replace(rule, guard=rule.guard and self._read(rule.guard), body=tuple(self._written(rule.body)))

    def _read(self, tree: Tree) -> Tree:
        """The same of either of the two."""
        if tree[0] in ("len", "empty", "full", "head") and tree[1] == self.queue.name and self.random.random() < 0.5:
            return (tree[0], self.name, tree[2])
        return tuple(self._read(part) if isinstance(part, tuple) and part else part for part in tree)

    def _written(self, statements: tuple[Tree, ...]) -> Iterator[Tree]:
        for statement in statements:
            kind, name, *more = statement
            if kind == "if":
                yield ("if", self._read(name), *(tuple(self._written(side)) for side in more))
                continue
            yield statement
            if name == self.queue.name and kind in ("push", "pop"):
                value = [_number(self.random.randrange(2))] if kind == "push" and not self.is_same else more[1:]
                yield (kind, self.name, more[0], *value)
