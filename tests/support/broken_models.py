"""Symmetric random models, each broken at one random place: is the place named?

    python -m tests.support.broken_models --many 500 --seed 0

A model is broken by a literal in place of a name, a guard that leaves out one process, an initial value that is
different, an order in place of a difference, or a range that is a part of a domain. Only those count in which fewer
processes can be exchanged then. A place is named if something between the characters that were changed is; the promise
is kept if the group without what is named is at least as large as that of the model before.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random
from time import perf_counter
from typing import Any, TypeAlias

from tests.oracle.generator import ModelWriter
from tests.oracle.language import Domain, Model, Rule, numbers, text_of
from tests.oracle.naming import Namer

from burnside.claims.task import Task
from burnside.detect.explain import Explanation
from burnside.detect.missing import told_apart
from burnside.frontends.front_end import Options
from burnside.frontends.seq import FRONT_END
from burnside.results.detection import DetectReport
from burnside.source import Source, Span
from burnside.study import Study

Tree: TypeAlias = Any
Breaking: TypeAlias = Callable[[Random, Model], Model | None]


@dataclass(frozen=True)
class Broken:
    """A model before and after, and what was said about it."""

    kind: str
    text: str
    changed: range
    orders: tuple[int, int]
    explanation: Explanation

    @property
    def is_named(self) -> bool:
        """Whether some place that is named is among the characters that were changed."""
        return any(self._is_inside(span) for span in self._spans())

    def _spans(self) -> Iterator[Span]:
        for loss in self.explanation.losses:
            for some in (loss.sites, *loss.others):
                yield from (span for site in some for span in site.places)

    def _is_inside(self, span: Span) -> bool:
        return span.start <= self.changed.stop and self.changed.start <= span.end

    @property
    def keeps_promise(self) -> bool:
        """Whether the group is said to be as large, without what is named, as it was."""
        return any(loss.without.order >= self.orders[0] for loss in self.explanation.losses)


# ---------------------------------------------------------------- models


def symmetric_model(random: Random) -> Model:
    """A model in which nothing names a process."""
    while True:
        writer = ModelWriter(random, Namer(random, strange=False))
        writer.symmetric, writer.careless, writer.nearly = True, False, False
        model = writer.model()
        if model.rules:
            return replace(model, properties=(), terminal=None)


def break_model(random: Random, model: Model) -> tuple[str, Model] | None:
    """The model with one random change, and what was changed; None if that cannot be done."""
    kind, change = random.choice([*BREAKINGS.items()])
    broken = change(random, model)
    return (kind, broken) if broken is not None and broken != model else None


# ---------------------------------------------------------------- ways to break


def _in_a_rule(random: Random, model: Model, change: Callable[[Rule], Rule | None]) -> Model | None:
    number = random.randrange(len(model.rules))
    changed = change(model.rules[number])
    if changed is None:
        return None
    return replace(model, rules=(*model.rules[:number], changed, *model.rules[number + 1 :]))


def _processes(rule: Rule) -> list[tuple[str, Domain]]:
    return [(n, d) for n, d in rule.parameters if d.ids and not (d.kind == "range" and d.labels)]


def _literal_for_name(random: Random, model: Model) -> Model | None:
    def change(rule: Rule) -> Rule | None:
        if not _processes(rule):
            return None
        name, domain = random.choice(_processes(rule))
        literal = ("value", domain, random.choice(domain.values()))
        places = [*_places((rule.guard, rule.body), ("name", name))]
        if not places:
            return None
        guard, body = _put((rule.guard, rule.body), random.choice(places), literal)
        return replace(rule, guard=guard, body=body)

    return _in_a_rule(random, model, change)


def _guard_without_one(random: Random, model: Model) -> Model | None:
    def change(rule: Rule) -> Rule | None:
        if not _processes(rule):
            return None
        name, domain = random.choice(_processes(rule))
        test = ("op", "!=", ("name", name), ("value", domain, random.choice(domain.values())))
        return replace(rule, guard=test if rule.guard is None else ("op", "&&", test, rule.guard))

    return _in_a_rule(random, model, change)


def _order_for_difference(random: Random, model: Model) -> Model | None:
    def change(rule: Rule) -> Rule | None:
        numbered = [(n, d) for n, d in _processes(rule) if d.kind == "range"]
        if len(numbered) < 2 or numbered[0][1].ids != numbered[1][1].ids:
            return None
        (one, _), (other, _) = numbered[:2]
        different, smaller = (("op", sign, ("name", one), ("name", other)) for sign in ("!=", "<"))
        places = [*_places(rule.guard, different)]
        if not places:
            return replace(rule, guard=smaller if rule.guard is None else ("op", "&&", smaller, rule.guard))
        return replace(rule, guard=_put(rule.guard, random.choice(places), smaller))

    return _in_a_rule(random, model, change)


def _part_of_a_range(random: Random, model: Model) -> Model | None:
    def change(rule: Rule) -> Rule | None:
        numbered = [(n, d) for n, d in _processes(rule) if d.kind == "range" and len(d) > 1]
        if not numbered:
            return None
        name, domain = random.choice(numbered)
        part = random.choice((numbers(domain.low + 1, domain.high), numbers(domain.low, domain.high - 1)))
        return replace(rule, parameters=tuple((n, part if n == name else d) for n, d in rule.parameters))

    return _in_a_rule(random, model, change)


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


BREAKINGS: dict[str, Breaking] = {
    "a literal in place of a name": _literal_for_name,
    "a guard without one process": _guard_without_one,
    "an initial value": _different_start,
    "an order in place of a difference": _order_for_difference,
    "a part of a range": _part_of_a_range,
}


def _places(tree: Tree, wanted: Tree, path: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Where a part stands in a tree."""
    if tree == wanted:
        yield path
    elif isinstance(tree, tuple):
        for k, part in enumerate(tree):
            yield from _places(part, wanted, (*path, k))


def _is_read(tree: Tree, name: str) -> bool:
    if not isinstance(tree, tuple):
        return False
    return tree[:2] == ("var", name) or any(_is_read(part, name) for part in tree)


def _put(tree: Tree, path: tuple[int, ...], part: Tree) -> Tree:
    if not path:
        return part
    return (*tree[: path[0]], _put(tree[path[0]], path[1:], part), *tree[path[0] + 1 :])


# ---------------------------------------------------------------- figures


def broken_model(seed: int) -> Broken:
    """The first model of a seed that has fewer symmetries when it is broken."""
    random = Random(seed)
    while True:
        model = symmetric_model(random)
        found = break_model(random, model)
        if found is None:
            continue
        kind, broken = found
        before, text = text_of(model), text_of(broken)
        whole, part = _task(before), _task(text)
        if whole is None or part is None or before == text:
            continue
        study = Study(part)
        orders, is_lost = _compared(Study(whole).symmetries(), study.symmetries())
        if is_lost:
            explanation = study.symmetries(explained=True).explanation
            assert explanation is not None
            return Broken(kind, text, _changed(before, text), orders, explanation)


def _compared(whole: DetectReport, part: DetectReport) -> tuple[tuple[int, int], bool]:
    """The orders of two groups, and whether processes that the first exchanges are told apart by the second."""
    before, after = (set(told_apart(report.detection)) for report in (whole, part))
    return (whole.order, part.order), after > before


def _task(text: str) -> Task | None:
    loaded = FRONT_END.load(Source("broken.seq", text), {}, Options({}, only_first=True))
    return loaded.tasks[0] if loaded.tasks else None


def _changed(before: str, after: str) -> range:
    """The characters of a text that are not those of another: between a common beginning and a common end."""
    first = _common(before, after)
    last = min(_common(before[::-1], after[::-1]), min(len(before), len(after)) - first)
    return range(first, len(after) - last)


def _common(one: str, other: str) -> int:
    """How many characters two texts begin with together."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((k for k, (a, b) in pairs if a != b), min(len(one), len(other)))


def main() -> None:
    """Break many models; ends with 1 if fewer than 95 % of the places are named."""
    parser = argparse.ArgumentParser(description="Symmetric random models, each broken at one random place.")
    parser.add_argument("--many", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="print the models whose places are not named")
    given = parser.parse_args()
    start = perf_counter()
    counts: dict[str, Counter[str]] = {}
    for seed in range(given.seed, given.seed + given.many):
        found = broken_model(seed)
        counts.setdefault(found.kind, Counter()).update(
            models=1, named=found.is_named, promised=found.is_named and found.keeps_promise
        )
        if given.show and not (found.is_named and found.keeps_promise):
            sys.stdout.write(f"// seed {seed}: {found.kind}, {found.orders}, named {found.is_named}\n{found.text}")
            sys.stdout.writelines(f"// {loss}\n" for loss in found.explanation.losses)
            sys.stdout.flush()
    total = sum(counts.values(), Counter())
    for kind, figures in sorted({**counts, "all": total}.items()):
        sys.stdout.write(
            f"{kind:36} {figures['models']:5} broken, {figures['named']:5} named "
            f"({figures['named'] / figures['models']:.1%}), {figures['promised']:5} with the group of before\n"
        )
    sys.stdout.write(f"{perf_counter() - start:.0f} s\n")
    sys.exit(total["named"] < 0.95 * total["models"])


if __name__ == "__main__":
    main()
