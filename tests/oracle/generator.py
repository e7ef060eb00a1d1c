"""Random `.seq` models, piece by piece; half of them symmetric on purpose."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import TypeAlias

from .arithmetic import NumberWriter, number_of
from .claims import ClaimWriter
from .language import BOOL, Domain, Model, Parameters, Rule, Tree, Variable, numbers, quoted
from .naming import Namer

Context: TypeAlias = Mapping[str, Domain]  # parameters and bound names with their domains


class ModelWriter:
    """Processes and data in arrays, single variables and queues; rules with parameters."""

    def __init__(self, random: Random, namer: Namer) -> None:
        self.random = random
        self.namer = namer
        self.symmetric = random.random() < 0.65  # no rule, value or property names a process
        self.careless = random.random() < 0.15  # faults are not ruled out
        self.ring = random.random() < 0.2
        self.nearly = random.random() < 0.35  # what adaptive exploration takes: a value for each process, single ids
        self.computing = random.random() < 0.35  # most cells hold numbers, which are computed
        self.numbers = NumberWriter(self)
        self.domains: list[Domain] = []
        self.variables: list[Variable] = []
        self.rules: list[Rule] = []
        self.tables: dict[str, tuple[int, ...]] = {}
        self.definitions: list[tuple[str, Parameters, Tree]] = []

    def often(self, likely: float) -> bool:
        return self.random.random() < likely

    def model(self) -> Model:
        self._declare_domains()
        for k in range(self.random.choice((1, 2, 2, 3, 3, 4))):
            self.variables.append(self._variable(k))
        if not self.symmetric and self.often(0.2):
            self.tables[self.namer.global_name("T")] = tuple(self.random.choices(range(3), k=3))
        if self.often(0.25):
            self._define()
        for k in range(self.random.choice((1, 2, 2, 3, 3, 4))):
            self.rules.append(self._rule(k))
        initially = self._initially() if self.often(0.15) else ()
        model = Model(
            tuple(self.domains),
            tuple(self.variables),
            tuple(self.rules),
            (),
            self.tables,
            tuple(self.definitions),
            initially,
            starts=tuple(self._start(k) for k in range(self.random.choice((1, 1, 2)))) if self.often(0.2) else (),
        )
        claims = ClaimWriter(self.random, self.namer, model, self.domains, self.condition)
        terminal = claims.terminal()
        return replace(model, terminal=terminal, properties=claims.properties())

    # ------------------------------------------------------------ declarations

    def _declare_domains(self) -> None:
        self.process = self._process("P", self.random.choice((2, 2, 3, 3, 3, 4)))
        if self.often(0.35) and not self.nearly:
            self._process("Q", 2)
        if self.often(0.7 if self.nearly else 0.5):
            self._data("D", self.random.choice((2, 2, 3)))
        if self.often(0.7 if self.nearly else 0.4):
            base = self.random.choice([d for d in self.domains if d.kind == "range"] or [None])
            if self.nearly and self.process.kind == "range":
                base = self.process
            if base is not None:
                self._extended(base)
        if self.often(0.15) and self.process.kind == "range" and len(self.process) > 2:
            p = self.process
            low = p.low + self.random.choice((0, 1))
            name = self.namer.global_name("S")
            shown = f"{low} .. {low + len(p) - 2} of {quoted(p.name)}"
            self.domains.append(Domain(name, low, low + len(p) - 2, (), "range", p.ids, shown))

    def _process(self, plain: str, size: int) -> Domain:
        name = self.namer.global_name(plain)
        if self.often(0.2):
            labels = tuple(self.namer.global_name(f"{plain.lower()}{k}") for k in range(size))
            domain = Domain(name, 0, size - 1, labels, "enumeration", name, f"{{ {', '.join(map(quoted, labels))} }}")
        else:
            low = self.random.choice((0, 0, 0, 1, 3, -1))
            domain = Domain(name, low, low + size - 1, (), "range", name, f"{low} .. {low + size - 1}")
        self.domains.append(domain)
        return domain

    def _extended(self, base: Domain) -> Domain:
        """The values of a range, and one that is none of them."""
        name, label = self.namer.global_name("O"), self.namer.global_name("nobody")
        shown = f"{quoted(base.name)} + {{ {quoted(label)} }}"
        domain = Domain(name, base.low, base.high + 1, (label,), "range", base.ids, shown)
        self.domains.append(domain)
        return domain

    def _data(self, plain: str, size: int) -> Domain:
        name = self.namer.global_name(plain)
        if self.often(0.6):
            labels = tuple(self.namer.global_name(f"{plain.lower()}{k}") for k in range(size))
            domain = Domain(name, 0, size - 1, labels, "enumeration", "", f"{{ {', '.join(map(quoted, labels))} }}")
        else:
            low = self.random.choice((0, 0, 1, -2))
            domain = Domain(name, low, low + size - 1, (), "range", "", f"{low} .. {low + size - 1}")
        self.domains.append(domain)
        return domain

    def _content(self) -> Domain:
        """What a cell holds."""
        low = self.random.choice((0, 0, 0, 1, -1, 5))
        if self.often(0.06):
            return numbers(low, low + self.random.choice((0, 255, 511, 512, 700)))  # no bits, whole bytes, no literals
        if self.computing and self.often(0.6):  # some with more values than a table, or than have literals
            return numbers(low, low + self.random.choice((1, 2, 2, 3, 3, 5, 700, 5_000)))
        plain = [BOOL, BOOL, numbers(low, low + self.random.choice((1, 1, 2, 3)))]
        return self.random.choice([*plain, *self.domains])

    def _variable(self, number: int) -> Variable:
        name = self.namer.global_name(f"v{number}")
        shapes: list[tuple[Domain, ...]] = [(), (self.process,), (self.process,)]
        shapes += [(d,) for d in self.domains if not (self.nearly and d.ids)]
        if self.nearly and number == 0:
            shapes = [(self.process,)]
        elif not self.nearly and self.often(0.3):
            shapes += [
                (self.process, self.random.choice(self.domains)),
                (self.random.choice(self.domains), self.process),
            ]
        dimensions = self.random.choice(shapes)
        domain = self._content()
        while self.nearly and dimensions == (self.process,) and domain.ids:
            domain = self._content()
        data = [d for d in self.domains if not d.ids]
        owners = [d for d in self.domains if d.ids and d.name != self.process.name]
        if self.nearly and number and data and owners and self.often(0.4):
            dimensions, domain = (self.random.choice(data),), self.random.choice(owners)
        elements = 1
        for d in dimensions:
            elements *= len(d)
        if len(dimensions) < 2 and self.often(0.15) and not (self.nearly and domain.ids):
            start = tuple(self._constant(domain) for _ in range(self.random.choice((0, 0, 0, 1))))
            if start and self.symmetric and domain.ids:
                start = ()
            return Variable(name, dimensions, domain, self.random.choice((1, 2, 2)), (start,) * elements)
        if self.often(0.12) and len(domain) ** elements <= 64:
            return Variable(name, dimensions, domain, None, (None,) * elements)
        if self.symmetric:
            common = self._constant(domain)
            if domain.ids and domain.labels and domain.kind == "range":
                common = domain.high
            elif domain.ids:
                return Variable(name, dimensions, domain, None, self._ids(dimensions, domain, elements))
            return Variable(name, dimensions, domain, None, (common,) * elements)
        return Variable(name, dimensions, domain, None, tuple(self._constant(domain) for _ in range(elements)))

    def _ids(self, dimensions: Sequence[Domain], domain: Domain, elements: int) -> tuple[int | None, ...]:
        """Initial ids that tell no processes apart: each its own, or any."""
        if (
            len(dimensions) == 1
            and dimensions[0].ids == domain.ids
            and set(dimensions[0].values()) <= set(domain.values())
        ):
            return tuple(dimensions[0].values())
        return (None,) * elements if len(domain) ** elements <= 81 else (self._constant(domain),) * elements

    def _constant(self, domain: Domain) -> int:
        """A value; of many values mostly one of the first, which others can meet."""
        values = domain.values()
        return self.random.choice(values[:4] if len(values) > 100 and self.often(0.7) else values)

    def _define(self) -> None:
        name = self.namer.global_name("near")
        parameters = (("z", self.random.choice(self.domains)),)
        self.definitions.append((name, parameters, self.condition(dict(parameters), 1)))

    def _initially(self) -> tuple[Tree, ...]:
        return tuple(self.condition({}, 1) for _ in range(self.random.choice((1, 1, 2, 3))))

    # ------------------------------------------------------------ rules

    def _rule(self, number: int) -> Rule:
        parameters = self._parameters()
        processes = [f"{d.name} {d.spell(v)}" for d in self.domains if d.ids == d.name for v in d.values()]
        name = self.namer.rule(f"r{number}", [] if any(d.ids for _, d in parameters) else processes)
        context = dict(parameters)
        guards = [self.condition(context, 2)] if self.often(0.9) else []
        if len(parameters) > 1 and parameters[0][1].type == parameters[1][1].type and self.often(0.7):
            (one, first), (other, second) = parameters[:2]
            sides: list[Tree] = [("name", one), ("name", other)]
            if first.ids != second.ids:
                sides = [number_of(sides[0], first), number_of(sides[1], second)]
            guards.insert(0, ("op", "!=", *sides))
        guard = None
        for g in guards:
            guard = g if guard is None else ("op", "&&", guard, g)
        body = tuple(s for _ in range(self.random.choice((1, 1, 1, 2, 2, 3))) for s in self.statement(context, 1))
        return Rule(name, parameters, guard, body, self._event(name, context), self._actors(parameters))

    def _start(self, number: int) -> Rule:
        """Changes one of the states that variables begin with."""
        parameters = self._parameters()
        context = dict(parameters)
        guard = self.condition(context, 1) if self.often(0.3) else None
        body = tuple(s for _ in range(self.random.choice((1, 1, 2, 3))) for s in self.statement(context, 1))
        return Rule(self.namer.rule(f"s{number}", []), parameters, guard, body)

    def _actors(self, parameters: Parameters) -> tuple[tuple[str, Tree | None], ...] | None:
        """Mostly what is usual; else any of the processes that a rule knows, one that has no domain, or nobody."""
        if self.often(0.85):
            return None
        known: list[tuple[str, Tree | None]] = [(d.ids, ("name", n)) for n, d in parameters if d.ids and not d.labels]
        known += [("controller", None), ("engine", ("num", self.random.randrange(2)))]
        if not self.symmetric:
            known.append((self.process.name, ("num", self.process.low)))
        return tuple(dict.fromkeys(self.random.choice(known) for _ in range(self.random.choice((0, 1, 1, 2)))))

    def _parameters(self) -> Parameters:
        p, other = self.process, self.random.choice(self.domains)
        if self.nearly:
            other = self.random.choice([d for d in self.domains if not d.ids] or [numbers(0, 1)])
            return self.random.choice(((("i", p),), (("i", p),), (("i", p), ("d", other)), ()))
        one, two, mixed, data = (("i", p),), (("i", p), ("j", p)), (("i", p), ("d", other)), (("d", other),)
        return self.random.choice((one, one, one, two, mixed, data, ()))

    def _event(self, rule: str, context: Context) -> tuple[str, tuple[tuple[Tree, Domain], ...]] | None:
        if self.often(0.45):
            return None
        name = self.namer.event(self.random.choice(("e", "e", "f")), self.rules)
        if self.often(0.3):
            name = rule
        arguments: list[tuple[Tree, Domain]] = []
        for _ in range(self.random.choice((0, 0, 1, 1, 2))):
            options: list[tuple[Tree, Domain]] = [(("name", n), d) for n, d in context.items()]
            options += [(e, d) for e, d in self.reads(context) if not self.symmetric or d.ids or not e[2]]
            options += [(("num", k), numbers(k, k)) for k in (0, self.random.randrange(5))]
            options += [(self.condition(context, 1), BOOL)] if self.often(0.3) else []
            options += self._chosen(options, context) if self.often(0.3) else []
            arguments.append(self.random.choice(options))
        return name, tuple(arguments)

    def _chosen(self, options: list[tuple[Tree, Domain]], context: Context) -> Iterator[tuple[Tree, Domain]]:
        """One of two values of one type: numbers are then shown as such, whatever labels the two sides have."""
        (one, first), (other, second) = self.random.choice(options), self.random.choice(options)
        if first.type == second.type:
            shown = first if first == second else numbers(min(first.low, second.low), max(first.high, second.high))
            if first.ids != second.ids:
                one, other = (("ord", one) if first.ids else one), (("ord", other) if second.ids else other)
            yield ("if", self.condition(context, 0), one, other), shown

    def statement(self, context: Context, depth: int) -> Iterator[Tree]:
        """One statement, perhaps with a condition around it."""
        chance = self.random.random()
        if depth and chance < 0.12:
            otherwise = (*self.statement(context, 0),) if self.often(0.5) else ()
            yield ("if", self.condition(context, 1), (*self.statement(context, 0),), otherwise)
        elif depth and chance < 0.2:
            name, domain = self.bound(context), self.random.choice(self.domains)
            yield ("for", name, domain, (*self.statement({**context, name: domain}, 0),))
        elif depth and chance < 0.25:
            yield from self._with_local_array(context) if self.often(0.4) else self._with_local(context)
        elif depth and chance < 0.28 and self.careless:
            yield ("assert", self.condition(context, 1))
        elif depth and chance < 0.4 and self.careless:
            yield ("while", self.condition(context, 0), 2, (*self.statement(context, 0),))
        else:
            yield from self._change(context)

    def _with_local_array(self, context: Context) -> Iterator[Tree]:
        """An array over some domain, filled in a loop, changed in one place and read in another."""
        dimension, domain = self.random.choice(self.domains), self.random.choice((*self.domains, numbers(0, 3)))
        if len(dimension) > 8:
            return
        name, each = self.bound(context, ("g", "h")), self.bound(context)
        inside = {**context, each: dimension}
        body: list[Tree] = [("local array", name, dimension, domain, self.value(domain, context))]
        body.append(("for", each, dimension, (("set element", name, ("name", each), self.value(domain, inside)),)))
        places = self._places_in(dimension, context)
        if places:
            body.append(("set element", name, self.random.choice(places), self.value(domain, context)))
            held = self.bound(context, ("w", "y"))
            body.append(("local", held, domain, ("element", name, self.random.choice(places))))
            body += self.statement({**context, held: domain}, 0)
        yield ("if", ("true",), tuple(body), ())

    def _places_in(self, dimension: Domain, context: Context) -> list[Tree]:
        """Values that are indices over a domain; in careless models they may be others."""
        found: list[Tree] = [("name", n) for n, d in context.items() if self._fits(d, dimension)]
        reads = [(e, d) for e, d in self.reads(context) if d.type == dimension.type and d.ids == dimension.ids]
        found += [e for e, d in reads if self.careless or self._fits(d, dimension)]
        if not (self.symmetric and dimension.ids):
            found.append(("value", dimension, self._constant(dimension)))
        return found

    def _with_local(self, context: Context) -> Iterator[Tree]:
        reads = [(e, d) for e, d in self.reads(context)]
        if not reads:
            return
        value, domain = self.random.choice(reads)
        name = self.bound(context, ("w", "y"))
        first: Tree = ("let", name, value) if self.often(0.5) else ("local", name, domain, value)
        # In a block of its own, where the name is declared once.
        yield ("if", ("true",), (first, *self.statement({**context, name: domain}, 0)), ())

    def _change(self, context: Context, variable: Variable | None = None) -> Iterator[Tree]:
        variable = variable or self.random.choice(self.variables)
        indices = self._indices(variable, context)
        if indices is None:
            name, domain = self.bound(context), self._unnamed(variable, context)
            yield ("for", name, domain, (*self._change({**context, name: domain}, variable),))
            return
        if variable.capacity is None:
            if self._computes(variable.domain) and self.often(0.5):
                yield from self.numbers.collected(variable, indices, context)
            else:
                yield ("set", variable.name, indices, self.value(variable.domain, context))
            return
        change: Tree = self.random.choice(
            (
                ("push", variable.name, indices, self.value(variable.domain, context)),
                ("push", variable.name, indices, self.value(variable.domain, context)),
                ("pop", variable.name, indices),
                ("clear", variable.name, indices),
                ("set item", variable.name, indices, ("num", 0), self.value(variable.domain, context)),
            )
        )
        test: Tree = ("full" if change[0] == "push" else "empty", variable.name, indices)
        is_safe = change[0] == "clear" or (self.careless and self.often(0.4))
        yield change if is_safe else ("if", ("not", test), (change,), ())

    # ------------------------------------------------------------ expressions

    def bound(self, context: Context, pool: Sequence[str] = ("n", "m", "k", "l", "o", "p", "q", "r", "s", "t")) -> str:
        """A name that is not in use; the same ones again and again."""
        return next(n for n in pool if n not in context)

    def _indices(self, variable: Variable, context: Context) -> tuple[Tree, ...] | None:
        found: list[Tree] = []
        for dimension in variable.dimensions:
            options: list[Tree] = [("name", n) for n, d in context.items() if self._fits(d, dimension)]
            if options and self.ring and dimension.ids and dimension.kind == "range":
                one = self.random.choice(options)
                is_number = dimension.labels or self.often(0.3)
                options.append(self._following(("ord", one) if is_number else one, dimension))
            if not self.symmetric or not dimension.ids:
                options += [("value", dimension, self._constant(dimension))] * (1 if options else 2)
            if self.careless and self.often(0.2):
                found_here = [(e, d) for e, d in self.reads(context, nested=False) if d.type == dimension.type]
                options += [e if d.ids == dimension.ids else number_of(e, d) for e, d in found_here]
                options += [("as", e, dimension) for e, d in found_here if d.ids == dimension.ids]
            if not options:
                return None
            found.append(self.random.choice(options))
        return tuple(found)

    def _unnamed(self, variable: Variable, context: Context) -> Domain:
        """A dimension for which there is no index yet."""
        return next(d for d in variable.dimensions if not any(self._fits(c, d) for c in context.values()))

    @staticmethod
    def _fits(inner: Domain, outer: Domain) -> bool:
        same = inner.type == outer.type and inner.ids == outer.ids
        return same and inner.low >= outer.low and inner.high <= outer.high

    @staticmethod
    def _following(e: Tree, domain: Domain) -> Tree:
        """The next id on a ring."""
        shifted = e if domain.low == 0 else ("op", "-", e, ("num", domain.low))
        ahead: Tree = ("op", "%", ("op", "+", shifted, ("num", 1)), ("num", len(domain)))
        return ahead if domain.low == 0 else ("op", "+", ahead, ("num", domain.low))

    def reads(self, context: Context, *, nested: bool = True) -> list[tuple[Tree, Domain]]:
        """Cells that can be read without a fault, a choice of indices for each."""
        found: list[tuple[Tree, Domain]] = []
        for v in self.variables:
            if v.capacity is None and (nested or not v.dimensions):
                indices = self._indices(v, context) if v.dimensions else ()
                if indices is not None:
                    found.append((("var", v.name, indices), v.domain))
        return found

    def value(self, domain: Domain, context: Context) -> Tree:
        """An expression that has a value of a domain, in careful models always."""
        if domain.kind == "bool":
            return self.random.choice((("true",), ("false",), self.condition(context, 0), self.condition(context, 0)))
        if self._computes(domain):
            return self.numbers.value(domain, context)
        options: list[Tree] = [("name", n) for n, d in context.items() if self._fits(d, domain)] * 2
        reads = self.reads(context)
        options += [e for e, d in reads if self._fits(d, domain)]
        loose = [e for e, d in reads if d.type == domain.type and not d.ids] if self.careless else []
        if domain.ids and self.symmetric:
            if domain.kind == "range" and domain.labels:
                options.append(("value", domain, domain.high))
            if not options:
                options.append(("value", domain, self._constant(domain)))
        else:
            options += [("value", domain, self._constant(domain))] * 2
            if domain.kind == "range":
                options += [self._moved(e, domain) for e, d in reads if self._fits(d, domain) and not d.ids] * 2
        found = self.random.choice(options + loose)
        return ("as", found, domain) if self.often(0.15) else found

    def _computes(self, domain: Domain) -> bool:
        return self.computing and domain.type == "number" and not domain.ids and self.often(0.6)

    def _moved(self, e: Tree, domain: Domain) -> Tree:
        """A neighbouring number, mostly inside the domain."""
        if self.careless and self.often(0.3):
            return ("op", self.random.choice(("+", "-", "/")), e, self.random.choice((("num", 1), e)))
        if self.often(0.2):
            return ("op", "-", ("num", domain.low + domain.high), e)
        if self.often(0.2):
            return ("min", (("op", "+", e, ("num", 1)), ("num", domain.high)))
        return self._following(e, domain)

    def condition(self, context: Context, depth: int) -> Tree:
        """A random condition."""
        chance = self.random.random()
        if depth and chance < 0.3:
            operator = self.random.choice(("&&", "&&", "||", "=>", "<=>"))
            return ("op", operator, self.condition(context, depth - 1), self.condition(context, depth - 1))
        if depth and chance < 0.35:
            return ("not", self.condition(context, depth - 1))
        if depth and chance < 0.6:
            return self._quantified(context, depth)
        if chance < 0.65 and self.definitions:
            name, ((_, domain),), _ = self.random.choice(self.definitions)
            given = [("name", n) for n, d in context.items() if self._fits(d, domain)]
            if given:
                return ("call", name, (self.random.choice(given),))
        return self._atom(context)

    def _quantified(self, context: Context, depth: int) -> Tree:
        bound = []
        inner = dict(context)
        for _ in range(self.random.choice((1, 1, 1, 2))):
            name, domain = self.bound(inner), self.random.choice(self.domains)
            bound.append((name, domain))
            inner[name] = domain
        body = self.condition(inner, depth - 1)
        kind = self.random.choice(("forall", "exists", "exists", "count"))
        if kind != "count":
            return ("quantified", kind, tuple(bound), body)
        if self.often(0.2):
            reads = [e for e, d in self.reads(inner) if d.type == "number" and not d.ids]
            if reads:
                total: Tree = ("quantified", "sum", tuple(bound), self.random.choice(reads))
                return ("op", self.random.choice(("<=", ">", "==")), total, ("num", self.random.randint(0, 3)))
        counted: Tree = ("quantified", "count", tuple(bound), body)
        return ("op", self.random.choice(("<=", "==", ">", "<")), counted, ("num", self.random.randint(0, 2)))

    def _atom(self, context: Context) -> Tree:
        makers: list[Callable[[], Tree | None]] = [lambda: self._comparison(context)] * 4
        queues = [v for v in self.variables if v.capacity is not None]
        if queues:
            makers += [lambda: self._about_queue(self.random.choice(queues), context)] * 2
        found = self.random.choice(makers)()
        if found is not None:
            return found
        variable = self.random.choice(self.variables)
        if self._indices(variable, context) is not None:
            return ("true",)
        name, domain = self.bound(context), self._unnamed(variable, context)
        kind = self.random.choice(("forall", "exists"))
        return ("quantified", kind, ((name, domain),), self._atom({**context, name: domain}))

    def _comparison(self, context: Context) -> Tree | None:
        options = self.reads(context) + [(("name", n), d) for n, d in context.items()]
        if not options:
            return None
        left, domain = self.random.choice(options)
        if domain.kind == "bool":
            return self.random.choice((left, left, ("not", left)))
        others = [e for e, d in options if d.type == domain.type and d.ids == domain.ids and e != left]
        if not (domain.ids and self.symmetric):
            others += [("value", domain, self._constant(domain))] * 2
            if self.tables and domain.type == "number" and self.often(0.3):
                others.append(("table", next(iter(self.tables)), (("num", self.random.choice((0, 1, 2))),)))
        elif domain.labels and domain.kind == "range":
            others += [("value", domain, domain.high)] * 2
        if not others:
            return None
        operators = ("==", "==", "!=") if domain.ids or domain.type != "number" else ("==", "!=", "<", "<=", ">", ">=")
        right = self.random.choice(others)
        if self._computes(domain):
            left = self.numbers.number(context, self.random.choice((1, 1, 2)))
            right = self.numbers.number(context, 0) if self.often(0.5) else right
        if domain.type == "number" and not domain.ids and self.often(0.02):
            left = ("op", "+", left, self._huge(left))
        if self.careless and domain.type == "number" and not domain.ids and self.often(0.15):
            left = ("op", self.random.choice(("/", "%")), ("num", self.random.randint(1, 3)), left)
        return ("op", self.random.choice(operators), left, right)

    @staticmethod
    def _huge(e: Tree) -> Tree:
        """Zero, in numbers that 64 bits do not hold unless somebody sees that it is zero."""
        factor: Tree = ("num", 1 << 40)
        return ("op", "*", ("op", "*", ("op", "%", e, ("num", 1)), factor), factor)

    def _about_queue(self, queue: Variable, context: Context) -> Tree | None:
        indices = self._indices(queue, context)
        if indices is None:
            return None
        empty: Tree = ("empty", queue.name, indices)
        chance = self.random.random()
        if chance < 0.3:
            return self.random.choice((empty, ("not", empty), ("full", queue.name, indices)))
        if chance < 0.5:
            return (
                "op",
                self.random.choice(("==", "<", ">=")),
                ("len", queue.name, indices),
                ("num", self.random.randint(0, 2)),
            )
        head: Tree = self.random.choice((("head", queue.name, indices), ("item", queue.name, indices, ("num", 0))))
        if queue.domain.kind == "bool":
            return ("op", "&&", ("not", empty), head)
        others = [("name", n) for n, d in context.items() if d.type == queue.domain.type and d.ids == queue.domain.ids]
        if not (queue.domain.ids and self.symmetric):
            others.append(("value", queue.domain, self._constant(queue.domain)))
        if not others:
            return None
        test: Tree = ("op", self.random.choice(("==", "!=")), head, self.random.choice(others))
        return test if self.careless and self.often(0.3) else ("op", "&&", ("not", empty), test)
