"""Nets without what decides nothing that is asked: fewer places, fewer transitions, the same answers.

Structural reductions of [Berthelot86], with the arguments in ``docs/theory/nets.md``. Places that are asked about stay
as they are, so that claims mean the same; every run of what is left is one of the net, with nodes left out or with two
transitions in one step.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final, TypeAlias, final

from burnside.claims.task import Simplification
from burnside.frontends.pnml.net import Net, Place, Transition, Weights, weights
from burnside.values import dataclass

_MOST_ROUNDS: Final = 100
# Transitions that take from a place and transitions that put into it, when they are joined in pairs.
_MOST_PAIRS: Final = 64
_LONGEST_NAME: Final = 400


@final
@dataclass(frozen=True, slots=True)
class Asked:
    """What answers depend on: the markings of some places; whether a run that goes on is told from one that does not;
    and what comes after what in a run.
    """

    places: Collection[str]
    is_about_steps: bool
    is_about_runs: bool


@final
@dataclass(slots=True)
class _Draft:
    """A net that is being simplified: nodes by number, those that are gone left out."""

    places: dict[int, Place]
    takes: dict[int, dict[int, int]]
    puts: dict[int, dict[int, int]]
    transitions: dict[int, Transition]

    def effect(self, transition: int, place: int) -> int:
        """How many tokens more a place has after a transition."""
        return self.puts[transition].get(place, 0) - self.takes[transition].get(place, 0)

    def users(self) -> dict[int, list[int]]:
        """The transitions that take from each place."""
        found: dict[int, list[int]] = {place: [] for place in self.places}
        for transition, taken in self.takes.items():
            for place in taken:
                found[place].append(transition)
        return found

    def makers(self) -> dict[int, list[int]]:
        """The transitions that put into each place."""
        found: dict[int, list[int]] = {place: [] for place in self.places}
        for transition, put in self.puts.items():
            for place in put:
                found[place].append(transition)
        return found

    def drop_place(self, place: int) -> None:
        """Leave a place out, with all of its arcs."""
        del self.places[place]
        for arcs in (*self.takes.values(), *self.puts.values()):
            arcs.pop(place, None)

    def drop_transition(self, transition: int) -> None:
        """Leave a transition out."""
        del self.transitions[transition], self.takes[transition], self.puts[transition]


_Step: TypeAlias = Callable[[_Draft, Asked, Collection[int]], bool]


def simplified(net: Net, asked: Asked) -> Net:
    """A net with the same answers."""
    draft = _Draft(
        dict(enumerate(net.places)),
        {number: dict(transition.takes) for number, transition in enumerate(net.transitions)},
        {number: dict(transition.puts) for number, transition in enumerate(net.transitions)},
        dict(enumerate(net.transitions)),
    )
    kept = {number for number, place in draft.places.items() if place.name in asked.places}
    for _ in range(_MOST_ROUNDS):
        changes = [step(draft, asked, kept) for step in _STEPS]
        if not any(changes):
            break
    return _net_of(net, draft)


# ---------------------------------------------------------------- places


def _drop_constant_places(draft: _Draft, _: Asked, kept: Collection[int]) -> bool:
    """A place that no transition changes says of each transition, once and for all, whether it can fire."""
    users, makers = draft.users(), draft.makers()
    found = False
    for place in [*draft.places]:
        touching = {*users[place], *makers[place]} & draft.transitions.keys()
        if any(draft.effect(transition, place) for transition in touching):
            continue
        held = draft.places[place].tokens
        for transition in touching:
            if draft.takes[transition].get(place, 0) > held:
                draft.drop_transition(transition)
                found = True
        if place not in kept:
            draft.drop_place(place)
            found = True
    return found


def _drop_implicit_places(draft: _Draft, _: Asked, kept: Collection[int]) -> bool:
    """A place that nothing takes from, or that always holds as many tokens as another one of which whoever takes from
    it takes as many, keeps nobody from firing.
    """
    users, makers = draft.users(), draft.makers()
    found = False
    for place in [*draft.places]:
        if place not in kept and _is_implicit(draft, place, users, makers):
            draft.drop_place(place)
            found = True
    return found


def _is_implicit(draft: _Draft, place: int, users: dict[int, list[int]], makers: dict[int, list[int]]) -> bool:
    taking = users[place]
    if not taking:
        return True
    # Of another place, all that take from this one take as much at least: so do the first of them.
    others = [other for other in draft.takes[taking[0]] if other != place]
    return any(
        draft.places[other].tokens <= draft.places[place].tokens
        and all(draft.takes[t].get(other, 0) >= draft.takes[t][place] for t in taking)
        and all(
            draft.effect(t, place) >= draft.effect(t, other)
            for t in {*taking, *makers[place], *users[other], *makers[other]}
        )
        for other in others
    )


# ---------------------------------------------------------------- transitions


def _drop_idle_transitions(draft: _Draft, asked: Asked, _: Collection[int]) -> bool:
    """Of transitions with the same arcs one is enough; one that changes nothing is not needed to reach anything."""
    seen: set[tuple[Weights, Weights]] = set()
    found = False
    for transition in [*draft.transitions]:
        takes, puts = draft.takes[transition], draft.puts[transition]
        arcs = tuple(sorted(takes.items())), tuple(sorted(puts.items()))
        changes_nothing = takes == puts and not asked.is_about_steps
        if arcs in seen or changes_nothing:
            draft.drop_transition(transition)
            found = True
        seen.add(arcs)
    return found


def _agglomerate(draft: _Draft, asked: Asked, kept: Collection[int]) -> bool:
    """Let transitions that only a place enables fire at once when it is marked, and leave out the place.

    Needs: at first the place is empty; who puts into it puts one token and takes none from it; who takes from it takes
    that one token and nothing else, gives none back, and puts into no place that is asked about.
    """
    if asked.is_about_runs:
        return False
    users, makers = draft.users(), draft.makers()
    found = False
    for place in [*draft.places]:
        before, after = makers[place], users[place]
        if (
            place not in kept
            and draft.places[place].tokens == 0
            and before
            and after
            and _is_passed_through(draft, place, before, after, kept)
            and _join(draft, place, before, after)
        ):
            found = True
            users, makers = draft.users(), draft.makers()
    return found


def _is_passed_through(draft: _Draft, place: int, before: list[int], after: list[int], kept: Collection[int]) -> bool:
    return (
        len(before) * len(after) <= min(_MOST_PAIRS, len(before) + len(after))
        and all(draft.puts[t][place] == 1 and place not in draft.takes[t] for t in before)
        and all(draft.takes[t] == {place: 1} and place not in draft.puts[t] for t in after)
        and not any(target in kept for t in after for target in draft.puts[t])
    )


def _join(draft: _Draft, place: int, before: list[int], after: list[int]) -> bool:
    """Put each pair of transitions in the place of both; false if their names would be too long or taken."""
    taken = {transition.name for transition in draft.transitions.values()}
    joined: list[tuple[Transition, dict[int, int], dict[int, int]]] = []
    for first in before:
        for second in after:
            name = f"{draft.transitions[first].name}, {draft.transitions[second].name}"
            if name in taken or len(name) > _LONGEST_NAME:
                return False
            taken.add(name)
            puts = [(p, w) for p, w in draft.puts[first].items() if p != place] + [*draft.puts[second].items()]
            transition = Transition(name, (), (), draft.transitions[first].span)
            joined.append((transition, dict(draft.takes[first]), dict(weights(puts))))
    for number, (transition, takes, put) in enumerate(joined, max(draft.transitions) + 1):
        draft.transitions[number], draft.takes[number], draft.puts[number] = transition, takes, put
    for gone in (*before, *after):
        draft.drop_transition(gone)
    draft.drop_place(place)
    return True


_STEPS: Final[tuple[_Step, ...]] = (
    _drop_constant_places,
    _drop_implicit_places,
    _drop_idle_transitions,
    _agglomerate,
)


# ---------------------------------------------------------------- what is left


def _net_of(net: Net, draft: _Draft) -> Net:
    numbers = {old: new for new, old in enumerate(draft.places)}

    def moved(arcs: dict[int, int]) -> Weights:
        return tuple(sorted((numbers[place], weight) for place, weight in arcs.items()))

    transitions = tuple(
        Transition(t.name, moved(draft.takes[k]), moved(draft.puts[k]), t.span) for k, t in draft.transitions.items()
    )
    by_name = {transition.name: (number,) for number, transition in enumerate(transitions)}
    places = tuple(draft.places.values())
    return Net(net.name, places, transitions, {p.name: (k,) for k, p in enumerate(places)}, by_name, net.safe_span)


def difference(net: Net, less: Net) -> Simplification | None:
    """What a simplified net does not have of the whole one, or None if that is nothing."""
    known = {transition.name for transition in net.transitions}
    found = Simplification(
        places=len(net.places) - len(less.places),
        of_places=len(net.places),
        transitions=len(net.transitions) - len(less.transitions),  # joining them never makes more
        of_transitions=len(net.transitions),
        joined=sum(transition.name not in known for transition in less.transitions),
    )
    return found if found.places or found.transitions else None
