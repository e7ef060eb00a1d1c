"""Random nets that are bounded by construction, what they mean, and their PNML; shares no code with Burnside."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations, product
from math import factorial, prod
from xml.sax.saxutils import quoteattr

Marking = tuple[int, ...]

MOST_PERMUTED = 2_000  # permutations that are looked at


@dataclass(frozen=True)
class Step:
    """A transition: tokens taken and put, by numbers of places."""

    name: str
    takes: dict[int, int]
    puts: dict[int, int]

    def fired(self, marking: Marking) -> Marking | None:
        """The marking after it, or None if it cannot fire."""
        if any(marking[p] < w for p, w in self.takes.items()):
            return None
        after = list(marking)
        for p, w in self.takes.items():
            after[p] -= w
        for p, w in self.puts.items():
            after[p] += w
        return tuple(after)


@dataclass(frozen=True)
class Judged:
    """A net with all of its reachable markings, and the markings after each."""

    marking: Marking
    steps: tuple[Step, ...]
    after: dict[Marking, list[tuple[int, Marking]]] = field(default_factory=dict)

    @property
    def arcs(self) -> int:
        """How many steps there are between reachable markings."""
        return sum(map(len, self.after.values()))

    @property
    def deadlocks(self) -> int:
        """How many reachable markings have no step."""
        return sum(not steps for steps in self.after.values())

    def enabled(self, marking: Marking) -> set[int]:
        """Which transitions can fire."""
        return {number for number, _ in self.after[marking]}


def explored(marking: Marking, steps: tuple[Step, ...], most: int = 3_000) -> Judged | None:
    """All that is reachable, unless it is more than ``most`` markings."""
    net = Judged(marking, steps)
    waiting = [marking]
    while waiting:
        here = waiting.pop()
        if here in net.after:
            continue
        if len(net.after) == most:
            return None
        net.after[here] = [(n, t) for n, step in enumerate(steps) if (t := step.fired(here)) is not None]
        waiting += [t for _, t in net.after[here]]
    return net


def random_net(chance: random.Random) -> Judged:
    """A net of components that keep a weighted number of tokens, some of them several times over."""
    while True:
        net = explored(*_made(chance))
        if net is not None:
            return net


def _made(chance: random.Random) -> tuple[Marking, tuple[Step, ...]]:
    """Components, which transitions move tokens in, alone, together, and with tokens of others as a condition."""
    copies = chance.choice((1, 1, 2, 2, 3))
    components: list[list[tuple[int, int]]] = []  # the places of each, and what a token of it weighs
    tokens: list[int] = []
    shared = _component(chance, tokens)
    sizes = [chance.randint(2, 4) for _ in range(chance.choice((1, 1, 2)))]
    weights = [[chance.choice((1, 1, 1, 2)) for _ in range(size)] for size in sizes]
    starts = [[chance.choice((0, 0, 1, 2)) for _ in range(size)] for size in sizes]
    for weight, start in zip(weights, starts, strict=True):
        for _ in range(copies):
            first = len(tokens)
            tokens += start
            components.append([(first + k, w) for k, w in enumerate(weight)])
    steps: list[Step] = []
    for _ in range(chance.randint(2, 5)):
        kind = chance.randrange(len(sizes))
        moves = _moves(chance, len(weights[kind]), weights[kind])
        guard = chance.choice(("", "", "read", "move"))
        beside = _moves(chance, len(shared), [w for _, w in shared])
        for copy in range(copies):
            places = components[kind * copies + copy]
            takes = {places[k][0]: n for k, n in moves[0].items()}
            puts = {places[k][0]: n for k, n in moves[1].items()}
            if guard == "read":
                place = shared[0][0]
                takes[place] = puts[place] = 1
            elif guard == "move":
                takes |= {shared[k][0]: n for k, n in beside[0].items()}
                puts |= {shared[k][0]: n for k, n in beside[1].items()}
            steps.append(Step(f"t{len(steps)}", takes, puts))
    if chance.random() < 0.3:  # one that takes tokens away for good
        steps.append(Step(f"t{len(steps)}", {chance.randrange(len(tokens)): chance.randint(1, 2)}, {}))
    if chance.random() < 0.2:  # a place that nothing ever marks, and a transition that waits for it
        tokens.append(0)
        steps.append(Step(f"t{len(steps)}", {len(tokens) - 1: 1, 0: 1}, {0: 1}))
    return tuple(tokens), tuple(steps)


def _component(chance: random.Random, tokens: list[int]) -> list[tuple[int, int]]:
    first = len(tokens)
    tokens += [chance.choice((0, 1, 2)) for _ in range(chance.randint(1, 3))]
    return [(place, 1) for place in range(first, len(tokens))]


def _moves(chance: random.Random, size: int, weight: list[int]) -> tuple[dict[int, int], dict[int, int]]:
    """Tokens taken from and put into places of one component, of the same weight in all."""
    source, target = chance.randrange(size), chance.randrange(size)
    return {source: weight[target]}, {target: weight[source]}


def symmetries_of(net: Judged) -> list[tuple[int, ...]] | None:
    """The permutations of places that keep the first marking and, names aside, the transitions; None if there are too
    many to look at of those that exchange only places with as many tokens and with arcs of the same weights.
    """
    places = range(len(net.marking))
    alike: dict[object, list[int]] = {}
    for p in places:
        arcs = sorted((step.takes.get(p, 0), step.puts.get(p, 0)) for step in net.steps)
        alike.setdefault((net.marking[p], tuple(arcs)), []).append(p)
    if prod(factorial(len(members)) for members in alike.values()) > MOST_PERMUTED:
        return None

    def steps(moved: Sequence[int]) -> Counter[tuple[tuple[tuple[int, int], ...], ...]]:
        return Counter(
            tuple(tuple(sorted((moved[p], w) for p, w in arcs.items())) for arcs in (step.takes, step.puts))
            for step in net.steps
        )

    own = steps(places)
    found = []
    for images in product(*map(permutations, alike.values())):
        pairs = {p: q for old, new in zip(alike.values(), images, strict=True) for p, q in zip(old, new, strict=True)}
        moved = tuple(pairs[p] for p in places)
        if steps(moved) == own:
            found.append(moved)
    return found


# ---------------------------------------------------------------- texts


def pnml(net: Judged, chance: random.Random | None = None) -> str:
    """The text of a net, with pages and reference nodes by chance."""
    chance = chance or random.Random(0)
    nodes, arcs = list(_nodes(net)), list(_arcs(net, chance))
    if chance.random() < 0.5:
        parts = [*nodes, *arcs]
    else:
        cut = chance.randrange(len(nodes) + 1)
        parts = ['<page id="inner">', *nodes[:cut], "</page>", *nodes[cut:], *arcs]
    return "\n".join(
        (
            '<?xml version="1.0" encoding="UTF-8"?>',
            '<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">',
            '<net id="random" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="page">',
            *parts,
            "</page></net></pnml>",
            "",
        )
    )


def _nodes(net: Judged) -> Iterator[str]:
    for number, tokens in enumerate(net.marking):
        label = f"<initialMarking><text> {tokens} </text></initialMarking>" if tokens else ""
        yield f'<place id="p{number}"><name><text>place {number}</text></name>{label}</place>'
    yield from (f"<transition id={quoteattr(step.name)}/>" for step in net.steps)


def _arcs(net: Judged, chance: random.Random) -> Iterator[str]:
    count = 0
    referred: set[int] = set()
    for step in net.steps:
        for weights, is_input in ((step.takes, True), (step.puts, False)):
            for place, weight in weights.items():
                name = f"p{place}"
                if chance.random() < 0.1:
                    name = f"r{place}"
                    if place not in referred:
                        yield f'<referencePlace id="{name}" ref="p{place}"/>'
                    referred.add(place)
                ends = (name, step.name) if is_input else (step.name, name)
                # Two arcs that join the same nodes count together.
                parts = [weight - 1, 1] if weight > 1 and chance.random() < 0.3 else [weight]
                for part in parts:
                    count += 1
                    label = f"<inscription><text>{part}</text></inscription>" if part != 1 else ""
                    yield f'<arc id="a{count}" source="{ends[0]}" target="{ends[1]}">{label}</arc>'
