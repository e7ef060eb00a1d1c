"""The single entry point: a model, its limits, what has been found out about it, and the answers to questions."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, final

from burnside.claims.kinds import Claim, Fairness, InfiniteRuns, StateClaim
from burnside.claims.members import Member, about_states, by_way
from burnside.claims.printer import print_task
from burnside.claims.requirements import Required, required_by, required_for_states
from burnside.claims.task import Task, select
from burnside.decide import states
from burnside.decide.checking import Checking
from burnside.decide.modes import Mode, refuse_unkept_claims, refuse_unsuitable
from burnside.decide.slices import sliced
from burnside.decide.workbench import Workbench
from burnside.explore.native.emit import emit
from burnside.explore.native.run import SearchOptions, Watcher
from burnside.explore.orders import Orders
from burnside.ir.cells import Cells
from burnside.ir.semantics import Fault
from burnside.ir.topology import Topology
from burnside.results.findings import (
    CheckReport,
    CountReport,
)
from burnside.source import Diagnostic, ModelError

if TYPE_CHECKING:  # exploring a model should not wait for the libraries that other questions need
    from burnside.actors.compare import ActorReport
    from burnside.decide.graphs import Orbits
    from burnside.decide.quotient import Quotient
    from burnside.detect.detection import Detection
    from burnside.detect.explain import Explanation
    from burnside.explore.walk import Walk
    from burnside.results.coverage import Coverage
    from burnside.results.detection import DetectReport
    from burnside.results.graph import Explored
    from burnside.results.page import Part

_EXPLAINING = 60.0  # seconds that an explanation may take


@final
class Study:
    """One task, a model with its claims, and all that has been found out about it."""

    def __init__(self, task: Task, options: SearchOptions | None = None, watch: Watcher | None = None) -> None:
        self.task = task
        self.model = task.model
        self._bench = Workbench(task.model, options, watch, task.simplification)
        self.options = self._bench.options

    def with_options(self, options: SearchOptions) -> Study:
        """A study of the same task with other options, which shares what is found out about symmetries."""
        other = copy(self)
        other._bench = self._bench.with_options(options)
        other.options = options
        return other

    # ------------------------------------------------------------ what is asked

    def members(self, names: Sequence[str] = ()) -> tuple[Member[Claim], ...]:
        """The claims that names select, one by one; all of them without names."""
        return tuple(member for asked in select([self.task], names) for member in asked.members)

    def state_members(self, names: Sequence[str] = ()) -> tuple[Member[StateClaim], ...]:
        """Those of the claims that names select that are about single states."""
        return about_states(self.members(names))

    # ------------------------------------------------------------ verdicts and figures

    def check(self, names: Sequence[str] = (), mode: Mode = Mode.AUTO, fairness: Fairness | None = None) -> CheckReport:
        """Decide claims: those that names select, or all."""
        return Studies([self]).check(names, mode, fairness)[0]

    def decide(self, members: Sequence[Member[Claim]], mode: Mode, fairness: Fairness | None) -> CheckReport:
        """Decide claims; ``fairness`` is assumed in those about infinite runs instead of what they say."""
        return Checking(self._bench, mode, fairness).check(members, self.task.process)

    def count(self, mode: Mode | None = None) -> CountReport:
        """Explore the whole state space, or one state of every orbit."""
        mode = self._counting(mode)
        cut = sliced(self._bench, (), mode)
        return cut.report(states.count(cut.bench, (), mode))

    def count_covering(self, mode: Mode | None = None) -> tuple[CountReport, Coverage | None]:
        """The same, and what that covers; None if the exploration was not complete."""
        from burnside.decide.graphs import count_covering

        return count_covering(self._bench, self._counting(mode))

    def _counting(self, mode: Mode | None) -> Mode:
        """Actors that are created have no names: unless told otherwise, states are taken up to renaming them."""
        if mode is None:
            creates_actors = any(kind.exists is not None for kind in self.model.actors)
            mode = Mode.UNIQUE if creates_actors else Mode.NONE
        refuse_unsuitable(mode, self._bench.options)
        return mode

    # ------------------------------------------------------------ symmetries

    def symmetries(self, names: Sequence[str] = (), *, explained: bool = False) -> DetectReport:
        """The symmetries of the model, or those that keep what names select; and, if asked, what costs symmetry."""
        members = self.members(names) if names else ()
        of_states = about_states(members)
        required = [*required_for_states(self.model, of_states)] if names else []
        required += [r for m in members if m not in of_states for r in required_by(self.model, m)]
        explanation = self._explained(required, members or self.members()) if explained else None
        return self._detected(self._bench.symmetries().keeping(required), explanation)

    def _detected(self, found: Detection, explanation: Explanation | None = None) -> DetectReport:
        # Imported here: exploring a model should not wait for the libraries that detection needs.
        from burnside.detect.actions import name_action
        from burnside.groups.structure import describe
        from burnside.results.detection import DetectReport

        symmetry = found.symmetry
        named = describe(symmetry.group), name_action(symmetry)
        return DetectReport(self.model, found, *named, explanation, self.task.simplification)

    def _explained(self, required: Sequence[Required], members: Sequence[Member[Claim]]) -> Explanation:
        """What costs symmetry, and what each property costs, within a part of the time there is."""
        from burnside.detect.explain import Asked, explain

        asked: dict[str, list[Required]] = {}
        elsewhere: dict[str, None] = {}
        for member in members:
            if member.claim.span is None:
                continue
            try:
                asked.setdefault(member.claim.name, []).extend(required_by(self.model, member))
            except ModelError:  # what it costs depends on how it is decided
                asked.pop(member.claim.name, None)
                elsewhere[member.claim.name] = None
        properties = [Asked(name, tuple(conditions)) for name, conditions in asked.items()]
        limit = self.options.deadline
        deadline = limit if limit.end is None else limit.sooner(_EXPLAINING)
        found = explain(self._bench.symmetries(), required, properties, deadline)
        return replace(found, elsewhere=tuple(elsewhere))

    def quotient(self, members: Sequence[Member[StateClaim]] = ()) -> Quotient:
        """The quotient by the symmetries that keep some claims."""
        return self._bench.quotient(members)

    # ------------------------------------------------------------ states

    def graph(
        self, members: Sequence[Member[StateClaim]], quotient: Quotient | None = None, *, most: int | None = None
    ) -> Explored:
        """All states and the steps between them, or one state of every orbit; at most so many."""
        from burnside.decide.graphs import graph

        return graph(self._bench, members, quotient, replace(self._bench.options, states=most))

    def orbits(self, quotient: Quotient, representatives: Explored) -> Orbits | None:
        """Numbers for the orbits of states; None if representatives are not unique, or not all known."""
        from burnside.decide.graphs import Orbits

        known = representatives.graph
        return Orbits(quotient, known) if quotient.is_exact and known is not None else None

    def walk(self, seed: int) -> Walk | Fault:
        """A walk from a random initial state."""
        from burnside.explore.walk import begin_walk

        return begin_walk(self.model, self.state_members(), seed)

    def overview(self, members: Sequence[Member[Claim]], report: CheckReport, topology: Topology | None) -> Part:
        """The symmetries that keep what was asked, and the states with and without them, beside what was decided."""
        from burnside.results.page import MOST_DOTS, MOST_STATES, Part

        asked = about_states(members)
        quotient = self.quotient(asked)
        explored = self.graph(asked, quotient, most=MOST_STATES)
        detection = self._detected(quotient.detection)
        own = self._detected(self._bench.symmetries().keeping(), self._explained((), members))
        actors = actor_symmetries(topology, own)
        if quotient.reduction is None:
            return Part(report, detection, own, explored, actors=actors)
        is_large = explored.graph is None or (explored.exploration.full_states or 0) > MOST_STATES
        whole = None if is_large else self.graph(asked, most=MOST_STATES)
        is_drawn = explored.graph is not None and len(explored.graph.graph) <= MOST_DOTS
        orbits = self.orbits(quotient, explored) if is_drawn else None
        return Part(report, detection, own, explored, whole, orbits.number if orbits else None, actors)

    # ------------------------------------------------------------ the values between the stages

    def dump(self, members: Sequence[Member[Claim]] = ()) -> dict[str, str]:
        """Every value between the stages of exploring as a readable text, by the name of its file."""
        asked = about_states(members)
        is_of_states = bool(asked) or not members
        searched = sliced(self._bench, asked, Mode.AUTO).bench.model if is_of_states else self.model
        program = emit(searched, asked).program
        texts = {"model.seq": print_task(self.task), "model.c": program.model, "search.c": program.search}
        if searched is not self.model:
            texts["slice.seq"] = print_task(Task(searched, tuple(dict.fromkeys(member.claim for member in asked))))
        claims = dict.fromkeys(member.claim for member in by_way(members).runs)
        for number, claim in enumerate(claims, 1):
            texts[f"violations_{number}.hoa"] = _automaton_text(claim)
        if self.options.partial_order is not Orders.OFF:
            texts["steps.txt"] = self._steps_text(about_states(members))
        return texts

    def _steps_text(self, members: Sequence[Member[StateClaim]]) -> str:
        """What steps have to do with each other, or why that is not asked."""
        from burnside.decide.partial_order import plan_orders
        from burnside.reduce.partial_order.dump import relations_text
        from burnside.reduce.partial_order.plan import Unsuited

        try:
            return relations_text(plan_orders(self._bench, members, None).sets, Cells(self.model))
        except Unsuited as reason:
            return f"partial order cannot be used: {reason}\n"

    def dump_detection(self, report: DetectReport) -> dict[str, str]:
        """The same for the stages of detection."""
        from burnside.graph.coloured import dimacs_text, dot_text
        from burnside.groups.gap import gap_text

        found = report.detection
        names = tuple(map(found.symmetry.literals.text, range(len(found.symmetry.literals.points))))
        return {
            "model.seq": print_task(self.task),
            "constraints.txt": found.constraints.text(),
            "graph.dimacs": dimacs_text(found.encoding.graph),
            "graph.dot": dot_text(found.encoding.graph),
            "group.g": gap_text(found.symmetry.group, names),
        }


def _automaton_text(claim: InfiniteRuns) -> str:
    """The automaton of what violates a formula; its atoms are named by what they stand for."""
    from burnside.decide.runs import violations
    from burnside.ltl.hoa import hoa_text

    return hoa_text(violations(claim), f"violations of {claim.name}: {claim.text}")


def actor_symmetries(topology: Topology | None, report: DetectReport) -> ActorReport | None:
    """The symmetries of a model of actors by Definition 4, beside those that were detected; None for other models."""
    if topology is None:
        return None
    from burnside.actors.compare import compare
    from burnside.actors.symmetry import find_symmetries
    from burnside.groups.structure import describe

    start = time.perf_counter()
    found = find_symmetries(topology)
    seconds = time.perf_counter() - start
    return compare(report.detection, found, describe(found.group), seconds)


# ---------------------------------------------------------------- several processes


@final
class Studies:
    """Studies of all tasks of a text, one for each process that it asks about; the time is for all of them."""

    def __init__(self, studies: Sequence[Study]) -> None:
        self.all = studies

    @staticmethod
    def of(tasks: Sequence[Task], options: SearchOptions | None = None, watch: Watcher | None = None) -> Studies:
        """A study of each task, with the same options."""
        return Studies([Study(task, options, watch) for task in tasks])

    def asked(self, names: Sequence[str] = ()) -> Iterator[tuple[Study, tuple[Member[Claim], ...]]]:
        """The studies of which names select something, with what they select."""
        studies = {id(study.task): study for study in self.all}
        for asked in select([study.task for study in self.all], names):
            yield studies[id(asked.task)], asked.members

    def check(
        self, names: Sequence[str] = (), mode: Mode = Mode.AUTO, fairness: Fairness | None = None
    ) -> tuple[CheckReport, ...]:
        """Decide what names select, or all, one process after the other."""
        refuse_unsuitable(mode, self.all[0].options)
        asked = [*self.asked(names)]
        refuse_unkept_claims((member for _, members in asked for member in members), self.all[0].options)
        if fairness is not None and not any(by_way(members).runs for _, members in asked):
            message = "fairness is about infinite runs, and no claim that is asked for is"
            raise ModelError([Diagnostic("BUR902", message)])
        return tuple(study.decide(members, mode, fairness) for study, members in asked)
