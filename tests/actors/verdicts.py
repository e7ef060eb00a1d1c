"""Every figure, verdict and run that is shown for a model with properties, in every mode, against the interpreter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, field, replace
from math import prod
from typing import Any

from actors.agreement import FEW, Outcome
from actors.generator import Case
from actors.interpreter import Broken, Graph, State, World, reach
from actors.reader import Reader
from actors.temporal import Fair, Judge, formula_of
from burnside.claims.kinds import DeadlockFree, Fairness
from burnside.claims.task import Task
from burnside.decide.modes import Mode
from burnside.explore.native.run import SearchOptions
from burnside.frontends.kit.options import Options
from burnside.frontends.rebeca import load
from burnside.ir.cells import Cells
from burnside.ir.nodes import BOOL, Domain, Model
from burnside.limits import Deadline
from burnside.results.exploration import Stop
from burnside.results.findings import CheckReport, Finding, RunsFinding, Verdict
from burnside.results.trace import Trace
from burnside.source import Severity, Source
from burnside.study import Study

MODES = ("none", "unique", "multi", "auto")


@dataclass
class Tally:
    """What has been compared."""

    checks: int = 0
    verdicts: dict[str, int] = field(default_factory=dict)
    runs: int = 0
    quotients: int = 0

    def note(self, claim: Finding) -> None:
        """One verdict has been found to be right."""
        kind = f"{claim.member.claim.word} {claim.verdict.value}"
        self.verdicts[kind] = self.verdicts.get(kind, 0) + 1


@dataclass(frozen=True)
class Figures:
    """The size of a state space, or of a quotient."""

    states: int
    transitions: int
    deadlocks: int


@dataclass(frozen=True)
class Question:
    """A case in a setting."""

    case: Case
    name: str
    keeps_served: bool = False
    created: int = 2
    most: int = FEW
    fairness: Fairness | None = None


def judge(question: Question, tally: Tally) -> Outcome:
    """Fails unless everything is as the interpreter says."""
    properties = Source("properties", question.case.properties)
    semantics = "reference" if question.keeps_served else "paper"
    options = Options({"property_file": properties, "queue_semantics": semantics, "max_rebecs": question.created})
    tasks, diagnostics, _ = load(Source(question.name, question.case.text), {}, options)
    world = World(question.case.text, keeps_served=question.keeps_served, most_created=question.created)
    try:
        graph = reach(world, question.most)
    except Broken:
        assert [d.code for d in diagnostics if d.severity is Severity.ERROR] == ["BUR501"], question.name
        return Outcome.FAULT
    if not tasks:
        (error,) = (d for d in diagnostics if d.severity is Severity.ERROR)
        assert error.code == "BUR901", question.name
        assert "constructor" in error.message
        return Outcome.REFUSED
    if graph is None:
        return Outcome.TOO_MANY
    is_overcounted = any(d.code == "BUR220" for d in diagnostics)
    compared = _Compared(question, tasks[0], graph, tally, is_overcounted=is_overcounted)
    for mode in MODES:
        compared.mode(mode)
    return Outcome.FAULT if graph.faults else Outcome.OVERCOUNTED if is_overcounted else Outcome.TO_THE_END


class _Compared:
    def __init__(self, question: Question, task: Task, graph: Graph, tally: Tally, *, is_overcounted: bool) -> None:
        self.question = question
        self.task = task
        self.model = task.model
        self.graph = graph
        self.tally = tally
        self.is_overcounted = is_overcounted
        self.file = Reader(question.case.properties).properties()
        self.judge = Judge(graph, self.file.definitions)
        self.seen = States(task.model, graph.world)

    def mode(self, mode: str) -> None:
        """One check."""
        self.where = f"{self.question.name}, {mode}"
        asked = self.question.fairness if self.file.temporal else None
        options = SearchOptions(deadline=Deadline.after(60))
        report = Study(self.task, options).check((), Mode(mode), asked)
        self.tally.checks += 1
        names = [
            "deadlockfree (built in)"
            if "deadlockfree" in {*self.file.assertions, *self.file.temporal}
            else "deadlockfree"
        ]
        names += [*self.file.assertions, *self.file.temporal]
        assert sorted(names) == sorted(f.member.name for f in report.findings), self.where
        if self.graph.faults:
            self._fault(report)
            return
        assert report.count.fault is None, self.where
        self._figures(report)
        for finding in report.findings:
            self._finding(finding)
            self.tally.note(finding)

    def _fault(self, report: CheckReport) -> None:
        """A shortest run to a fault, of a sort that happens at that depth."""
        fault = report.count.fault
        assert fault is not None, self.where
        assert fault.fault is not None
        assert len(fault.steps) == max(self.graph.depth.values()), self.where
        assert fault.fault.is_limit <= ("limit" in self.graph.faults), self.where
        assert self.graph.faults != {"limit"} or fault.fault.is_limit, self.where
        self._replayed(fault)

    # ------------------------------------------------------------ figures

    def _figures(self, report: CheckReport) -> None:
        found, used = report.count.exploration, report.count.symmetry
        figures = Figures(found.states, found.transitions, found.deadlocks)
        if found.stop is Stop.DECIDED:
            return
        assert found.stop is Stop.COMPLETE, self.where
        assert found.depth == max(self.graph.depth.values()), self.where
        expected = self._expected(list(self.graph.depth))
        if used.mode == "none":
            self._same(figures, expected)
            return
        self.tally.quotients += 1
        assert found.full_states in (None, expected.states), self.where
        renamings = list(self.graph.world.renamings(self.graph.there))
        orbits = self.graph.orbits(renamings)
        # Where renamings move states, a group of their order is that of the renamings.
        if used.mode != "multi" and used.order == len(renamings) and (used.order == 1 or len(orbits) < expected.states):
            self._same(figures, self._expected(orbits))
        for one, whole in zip(astuple(figures), astuple(expected), strict=True):
            assert whole <= one * used.order, self.where
            assert one <= whole or self.is_overcounted, self.where

    def _expected(self, states: Sequence[State]) -> Figures:
        steps = [len(self.graph.steps[s]) for s in states]
        return Figures(len(states), sum(steps), steps.count(0))

    def _same(self, found: Figures, expected: Figures) -> None:
        if self.is_overcounted and found.transitions > expected.transitions:
            found = replace(found, transitions=expected.transitions)
        assert found == expected, self.where

    # ------------------------------------------------------------ verdicts

    def _finding(self, finding: Finding) -> None:
        name = finding.member.name
        where = f"{self.where}: {name}"
        if isinstance(finding, RunsFinding):
            self._temporal(finding, where)
            return
        is_about_deadlock = isinstance(finding.member.claim, DeadlockFree)
        if is_about_deadlock:
            distance = min((self.graph.depth[s] for s in self.graph.deadlocks), default=None)
        else:
            distance = self.judge.first_violation(self.file.assertions[name])
        assert finding.verdict is (Verdict.HOLDS if distance is None else Verdict.VIOLATED), where
        assert (finding.trace is None) == (distance is None), where
        if finding.trace is not None:
            assert len(finding.trace.steps) == distance, where
            last = self._replayed(finding.trace)[-1]
            if is_about_deadlock:
                assert not self.graph.steps[last], where
            else:
                assert not self.judge.holds_in(last, self.file.assertions[name]), where

    def _temporal(self, claim: RunsFinding, where: str) -> None:
        fair = Fair((self.question.fairness or Fairness.WEAK).value)
        formula = formula_of(self.file.temporal[claim.member.name], self.file.definitions)
        assert claim.verdict is (Verdict.HOLDS if self.judge.holds(formula, fair) else Verdict.VIOLATED), where
        if claim.trace is None:
            assert claim.verdict is Verdict.HOLDS, where
            return
        states = self._replayed(claim.trace)
        acting = [self.seen.actor(step.arguments[0]) for step in claim.trace.steps]
        assert claim.loop is not None
        if claim.loop == len(acting):
            assert not self.graph.steps[states[-1]], where
            acting.append("")
        else:
            assert states[claim.loop] == states[-1], where
            states.pop()
        assert self.judge.is_violated_by(formula, states, acting, claim.loop, fair), where

    def _replayed(self, trace: Trace) -> list[State]:
        """The states of a run, each found again by the interpreter."""
        path = [trace.initial, *(step.state for step in trace.steps)]
        (here,) = (s for s in self.graph.initial if self.seen.is_same(s, path[0]))
        states = [here]
        for step, after in zip(trace.steps, path[1:], strict=True):
            actor = self.seen.actor(step.arguments[0])
            following = {s for who, s in self.graph.steps[here] if who == actor and self.seen.is_same(s, after)}
            (here,) = following
            states.append(here)
        self.tally.runs += 1
        return states


class States:
    """States of the model as the interpreter has them."""

    def __init__(self, model: Model, world: World) -> None:
        self._cells = Cells(model)
        self._world = world
        self._actors = {i: name for kind in model.actors for i, name in self._ids(kind.own, kind.queue, kind.exists)}

    def _ids(self, own: Sequence[tuple[str, str]], queue: Any, exists: str | None) -> Iterator[tuple[int, str]]:
        names = [*(name for name, _ in own), *([queue.kinds] if queue else []), *([exists] if exists else [])]
        for name in names[:1]:
            domain = self._cells.variables[name].dimensions[0]
            yield from ((i, domain.text(i)) for i in domain.values())

    def actor(self, number: int) -> str:
        """The rebec of an id."""
        return self._actors[number]

    def is_same(self, state: State, found: tuple[int, ...]) -> bool:
        """Whether a state of the model is this one of the interpreter."""
        rebecs = self._world.thaw(state)
        for kind in self._cells.model.actors:
            for number, name in self._ids(kind.own, kind.queue, kind.exists):
                if kind.exists is not None and bool(self._value(found, kind.exists, number)) != (name in rebecs):
                    return False
                if name not in rebecs:
                    continue
                values = {field: self._value(found, variable, number) for variable, field in kind.own}
                assert {f.name for f in self._world.members(kind.name, "variables")} <= values.keys()
                if any(rebecs[name].values[field] != value for field, value in values.items()):
                    return False
                if kind.queue is not None and rebecs[name].queue != self._queue(found, kind.queue, number):
                    return False
        return True

    def _queue(self, found: tuple[int, ...], queue: Any, number: int) -> list[tuple[Any, ...]]:
        senders = self._value(found, queue.senders, number)
        result = []
        for place, kind in enumerate(self._value(found, queue.kinds, number)):
            message = queue.messages[kind]
            arguments = (self._value(found, column, number)[place] for column in message.arguments)
            result.append((message.name, senders[place], *arguments))
        return result

    def _value(self, found: tuple[int, ...], name: str, number: int) -> Any:
        variable = self._cells.variables[name]
        ids, *others = variable.dimensions
        each = prod(d.size for d in others) * (1 if variable.capacity is None else 1 + variable.capacity)
        start = self._cells.starts[name] + (number - ids.low) * each
        own = found[start : start + each]
        if variable.capacity is not None:
            return [_meaning(variable.domain, v) for v in own[1 : 1 + own[0]]]
        return _shaped([_meaning(variable.domain, v) for v in own], [d.size for d in others])


def _shaped(values: list[Any], sizes: list[int]) -> Any:
    if not sizes:
        return values[0]
    each = len(values) // sizes[0]
    return tuple(_shaped(values[k : k + each], sizes[1:]) for k in range(0, len(values), each))


def _meaning(domain: Domain, value: int) -> Any:
    """A truth value, the name of a rebec, nobody, or a number."""
    if domain.index:
        return None if value == domain.high and domain.labels else domain.text(value)
    if domain == BOOL or domain.labels == ("false", "true", "none"):
        return value == 1
    return value
