"""What an adaptive exploration must print, worked out state by state from the explicit state space.

The annotated states are taken from the search, as sets of states; everything else, what these sets must be included,
comes from ``oracle``. Nothing of ``src`` is asked what a rule or a condition means.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations, product
from math import inf
from typing import Any

from burnside.adaptive.edges import Edge
from burnside.adaptive.initial import initial_states
from burnside.adaptive.run import diagram_of, search_of
from burnside.adaptive.search import Search
from burnside.claims.task import Task
from burnside.decide.modes import Mode
from burnside.frontends.seq import load
from burnside.report.json import check_object, count_object
from burnside.source import ModelError, Source
from burnside.study import Study
from oracle.interpreter import State
from oracle.language import Model, text_of
from oracle.space import Claim, Space


def loaded(model: Model) -> Task:
    """The model as the tool reads it."""
    (task,), _, _ = load(Source("random.seq", text_of(model)), {})
    return task


@dataclass
class Annotated:
    """A search that is complete, with what it stored as sets of states."""

    space: Space
    search: Search

    @cached_property
    def kept(self) -> list[int]:
        """The annotated states that are not dropped."""
        return [k for k in range(len(self.search.cover)) if k not in self.search.cover.dropped]

    @cached_property
    def orbits(self) -> dict[int, frozenset[State]]:
        """What each of them stands for."""
        return {k: frozenset(self._orbit(k)) for k in self.kept}

    def _orbit(self, number: int) -> Iterator[State]:
        cover, view = self.search.cover, self.search.view
        cells = [_members(c) for c in self.search.partitions.all[cover.partition[number]]]
        counted = [self.search.multisets.counts[m] for m in cover.spread[number]]
        values = [[v for v, k in counts for _ in range(k)] for counts in counted]
        for choice in product(*(sorted(set(permutations(v))) for v in values)):
            vector = {p: v for cell, found in zip(cells, choice, strict=True) for p, v in zip(cell, found, strict=True)}
            yield self._content(view.join(cover.shared[number], [vector[p] for p in range(view.size)]))

    def _content(self, cells: Sequence[int]) -> State:
        """A state of the tool as the interpreter has it: sequences are as long as they are."""
        found: list[object] = []
        place = 0
        for name, _ in self.space.interpreter.places:
            capacity = self.space.interpreter.variables[name].capacity
            held = cells[place]
            found.append(held if capacity is None else tuple(cells[place + 1 : place + 1 + held]))
            place += 1 if capacity is None else 1 + capacity
        return tuple(found)

    def flaws(self) -> Iterator[str]:
        """What is wrong with the stored states."""
        least: dict[State, int] = {}
        for number in self.kept:
            for state in self.orbits[number]:
                least[state] = min(least.get(state, 1 << 30), self.search.cover.depth[number])
        if least != self.space.distance:
            yield "states or their distances"
        for one, other in product(self.kept, self.kept):
            is_late = self.search.cover.depth[one] >= self.search.cover.depth[other]
            if one != other and is_late and self.orbits[one] <= self.orbits[other]:
                yield "an annotated state that another one subsumes"

    def figures(self) -> dict[str, int | None]:
        """What must be printed."""
        deadlocks = self.space.deadlocks
        return {
            "states": len(self.kept),
            "transitions": sum(self._transitions(k, edge) for k in self.kept for edge in self.search.edges),
            "deadlocks": sum(1 for k in self.kept if self.orbits[k] & deadlocks),
            "depth": self.space.depth,
            "initial_states": sum(1 for k in self.kept if self.search.cover.depth[k] == 0),
        }

    def _transitions(self, number: int, edge: Edge) -> int:
        """Steps by an edge, up to exchanging processes that neither the annotated state nor the edge tells apart."""
        own = self.search.partitions.all[self.search.cover.partition[number]]
        cells = [_members(a & b) for a in own for b in edge.partition if a & b]
        return len({self._shape(s, cells, p) for s in self.orbits[number] for p in self._actors(s, edge)})

    def _actors(self, state: State, edge: Edge) -> Iterator[int]:
        """The processes that can take an edge, -1 for nobody."""
        action = edge.action
        assert action.origin is not None
        for step in self.space.steps[state]:
            pairs = list(zip(action.arguments, step.arguments, strict=False))
            if step.rule.name == action.origin.name and all(a in (None, b) for a, b in pairs):
                acting = next((b - self.space.model.domains[0].low for a, b in pairs if a is None), -1)
                if acting < 0 or edge.actors >> acting & 1:
                    yield acting

    def _shape(self, state: State, cells: Sequence[Sequence[int]], actor: int) -> Any:
        """A state with an actor up to permutations within cells."""
        ids = self.space.model.domains[0]
        shared: list[object] = []
        local: dict[int, list[object]] = {p: [p == actor] for p in range(len(ids))}
        for (name, indices), value in zip(self.space.interpreter.places, state, strict=True):
            variable = self.space.interpreter.variables[name]
            over = [k for k, d in enumerate(variable.dimensions) if d == ids]
            if over:
                local[indices[over[0]] - ids.low].append(value)
                continue
            holds = variable.domain.ids == ids.name and value in ids.values()
            shared.append("some process" if holds else value)
            for p, content in local.items():
                content.append(holds and value == p + ids.low)
        return tuple(shared), tuple(tuple(sorted(tuple(local[p]) for p in cell)) for cell in cells)


def _members(mask: int) -> list[int]:
    return [p for p in range(mask.bit_length()) if mask >> p & 1]


# ---------------------------------------------------------------- what is printed


def compare(model: Model, space: Space) -> tuple[list[str], Counter[str]]:
    """Differences between what is printed and what is right, and what was compared."""
    compared: Counter[str] = Counter()
    try:
        diagram = diagram_of(loaded(model).model)
        answer = check_object([Study(loaded(model)).check(mode=Mode.ADAPTIVE)])
    except ModelError as error:
        return [], Counter([f"refused {error.diagnostics[0].code}"])
    flaws = list(_wrong_answers(space, answer, compared))
    if not space.faults and not space.initially_faults:
        search = search_of(diagram, [])
        assert search.run(initial_states(search.view), lambda _: False)
        judge = Annotated(space, search)
        flaws += judge.flaws()
        printed = count_object(Study(loaded(model)).count(Mode.ADAPTIVE))
        for figure, right in judge.figures().items():
            compared[figure] += 1
            if printed[figure] != right and not (figure == "transitions" and _is_joined(search)):
                flaws.append(f"{figure}: {printed[figure]} instead of {right}")
    return flaws, compared


def _is_joined(search: Search) -> bool:
    """Whether rules written out for every process were joined: then edges are no rules of the model."""
    return any(edge.action.origin not in search.view.model.rules for edge in search.edges)


def _wrong_answers(space: Space, answer: dict[str, Any], compared: Counter[str]) -> Iterator[str]:
    """Verdicts, lengths of traces, and faults.

    The search ends after the first level with a fault, or with the last of the claims decided.
    """
    judged = [(claim, *space.judged(claim)) for claim in space.claims]
    fault = space.nearest(space.faults.union(*(faults for _, _, faults in judged)))
    first = {claim.name: space.nearest(decided) for claim, decided, _ in judged}
    far = inf if space.initially_faults else max((inf if d is None else d for d in first.values()), default=inf)
    last = -1 if space.initially_faults else min(far, inf if fault is None else fault)
    has_fault = space.initially_faults or (fault is not None and fault <= last)
    compared["fault"] += has_fault
    if (answer["fault"] is not None) != has_fault:
        yield f"fault: {answer['fault']}"
    elif has_fault and not space.initially_faults:
        compared["length of the run to a fault"] += 1
        if len(answer["fault"]["trace"]["steps"]) != fault:
            yield "length of the run to a fault"
        yield from _flaws_of_run(space, answer["fault"]["trace"], space.faults.union(*(f for _, _, f in judged)))
    for (claim, decided, _), shown in zip(judged, answer["properties"], strict=True):
        near = first[claim.name]
        found = near is not None and near <= last
        compared["verdict"] += 1
        if shown["verdict"] != _verdict(claim, found, is_complete=last == inf):
            yield f"{claim.name}: {shown['verdict']}"
        elif found:
            compared["length of a trace"] += 1
            if len(shown["trace"]["steps"]) != near:
                yield f"{claim.name}: a run of {len(shown['trace']['steps'])} instead of {near} steps"
            yield from _flaws_of_run(space, shown["trace"], decided)


def _verdict(claim: Claim, found: bool, *, is_complete: bool) -> str:
    if not found and not is_complete:
        return "unknown"
    return "holds" if found is (claim.family.kind == "reachable") else "violated"


def _flaws_of_run(space: Space, trace: dict[str, Any], wanted: set[State]) -> Iterator[str]:
    """Whether a trace is a run of the model to one of the states that are wanted."""
    here = {s for s in space.initial if space.described(s) == trace["initial"]}
    for shown in trace["steps"]:
        here = {
            step.target
            for state in here
            for step in space.steps[state]
            if step.rule.name == shown["rule"] and _changes(space, state, step.target) == shown["changes"]
        }
    if not here & wanted:
        yield "a trace that is no run to where it should lead"


def _changes(space: Space, old: State, new: State) -> dict[str, list[str]]:
    before, after = space.described(old), space.described(new)
    return {name: [before[name], after[name]] for name in after if before[name] != after[name]}
