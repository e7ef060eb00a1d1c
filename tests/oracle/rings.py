"""Cells of different domains that a symmetry exchanges: only the values that are used correspond."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import permutations
from random import Random
from typing import Any

from .claims import ClaimWriter
from .language import BOOL, Domain, Model, Property, Rule, Tree, Variable, numbers, quoted
from .naming import Namer


@dataclass(frozen=True)
class Cell:
    """How it is written, its domain, and the value that stands for each abstract value."""

    place: Tree
    domain: Domain
    values: tuple[int, ...]

    def equals(self, abstract: int, operator: str = "==") -> Tree:
        if self.domain.kind == "bool":
            return self.place if bool(self.values[abstract]) is (operator == "==") else ("not", self.place)
        return ("op", operator, self.place, ("value", self.domain, self.values[abstract]))

    def becomes(self, abstract: int) -> Tree:
        return ("set", self.place[1], self.place[2], ("value", self.domain, self.values[abstract]))


def ring_model(random: Random, namer: Namer) -> Model:
    """A model whose cells can be rotated, or exchanged in any way, by a symmetry; sometimes nearly."""
    return _RingWriter(random, namer).model()


class _RingWriter:
    def __init__(self, random: Random, namer: Namer) -> None:
        self.random = random
        self.namer = namer
        self.used = random.choice((2, 2, 3, 3, 4, 5, 9))
        self.size = {2: random.choice((2, 3, 3, 4, 4, 5)), 3: random.choice((2, 3, 3, 4)), 4: 3}.get(self.used, 2)
        if self.used == 5:
            self.size = random.choice((2, 3))
        self.is_monotone = random.random() < 0.5
        self.same_width = random.random() < 0.2
        self.domains: list[Domain] = []
        self.variables: list[Variable] = []
        self.cells = [self._cell(k) for k in range(self.size)]
        self.extra: Cell | None = None

    def model(self) -> Model:
        if self.random.random() < 0.7:
            name = self.namer.global_name("n")
            self.variables.insert(self.random.randrange(len(self.variables) + 1), Variable(name, (), BOOL, None, (0,)))
            self.extra = Cell(("var", name, ()), BOOL, (0, 1))
        rules = [r for k in range(self.random.choice((1, 2, 2, 3))) for r in self._schema(k)]
        if self.random.random() < 0.1:
            rules.pop(self.random.randrange(len(rules)))
        if self.extra is not None:
            rules.append(Rule(self.namer.rule("tick", []), (), self._all_alike(), (self.extra.becomes(1),)))
        self.random.shuffle(self.variables)
        initially = self._begin_anywhere() if self.random.random() < 0.15 else ()
        model = Model(tuple(self.domains), tuple(self.variables), tuple(rules), (), initially=initially)
        claims = ClaimWriter(self.random, self.namer, model, self.domains, lambda _, depth: self._condition(depth))
        if self.random.random() < 0.25:
            return replace(model, **self._mirrored())
        return replace(model, properties=claims.properties(), terminal=claims.terminal())

    def _begin_anywhere(self) -> tuple[Tree, ...]:
        """Conditions on the cells, which now begin with any value: the same for each, and perhaps one that faults."""
        self.variables = [replace(v, initial=(None,)) for v in self.variables]
        faulty, forbidden = self.random.randrange(self.used), self.random.randrange(self.used)
        careless = self.random.random() < 0.5
        conditions = [self._all_alike()] if self.random.random() < 0.3 else []
        conditions += [self._pairs_of(faulty, forbidden)] if self.random.random() < 0.6 else []
        for cell in self.cells:
            if careless:
                divisor: Tree = ("if", cell.equals(faulty), ("num", 0), ("num", 1))
                conditions.append(("op", "==", ("op", "/", ("num", 1), divisor), ("num", 1)))
            conditions.append(cell.equals(forbidden, "!="))
        if self.random.random() < 0.3:
            self.random.shuffle(conditions)
        return tuple(conditions)

    def _pairs_of(self, one: int, other: int) -> Tree:
        """Some cell has the one value if and only if some cell has the other."""
        some = []
        for abstract in (one, other):
            held = self.cells[0].equals(abstract)
            for cell in self.cells[1:]:
                held = ("op", "||", held, cell.equals(abstract))
            some.append(held)
        return ("op", "<=>", *some)

    def _mirrored(self) -> dict[str, Any]:
        """What is asked of one cell, and of another one in another way: only their kinds tell the cells apart."""
        one, other = self.random.sample(self.cells, 2)
        abstract = self.random.randrange(self.used)
        first, second = one.equals(abstract), other.equals(abstract)
        kind = self.random.choice(("invariant", "reachable"))
        if self.random.random() < 0.5:
            name = self.namer.property("p", [], "terminal")
            properties = (Property(kind, name, (), second), Property("deadlockfree", self.namer.property("d", [name])))
            return {"terminal": first, "properties": properties}
        fault: Tree = ("op", "==", ("op", "/", ("num", 1), ("if", first, ("num", 0), ("num", 1))), ("num", 1))
        faulty = Property("invariant", self.namer.property("p", []), (), fault)
        name = self.namer.property("q", [], f"fault of {faulty.name}")
        return {"properties": (faulty, Property(kind, name, (), second))}

    # ------------------------------------------------------------ cells

    def _cell(self, number: int) -> Cell:
        name = self.namer.global_name(f"c{number}")
        domain = self._domain(number)
        if self.is_monotone or domain.kind == "bool":
            start = self.random.choice(domain.values()[: len(domain) - self.used + 1])
            values = tuple(range(start, start + self.used))
        else:
            values = tuple(self.random.sample(domain.values(), self.used))
        self.variables.append(Variable(name, (), domain, None, (values[0],)))
        return Cell(("var", name, ()), domain, values)

    def _domain(self, number: int) -> Domain:
        spare = 0 if self.same_width else self.random.choice((0, 0, 1, 2, 5, 12))
        if self.used == 2 and not spare and self.random.random() < 0.4:
            return BOOL
        if self.random.random() < 0.25 and not self.is_monotone:
            labels = tuple(self.namer.global_name(f"l{number}{k}") for k in range(self.used + min(spare, 3)))
            shown = f"{{ {', '.join(map(quoted, labels))} }}"
            domain = Domain(self.namer.global_name(f"E{number}"), 0, len(labels) - 1, labels, "enumeration", "", shown)
            self.domains.append(domain)
            return domain
        low = self.random.choice((0, 0, 0, 1, -3, 7))
        return numbers(low, low + self.used + spare - 1)

    # ------------------------------------------------------------ rules

    def _schema(self, number: int) -> list[Rule]:
        """A rule about a cell and perhaps the next one, for every cell; or about every two cells."""
        random = self.random
        event = self.namer.event(random.choice(("s", "z", "s")), [])
        own, other = random.randrange(self.used), random.randrange(self.used)
        after, other_after = random.randrange(self.used), random.randrange(self.used)
        reads_next, writes_next = random.random() < 0.7, random.random() < 0.4
        operator = random.choice(("==", "==", "!="))
        climbs = self.is_monotone and random.random() < 0.4
        in_any_order = random.random() < 0.35
        size = self.size
        pairs = list(permutations(range(size), 2)) if in_any_order else [(p, (p + 1) % size) for p in range(size)]
        if not reads_next and not writes_next:
            pairs = [(p, p) for p in range(size)]
        needs_extra = self.extra is not None and random.random() < 0.2
        rules = []
        for p, q in pairs:
            here, there = self.cells[p], self.cells[q]
            if climbs and here.domain.kind != "bool":
                guard: Tree = ("op", "<", here.place, ("value", here.domain, here.values[-1]))
                body: list[Tree] = [("set", here.place[1], (), ("op", "+", here.place, ("num", 1)))]
            elif climbs:
                guard, body = here.equals(0), [here.becomes(1)]
            else:
                guard, body = here.equals(own), [here.becomes(after)]
            if reads_next:
                guard = ("op", "&&", guard, there.equals(other, operator))
            if writes_next:
                body.append(there.becomes(other_after))
            if needs_extra and self.extra is not None:
                guard = ("op", "&&", self.extra.equals(1), guard)
            name = self.namer.rule(f"{'abc'[number]}{p}{q}", [])
            rules.append(Rule(name, (), guard, tuple(body), (event, self._arguments(here))))
        return rules

    def _arguments(self, cell: Cell) -> tuple[tuple[Tree, Domain], ...]:
        return ((cell.place, cell.domain),) if self.random.random() < 0.2 else ()

    # ------------------------------------------------------------ conditions

    def _all_alike(self) -> Tree:
        """All cells have a value, or one of them."""
        abstract = self.random.randrange(self.used)
        operator = self.random.choice(("&&", "&&", "||"))
        result = self.cells[0].equals(abstract)
        for cell in self.cells[1:]:
            result = ("op", operator, result, cell.equals(abstract))
        return result

    def _condition(self, depth: int) -> Tree:
        chance = self.random.random()
        if depth and chance < 0.3:
            return (
                "op",
                self.random.choice(("&&", "||", "=>")),
                self._condition(depth - 1),
                self._condition(depth - 1),
            )
        if chance < 0.5 and self.extra is not None:
            return self.extra.equals(self.random.randrange(2))
        if chance < 0.8:
            return self._all_alike()
        return self.random.choice(self.cells).equals(self.random.randrange(self.used), self.random.choice(("==", "!=")))
