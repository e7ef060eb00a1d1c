"""Ways to break a symmetric model of the oracle's language at one random place, each as a new user might do it.

A breaking is given the model and returns it with one change, or None if there is nothing to change in this way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any, TypeAlias

from tests.oracle.language import Domain, Model, Property, Rule, numbers

Tree: TypeAlias = Any
Path: TypeAlias = tuple[int, ...]
Breaking: TypeAlias = Callable[[Random, Model], Model | None]

CLAIM = "claim"  # the property of models that have one
OF_PROPERTY = "a property of one process"
OF_START = "an initial value"
CALCULATED = ("an order in place of a difference", "the next process")


def with_property(random: Random, model: Model) -> Model:
    """A model that claims of all processes what one of its rules asks for, if one asks for something."""
    rules = [r for r in model.rules if r.guard is not None and _processes(r)]
    if not rules:
        return model
    rule = random.choice(rules)
    claim = Property("invariant", CLAIM, (), ("quantified", "exists", rule.parameters, rule.guard))
    return replace(model, properties=(claim,))


# ---------------------------------------------------------------- trees


def _parts(tree: Tree, path: Path = ()) -> Iterator[tuple[Path, Tree]]:
    yield path, tree
    if isinstance(tree, tuple):
        for k, part in enumerate(tree):
            yield from _parts(part, (*path, k))


def _places(tree: Tree, wanted: Tree) -> list[Path]:
    """Where a part stands in a tree."""
    return [path for path, part in _parts(tree) if part == wanted]


def _put(tree: Tree, path: Path, part: Tree) -> Tree:
    if not path:
        return part
    return (*tree[: path[0]], _put(tree[path[0]], path[1:], part), *tree[path[0] + 1 :])


def _put_all(tree: Tree, wanted: Tree, part: Tree) -> Tree:
    for path in _places(tree, wanted):
        tree = _put(tree, path, part)
    return tree


def _is_read(tree: Tree, name: str) -> bool:
    return any(part[:2] == ("var", name) for _, part in _parts(tree) if isinstance(part, tuple))


def _in_a_rule(random: Random, model: Model, change: Callable[[Rule], Rule | None]) -> Model | None:
    number = random.randrange(len(model.rules))
    changed = change(model.rules[number])
    if changed is None:
        return None
    return replace(model, rules=(*model.rules[:number], changed, *model.rules[number + 1 :]))


def _processes(rule: Rule) -> list[tuple[str, Domain]]:
    return [(n, d) for n, d in rule.parameters if d.ids and not (d.kind == "range" and d.labels)]


def _guarded(rule: Rule, test: Tree) -> Rule:
    return replace(rule, guard=test if rule.guard is None else ("op", "&&", test, rule.guard))


def _one_of(random: Random, domain: Domain) -> Tree:
    return ("value", domain, random.choice(domain.values()))


# ---------------------------------------------------------------- literals


def _literal_in(part: str) -> Breaking:
    def breaking(random: Random, model: Model) -> Model | None:
        def change(rule: Rule) -> Rule | None:
            if not _processes(rule):
                return None
            name, domain = random.choice(_processes(rule))
            tree = getattr(rule, part)
            places = _places(tree, ("name", name))
            if not places:
                return None
            return replace(rule, **{part: _put(tree, random.choice(places), _one_of(random, domain))})

        return _in_a_rule(random, model, change)

    return breaking


def _guard_without_one(random: Random, model: Model) -> Model | None:
    def change(rule: Rule) -> Rule | None:
        if not _processes(rule):
            return None
        name, domain = random.choice(_processes(rule))
        return _guarded(rule, ("op", "!=", ("name", name), _one_of(random, domain)))

    return _in_a_rule(random, model, change)


def _case_for_one(random: Random, model: Model) -> Model | None:
    """``x[i] := e`` becomes ``x[i] := if i == 0 then x[i] else e``."""

    def change(rule: Rule) -> Rule | None:
        updates = [(p, s) for p, s in _parts(rule.body) if isinstance(s, tuple) and s[:1] == ("set",)]
        if not updates or not _processes(rule):
            return None
        path, (_, variable, indices, value) = random.choice(updates)
        name, domain = random.choice(_processes(rule))
        test = ("op", "==", ("name", name), _one_of(random, domain))
        value = ("if", test, ("var", variable, indices), value)
        return replace(rule, body=_put(rule.body, path, ("set", variable, indices, value)))

    return _in_a_rule(random, model, change)


def _for_one_process(random: Random, rule: Rule) -> Rule | None:
    """A rule without one of its parameters, which is one process wherever it stands."""
    if not _processes(rule):
        return None
    name, domain = random.choice(_processes(rule))
    literal = _one_of(random, domain)
    trees = (rule.guard, rule.body, rule.event, rule.actors)
    guard, body, event, actors = _put_all(trees, ("name", name), literal)
    kept = tuple((n, d) for n, d in rule.parameters if n != name)
    return replace(rule, parameters=kept, guard=guard, body=body, event=event, actors=actors)


def _rule_for_one(random: Random, model: Model) -> Model | None:
    return _in_a_rule(random, model, lambda rule: _for_one_process(random, rule))


def _further_rule(random: Random, model: Model) -> Model | None:
    """What one rule does under the guard of another, for one process only."""
    guard, body = random.choice(model.rules), random.choice(model.rules)
    if guard.parameters != body.parameters:
        return None
    rule = _for_one_process(random, replace(body, name="special", guard=guard.guard, event=None, actors=None))
    return None if rule is None else replace(model, rules=(*model.rules, rule))


def _property_of_one(random: Random, model: Model) -> Model | None:
    """A property says of one process what it said of some."""
    if not model.properties:
        return None
    claim = model.properties[0]
    _, kind, bound, body = claim.condition
    name, domain = random.choice([(n, d) for n, d in bound if d.ids and not (d.kind == "range" and d.labels)])
    rest = tuple((n, d) for n, d in bound if n != name)
    body = _put_all(body, ("name", name), _one_of(random, domain))
    condition = ("quantified", kind, rest, body) if rest else body
    return replace(model, properties=(replace(claim, condition=condition),))


# ---------------------------------------------------------------- orders, ranges, initial values


def _order_for_difference(random: Random, model: Model) -> Model | None:
    def change(rule: Rule) -> Rule | None:
        numbered = [(n, d) for n, d in _processes(rule) if d.kind == "range"]
        if len(numbered) < 2 or numbered[0][1].ids != numbered[1][1].ids:
            return None
        (one, _), (other, _) = numbered[:2]
        different = ("op", "!=", ("name", one), ("name", other))
        smaller = ("op", "<", ("ord", ("name", one)), ("ord", ("name", other)))
        places = _places(rule.guard, different)
        return (
            replace(rule, guard=_put(rule.guard, random.choice(places), smaller)) if places else _guarded(rule, smaller)
        )

    return _in_a_rule(random, model, change)


def _next_process(random: Random, model: Model) -> Model | None:
    """``x[i]`` becomes ``x[(i + 1) % N]`` in one place."""

    def change(rule: Rule) -> Rule | None:
        counted = [(n, d) for n, d in _processes(rule) if d.kind == "range" and d.low == 0 and len(d) > 2]
        if not counted:
            return None
        name, domain = random.choice(counted)
        places = _places((rule.guard, rule.body), ("name", name))
        if not places:
            return None
        following = ("op", "%", ("op", "+", ("name", name), ("num", 1)), ("num", len(domain)))
        guard, body = _put((rule.guard, rule.body), random.choice(places), following)
        return replace(rule, guard=guard, body=body)

    return _in_a_rule(random, model, change)


def _part_of(random: Random, domain: Domain) -> Domain:
    return random.choice((numbers(domain.low + 1, domain.high), numbers(domain.low, domain.high - 1)))


def _part_of_a_range(random: Random, model: Model) -> Model | None:
    def change(rule: Rule) -> Rule | None:
        numbered = [(n, d) for n, d in _processes(rule) if d.kind == "range" and len(d) > 1]
        if not numbered:
            return None
        name, domain = random.choice(numbered)
        part = _part_of(random, domain)
        return replace(rule, parameters=tuple((n, part if n == name else d) for n, d in rule.parameters))

    return _in_a_rule(random, model, change)


def _part_of_a_quantifier(random: Random, model: Model) -> Model | None:
    """A quantifier or a loop that leaves out the first or the last process."""

    def change(rule: Rule) -> Rule | None:
        trees = (rule.guard, rule.body)
        domains = [(p, d) for p, d in _parts(trees) if isinstance(d, Domain) and _binds(trees, p)]
        numbered = [(p, d) for p, d in domains if d.ids and d.kind == "range" and not d.labels and len(d) > 1]
        if not numbered:
            return None
        path, domain = random.choice(numbered)
        guard, body = _put(trees, path, _part_of(random, domain))
        return replace(rule, guard=guard, body=body)

    return _in_a_rule(random, model, change)


def _binds(tree: Tree, path: Path) -> bool:
    """Whether a domain stands where a name is bound: in a loop, or in a pair of a quantifier."""
    above = [tree]
    for k in path[:-1]:
        above.append(above[-1][k])
    return above[-1][0] == "for" or (len(above) > 2 and above[-3][0] == "quantified")


def _different_start(random: Random, model: Model) -> Model | None:
    number = random.randrange(len(model.variables))
    variable = model.variables[number]
    if variable.capacity is not None or not (variable.dimensions or variable.domain.ids):
        return None
    if not any(_is_read((rule.guard, rule.body), variable.name) for rule in model.rules):
        return None
    element, value = random.randrange(len(variable.initial)), random.choice(variable.domain.values())
    initial = (*variable.initial[:element], value, *variable.initial[element + 1 :])
    changed = replace(variable, initial=initial)
    return replace(model, variables=(*model.variables[:number], changed, *model.variables[number + 1 :]))


def _list_by_process(random: Random, model: Model) -> Model | None:
    """A rule that asks a list of constants whether a process may act."""
    entries = [1] * 8
    entries[random.randrange(3)] = 0

    def change(rule: Rule) -> Rule | None:
        counted = [(n, d) for n, d in _processes(rule) if d.kind == "range" and d.low >= 0 and d.high < len(entries)]
        if not counted:
            return None
        name, _ = random.choice(counted)
        return _guarded(rule, ("op", "==", ("table", "LIST", (("name", name),)), ("num", 1)))

    changed = _in_a_rule(random, model, change)
    return None if changed is None else replace(changed, tables={**changed.tables, "LIST": tuple(entries)})


BREAKINGS: dict[str, Breaking] = {
    "a literal in a guard": _literal_in("guard"),
    "a literal in an update": _literal_in("body"),
    "a guard without one process": _guard_without_one,
    "a case for one process": _case_for_one,
    "a rule for one process": _rule_for_one,
    "a further rule for one process": _further_rule,
    OF_PROPERTY: _property_of_one,
    OF_START: _different_start,
    "an order in place of a difference": _order_for_difference,
    "the next process": _next_process,
    "a part of a parameter's range": _part_of_a_range,
    "a part of a quantifier's range": _part_of_a_quantifier,
    "a list looked up by process": _list_by_process,
}
