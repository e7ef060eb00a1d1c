"""Searches for a violation. Each gives None, or a run that shows it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar, final

from burnside.claims.kinds import Semantics
from burnside.refine.divergence import Divergence
from burnside.refine.normal import Acceptance, Node, NormalForm, acceptance_of
from burnside.refine.steps import TAU, Label
from burnside.refine.system import PAIR_BYTES, Budget, LabelledSystem, text_of
from burnside.values import dataclass

P = TypeVar("P", bound=Hashable)


@final
@dataclass(frozen=True, slots=True)
class Run:
    """States and the labels between them. The last state goes on with ``loop``, the position of a state of the run."""

    states: tuple[int, ...]
    labels: tuple[Label, ...]
    loop: int | None = None


@final
@dataclass(frozen=True, slots=True)
class Violation:
    """A run that breaks a claim, why it does, and perhaps another with the same visible events to compare it with."""

    run: Run
    reason: str
    contrast: Run | None = None


# ---------------------------------------------------------------- breadth first, with the way back


@final
class _Tree(Generic[P]):
    """A breadth-first search that remembers how it came to each place."""

    def __init__(self, starts: Iterable[P], budget: Budget) -> None:
        self._budget = budget
        self._parents: dict[P, tuple[P, Label] | None] = dict.fromkeys(starts)
        self.pending: list[P] = list(self._parents)

    def enter(self, place: P, parent: P, label: Label) -> None:
        """Note a place that an event leads to."""
        if place not in self._parents:
            self._budget.charge(PAIR_BYTES)
            self._parents[place] = (parent, label)
            self.pending.append(place)

    def way(self, place: P) -> tuple[list[P], list[Label]]:
        """The places from a start to this one, and the labels between them."""
        places, labels = [place], list[Label]()
        while (parent := self._parents[place]) is not None:
            place, label = parent
            places.append(place)
            labels.append(label)
        return places[::-1], labels[::-1]


# ---------------------------------------------------------------- divergence


def find_divergence(system: LabelledSystem, budget: Budget) -> Violation | None:
    """A shortest run to a state from which taus can go on for ever, and how they do."""
    divergence = Divergence(system)
    tree = _Tree(system.initial, budget)
    for state in tree.pending:  # grows while it is walked
        if divergence.of(state):
            states, labels = tree.way(state)
            return Violation(_with_lasso(states, labels, divergence), "from then on there may be only taus")
        for label, target in system.edges(state):
            tree.enter(target, state, label)
    return None


def _with_lasso(states: list[int], labels: list[Label], divergence: Divergence) -> Run:
    walk, back = divergence.lasso(states[-1])
    loop = len(states) - 1 + back
    return Run((*states, *walk[1:]), (*labels, *[TAU] * (len(walk) - 1)), loop)


# ---------------------------------------------------------------- determinism


def find_nondeterminism(system: LabelledSystem, budget: Budget) -> Violation | None:
    """A shortest sequence of visible events after which an event is both possible and refusable, or taus go on."""
    normal = NormalForm(system, budget)
    tree = _Tree([normal.start], budget)
    for node in tree.pending:  # grows while it is walked
        if normal.diverges(node):
            state = next(s for s in sorted(node) if normal.divergence.of(s))
            run = _run_to(system, tree.way(node)[1], state.__eq__, budget)
            reason = "from then on there may be only taus, so nothing is certain to happen"
            return Violation(_with_lasso([*run.states], [*run.labels], normal.divergence), reason)
        moves = normal.moves(node)
        for acceptance in normal.acceptances(node):
            refused = min((label for label in moves if label not in acceptance), default=None)
            if refused is not None:
                return _both_ways(system, tree.way(node)[1], acceptance, refused, budget)
        for label in sorted(moves):
            tree.enter(moves[label], node, label)
    return None


def _both_ways(
    system: LabelledSystem, events: list[Label], acceptance: Acceptance, refused: Label, budget: Budget
) -> Violation:
    run = _run_to(system, events, lambda s: acceptance_of(system, s) == acceptance, budget)
    contrast = _run_to(system, [*events, refused], lambda _: True, budget)
    name = text_of(refused)
    return Violation(run, f"'{name}' may be refused here, and may happen after the same visible events", contrast)


def _run_to(system: LabelledSystem, events: list[Label], is_sought: Callable[[int], bool], budget: Budget) -> Run:
    """A shortest run with these visible events to a state that is sought."""
    tree = _Tree([(s, 0) for s in system.initial], budget)
    for place in tree.pending:  # grows while it is walked
        state, done = place
        if done == len(events) and is_sought(state):
            places, labels = tree.way(place)
            return Run(tuple(s for s, _ in places), tuple(labels))
        for label, target in system.edges(state):
            if label == TAU:
                tree.enter((target, done), place, label)
            elif done < len(events) and label == events[done]:
                tree.enter((target, done + 1), place, label)
    raise AssertionError("no run has the events of a node")


# ---------------------------------------------------------------- refinement


def find_difference(
    system: LabelledSystem, specification: NormalForm, semantics: Semantics, name: str, budget: Budget
) -> Violation | None:
    """A shortest run that the specification does not allow.

    Searches the product of the system and the normal form of the specification. What follows a divergence of the
    specification is allowed in the model of failures and divergences, so the search does not go on there.
    """
    forbidden = _Forbidden(system, specification, semantics, name)
    tree = _Tree([(s, specification.start) for s in system.initial], budget)
    while tree.pending:
        level, tree.pending = tree.pending, []
        places = [(state, node) for state, node in level if not forbidden.allows_everything(node)]
        # A bad state is nearer than what a bad step of another one at the same distance leads to.
        for judged in (forbidden.of_state, forbidden.of_steps):
            for place in places:
                violation = judged(*place)
                if violation is not None:
                    return _after(*tree.way(place), violation)
        for place in places:
            state, node = place
            for label, target in system.edges(state):
                after = node if label == TAU else specification.moves(node)[label]
                tree.enter((target, after), place, label)
    return None


def _after(places: list[tuple[int, Node]], labels: list[Label], violation: Violation) -> Violation:
    """A violation that begins with the last of some places, with the way to it."""
    states = [state for state, _ in places[:-1]]
    run = violation.run
    loop = None if run.loop is None else run.loop + len(states)
    return Violation(Run((*states, *run.states), (*labels, *run.labels), loop), violation.reason)


@final
class _Forbidden:
    """What is forbidden in a pair of a state and a node of the specification."""

    def __init__(self, system: LabelledSystem, specification: NormalForm, semantics: Semantics, name: str) -> None:
        self._system = system
        self._specification = specification
        self._sees_failures = semantics is not Semantics.TRACES
        self._sees_divergences = semantics is Semantics.DIVERGENCES
        self._name = name
        self._divergence = Divergence(system)

    def allows_everything(self, node: Node) -> bool:
        """Whether the specification may do anything from here on, since it diverges."""
        return self._sees_divergences and self._specification.diverges(node)

    def of_state(self, state: int, node: Node) -> Violation | None:
        """What is wrong with a state; the run begins in it."""
        if self._sees_divergences and self._divergence.of(state):
            reason = f"from then on there may be only taus, but '{self._name}' does not diverge after the same events"
            return Violation(_with_lasso([state], [], self._divergence), reason)
        if self._sees_failures and self._refuses_too_much(state, node):
            return Violation(Run((state,), ()), self._of_refusal(state))
        return None

    def of_steps(self, state: int, node: Node) -> Violation | None:
        """What is wrong with a step of a state; the run begins in the state."""
        for label, target in self._system.edges(state):
            if label != TAU and label not in self._specification.moves(node):
                reason = f"'{self._name}' cannot do '{text_of(label)}' after the same events"
                return Violation(Run((state, target), (label,)), reason)
        return None

    def _refuses_too_much(self, state: int, node: Node) -> bool:
        """Whether a state waits for events that no waiting state of the specification is content with."""
        offered = acceptance_of(self._system, state)
        return offered is not None and not any(a <= offered for a in self._specification.acceptances(node))

    def _of_refusal(self, state: int) -> str:
        offered = acceptance_of(self._system, state) or frozenset()
        shown = ", ".join(f"'{text_of(label)}'" for label in sorted(offered))
        what = f"everything but {shown}" if shown else "everything"
        return f"it may refuse {what} here, which '{self._name}' does not after the same events"
