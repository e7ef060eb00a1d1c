"""Place/transition nets as values: what all texts become, coloured ones written out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias, final

from burnside.source import Span
from burnside.values import dataclass

# Numbers of tokens in a place that are worth a thought.
MOST_TOKENS: Final = (1 << 31) - 1
MOST_PLACES: Final = 100_000
MOST_TRANSITIONS: Final = 200_000
MOST_ARCS: Final = 4_000_000

Weights: TypeAlias = tuple[tuple[int, int], ...]


@final
@dataclass(frozen=True, slots=True)
class Place:
    """A place and the tokens that it holds at first."""

    name: str
    tokens: int
    span: Span


@final
@dataclass(frozen=True, slots=True)
class Transition:
    """A transition: how many tokens it takes from which places, and puts into which, by their numbers."""

    name: str
    takes: Weights
    puts: Weights
    span: Span

    @property
    def effect(self) -> Weights:
        """By how much it changes places, those left out that hold as many tokens as before."""
        change: dict[int, int] = dict(self.puts)
        for place, weight in self.takes:
            change[place] = change.get(place, 0) - weight
        return tuple(sorted((place, by) for place, by in change.items() if by))


@final
@dataclass(frozen=True, slots=True)
class Net:
    """A net. ``places_of`` and ``transitions_of`` say what has become of those of the text: of a coloured one several,
    of one that can never be marked or fire none. ``is_safe`` is what the text says of itself, at ``safe_span``.
    """

    name: str
    places: tuple[Place, ...]
    transitions: tuple[Transition, ...]
    places_of: Mapping[str, tuple[int, ...]]
    transitions_of: Mapping[str, tuple[int, ...]]
    safe_span: Span | None = None

    @property
    def marking(self) -> tuple[int, ...]:
        """The tokens at first."""
        return tuple(place.tokens for place in self.places)


def weights(arcs: Iterable[tuple[int, int]]) -> Weights:
    """Arcs from or to one transition, those of one place added up."""
    total: dict[int, int] = {}
    for place, weight in arcs:
        total[place] = total.get(place, 0) + weight
    return tuple(sorted((place, weight) for place, weight in total.items() if weight))


def without_unmarkable(net: Net) -> Net:
    """A net without places that can never be marked, and without transitions that need them.

    Keeps: the reachable markings, the places left out being empty in all of them, and the transitions between them.
    """
    markable = _markable(net)
    alive = [t for t, transition in enumerate(net.transitions) if all(p in markable for p, _ in transition.takes)]
    if len(alive) == len(net.transitions) and len(markable) == len(net.places):
        return net
    place_number = {old: new for new, old in enumerate(sorted(markable))}
    transition_number = {old: new for new, old in enumerate(alive)}

    def moved(arcs: Weights) -> Weights:
        return tuple((place_number[place], weight) for place, weight in arcs)

    transitions = (net.transitions[t] for t in alive)
    return Net(
        net.name,
        tuple(net.places[p] for p in place_number),
        tuple(Transition(t.name, moved(t.takes), moved(t.puts), t.span) for t in transitions),
        _renumbered(net.places_of, place_number),
        _renumbered(net.transitions_of, transition_number),
        net.safe_span,
    )


def _markable(net: Net) -> set[int]:
    """Places that are marked, or that a transition puts tokens into all of whose places are markable."""
    markable: set[int] = set()
    missing = [len(transition.takes) for transition in net.transitions]
    readers: dict[int, list[int]] = {}
    for number, transition in enumerate(net.transitions):
        for place, _ in transition.takes:
            readers.setdefault(place, []).append(number)
    found = [p for p, place in enumerate(net.places) if place.tokens]
    found += [p for t, count in enumerate(missing) if not count for p, _ in net.transitions[t].puts]
    while found:
        place = found.pop()
        if place in markable:
            continue
        markable.add(place)
        for t in readers.get(place, ()):
            missing[t] -= 1
            if not missing[t]:
                found += (p for p, _ in net.transitions[t].puts)
    return markable


def _renumbered(members: Mapping[str, tuple[int, ...]], numbers: Mapping[int, int]) -> dict[str, tuple[int, ...]]:
    return {name: tuple(numbers[old] for old in olds if old in numbers) for name, olds in members.items()}
