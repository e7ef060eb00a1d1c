"""Random models whose processes are nearly alike, as trees of ``oracle.language``.

What adaptive exploration has to follow: ids in variables and per data item, several of them, some that hold only some
ids or other numbers too; questions about processes and about data, nested, with names that are used again and again
and are keywords or words of the tool; rules that name a process; faults; families of properties; terminal states.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from oracle.interpreter import TooLarge
from oracle.language import BOOL, Domain, Model, Parameters, Property, Rule, Tree, Variable, numbers, quoted
from oracle.space import Space

Context = Mapping[str, Domain]  # parameters and bound names with their domains

# Few, so that they meet; some are what the tool calls things itself.
_BOUND = ("n", "i", "j", "count", " 0", " actor", "1", "terminal")
_LABELS = ("idle", "try", "in")
_TRUE: Tree = ("true",)


_SIZES = (2, 3, 3, 3, 4)  # numbers of processes


def random_model(seed: int, most: int = 260, least: int = 3, sizes: tuple[int, ...] = _SIZES) -> tuple[Model, Space]:
    """The first model of a seed with a few states and not too many, and its states."""
    chance = random.Random(seed)
    while True:
        model = Writer(chance, sizes).model()
        try:
            space = Space(model, most)
        except TooLarge:
            continue
        if space.initially_faults or len(space) >= least:
            return model, space


def both(a: Tree, b: Tree) -> Tree:
    """A conjunction."""
    return b if a == _TRUE else ("op", "&&", a, b)


@dataclass
class Writer:
    """Writes a model."""

    chance: random.Random
    sizes: tuple[int, ...] = _SIZES
    domains: list[Domain] = field(default_factory=list)
    variables: dict[str, Variable] = field(default_factory=dict)

    def often(self, likely: float) -> bool:
        """Whether something happens."""
        return self.chance.random() < likely

    def pick(self, *options: Tree) -> Tree:
        """One of several trees."""
        return self.chance.choice(options)

    def model(self) -> Model:
        """Declarations, rules and properties."""
        self.size = self.chance.choice(self.sizes)
        self.careless = self.often(0.3)
        self.strange = self.often(0.3)
        self._declare_domains()
        self._declare_variables()
        self.tables = {"LEVEL": tuple(sorted(self.chance.choices(range(3), k=self.size)))}
        rules = tuple(self.rule(k) for k in range(self.chance.choice((1, 2, 3, 3, 4))))
        properties = tuple(self.property(k) for k in range(self.chance.choice((1, 2, 3))))
        return Model(
            tuple(self.domains),
            tuple(self.variables.values()),
            rules,
            (*properties, Property("deadlockfree", "live")),
            self.tables,
            (),
            (self.condition({}, 1),) if self.often(0.08) else (),
            self.condition({}, 1) if self.often(0.3) else None,
        )

    # ------------------------------------------------------------ declarations

    def global_name(self, plain: str) -> str:
        """A name, perhaps a keyword, a word of the tool or one with blanks."""
        if not self.strange or self.often(0.6):
            return plain
        return self.chance.choice([f"{plain} 0", f" {plain}", f"exists {plain}", f"{plain}?", f"{plain}:forall"])

    def _declare_domains(self) -> None:
        name = self.global_name("P")
        if self.often(0.2):
            labels = tuple(f"p{k}" for k in range(self.size))
            self.process = Domain(name, 0, self.size - 1, labels, "enumeration", name, f"{{ {', '.join(labels)} }}")
        else:
            low = self.chance.choice((0, 0, 1, -1))
            high = low + self.size - 1
            self.process = Domain(name, low, high, (), "range", name, f"{low} .. {high}")
        self.local = Domain("L", 0, 2, _LABELS, "enumeration", "", "{ idle, try, `in` }")
        self.data = Domain(self.global_name("D"), 0, 1, ("d0", "d1"), "enumeration", "", "{ d0, d1 }")
        low = self.chance.choice((0, 1, -1))
        self.second = Domain("E", low, low + 1, (), "range", "", f"{low} .. {low + 1}")
        self.domains += [self.process, self.local, self.data, self.second]
        self.holders = [self.process]
        self.processes = [self.process]
        if self.process.kind == "range":
            self._declare_ranges_of_ids()
        if self.often(0.15) and self.size > 2:
            self.domains.append(Domain("Q", 0, 1, ("q0", "q1"), "enumeration", "Q", "{ q0, q1 }"))

    def _declare_ranges_of_ids(self) -> None:
        p = self.process
        shown = quoted(p.name)
        self.holders.append(Domain("O", p.low, p.high + 1, ("nobody",), "range", p.ids, f"{shown} + {{ nobody }}"))
        low = p.low + self.chance.choice((0, 1))
        some = Domain("S", low, low + self.size - 2, (), "range", p.ids, f"{low} .. {low + self.size - 2} of {shown}")
        self.holders += [some] if self.often(0.3) else []
        self.processes += [some] if some in self.holders else []
        if self.often(0.15):
            low = p.low - self.chance.choice((0, 1))
            shown = f"{low} .. {p.high + 1} of {shown}"
            self.holders.append(Domain("W", low, p.high + 1, (), "range", p.ids, shown))
        self.domains += self.holders[1:]

    def _declare_variables(self) -> None:
        self._declare("at", (self.process,), self.local)
        self._declare("free", (), BOOL)
        optional: list[tuple[float, str, tuple[Domain, ...], Domain]] = [
            (0.3, "bit", (self.process,), BOOL),
            (0.25, "val", (self.process,), self.chance.choice((self.data, self.second))),
            (0.2, "grid", self.chance.choice(((self.data, self.process), (self.process, self.data))), BOOL),
            (0.35, "number", (), numbers(0, 2)),
            (0.3, "datum", (), self.data),
            (0.25, "flag", (self.data,), BOOL),
            (0.5, "own", (), self.chance.choice(self.holders)),
            (0.25, "last", (), self.chance.choice(self.holders)),
            (0.4, "held", (self.chance.choice((self.data, self.data, self.second)),), self.chance.choice(self.holders)),
            (0.02, "peer", (self.process,), self.process),
            (0.1, "role", tuple(d for d in self.domains if d.name == "Q"), BOOL),
        ]
        for likely, plain, dimensions, domain in optional:
            if self.often(likely):
                self._declare(plain, dimensions, domain)

    def _declare(self, plain: str, dimensions: tuple[Domain, ...], domain: Domain) -> None:
        name = self.global_name(plain)
        elements = 1
        for d in dimensions:
            elements *= len(d)
        values: Sequence[int] = domain.values()
        if domain.labels == ("nobody",) and self.often(0.7):
            initial: tuple[int | None, ...] = (domain.high,) * elements
        elif self.often(0.7):
            initial = (self.chance.choice(values) if self.often(0.3) else values[0],) * elements
        else:
            initial = tuple(None if self.often(0.3) else self.chance.choice(values) for _ in range(elements))
        self.variables[plain] = Variable(name, dimensions, domain, None, initial)

    # ------------------------------------------------------------ rules and properties

    def fresh(self, context: Context) -> str:
        """A name that is not in scope; it may well be in use elsewhere."""
        return self.chance.choice([n for n in _BOUND if n not in context])

    def rule(self, number: int) -> Rule:
        """A rule for a process, perhaps with data, or for nobody."""
        parameters: list[tuple[str, Domain]] = []
        if self.often(0.88):
            parameters.append((self.fresh({}), self.chance.choice((self.process, *self.processes))))
        if self.often(0.25):
            parameters.append((self.fresh(dict(parameters)), self.chance.choice((self.data, self.second))))
        self.chance.shuffle(parameters)
        context = dict(parameters)
        guard: Tree = _TRUE
        actor = next((n for n, d in parameters if d.ids == self.process.name), None)
        if actor is not None and self.often(0.8):
            guard = ("op", "==", self.element("at", ("name", actor)), ("value", self.local, self.chance.randrange(3)))
        for _ in range(self.chance.choice((0, 1, 1, 2))):
            guard = both(guard, self.condition(context, 2))
        body = tuple(s for _ in range(self.chance.choice((1, 2, 2, 3))) for s in self.statement(context, actor, 1))
        event = None
        if self.often(0.15):
            term, domain = self.any_term(context)
            event = (self.chance.choice(("e", "r0", "terminal")), ((term, domain),))
        return Rule(f"r{number}", tuple(parameters), None if guard == _TRUE else guard, body, event)

    def property(self, number: int) -> Property:
        """An invariant or something to be reached, perhaps for every process or datum."""
        parameters: Parameters = ()
        if self.often(0.4):
            parameters = ((self.fresh({}), self.chance.choice((self.process, self.data, *self.processes))),)
        kind = self.chance.choice(("invariant", "reachable"))
        name = self.chance.choice((f"p{number}", f"terminal{number}", f"fault of p{number}"))
        return Property(kind, name, parameters, self.condition(dict(parameters), 2))

    def statement(self, context: Context, actor: str | None, depth: int) -> list[Tree]:
        """What a rule does."""
        chance = self.chance.random()
        if actor is not None and chance < 0.35:
            return [self.assignment(context, "at", ("name", actor))]
        if chance < 0.75 or depth == 0:
            plain = self.chance.choice([v for v in self.variables if v != "at"])
            indices = [self.index(context, d, actor) for d in self.variables[plain].dimensions]
            return [self.assignment(context, plain, *indices)]
        if chance < 0.85:
            inner = [tuple(self.statement(context, actor, depth - 1)) for _ in range(2)]
            return [("if", self.condition(context, 1), inner[0], inner[1] if self.often(0.5) else ())]
        if chance < 0.95:
            return [self.loop(context, actor)]
        name = self.fresh(context)
        local: Tree = ("let", name, self.any_term(context)[0])
        return [("if", self.condition(context, 0), (local,), ())]

    def loop(self, context: Context, actor: str | None) -> Tree:
        """Something done for all processes or all data."""
        name = self.fresh(context)
        if self.often(0.5):
            inner = {**context, name: self.data}
            return ("for", name, self.data, tuple(self.statement(inner, actor, 0)))
        domain = self.chance.choice(self.processes)
        inner = {**context, name: domain}
        own = self.element("at", ("name", name))
        values = [own, ("value", self.local, 0), ("if", self.condition(inner, 1), own, ("value", self.local, 1))]
        return ("for", name, domain, (("set", self.variables["at"].name, (("name", name),), self.pick(*values)),))

    def assignment(self, context: Context, plain: str, *indices: Tree) -> Tree:
        """A new value for an element."""
        variable = self.variables[plain]
        return ("set", variable.name, tuple(indices), self.term(context, variable.domain, 1))

    # ------------------------------------------------------------ terms

    def element(self, plain: str, *indices: Tree) -> Tree:
        """An element of a variable."""
        return ("var", self.variables[plain].name, indices)

    def index(self, context: Context, domain: Domain, actor: str | None = None) -> Tree:
        """An index that is within its domain unless the model is careless."""
        if domain is self.process and actor is not None and self.often(0.85):
            return ("name", actor)
        options: list[Tree] = [("name", n) for n, d in context.items() if d == domain or self._is_part(d, domain)] * 3
        options.append(("value", domain, self.chance.choice(domain.values())))
        if domain == self.data and "datum" in self.variables:
            options.append(self.element("datum"))
        if self.careless and domain == self.process:
            options += [self.element(v) for v in ("own", "last") if v in self.variables]
        return self.pick(*options)

    def _is_part(self, part: Domain, domain: Domain) -> bool:
        return bool(part.ids) and part.ids == domain.ids and set(part.values()) <= set(domain.values())

    def term(self, context: Context, domain: Domain, depth: int) -> Tree:
        """A value of a domain; ids may be others than it has if the model is careless."""
        if domain.kind == "bool":
            return self.condition(context, depth)
        if domain.ids == self.process.name:
            return self._id_term(context, domain)
        if domain.kind == "range" and not domain.name:
            return self._number(context, domain)
        options: list[Tree] = [("name", n) for n, d in context.items() if d == domain] * 2
        options += [("value", domain, v) for v in domain.values()]
        for plain, variable in self.variables.items():
            if variable.domain == domain:
                options.append(self.element(plain, *(self.index(context, d) for d in variable.dimensions)))
        if depth and self.often(0.2):
            return ("if", self.condition(context, depth - 1), self.pick(*options), self.pick(*options))
        return self.pick(*options)

    def _id_term(self, context: Context, domain: Domain) -> Tree:
        fitting = [n for n, d in context.items() if self._is_part(d, domain) or (self.careless and d.ids == domain.ids)]
        options: list[Tree] = [("name", n) for n in fitting] * 4
        if self.often(0.4) or not options:
            options.append(("value", domain, self.chance.choice(domain.values())))
        if domain.labels == ("nobody",):
            options.append(("value", domain, domain.high))
        for plain in ("own", "last", "held"):
            variable = self.variables.get(plain)
            if variable is not None and (variable.domain == domain or self.careless):
                options.append(self.element(plain, *(self.index(context, d) for d in variable.dimensions)))
        return self.pick(*options)

    def _number(self, context: Context, domain: Domain) -> Tree:
        some: Tree = self.element("number") if "number" in self.variables else ("num", 1)
        options: list[Tree] = [("num", domain.low), some]
        options.append(("op", "%", ("op", "+", some, ("num", 1)), ("num", 3)))
        options.append(("min", (("num", 2), self.counted(context))))
        if self.careless:
            options += [("op", "+", some, ("num", 1)), ("op", "/", ("num", 2), some)]
        return self.pick(*options)

    def any_term(self, context: Context) -> tuple[Tree, Domain]:
        """A value of some domain."""
        domain = self.chance.choice((self.data, self.process, BOOL))
        if self.careless and self.often(0.5):
            return self._number(context, numbers(0, 2)), numbers(0, 9)
        return self.term(context, domain, 0), domain

    def counted(self, context: Context, depth: int = 0) -> Tree:
        """A number of processes or of data."""
        name, domain = self.fresh(context), self.chance.choice((*self.processes, self.data, self.second))
        return ("quantified", "count", ((name, domain),), self.condition({**context, name: domain}, depth))

    # ------------------------------------------------------------ conditions

    def condition(self, context: Context, depth: int) -> Tree:
        """Something true or false."""
        if depth and self.often(0.4):
            return self.question(context, depth)
        if depth and self.often(0.3):
            operator = self.chance.choice(("&&", "&&", "||", "=>", "<=>"))
            return ("op", operator, self.condition(context, depth - 1), self.condition(context, depth - 1))
        if depth and self.often(0.15):
            return ("not", self.condition(context, depth - 1))
        makers: list[Callable[[Context], Tree]] = [self.about_state, self.about_state, self.about_ids, self.about_data]
        return self.chance.choice(makers)(context)

    def question(self, context: Context, depth: int) -> Tree:
        """Something asked of all processes or all data."""
        others = [d for d in self.domains if d.name == "Q"]
        domain = self.chance.choice((*self.processes, self.process, self.data, self.data, self.second, *others))
        name = self.fresh(context)
        body = self.condition({**context, name: domain}, depth - 1)
        if self.often(0.7):
            return ("quantified", self.chance.choice(("forall", "exists")), ((name, domain),), body)
        number = ("quantified", "count", ((name, domain),), body)
        return ("op", self.chance.choice(("<", "==", ">=")), number, ("num", self.chance.randrange(3)))

    def about_state(self, context: Context) -> Tree:
        """A comparison of an element with a value."""
        plain = self.chance.choice(("at", "at", *(v for v in self.variables if v not in ("own", "last", "held"))))
        variable = self.variables[plain]
        element = self.element(plain, *(self.index(context, d) for d in variable.dimensions))
        if variable.domain.kind == "bool":
            return element if self.often(0.6) else ("not", element)
        value = self.term(context, variable.domain, 0)
        return ("op", self.chance.choice(("==", "!=")), element, value)

    def about_ids(self, context: Context) -> Tree:
        """A comparison of ids: of names, constants, and variables that hold some."""
        ids: list[Tree] = [("name", n) for n, d in context.items() if d.ids == self.process.name] * 2
        wide = self.chance.choice(self.holders)
        ids.append(("value", wide, self.chance.choice(wide.values())))
        holding: list[Tree] = []
        for plain in ("own", "last", "held"):
            if plain in self.variables:
                dimensions = self.variables[plain].dimensions
                holding.append(self.element(plain, *(self.index(context, d) for d in dimensions)))
        is_range = self.process.kind == "range"
        if is_range and ids[0][0] == "name" and self.often(0.25):
            place = ("op", "-", ("ord", ids[0]), ("num", self.process.low))
            return ("op", self.chance.choice(("<", "==", ">")), ("table", "LEVEL", (place,)), ("num", 1))
        operators = ("==", "!=", "==", "!=", "<", ">=") if is_range else ("==", "!=")
        left, right, operator = self.pick(*ids, *holding * 2), self.pick(*ids, *holding), self.chance.choice(operators)
        condition: Tree = ("op", operator, left, right)
        if operator in ("<", ">="):
            condition = ("op", operator, ("ord", left), ("ord", right))
        if holding and self.often(0.15):
            condition = self._of_holder(self.pick(*holding))
        return condition

    def _of_holder(self, holder: Tree) -> Tree:
        """The local state of the process that a variable holds, if it holds one."""
        state: Tree = ("op", "==", self.element("at", holder), ("value", self.local, self.chance.randrange(3)))
        if self.process.kind != "range" or self.careless:
            return state
        number: Tree = ("ord", holder)
        inside = [("op", "<=", ("num", self.process.low), number), ("op", "<=", number, ("num", self.process.high))]
        return both(both(inside[0], inside[1]), state)

    def about_data(self, context: Context) -> Tree:
        """A comparison of data."""
        domain = self.chance.choice((self.data, self.second))
        operators = ("==", "!=", "<") if domain.kind == "range" else ("==", "!=")
        return (
            "op", self.chance.choice(operators), self.term(context, domain, 0), self.term(context, domain, 0)
        )  # fmt: skip
