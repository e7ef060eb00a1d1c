"""Refinement in the traces model: the specification as an observer of the implementation.

``P refines Q`` holds if every sequence of visible events of P is one of Q. Q is made deterministic; a variable follows
the events of P through it, and what Q does not allow leads to a last value that must never be reached.

Needs: a specification without variables, programs and channels, and events of P with known arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, final

from burnside.frontends.cspsharp.elaborate import Elaborator
from burnside.frontends.cspsharp.steps import Rules
from burnside.frontends.cspsharp.terms import EVENT, SILENT, TERMINATION, Step, Term, key_of
from burnside.ir.nodes import (
    TRUE,
    Assign,
    Binary,
    Choice,
    Const,
    Domain,
    Expr,
    Model,
    Property,
    PropertyKind,
    Read,
    Rule,
    Variable,
)
from burnside.source import Span

Label: TypeAlias = tuple[str, tuple[int, ...]]

MOST_STATES: Final = 2_000


@final
@dataclass(frozen=True, slots=True)
class Observer:
    """A deterministic automaton: for each state the next one by label. What is missing is not allowed."""

    moves: tuple[Mapping[Label, int], ...]
    name: str
    span: Span


def observer_of(term: Term, name: str, span: Span, elaborator: Elaborator) -> Observer | None:
    """The observer for a specification, or None if it is not one of plain events, or too large."""
    rules = Rules(elaborator)
    known: dict[Term, tuple[Step, ...]] = {}

    def steps(at: Term) -> tuple[Step, ...]:
        if at not in known:
            known[at] = rules.steps(at)
        return known[at]

    start = _closure([elaborator.unfold(term)], steps)
    numbers: dict[frozenset[Term], int] = {start: 0}
    moves: list[dict[Label, int]] = []
    for at in (pending := [start]):  # grows while it is walked
        found: dict[Label, set[Term]] = {}
        for step in (s for t in at for s in steps(t)):
            key = key_of(step.action)
            plain = step.action.kind in (EVENT, SILENT, TERMINATION) and not step.action.body
            if not plain or key is None or step.guard != TRUE or step.is_urgent:
                return None
            if step.action.kind != SILENT:
                found.setdefault(key, set()).add(step.next)
        row: dict[Label, int] = {}
        for key in sorted(found):
            target = _closure(found[key], steps)
            if target not in numbers:
                numbers[target] = len(pending)
                pending.append(target)
            row[key] = numbers[target]
        moves.append(row)
        if len(pending) > MOST_STATES or len(known) > MOST_STATES:
            return None
    return Observer(tuple(moves), name, span)


def _closure(terms: Iterable[Term], steps: Callable[[Term], tuple[Step, ...]]) -> frozenset[Term]:
    found, pending = set[Term](), list(terms)
    while pending:
        term = pending.pop()
        if term not in found and len(found) <= MOST_STATES:
            found.add(term)
            pending += [s.next for s in steps(term) if s.action.kind == SILENT]
    return frozenset(found)


def add_observer(model: Model, observer: Observer) -> Model | None:
    """The model with a variable that follows its events, and the claim that no event is one too many.

    None if an event of the model has arguments that are not known.
    """
    name = observer.name
    while any(v.name == name for v in model.variables):
        name += "_"
    wrong = len(observer.moves)
    variable = Variable(name, (), Domain("", 0, wrong), None, (0,), observer.span)
    rules: list[Rule] = []
    for rule in model.rules:
        values = tuple(a.value for a in rule.event.arguments if isinstance(a, Const))
        if len(values) != len(rule.event.arguments):
            return None
        update = (
            () if rule.event.name == "tau" else (Assign(Read(name), _next(observer, name, (rule.event.name, values))),)
        )
        rules.append(replace(rule, body=(*rule.body, *update)))
    claim = Property(observer.name, PropertyKind.INVARIANT, Binary("!=", Read(name), Const(wrong)), (), observer.span)
    return replace(
        model,
        variables=(*model.variables, variable),
        rules=tuple(rules),
        properties=(*model.properties, claim),
    )


def _next(observer: Observer, name: str, label: Label) -> Expr:
    value: Expr = Const(len(observer.moves))
    for state, row in reversed(list(enumerate(observer.moves))):
        if label in row:
            value = Choice(Binary("==", Read(name), Const(state)), Const(row[label]), value)
    return value
