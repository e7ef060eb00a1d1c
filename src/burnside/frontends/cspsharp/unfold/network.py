"""Static networks: components side by side, each with a finite automaton of control points.

The part of a process above its sequential components (``|||``, ``||`` and hiding) is kept as a tree; every leaf is
a component, whose residual terms are numbered. What is not static is inside a component: its automaton is then that
of the whole term.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias, final

from burnside.frontends.cspsharp.names.scope import Ground
from burnside.frontends.cspsharp.unfold import terms
from burnside.frontends.cspsharp.unfold.elaborate import DEEPEST_TERM, Elaborator
from burnside.frontends.cspsharp.unfold.side_by_side import Joint, combine
from burnside.frontends.cspsharp.unfold.steps import Rules
from burnside.frontends.cspsharp.unfold.terms import TERMINATION, Action, EventKey, Step, Term
from burnside.ir.nodes import TRUE, Expr
from burnside.values import dataclass, field, replace

MOST_POINTS: Final = 10_000


@final
@dataclass(slots=True)
class Component:
    """A sequential component: its control points and the steps between them."""

    number: int
    name: str
    arguments: tuple[Ground, ...]
    points: list[Term] = field(default_factory=list)
    edges: list[tuple[int, Step, int]] = field(default_factory=list)

    @property
    def done(self) -> int | None:
        """The control point after termination."""
        return next((k for k, t in enumerate(self.points) if isinstance(t, terms.Done)), None)


@final
@dataclass(frozen=True, slots=True)
class Leaf:
    """A component in a network."""

    component: Component


@final
@dataclass(frozen=True, slots=True)
class Side:
    """Parts side by side; ``alphabets`` is None for ``|||``."""

    parts: tuple[Network, ...]
    alphabets: tuple[frozenset[EventKey], ...] | None


@final
@dataclass(frozen=True, slots=True)
class Hidden:
    """A network with hidden events."""

    body: Network
    events: frozenset[EventKey]


Network: TypeAlias = Leaf | Side | Hidden


@final
@dataclass(frozen=True, slots=True)
class Move:
    """What one component does in a joint step: one of some alternatives ``(from, to, guard)``.

    ``movers`` are the parts of the component that take part, see `Step`.
    """

    component: Component
    alternatives: tuple[tuple[int, int, Expr], ...]
    movers: frozenset[terms.Path]

    def __hash__(self) -> int:
        return hash((self.component.number, self.alternatives))


@final
@dataclass(frozen=True, slots=True)
class NetworkStep:
    """A ground transition of a network. ``guard`` holds only what concerns no single component."""

    action: Action
    moves: tuple[Move, ...]
    guard: Expr = TRUE
    is_urgent: bool = False


@final
class NetworkBuilder:
    """Finds the components of a process and their automata."""

    def __init__(self, elaborator: Elaborator, rules: Rules) -> None:
        self._elaborator = elaborator
        self._rules = rules
        self.components: list[Component] = []

    def build(self, term: Term, depth: int = 0) -> Network:
        """The network of a term."""
        if depth > 100:
            self._elaborator.unfold(term)
            raise self._elaborator.too_deep(term)
        match self._opened(term):
            case terms.Interleave(parts=parts):
                return Side(tuple(self.build(p, depth + 1) for p in parts), None)
            case terms.Parallel(parts=parts, alphabets=known):
                alphabets = known or tuple(map(self._elaborator.alphabets.of, parts))
                return Side(tuple(self.build(p, depth + 1) for p in parts), alphabets)
            case terms.Hide(body=body, events=events) if isinstance(
                self._opened(body), terms.Interleave | terms.Parallel | terms.Hide
            ):
                return Hidden(self.build(body, depth + 1), events)
            case _:
                return Leaf(self._explore(term))

    def _opened(self, term: Term) -> Term:
        """What calls stand for, as long as they stand for calls."""
        for _ in range(100):
            if not isinstance(term, terms.Call):
                return term
            term = self._elaborator.body(term)
        return self._elaborator.unfold(term)  # reports the circle

    def _explore(self, term: Term) -> Component:
        name = term.name if isinstance(term, terms.Call | terms.LateCall) else "process"
        arguments = term.arguments if isinstance(term, terms.Call) else ()
        component = Component(len(self.components), name, arguments)
        self.components.append(component)
        first = self._elaborator.unfold(term)
        numbers: dict[Term, int] = {first: 0}
        component.points.append(first)
        for at, point in enumerate(component.points):  # grows while it is walked
            if terms.depth_of(point) > DEEPEST_TERM:
                raise self._elaborator.too_deep(point)
            for step in self._rules.steps(point):
                if step.next not in numbers:
                    numbers[step.next] = len(component.points)
                    component.points.append(step.next)
                    if len(component.points) > MOST_POINTS:
                        raise self._elaborator.growth(term, f"has more than {MOST_POINTS:,} control points", point)
                component.edges.append((at, step, numbers[step.next]))
        return component

    # ------------------------------------------------------------ steps

    def steps(self, network: Network) -> list[NetworkStep]:
        """All ground transitions of a network, halves of rendezvous included."""
        match network:
            case Leaf(component=component):
                return [_step_of(component, *edge) for edge in component.edges]
            case Hidden(body=body, events=events):
                return list(self._rules.hide(self.steps(body), events))
            case Side(parts=parts, alphabets=alphabets):
                offers: Sequence[Sequence[NetworkStep]] = [self.steps(p) for p in parts]
                if alphabets is not None:
                    offers = self._rules.name_events(offers, alphabets)
                return [_flatten(j) for j in combine(offers, alphabets, merge_alternatives)]


def _step_of(component: Component, at: int, step: Step, to: int) -> NetworkStep:
    move = Move(component, ((at, to, step.guard),), step.movers)
    return NetworkStep(step.action, (move,), TRUE, step.is_urgent)


def _flatten(joint: Joint[NetworkStep]) -> NetworkStep:
    moves = tuple(m for _, step in joint.moves for m in step.moves)
    return NetworkStep(joint.action, moves, joint.guard, joint.is_urgent)


def merge_alternatives(steps: Sequence[NetworkStep]) -> list[NetworkStep]:
    """Fewer steps with the same meaning: those of one component from different control points become one."""
    merged: list[NetworkStep] = []
    for step in steps:
        for k, other in enumerate(merged):
            if _can_merge(step, other):
                merged[k] = replace(other, moves=(_merged(other.moves[0], step.moves[0]),))
                break
        else:
            merged.append(step)
    return merged


def _merged(move: Move, other: Move) -> Move:
    return Move(move.component, (*move.alternatives, *other.alternatives), move.movers | other.movers)


def _can_merge(step: NetworkStep, other: NetworkStep) -> bool:
    if len(step.moves) != 1 or len(other.moves) != 1 or step.moves[0].component is not other.moves[0].component:
        return False
    # Who acts matters to infinite runs only, and a tick is the end of all parts.
    if step.action.kind != TERMINATION and step.moves[0].movers != other.moves[0].movers:
        return False
    known = {at for at, _, _ in other.moves[0].alternatives}
    same = (step.action, step.guard, step.is_urgent) == (other.action, other.guard, other.is_urgent)
    return same and all(at not in known for at, _, _ in step.moves[0].alternatives)


def label_of(term: Term) -> str:
    """A short name for a control point: what comes first."""
    match term:
        case terms.Stop():
            return "stopped"
        case terms.Done():
            return "terminated"
        case terms.Skip():
            return "skip"
        case terms.Prefix(name=name):
            return name
        case terms.Output(channel=channel):
            return f"{channel}!"
        case _:
            for attribute in ("first", "body", "branches", "parts"):
                inner = getattr(term, attribute, None)
                if inner is not None:
                    part = inner[0] if isinstance(inner, tuple) else inner
                    return label_of(part[1] if isinstance(part, tuple) else part)
            return f"{term.channel}?" if isinstance(term, terms.Input) else "process"
