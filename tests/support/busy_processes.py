"""Random models of nearly alike processes whose rules do more than those of ``nearly_symmetric``.

Locals that are used and changed, loops, assertions, sequences; ids that are calculated with, that are indices of arrays
of data, that stand in tables of two dimensions; questions about pairs of processes, sums, and choices among ids.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from oracle.interpreter import TooLarge
from oracle.language import BOOL, Domain, Model, Tree, Variable, numbers
from oracle.space import Space
from support.nearly_symmetric import Context, Writer

MOST_NAMES = 4  # in scope; those of quantifiers come on top of them


def random_model(seed: int, most: int = 260, least: int = 3) -> tuple[Model, Space]:
    """The first model of a seed with a few states and not too many, and its states."""
    chance = random.Random(seed)
    while True:
        model = BusyWriter(chance).model()
        try:
            space = Space(model, most)
        except TooLarge:
            continue
        if space.initially_faults or len(space) >= least:
            return model, space


class BusyWriter(Writer):
    """Writes a model."""

    def _declare_variables(self) -> None:
        super()._declare_variables()
        ids = numbers(self.process.low, self.process.high)
        for likely, plain, dimensions, domain in (
            (0.3, "owner of", (self.data, self.second), self.chance.choice(self.holders)),
            (0.3, "score", (ids,), numbers(0, 1)),
            (0.2, "wide", (self.data, self.process, self.second), BOOL),
        ):
            if self.often(likely) and not (plain == "score" and self.process.kind != "range"):
                self._declare(plain, dimensions, domain)
        for likely, plain, dimensions, domain in (
            (0.3, "inbox", (self.process,), self.data),
            (0.2, "queue", (), self.second),
            (0.1, "queues", (self.data,), self.local),
        ):
            if self.often(likely):
                self._declare_sequence(plain, dimensions, domain)

    def _declare_sequence(self, plain: str, dimensions: tuple[Domain, ...], domain: Domain) -> None:
        elements = 1
        for d in dimensions:
            elements *= len(d)
        items: tuple[int, ...] = (domain.high,) if self.often(0.5) else ()
        self.variables[plain] = Variable(self.global_name(plain), dimensions, domain, 2, (items,) * elements)

    def _sequences(self) -> list[str]:
        return [plain for plain, v in self.variables.items() if v.capacity is not None]

    def _plain(self) -> list[str]:
        return [plain for plain, v in self.variables.items() if v.capacity is None]

    # ------------------------------------------------------------ programs

    def statement(self, context: Context, actor: str | None, depth: int) -> list[Tree]:
        """What a rule does."""
        makers: list[Callable[[Context, str | None], list[Tree]]] = [self._with_local, self._rounds, self._ordered]
        if self._sequences():
            makers.append(self._with_sequence)
        if self.often(0.35) and len(context) < MOST_NAMES:
            return self.chance.choice(makers)(context, actor)
        hidden = {p: self.variables.pop(p) for p in self._sequences()}  # the others know nothing of sequences
        found = super().statement(context, actor, depth)
        self.variables |= hidden
        return found

    def _with_local(self, context: Context, actor: str | None) -> list[Tree]:
        """A local, perhaps an id taken as a number, that is changed and used."""
        name = self.fresh(context)
        ids = [numbers(self.process.low, self.process.high)] if self.process.kind == "range" else []
        domain = self.chance.choice((self.data, BOOL, self.local, *ids))
        inner = {**context, name: domain}
        first: Tree = ("local", name, domain, self._value(context, domain))
        program: list[Tree] = [first]
        if self.often(0.4):
            program.append(("if", self.condition(inner, 1), (("set local", name, self._value(inner, domain)),), ()))
        if domain.kind == "bool" and self.often(0.7):
            program.append(("if", ("name", name), tuple(self.statement(inner, actor, 0)), ()))
        program += self.statement(inner, actor, 0)
        return [("if", self.condition(context, 1) if self.often(0.4) else ("true",), tuple(program), ())]

    def _value(self, context: Context, domain: Domain) -> Tree:
        if domain.kind == "range" and not domain.name:
            ids: list[Tree] = [("ord", ("name", n)) for n, d in context.items() if d.ids == self.process.name]
            counted = ("op", "+", ("num", domain.low), ("op", "%", self.counted(context), ("num", len(domain))))
            return self.pick(*ids, ("num", domain.low), ("num", domain.high), counted)
        return self.term(context, domain, 0)

    def _rounds(self, context: Context, actor: str | None) -> list[Tree]:
        """A loop, or an assertion."""
        if self.often(0.3) and self.careless:
            return [("assert", self.condition(context, 1))]
        if "number" not in self.variables:
            return self.statement(context, actor, 0)
        number = self.element("number")
        place = self.variables["number"].name
        limit = 2 if self.careless and self.often(0.3) else 3
        inner = self.statement(context, actor, 0) if self.often(0.5) else []
        last: Tree = ("set", place, (), ("op", "+", number, ("num", 1)))
        return [("while", ("op", "<", number, ("num", 2)), limit, (*inner, last))]

    def _ordered(self, context: Context, _actor: str | None) -> list[Tree]:
        """A loop over processes in which order may matter."""
        name = self.fresh(context)
        domain = self.chance.choice(self.processes)
        inner = {**context, name: domain}
        body = self.statement(inner, name, 0)
        if self.often(0.5):
            body = [("if", self.condition(inner, 1), tuple(body), ())]
        return [("for", name, domain, tuple(body))]

    def _with_sequence(self, context: Context, actor: str | None) -> list[Tree]:
        plain = self.chance.choice(self._sequences())
        variable = self.variables[plain]
        indices = tuple(self.index(context, d, actor) for d in variable.dimensions)
        length: Tree = ("len", variable.name, indices)
        match self.chance.randrange(4):
            case 0:
                what: Tree = ("push", variable.name, indices, self.term(context, variable.domain, 1))
                safe: Tree = ("op", "<", length, ("num", 2))
            case 1:
                what, safe = ("pop", variable.name, indices), ("op", ">", length, ("num", 0))
            case 2:
                what, safe = ("clear", variable.name, indices), ("true",)
            case _:
                value = self.term(context, variable.domain, 0)
                what = ("set item", variable.name, indices, ("num", 0), value)
                safe = ("not", ("empty", variable.name, indices))
        return [what] if self.careless and self.often(0.3) else [("if", safe, (what,), ())]

    # ------------------------------------------------------------ terms

    def index(self, context: Context, domain: Domain, actor: str | None = None) -> Tree:
        """An index, of processes now and then one that is calculated or chosen."""
        is_range = self.process.kind == "range"
        ids = [n for n, d in context.items() if d == self.process]
        if domain == self.process and ids and self.often(0.2):
            if is_range and self.often(0.5):
                return self._neighbour(("name", self.chance.choice(ids)))
            return ("if", self.about_ids(context), ("name", ids[0]), ("name", ids[-1]))
        if domain == numbers(self.process.low, self.process.high):
            held = [self.element(v) for v in ("own", "last") if v in self.variables]
            held = [("ord", h) for h in held if self.careless]
            return self.pick(*[("ord", ("name", n)) for n in ids] * 2, ("num", domain.low), ("num", domain.high), *held)
        return super().index(context, domain, actor)

    def _neighbour(self, process: Tree) -> Tree:
        low = ("num", self.process.low)
        moved = ("op", "+", ("op", "-", process, low), ("num", self.chance.choice((1, 1, self.size - 1))))
        return ("op", "+", ("op", "%", moved, ("num", self.size)), low)

    def term(self, context: Context, domain: Domain, depth: int) -> Tree:
        """A value of a domain."""
        hidden = {p: self.variables.pop(p) for p in self._sequences()}
        found = super().term(context, domain, depth)
        self.variables |= hidden
        for plain in self._sequences():
            variable = hidden[plain]
            if variable.domain == domain and self.often(0.3):
                indices = tuple(self.index(context, d) for d in variable.dimensions)
                return ("if", ("empty", variable.name, indices), found, ("head", variable.name, indices))
        return found

    def _id_term(self, context: Context, domain: Domain) -> Tree:
        found = super()._id_term(context, domain)
        if self.often(0.25):
            return ("if", self.condition(context, 1), found, super()._id_term(context, domain))
        if "owner of" in self.variables and (self.variables["owner of"].domain == domain) and self.often(0.3):
            return self.element("owner of", *(self.index(context, d) for d in (self.data, self.second)))
        return found

    # ------------------------------------------------------------ conditions

    def about_state(self, context: Context) -> Tree:
        """A comparison of an element with a value."""
        if self._sequences() and self.often(0.2):
            variable = self.variables[self.chance.choice(self._sequences())]
            indices = tuple(self.index(context, d) for d in variable.dimensions)
            return self.pick(
                ("op", ">", ("len", variable.name, indices), ("num", self.chance.randrange(2))),
                (self.chance.choice(("empty", "full")), variable.name, indices),
            )
        hidden = {p: self.variables.pop(p) for p in (*self._sequences(), "owner of") if p in self.variables}
        found = super().about_state(context)
        self.variables |= hidden
        return found

    def question(self, context: Context, depth: int) -> Tree:
        """Something asked of all processes, of pairs, or of data."""
        kind = self.chance.random()
        if kind < 0.6:
            return super().question(context, depth)
        first = self.fresh(context)
        one = self.chance.choice(self.processes)
        inner = {**context, first: one}
        if kind < 0.8:
            return self._of_pairs(inner, first, one, depth)
        value = self.pick(("num", 1), ("num", -1), ("num", 2), *self._numbers_of(inner, first))
        summand: Tree = ("if", self.condition(inner, depth - 1), value, ("num", 0))
        total: Tree = ("quantified", "sum", ((first, one),), summand)
        if self.often(0.3):
            total = ("min" if self.often(0.5) else "max", (total, ("num", 1)))
        return ("op", self.chance.choice(("<", "==", ">=")), total, ("num", self.chance.randrange(-1, 4)))

    def _numbers_of(self, context: Context, process: str) -> list[Tree]:
        found: list[Tree] = []
        if "score" in self.variables and context[process] == self.process:
            found.append(self.element("score", ("ord", ("name", process))))
        if self.process.kind == "range":
            found.append(("ord", ("name", process)))
        return found

    def _of_pairs(self, context: Context, first: str, one: Domain, depth: int) -> Tree:
        second = self.fresh(context)
        other = self.chance.choice((*self.processes, self.data))
        body = self.condition({**context, second: other}, depth - 1)
        if other.ids:
            is_range = self.process.kind == "range"
            apart = self.chance.choice(("!=", "!=", "<") if is_range else ("!=",))
            pair: tuple[Tree, Tree] = (("name", first), ("name", second))
            if apart == "<":
                pair = (("ord", pair[0]), ("ord", pair[1]))
            body = ("op", self.chance.choice(("&&", "=>")), ("op", apart, *pair), body)
        bound = ((first, one), (second, other))
        if self.often(0.6):
            return ("quantified", self.chance.choice(("forall", "exists")), bound, body)
        return ("op", ">", ("quantified", "count", bound, body), ("num", self.chance.randrange(3)))

    def about_ids(self, context: Context) -> Tree:
        """A comparison of ids, some of them calculated or chosen."""
        ids: list[Tree] = [("name", n) for n, d in context.items() if d.ids == self.process.name]
        if not ids or self.process.kind != "range" or self.often(0.7):
            return super().about_ids(context)
        holding: list[Tree] = [self.element(v) for v in ("own", "last") if v in self.variables]
        if "owner of" in self.variables:
            holding.append(self.element("owner of", *(self.index(context, d) for d in (self.data, self.second))))
        left = self.pick(*ids, *holding)
        return self.pick(
            ("op", "==", left, self._neighbour(self.pick(*ids))),
            ("op", "==", ("op", "%", ("ord", left), ("num", 2)), ("num", 0)),
            ("op", ">", ("op", "+", ("ord", left), ("ord", self.pick(*ids))), ("num", self.size)),
            ("op", "==", left, ("if", super().about_ids(context), self.pick(*ids, *holding), self.pick(*ids))),
            ("op", "<", ("max", (("ord", left), ("ord", self.pick(*ids)))), ("ord", self.pick(*ids, *holding))),
        )
