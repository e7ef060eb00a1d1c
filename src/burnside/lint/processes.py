"""Processes that nothing but literals tells apart: what is said of one of them by its number was perhaps meant of all.

Where anything else tells processes of a domain apart, nothing is said: an order, a ring, a list with an entry for each,
initial values, a part of the domain, numbers that are taken as ids; nor where all of them are written down.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from burnside.claims.conditions import expressions_in
from burnside.claims.task import Task
from burnside.ir import nodes as n
from burnside.ir.ids import Declared, Kind, expected_kinds, kind_of, misuses, moved, written_kinds
from burnside.ir.nodes import Domain, Expr, Model
from burnside.ir.operators import EQUALITIES
from burnside.ir.uses import is_named
from burnside.ir.walk import children, parts, statements
from burnside.lint.warn import warning
from burnside.source import Diagnostic


def about_processes(task: Task) -> Iterator[Diagnostic]:
    """The domains of processes of which literals single some out, and nothing else does."""
    model = task.model
    kinds = {d.name: d for d in model.domains if d.index == d.name and d.size > 1 and not d.labels}
    if not kinds:
        return
    known = Declared.of(model)
    apart = set(_told_apart_by_declarations(model))
    literals: dict[str, list[n.Const]] = {name: [] for name in kinds}
    for expr in expressions_in(task):
        apart.update(_told_apart(expr, known))
        for part in parts(expr):
            _note(zip(children(part), _wanted(part, known), strict=True), known, literals, apart)
    for rule in model.programs:
        for statement in statements(rule.body):
            _note(written_kinds(statement, known), known, literals, apart)
    for name, domain in kinds.items():
        written = [constant for constant in literals[name] if constant.value in domain]
        is_about_some = 0 < len({constant.value for constant in written}) < domain.size
        if name not in apart and is_about_some and all(map(_is_literal, written)):
            yield _warning(domain, min(written, key=_place))


def _warning(domain: Domain, first: n.Const) -> Diagnostic:
    remedy = "write what is true of all with a parameter or 'forall'; if one of them is meant, allow it on this line"
    message = f"only literals such as this one tell the processes of '{domain.name}' apart"
    return warning("BUR707", message, first.span, remedy)


def _place(constant: n.Const) -> int:
    return constant.span.start if constant.span else 0


def _is_literal(constant: n.Const) -> bool:
    return constant.span is not None and not is_named(constant)


def _wanted(expr: Expr, known: Declared) -> tuple[Kind, ...]:
    """What kind of ids the parts of an expression are compared with, or expected to be."""
    match expr:
        case n.Binary(operator=operator, left=left, right=right) if operator in EQUALITIES:
            return kind_of(right, known), kind_of(left, known)
        case n.Choice(then=then, otherwise=otherwise):
            return None, kind_of(otherwise, known), kind_of(then, known)
        case _:
            return expected_kinds(expr, known)


def _note(
    pairs: Iterable[tuple[Expr, Kind]],
    known: Declared,
    literals: dict[str, list[n.Const]],
    apart: set[str],
) -> None:
    """Collect constants where ids are expected; what is computed instead tells them apart."""
    for value, kind in pairs:
        if kind not in literals:
            continue
        if isinstance(value, n.Const):
            literals[kind].append(value)
        elif kind_of(value, known) != kind:
            apart.add(kind)


def _told_apart(expr: Expr, known: Declared) -> Iterator[str]:
    """The kinds of ids that an expression computes with, looks up in a list, or puts in an order."""
    for part, wrong in misuses(expr, known):
        yield from (kind for child, _ in wrong if (kind := kind_of(child, known)))
        yield from (kind for child in children(part) if (kind := kind_of(child, known)))
    for part in parts(expr):
        if isinstance(part, n.Lookup):
            yield from (kind for index in part.indices if (kind := kind_of(index, known)))
        found = moved(part, known)
        if found is not None:
            yield found.domain.index
        if isinstance(part, n.Quantified):
            yield from _part_of(part.domain, known)


def _told_apart_by_declarations(model: Model) -> Iterator[str]:
    known = Declared.of(model)
    for variable in model.variables:
        values = {v for i in variable.initial for v in (i if isinstance(i, tuple) else (i,))}
        if variable.domain.index and any(v is not None and v < _first_label(variable.domain) for v in values):
            yield variable.domain.index  # somebody is named at the beginning
        differ = len(set(variable.initial)) > 1
        for domain in variable.dimensions:
            yield from _part_of(domain, known)
            if differ and domain.index:
                yield domain.index
        yield from _part_of(variable.domain, known)
    for start in model.starts:
        for statement in statements(start.body):  # somebody is named at the beginning
            yield from (kind for value, kind in written_kinds(statement, known) if kind and isinstance(value, n.Const))
    for rule in model.programs:
        ranged = [p.domain for p in rule.parameters]
        ranged += [s.domain for s in statements(rule.body) if isinstance(s, n.For | n.Declare)]
        yield from chain.from_iterable(_part_of(domain, known) for domain in ranged)


def _first_label(domain: Domain) -> int:
    return domain.high - len(domain.labels) + 1


def _part_of(domain: Domain, known: Declared) -> Iterator[str]:
    """The process domain of which a domain has some ids only."""
    whole = known.domains.get(domain.index)
    if isinstance(whole, Domain) and (domain.low, _first_label(domain) - 1) != (whole.low, whole.high):
        yield domain.index
