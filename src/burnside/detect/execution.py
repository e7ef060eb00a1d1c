"""Programs of rules on the old values of cells: what they write, and where they fault.

Branches on unknown conditions are both taken, and their effects joined by choices.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never, final

from burnside.detect.symbolic import LARGEST_DOMAIN, Evaluator, Store
from burnside.detect.terms import Term, TooLarge
from burnside.ir.cells import empty_slot
from burnside.ir.nodes import Assert, Assign, Bound, Clear, Declare, Domain, Expr, For, If, Item, Pop, Push, Stmt, While
from burnside.source import Span

MOST_ROUNDS = 48  # of a loop whose end depends on the state


@final
class Execution:
    """Runs the program of one rule instance symbolically; ``fault`` grows as statements are passed."""

    def __init__(self, evaluator: Evaluator, store: Store) -> None:
        self._evaluator = evaluator
        self._terms = evaluator.terms
        self.store = store
        self.fault = evaluator.terms.false
        self._path = evaluator.terms.true
        self._rounds = 0

    def run(self, body: Sequence[Stmt]) -> None:
        """A block; its locals end with it."""
        outer = set(self.store.names)
        for statement in body:
            self._step(statement)
        self.store.names = {n: t for n, t in self.store.names.items() if n in outer}

    def _note(self, *faults: Term) -> None:
        for fault in faults:
            if fault is not self._terms.false:
                self.fault = self._terms.disjunction((self.fault, self._terms.conjunction((self._path, fault))))

    def _value(self, expr: Expr) -> Term:
        value, fault = self._evaluator.evaluate(expr, self.store)
        self._note(fault)
        return value

    def _fitted(self, expr: Expr, domain: Domain) -> Term:
        """The value of an expression; leaving the domain is a fault."""
        value = self._value(expr)
        self._note(*self._evaluator.outside(value, domain))
        return value

    def _step(self, statement: Stmt) -> None:
        match statement:
            case Assign():
                self._assign(statement)
            case Declare(name=name, domain=domain, value=value):
                self.store.names[name] = self._fitted(value, domain)
            case If(condition=condition, then=then, otherwise=otherwise):
                self._branch(self._value(condition), then, otherwise, statement.span)
            case For(name=name, domain=domain, body=body):
                if domain.size > LARGEST_DOMAIN:
                    raise TooLarge(span=statement.span)
                for number in domain.values():
                    self.store.names[name] = self._terms.constant(number)
                    self.run(body)
                del self.store.names[name]
            case While():
                self._loop(statement, statement.limit)
            case Assert(condition=condition):
                self._note(self._terms.negation(self._value(condition)))
            case Push() | Pop() | Clear():
                self._change_sequence(statement)
            case _:
                assert_never(statement)

    def _assign(self, statement: Assign) -> None:
        target = statement.target
        if isinstance(target, Bound):
            self.store.names[target.name] = self._fitted(statement.value, target.domain)
            return
        variable = self._evaluator.cells.variables[target.variable]
        if isinstance(target, Item):
            position, fault = self._evaluator.locate_item(target, self.store)
        else:
            position, fault = self._evaluator.locate(target.variable, target.indices, self.store)
        self._note(fault)
        value = self._fitted(statement.value, variable.domain)
        if position is not None:
            self.store.cells[position] = value

    def _branch(
        self, condition: Term, then: Sequence[Stmt], otherwise: Sequence[Stmt], span: Span | None = None
    ) -> None:
        if condition.is_constant:
            self.run(then if condition.value else otherwise)
            return
        before, path = self.store, self._path
        after: list[Store] = []
        for taken, block in ((condition, then), (self._terms.negation(condition), otherwise)):
            self.store = before.copy()
            self._path = self._terms.conjunction((path, taken))
            if self._path is not self._terms.false:
                self.run(block)
            after.append(self.store)
        self._path = path
        self.store = self._merge(condition, after[0], after[1], span)

    def _merge(self, condition: Term, then: Store, otherwise: Store, span: Span | None) -> Store:
        merged = Store()
        for cell in sorted(then.cells.keys() | otherwise.cells.keys()):
            old = self._terms.cell(cell)
            sides = then.cells.get(cell, old), otherwise.cells.get(cell, old)
            merged.cells[cell] = self._terms.at(self._terms.choose(condition, *sides), span)
        for name in then.names:
            value = self._terms.choose(condition, then.names[name], otherwise.names[name])
            merged.names[name] = self._terms.at(value, span)
        return merged

    def _loop(self, loop: While, rounds: int) -> None:
        condition = self._value(loop.condition)
        while condition is self._terms.true and rounds > 0:
            self._evaluator.count_round(loop.span)
            self.run(loop.body)
            rounds -= 1
            condition = self._value(loop.condition)
        if condition is self._terms.false:
            return
        if rounds == 0:
            self._note(condition)
            return
        self._rounds += 1
        if self._rounds > MOST_ROUNDS:
            raise TooLarge(condition.support, loop.span)  # where more values are known, the condition may be so too
        again = While(loop.condition, rounds - 1, loop.body, loop.span)
        self._branch(condition, (*loop.body, again), (), loop.span)

    def _change_sequence(self, statement: Push | Pop | Clear) -> None:
        terms, evaluator = self._terms, self._evaluator
        variable = evaluator.cells.variables[statement.variable]
        start, fault = evaluator.locate(statement.variable, statement.indices, self.store)
        self._note(fault)
        if start is None:
            return
        capacity, empty = variable.capacity or 0, terms.constant(empty_slot(variable))
        length = evaluator.read(start, self.store)
        slots = [evaluator.read(start + 1 + k, self.store) for k in range(capacity)]
        match statement:
            case Push(value=value):
                item = self._fitted(value, variable.domain)
                self._note(terms.equal(length, terms.constant(capacity)))
                slots = [terms.choose(terms.equal(length, terms.constant(k)), item, s) for k, s in enumerate(slots)]
                length = terms.add(length, terms.true)
            case Pop():
                self._note(terms.equal(length, terms.false))
                # Slots behind the last item are empty, so all can move whatever the length.
                slots = [*slots[1:], empty]
                length = terms.difference(length, terms.true)
            case Clear():
                slots, length = [empty] * capacity, terms.false
            case _:
                assert_never(statement)
        for cell, after in zip(range(start, start + 1 + capacity), (length, *slots), strict=True):
            self.store.cells[cell] = after
