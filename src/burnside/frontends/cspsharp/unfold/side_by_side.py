"""What processes side by side do together: alone, all at once, or two over a channel."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Final, Generic, Protocol, TypeVar, final

from burnside.frontends.cspsharp.unfold.terms import (
    EVENT,
    OPERATION,
    RECEIVE,
    SEND,
    TERMINATION,
    Action,
    EventKey,
    key_of,
)
from burnside.ir.build import comparison, conjunction
from burnside.ir.nodes import FALSE, TRUE, Expr, If, Stmt
from burnside.values import dataclass

# More ways than this to join the steps of several components for one event: join alternatives first.
MANY_WAYS: Final = 64


class Offer(Protocol):
    """What can be joined: an action under a condition."""

    @property
    def action(self) -> Action:
        """What happens."""

    @property
    def guard(self) -> Expr:
        """Under which condition."""

    @property
    def is_urgent(self) -> bool:
        """Whether it comes before all that is not."""


S = TypeVar("S", bound=Offer)


@final
@dataclass(frozen=True, slots=True)
class Joint(Generic[S]):
    """Steps of several parts as one: who moves, and what happens."""

    moves: tuple[tuple[int, S], ...]
    action: Action
    guard: Expr
    is_urgent: bool


def combine(
    offers: Sequence[Sequence[S]],
    alphabets: Sequence[frozenset[EventKey]] | None,
    merge: Callable[[Sequence[S]], Sequence[S]] = lambda steps: steps,
) -> Iterator[Joint[S]]:
    """All that parts side by side can do: ``|||`` without alphabets, ``||`` with them.

    ``merge`` may join alternatives of one part where there are very many ways to choose among them.
    """
    for k, steps in enumerate(offers):
        for step in steps:
            if step.action.kind == TERMINATION or (step.action.kind == EVENT and _is_shared(step, k, alphabets)):
                continue
            yield Joint(((k, step),), step.action, step.guard, step.is_urgent)
    yield from _rendezvous(offers)
    if alphabets is not None:
        yield from _barriers(offers, alphabets, merge)
    ticks = [merge([s for s in steps if s.action.kind == TERMINATION]) for steps in offers]
    yield from _together(range(len(offers)), ticks)


def _is_shared(step: Offer, k: int, alphabets: Sequence[frozenset[EventKey]] | None) -> bool:
    key = key_of(step.action)
    return alphabets is not None and key is not None and key in alphabets[k]


def _barriers(
    offers: Sequence[Sequence[S]],
    alphabets: Sequence[frozenset[EventKey]],
    merge: Callable[[Sequence[S]], Sequence[S]],
) -> Iterator[Joint[S]]:
    """An event is a barrier for every part whose alphabet holds it."""
    offered: dict[EventKey, dict[int, list[S]]] = {}
    for k, steps in enumerate(offers):
        for step in steps:
            key = key_of(step.action)
            if step.action.kind == EVENT and key is not None and key in alphabets[k]:
                offered.setdefault(key, {}).setdefault(k, []).append(step)
    concerned: dict[EventKey, list[int]] = {key: [] for key in offered}
    for k, alphabet in enumerate(alphabets):
        for key in alphabet & offered.keys():
            concerned[key].append(k)
    for key, by_part in offered.items():
        parts = concerned[key]
        if all(k in by_part for k in parts):
            choices: list[Sequence[S]] = [by_part[k] for k in parts]
            if prod(map(len, choices)) > MANY_WAYS:
                choices = [merge(c) for c in choices]
            yield from _together(parts, choices)


def _together(parts: Sequence[int], choices: Sequence[Sequence[S]]) -> Iterator[Joint[S]]:
    if all(choices):
        for chosen in product(*choices):
            moves = tuple(zip(parts, chosen, strict=True))
            guard = conjunction(s.guard for s in chosen)
            yield Joint(moves, chosen[0].action, guard, any(s.is_urgent for s in chosen))


def _rendezvous(offers: Sequence[Sequence[S]]) -> Iterator[Joint[S]]:
    """A sender and a receiver of one message in different parts."""
    receivers: dict[str, list[tuple[int, S]]] = {}
    for k, steps in enumerate(offers):
        for step in steps:
            if step.action.kind == RECEIVE:
                receivers.setdefault(step.action.name, []).append((k, step))
    for k, steps in enumerate(offers):
        for sender in steps:
            if sender.action.kind != SEND:
                continue
            for j, receiver in receivers.get(sender.action.name, ()):
                if j != k:
                    yield from _exchange(k, sender, j, receiver)


def _exchange(k: int, sender: S, j: int, receiver: S) -> Iterator[Joint[S]]:
    sent, taken = sender.action, receiver.action
    same = [comparison("==", a, b, a.span) for a, b in zip(sent.arguments, taken.arguments, strict=True)]
    guard = conjunction((sender.guard, receiver.guard, *same))
    if guard == FALSE or FALSE in same:
        return
    action = Action(OPERATION, sent.name, taken.arguments, in_turn(sent.body, taken.body), sent.span)
    yield Joint(((k, sender), (j, receiver)), action, guard, sender.is_urgent or receiver.is_urgent)


def in_turn(first: tuple[Stmt, ...], second: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """Two programs one after the other, each with locals of its own."""
    if not first or not second:
        return first or second
    return (If(TRUE, first), If(TRUE, second))
