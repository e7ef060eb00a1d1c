"""Symmetric random models, each broken at one random place: is the place named, and nothing else?

    python -m tests.support.broken_models --many 500 --seed 0

Only models count that can exchange fewer processes than before (`breakings` says how they are broken). The place is

* *named* if a sentence about these processes names some of what was changed,
* *named alone* if the sentences about them name nothing that was not changed. What a sentence says of calculations
  does not count, unless a calculation was changed: some of the models are rings, and that is told after the rest.

Sets that "would do as well" do not count. A fix at that place restores the group, since the model had it before; the
sentence *promises* right if there are as many renamings without the place as the model had before.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from random import Random
from time import perf_counter

from tests.oracle.generator import ModelWriter
from tests.oracle.language import Model, text_of
from tests.oracle.naming import Namer
from tests.support.breakings import BREAKINGS, CALCULATED, CLAIM, OF_PROPERTY, OF_START, with_property

from burnside.claims.task import Task
from burnside.detect.culprits import Budget, Questions
from burnside.detect.explain import Explanation
from burnside.detect.losses import Loss, values_taken
from burnside.detect.missing import told_apart
from burnside.detect.relax import Relaxed
from burnside.detect.sites import find_sites
from burnside.detect.sorts import Sorts
from burnside.frontends.front_end import Options
from burnside.frontends.seq import FRONT_END
from burnside.groups import PermGroup, group_order
from burnside.report.explanation import loss_sentence
from burnside.results.detection import DetectReport
from burnside.source import Source, Span
from burnside.study import Study

_MOST_TRIES = 20_000


@dataclass(frozen=True)
class Broken:
    """A model before and after, and what was said about it; ``lost`` are domains that can exchange fewer processes."""

    kind: str
    text: str
    changed: tuple[range, ...]
    lost: frozenset[str]
    renamings: int  # of the model before
    explanation: Explanation

    @property
    def losses(self) -> Sequence[Loss]:
        """The sentences about what was lost."""
        costs = [loss for cost in self.explanation.properties for loss in cost.losses]
        about = [loss for loss in (*self.explanation.losses, *costs) if loss.sort.name in self.lost]
        return about if self.kind in CALCULATED else [loss for loss in about if loss.values]

    @property
    def is_named(self) -> bool:
        """Whether some sentence names a place that was changed."""
        return any(self._is_changed(span) for loss in self.losses for span in _spans(loss))

    @property
    def is_named_alone(self) -> bool:
        """Whether the sentences name nothing else."""
        return self.is_named and all(self._is_changed(span) for loss in self.losses for span in _spans(loss))

    def _is_changed(self, span: Span) -> bool:
        return any(span.start < part.stop and part.start < span.end for part in self.changed)

    @property
    def promise(self) -> str:
        """How the group that is said to be there without the place compares with the one of before."""
        said = [loss for loss in self.losses if any(map(self._is_changed, _spans(loss)))]
        order = max((loss.without.order for loss in said), default=0)
        return "right" if order == self.renamings else "more" if order > self.renamings else "less"


def _spans(loss: Loss) -> Iterator[Span]:
    return (span for site in loss.sites for span in site.places)


def symmetric_model(random: Random, *, has_property: bool) -> Model:
    """A model in which nothing names a process."""
    while True:
        writer = ModelWriter(random, Namer(random, strange=False))
        writer.symmetric, writer.careless, writer.nearly = True, False, False
        model = writer.model()
        if model.rules:
            plain = replace(model, properties=(), terminal=None)
            return with_property(random, plain) if has_property else plain


def broken_model(seed: int) -> Broken:
    """The first model of a seed that can exchange fewer processes when it is broken."""
    random = Random(seed)
    kind = random.choice([*BREAKINGS])
    for _ in range(_MOST_TRIES):
        model = symmetric_model(random, has_property=kind == OF_PROPERTY)
        broken = BREAKINGS[kind](random, model)
        if broken is None:
            continue
        before, text = text_of(model), text_of(broken)
        whole, part = _task(before), _task(text)
        if whole is None or part is None or before == text:
            continue
        study, names = Study(part), (CLAIM,) if model.properties else ()
        one, other = Study(whole).symmetries(names), study.symmetries(names)
        lost = frozenset(_lost(one, other))
        if lost:
            explanation = study.symmetries(explained=True).explanation
            assert explanation is not None
            return Broken(kind, text, _changed(kind, before, text), lost, _renamings(one), explanation)
    raise AssertionError(f"{kind}: {_MOST_TRIES} models of seed {seed} are refused or lose nothing")


def _changed(kind: str, before: str, after: str) -> tuple[range, ...]:
    """What was changed; an initial value for each process is one thing, though some are what they were."""
    parts = [*changed_parts(before, after, gaps=kind == OF_START)]
    return (range(parts[0].start, parts[-1].stop),) if kind == OF_START else tuple(parts)


def _renamings(report: DetectReport) -> int:
    found = report.detection
    vocabulary, _, _ = find_sites(report.model, (), values_taken(found))
    questions = Questions(Relaxed(found.constraints, {}), vocabulary, Budget(10, lambda: None))
    return group_order(questions.acting(())[0])


def _lost(whole: DetectReport, part: DetectReport) -> Iterator[str]:
    """Domains whose processes are told apart now and were not, or are moved in fewer ways."""
    apart = set(told_apart(part.detection)) - set(told_apart(whole.detection))
    ways, fewer = _ways(whole), _ways(part)
    for name in ways:
        if name in apart or (part.order < whole.order and fewer.get(name, 0) > 1 and fewer[name] < ways[name]):
            yield name


def _ways(report: DetectReport) -> dict[str, int]:
    """In how many ways the processes of a domain are moved."""
    symmetry = report.detection.symmetry
    sorts = Sorts(symmetry.literals)
    moves = [sorts.moves(g) for g in symmetry.group.generators]
    found = {}
    for sort in sorts.all:
        if sort.is_process and all(m.get(sort, {}) is not None for m in moves):
            values = sorts.values(sort)
            images = [tuple(values.index((m.get(sort) or {}).get(v, v)) for v in values) for m in moves]
            found[sort.name] = group_order(PermGroup(len(values), tuple(images)))
    return found


def _task(text: str) -> Task | None:
    loaded = FRONT_END.load(Source("broken.seq", text), {}, Options({}, only_first=True))
    return loaded.tasks[0] if loaded.tasks else None


def changed_parts(before: str, after: str, *, gaps: bool = False) -> Iterator[range]:
    """The words and signs of a text that are not those of another; and gaps where some are missing, if asked for.

    >>> [*changed_parts("a[i] := i;", "a[0] := i;")]
    [range(2, 3)]
    >>> [*changed_parts("x = [1, 2];", "x = 1;", gaps=True)]
    [range(3, 4), range(5, 5)]
    """
    words = [[*re.finditer(r"-?\d+|\w+|\S", text)] for text in (before, after)]
    matcher = SequenceMatcher(None, *([m.group() for m in some] for some in words), autojunk=False)
    for what, _, _, first, last in matcher.get_opcodes():
        if what in ("replace", "insert"):
            yield range(words[1][first].start(), words[1][last - 1].end())
        elif what == "delete" and gaps and 0 < first < len(words[1]):
            yield range(words[1][first - 1].end(), words[1][first].start())


def main() -> None:
    """Break many models; ends with 1 if fewer than 95 % of the places are named alone."""
    parser = argparse.ArgumentParser(description="Symmetric random models, each broken at one random place.")
    parser.add_argument("--many", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="print every model that is not named alone")
    given = parser.parse_args()
    start = perf_counter()
    counts: dict[str, Counter[str]] = {}
    for seed in range(given.seed, given.seed + given.many):
        found = broken_model(seed)
        counts.setdefault(found.kind, Counter()).update(
            models=1, named=found.is_named, alone=found.is_named_alone, **{found.promise: 1}
        )
        if given.show:
            _show(seed, found)
    total = sum(counts.values(), Counter())
    sys.stdout.write(f"{'':34}{'broken':>7}{'named':>7}{'alone':>7}{'':>9}{'right':>7}{'more':>6}{'less':>6}\n")
    for kind, some in [*sorted(counts.items()), ("all", total)]:
        figures = f"{some['models']:>7}{some['named']:>7}{some['alone']:>7}{some['alone'] / some['models']:>9.1%}"
        sys.stdout.write(f"{kind:34}{figures}{some['right']:>7}{some['more']:>6}{some['less']:>6}\n")
    sys.stdout.write(f"{perf_counter() - start:.0f} s\n")
    sys.exit(total["alone"] < 0.95 * total["models"])


def _show(seed: int, found: Broken) -> None:
    parts = ", ".join(repr(found.text[part.start : part.stop]) for part in found.changed)
    said = "alone" if found.is_named_alone else "named" if found.is_named else "not named"
    sys.stdout.write(f"// seed {seed}: {found.kind}, {found.renamings}, {said}, promises {found.promise}: {parts}\n")
    if not (found.is_named_alone and found.promise == "right"):
        sys.stdout.write(found.text)
        costs = [loss for cost in found.explanation.properties for loss in cost.losses]
        sys.stdout.writelines(f"// {loss_sentence(loss)}\n" for loss in (*found.explanation.losses, *costs))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
