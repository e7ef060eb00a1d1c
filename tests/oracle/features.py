"""What occurs in a model, for figures."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from .language import Model, quoted


def features_of(model: Model) -> set[str]:
    """The features of the language that a model uses."""
    return {*_of_declarations(model), *_of_rules(model), *_of_properties(model)}


def _of_declarations(model: Model) -> Iterator[str]:
    ids = {d.ids for d in model.domains if d.ids}
    yield f"{len(ids)} process domains"
    for domain in model.domains:
        if domain.ids == domain.name and domain.low:
            yield "process ids that do not begin with 0"
        if domain.labels and domain.kind == "range":
            yield "extended ranges"
        if domain.ids and domain.ids != domain.name and not domain.labels:
            yield "ranges of process ids"
    for variable in model.variables:
        if len(variable.domain) > 512:
            yield "cells without literals" if len(variable.domain) > 4_096 else "cells with many values"
        if variable.capacity is not None:
            yield "sequences"
        if len(variable.dimensions) == 2:
            yield "arrays of two dimensions"
            if all(d.ids for d in variable.dimensions):
                yield "values for pairs of processes"
        if None in variable.initial:
            yield "several initial values"
        if variable.domain.ids:
            indexed = variable.dimensions and not variable.dimensions[0].ids
            yield "ids for each data item" if indexed else "ids"
    if len({len(v.domain) for v in model.variables if not v.dimensions}) > 1:
        yield "single cells of different sizes"
    if model.initially:
        yield "initially"
    if model.starts:
        yield "start rules"
    if model.terminal is not None:
        yield "terminal"
    if model.definitions:
        yield "definitions"
    names = chain(
        (v.name for v in model.variables),
        (r.name for r in model.rules),
        (p.name for p in model.properties),
        (r.event[0] for r in model.rules if r.event),
    )
    if any(quoted(n) != n for n in names):
        yield "names in backquotes"


def _of_rules(model: Model) -> Iterator[str]:
    events = [r.event[0] if r.event else r.name for r in model.rules]
    if len(set(events)) < len(events):
        yield "events shared by rules"
    for rule in model.rules:
        if rule.event and any(a[0] == "var" for a, _ in rule.event[1]):
            yield "events that depend on the state"
        if not any(d.ids for _, d in rule.parameters):
            yield "rules without a process"
        if rule.actors is not None:
            yield "rules that say who acts"
        for tree in _trees((rule.guard, rule.body)):
            operator = tree[1] if tree[0] in ("op", "quantified") else tree[0]
            if operator in ("min", "max", "sum", "*", "/", "%", "&", "|", "^"):
                yield f"numbers by {operator}"
            if tree[0] == "set element":
                yield "local arrays"
            if tree[0] == "set local":
                yield "numbers that are collected"
            if tree[0] == "quantified":
                yield "quantifiers over processes" if tree[2][0][1].ids else "quantifiers over data"
            if tree[0] in ("for", "while", "let", "local"):
                yield f"statement {tree[0]}"


def _of_properties(model: Model) -> Iterator[str]:
    for p in model.properties:
        if p.kind == "ltl":
            yield f"ltl, fairness {p.fairness}"
        if p.parameters:
            yield f"{'ltl ' if p.kind == 'ltl' else ''}families of {len(p.parameters)} parameters"
        yield p.kind


def _trees(tree: Any) -> Iterator[Any]:
    if isinstance(tree, tuple):
        if tree and isinstance(tree[0], str):
            yield tree
        for part in tree:
            yield from _trees(part)
