"""Whole rules that cost symmetry, where no single literal, initial value or calculation does.

A front end may write a process definition out, one rule for each process, all from one place of the text. Such rules
are a *family*; if they differ, what only some of them say is the place to look at, and without it they are alike.
Other rules can only be left out as a whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from math import comb, prod
from typing import TypeAlias

from burnside.claims.requirements import Required
from burnside.detect.constrain import ModelConstraints
from burnside.detect.culprits import Budget, Questions, smallest
from burnside.detect.relax import Relaxed
from burnside.detect.site import Kind, Site, places
from burnside.detect.sort_inference import Owner, is_written_name
from burnside.detect.ties import Name
from burnside.detect.vocabulary import Vocabulary
from burnside.ir import nodes as n
from burnside.ir.build import conjunction, conjuncts
from burnside.ir.nodes import Expr, Model, Rule, Stmt
from burnside.ir.renaming import Sort
from burnside.ir.rewrite import Block, map_expr, map_stmt
from burnside.source import Span

_MOST_PLACES = 40  # that are looked at
_MOST_NAMED = 2  # more of them are the model rather than a place in it

Part: TypeAlias = Expr | Stmt


def rules_to_blame(
    model: Model, requirements: Sequence[Required], vocabulary: Vocabulary, lost: frozenset[Name], budget: Budget
) -> tuple[tuple[Site, ...], Questions] | None:
    """A few places without which names could be exchanged with others, and the model without them."""
    candidates = dict(_candidates(model, next(iter(lost)).sort, vocabulary))
    if not candidates or len(candidates) > _MOST_PLACES:
        return None
    asked: dict[frozenset[Site], Questions] = {}

    def without(some: frozenset[Site]) -> Questions:
        if some not in asked:
            changed = {id(old): new for site in some for old, new in candidates[site]}
            rules = [changed.get(id(rule), rule) for rule in model.rules]
            kept = replace(model, rules=tuple(rule for rule in rules if rule is not None))
            constraints = ModelConstraints(kept, budget.checkpoint).with_requirements(requirements)
            asked[some] = Questions(Relaxed(constraints, {}), vocabulary, budget)
        return asked[some]

    def goal(some: frozenset[Site]) -> bool:
        return without(some).is_spoken_of(lost) and without(some).is_wider(lost, ())

    # One place or two: without all of them little is left to tell anybody apart, or to be exchanged.
    alone = next(((site,) for site in candidates if goal(frozenset([site]))), None)
    found = alone or (smallest(goal, [*candidates]) if goal(frozenset(candidates)) else ())
    return (found, without(frozenset(found))) if 0 < len(found) <= _MOST_NAMED else None


def acting_together(model: Model, sort: Sort) -> tuple[Span, ...]:
    """Where the steps are written that processes of a sort take with others, if not with any others."""
    steps: dict[tuple[str, ...], dict[frozenset[tuple[str, int]], list[Span | None]]] = {}
    ids: dict[str, set[int]] = {}
    for rule in model.rules:
        actors = frozenset((a.kind, a.id.value) for a in rule.actors or () if isinstance(a.id, n.Const))
        for kind, number in actors:
            ids.setdefault(kind, set()).add(number)
        kinds = tuple(sorted(kind for kind, _ in actors))
        if len(actors) > 1 and sort.name in kinds:
            steps.setdefault(kinds, {}).setdefault(actors, []).append(rule.span)
    limited = (found for kinds, found in steps.items() if len(found) < _ways_to_meet(kinds, ids))
    return places(span for found in limited for spans in found.values() for span in spans)


def _ways_to_meet(kinds: Sequence[str], ids: Mapping[str, Collection[int]]) -> int:
    """How many sets there are of as many processes of each kind."""
    return prod(comb(len(ids[kind]), several) for kind, several in Counter(kinds).items())


def _candidates(
    model: Model, sort: Sort, vocabulary: Vocabulary
) -> Iterator[tuple[Site, list[tuple[Rule, Rule | None]]]]:
    """Places, each with the rules that come from it and what is left of them without what costs symmetry."""
    families: dict[tuple[str, int], list[Rule]] = {}
    for rule in model.rules:
        if rule.span is not None:
            families.setdefault((rule.span.source.name, rule.span.start), []).append(rule)
    for rules in families.values():
        first = rules[0]
        assert first.span is not None
        ids = [_actor(rule, sort) for rule in rules]
        if len({*ids}) == len(ids) and {*ids} == {*vocabulary.declared(sort)}:
            common, different = _alike(rules, ids)
            if different:
                where = places(different) or (first.span,)
                yield Site(Kind.CASE, sort, Owner("rule", first.name), where, where[0].text), common
        else:
            yield (
                Site(Kind.RULE, sort, Owner("rule", first.name), (first.span,), first.name),
                [(r, None) for r in rules],
            )


def _actor(rule: Rule, sort: Sort) -> int | None:
    """The one process of a sort that a rule is for, if it says so."""
    numbers = [a.id.value for a in rule.actors or () if a.kind == sort.name and isinstance(a.id, n.Const)]
    return numbers[0] if len(numbers) == 1 else None


def _alike(
    rules: Sequence[Rule], ids: Sequence[int | None]
) -> tuple[list[tuple[Rule, Rule | None]], list[Span | None]]:
    """Rules of a family with only what all of them say, and where the rest is written."""
    said = [dict(_Own(i).parts(rule)) for rule, i in zip(rules, ids, strict=True)]
    common = set(said[0]).intersection(*said[1:])
    different = [part.span for parts in said for key, part in parts.items() if key not in common]
    left: list[tuple[Rule, Rule | None]] = []
    for rule, parts in zip(rules, said, strict=True):
        kept = {id(part) for key, part in parts.items() if key in common}
        guard = conjunction([c for c in conjuncts(rule.guard) if id(c) in kept])
        left.append((rule, replace(rule, guard=guard, body=tuple(s for s in rule.body if id(s) in kept))))
    return left, different


class _Own:
    """Parts of a rule with a sign in the places of the process that the rule is for."""

    def __init__(self, number: int | None) -> None:
        self._number = number

    def parts(self, rule: Rule) -> Iterator[tuple[Part, Part]]:
        """The conditions and statements of a rule, each after what it is for whatever process."""
        yield from ((self.expr(condition), condition) for condition in conjuncts(rule.guard))
        yield from zip(self._block(rule.body), rule.body, strict=True)

    def expr(self, expr: Expr) -> Expr:
        """An expression; a number that the text writes as a number is no process."""
        if isinstance(expr, n.Const) and expr.domain is None and expr.value == self._number and is_written_name(expr):
            return n.Bound("?", n.BOOL)
        return map_expr(expr, self.expr)

    def _block(self, body: Block) -> Block:
        return tuple(map_stmt(statement, self.expr, self._block) for statement in body)
