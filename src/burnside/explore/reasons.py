"""Find out why a state decides a claim, by the semantics: what is shown below a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, final

from burnside.claims.kinds import Invariant, Reachable, StateClaim
from burnside.claims.members import Member
from burnside.ir import nodes as n
from burnside.ir.build import conjuncts
from burnside.ir.cells import Cells, State, element_name
from burnside.ir.instances import Instance, instances_of, with_arguments
from burnside.ir.nodes import Expr
from burnside.ir.operators import EQUALITIES, ORDERINGS
from burnside.ir.semantics import FaultRaised, evaluate
from burnside.ir.shown import shown_domain
from burnside.ir.uses import variables_read
from burnside.ir.views import Views
from burnside.ir.walk import parts
from burnside.results.reasons import Part, Reasons, Waiting
from burnside.source import Span

_MOST_WAITING: Final = 6  # that are shown
_MOST_INSTANCES: Final = 2_000  # of rules that are looked at
_MOST_PARTS: Final = 12
_LONGEST: Final = 80  # characters of a part


def reasons_in(cells: Cells, member: Member[StateClaim], state: State) -> Reasons | None:
    """Why a state decides a claim; None if the claim does not say, or something faults on the way."""
    try:
        match member.claim:
            case Invariant(condition=condition) | Reachable(condition=condition):
                asking = _Asking(cells, state, condition.span)
                found = tuple(asking.parts(condition, member.values, holds=member.claim.is_existential))
                return Reasons(tuple(asking.witness), found[:_MOST_PARTS])
            case _:
                return _waiting(cells, state)
    except FaultRaised:
        return None


def _waiting(cells: Cells, state: State) -> Reasons | None:
    """What rules wait for; not in models whose rules were not written by their authors."""
    model = cells.model
    if model.actors or any(rule.guard.span is None for rule in model.rules):
        return None
    found: list[Waiting] = []
    for number, instance in enumerate(instances_of(model)):
        if number == _MOST_INSTANCES:
            return None
        lacking = tuple(_Asking(cells, state).in_the_way(instance))
        if lacking:
            name = with_arguments(instance.rule.name, instance.rule.parameters, instance.arguments)
            found.append(Waiting(name, lacking))
    found.sort(key=lambda waiting: len(waiting.parts))
    return Reasons(waiting=tuple(found[:_MOST_WAITING]), others=max(0, len(found) - _MOST_WAITING))


@final
class _Asking:
    """Takes conditions apart in one state; what stands elsewhere than in the ``asked`` one is part of a definition."""

    def __init__(self, cells: Cells, state: State, asked: Span | None = None) -> None:
        self._asked = asked
        self._cells = cells
        self._views = Views(cells.model)
        self._state = state
        self.witness: list[tuple[str, str]] = []

    def parts(self, expr: Expr, names: Mapping[str, int], *, holds: bool) -> Iterator[Part]:
        """What makes a condition true or false, which it is known to be, in the order of evaluation."""
        match expr:
            case n.Quantified(quantifier="forall" | "exists") if (expr.quantifier == "exists") == holds:
                value = next(
                    v for v in expr.domain.values() if self._holds(expr.body, {**names, expr.name: v}) == holds
                )
                self.witness.append((expr.name, expr.domain.text(value)))
                yield from self.parts(expr.body, {**names, expr.name: value}, holds=holds)
            case n.Logic(operator=operator, operands=operands):
                decisive = operands if (operator == "&&") == holds else [self._first(operands, names, holds=holds)]
                for operand in decisive:
                    yield from self.parts(operand, names, holds=holds)
            case n.Binary(operator="=>", left=left, right=right):
                is_left = self._holds(left, names)
                if not holds or not is_left:
                    yield from self.parts(left, names, holds=is_left)
                if is_left:
                    yield from self.parts(right, names, holds=holds)
            case n.Unary(operator="!", operand=operand):
                yield from self.parts(operand, names, holds=not holds)
            case n.Choice(condition=condition, then=then, otherwise=otherwise):
                is_then = self._holds(condition, names)
                yield from self.parts(condition, names, holds=is_then)
                yield from self.parts(then if is_then else otherwise, names, holds=holds)
            case n.Binary(left=n.Read() as count) if self._is_in_bag(expr):
                yield Part(self._element(count, names), holds)
            case _ if variables_read(expr):  # what depends on names alone, these say
                text = self._text(expr, names) + self._for_values(expr, names)
                yield Part(text, holds, tuple(self._values(expr, names)))

    def _for_values(self, expr: Expr, names: Mapping[str, int]) -> str:
        """What a part of a definition is about, which has names of its own."""
        asked, span = self._asked, expr.span
        is_here = asked is None or span is None or (asked.start <= span.start and span.end <= asked.end)
        if is_here or isinstance(expr, n.Read):
            return ""
        told = {b.name: b for b in parts(expr) if isinstance(b, n.Bound) and b.name in names}
        values = (f"{name} = {b.domain.text(names[name])}" for name, b in told.items())
        return f" for {', '.join(values)}" if told else ""

    def in_the_way(self, instance: Instance) -> Iterator[Part]:
        """The parts of a guard that are false; none if the instance can never fire, whatever the state is, or if it is
        about a message that is not there.
        """
        lacking = [c for c in conjuncts(instance.rule.guard) if not self._holds(c, instance.values)]
        if all(variables_read(c) and not self._is_in_bag(c) for c in lacking):
            for condition in lacking:
                yield from self.parts(condition, instance.values, holds=False)

    def _is_in_bag(self, expr: Expr) -> bool:
        """Whether a condition asks if a bag holds a value: no other question is about its counts."""
        return isinstance(expr, n.Binary) and isinstance(expr.left, n.Read) and self._views.is_bag(expr.left.variable)

    def _holds(self, expr: Expr, names: Mapping[str, int]) -> bool:
        return bool(self._value(expr, names))

    def _value(self, expr: Expr, names: Mapping[str, int]) -> int:
        return evaluate(self._cells, expr, self._state, names)

    def _first(self, operands: tuple[Expr, ...], names: Mapping[str, int], *, holds: bool) -> Expr:
        return next(operand for operand in operands if self._holds(operand, names) == holds)

    def _text(self, expr: Expr, names: Mapping[str, int]) -> str:
        if isinstance(expr, n.Read):
            return self._element(expr, names)
        if expr.span is None:
            return "a condition"
        text = " ".join(expr.span.balanced().text.split())
        return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"

    def _element(self, read: n.Read, names: Mapping[str, int]) -> str:
        indices = [self._value(index, names) for index in read.indices]
        said = self._views.membership(read.variable, indices) or self._views.size(read.variable, indices)
        return said or element_name(self._cells.variables[read.variable], indices)

    def _values(self, expr: Expr, names: Mapping[str, int]) -> Iterator[tuple[str, str]]:
        """Both sides of a comparison, unless they say themselves what they are."""
        if not isinstance(expr, n.Binary) or expr.operator not in (*EQUALITIES, *ORDERINGS, "<=>"):
            return
        for side in (expr.left, expr.right):
            if not isinstance(side, n.Const | n.Bound):
                domain, value = shown_domain(self._cells.variables, side), self._value(side, names)
                name = self._text(side, names)
                is_short = isinstance(side, n.Read) or " " not in name
                yield name if is_short else f"({name})", str(value) if domain is None else domain.text(value)
