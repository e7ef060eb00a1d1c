"""Height-unambiguous pushdown transducers, and the reflection as one of them (Theorems 5 to 7 of [LinEtAl16]).

A reflection is not regular, but one stack suffices to compute it, and how high the stack is after each letter
depends only on the length of the word. Two runs on words of equal length therefore move their stacks in step
and fit on one stack of pairs (Lemma 1). With the step and its complement as further components, the reflection
is a symmetry iff the product accepts nothing.

A word is accepted in a final state with an empty stack; transitions push onto, pop from or keep the stack.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Generic, TypeAlias, TypeVar, final

from burnside.regular.alphabet import Letter, Pair, tracks
from burnside.regular.automata import SINK
from burnside.regular.relations import Language, Relation
from burnside.regular.search import TooLarge
from burnside.regular.system import System
from burnside.regular.verify import Condition, Failure
from burnside.values import dataclass, field

C = TypeVar("C", bound=Hashable)  # control states
G = TypeVar("G", bound=Hashable)  # stack symbols
A = TypeVar("A")  # input letters

LARGEST_QUEUE = 50_000

Column: TypeAlias = tuple[Letter, Letter, Letter, Letter]


@final
@dataclass(frozen=True)
class Pushdown(Generic[C, A, G]):
    """A pushdown automaton given by its moves, so that products are built as they are visited."""

    start: C
    is_final: Callable[[C], bool]
    keeps: Callable[[C], Iterable[tuple[A, C]]]
    pushes: Callable[[C], Iterable[tuple[A, G, C]]]
    pops: Callable[[C, G], Iterable[tuple[A, C]]]
    removers: Callable[[G], Iterable[A]]  # the letters with which a stack symbol can leave the stack at all


def reflection_transducer(size: int, letters: tuple[int, ...] = ()) -> Pushdown[str, Pair, Pair]:
    """The pairs ``(v, w)`` with ``w`` the mirror image of ``v``, its letters renamed by ``letters``.

    The first half pushes its pairs; the second half pops each and compares it with the pair read, letters
    crosswise; a middle letter is compared with itself. The stack height after ``i`` of ``n`` letters is
    ``min(i, n - i)``: unambiguous.
    """
    rename = letters or tuple(range(size))
    alphabet = range(size)

    def keeps(state: str) -> Iterator[tuple[Pair, str]]:
        if state == "down":
            yield from (((a, rename[a]), "up") for a in alphabet)

    def pushes(state: str) -> Iterator[tuple[Pair, Pair, str]]:
        if state == "down":
            yield from (((a, b), (a, b), "down") for a in alphabet for b in alphabet)

    def pops(_: str, top: Pair) -> Iterator[tuple[Pair, str]]:
        a, b = top
        yield from (((c, rename[a]), "up") for c in alphabet if rename[c] == b)

    def removers(top: Pair) -> Iterator[Pair]:
        return (letter for letter, _ in pops("up", top))

    return Pushdown("down", lambda _: True, keeps, pushes, pops, removers)


_Product: TypeAlias = tuple[str, str, int, int]


def paired_with_step(
    relation: Pushdown[str, Pair, Pair], step: Relation
) -> Pushdown[_Product, Column, tuple[Pair, Pair]]:
    """Lemma 1 and Theorem 6: two copies of the relation on one stack, beside a step and its complement.

    Accepts ``v1 ⊗ v2 ⊗ w1 ⊗ w2`` with ``v1 → w1``, both pairs related, and not ``v2 → w2``.
    """
    paired = _Paired(relation, step, frozenset(step.symbols))
    start = (relation.start, relation.start, 0, 0)
    return Pushdown(start, paired.is_final, paired.keeps, paired.pushes, paired.pops, paired.removers)


@final
@dataclass
class _Paired:
    """The moves of the product; ``letters`` are those of the step."""

    relation: Pushdown[str, Pair, Pair]
    step: Relation
    letters: frozenset[Pair]
    leaving: dict[tuple[Pair, Pair], bool] = field(default_factory=dict)

    def keeps(self, node: _Product) -> Iterator[tuple[Column, _Product]]:
        for (a, b), p in self.relation.keeps(node[0]):
            for (c, d), q in self.relation.keeps(node[1]):
                yield from self._joined(node, (a, b, c, d), p, q)

    def pushes(self, node: _Product) -> Iterator[tuple[Column, tuple[Pair, Pair], _Product]]:
        for (a, b), top, p in self.relation.pushes(node[0]):
            for (c, d), other, q in self.relation.pushes(node[1]):
                # A symbol that no step can take off the stack again leads to no accepted word.
                if (a, c) in self.letters and self._can_leave(top, other):
                    yield from ((x, (top, other), target) for x, target in self._joined(node, (a, b, c, d), p, q))

    def pops(self, node: _Product, top: tuple[Pair, Pair]) -> Iterator[tuple[Column, _Product]]:
        for (a, b), p in self.relation.pops(node[0], top[0]):
            for (c, d), q in self.relation.pops(node[1], top[1]):
                yield from self._joined(node, (a, b, c, d), p, q)

    def is_final(self, node: _Product) -> bool:
        related = self.relation.is_final(node[0]) and self.relation.is_final(node[1])
        return related and node[2] in self.step.accepting and node[3] not in self.step.accepting

    def removers(self, top: tuple[Pair, Pair]) -> Iterator[Column]:
        relation = self.relation
        return ((a, b, c, d) for a, b in relation.removers(top[0]) for c, d in relation.removers(top[1]))

    def _joined(self, node: _Product, column: Column, first: str, second: str) -> Iterator[tuple[Column, _Product]]:
        a, b, c, d = column
        target = self.step.step(node[2], (a, c))
        if target != SINK:
            yield column, (first, second, target, self.step.step(node[3], (b, d)))

    def _can_leave(self, top: Pair, other: Pair) -> bool:
        key = (top, other)
        if key not in self.leaving:
            self.leaving[key] = any((a, c) in self.letters for a, _, c, _ in self.removers(key))
        return self.leaving[key]


@final
@dataclass
class _Balanced(Generic[C, A, G]):
    """The shortest words between control states that leave the stack as they found it, found by length [Knuth77]."""

    machine: Pushdown[C, A, G]
    settled: dict[tuple[C, C], tuple[A, ...]] = field(default_factory=dict)
    starting: defaultdict[C, list[C]] = field(default_factory=lambda: defaultdict(list))
    callers: defaultdict[C, list[tuple[C, A, G]]] = field(default_factory=lambda: defaultdict(list))
    ending: defaultdict[C, list[C]] = field(default_factory=lambda: defaultdict(list))
    known: set[C] = field(default_factory=set)
    queue: list[tuple[int, int, C, C, tuple[A, ...]]] = field(default_factory=list)
    counter: int = 0

    def shortest(self) -> tuple[A, ...] | None:
        """A shortest accepted word, or None."""
        start = self.machine.start
        self._visit(start)
        while self.queue:
            _, _, p, q, word = heapq.heappop(self.queue)
            if (p, q) in self.settled:
                continue
            self.settled[p, q] = word
            if p == start and self.machine.is_final(q):
                return word
            self._settle(p, q, word)
        return None

    def _settle(self, p: C, q: C, word: tuple[A, ...]) -> None:
        self.starting[p].append(q)
        for letter, target in self.machine.keeps(q):
            self._offer(p, target, (*word, letter))
        if not self.ending[q]:  # what is pushed at q does not depend on p
            for letter, symbol, inner in self.machine.pushes(q):
                self._call(q, letter, symbol, inner)
        for caller, letter, symbol in self.callers[p]:
            self._return(caller, letter, symbol, word, q)
        # A nested word that starts where this one ends continues every word that ends there.
        self.ending[q].append(p)
        for target in self.starting[q]:
            if target != q:
                self._offer(p, target, word + self.settled[q, target])
        for origin in self.ending[p]:
            if origin != p:
                self._offer(origin, q, self.settled[origin, p] + word)

    def _call(self, caller: C, letter: A, symbol: G, inner: C) -> None:
        self.callers[inner].append((caller, letter, symbol))
        self._visit(inner)
        for q in list(self.starting[inner]):
            self._return(caller, letter, symbol, self.settled[inner, q], q)

    def _return(self, caller: C, letter: A, symbol: G, body: tuple[A, ...], q: C) -> None:
        for last, target in self.machine.pops(q, symbol):
            self._offer(caller, target, (letter, *body, last))

    def _visit(self, state: C) -> None:
        if state not in self.known:
            self.known.add(state)
            self._offer(state, state, ())

    def _offer(self, p: C, q: C, word: tuple[A, ...]) -> None:
        if (p, q) not in self.settled:
            self.counter += 1
            if self.counter > LARGEST_QUEUE:
                raise TooLarge
            heapq.heappush(self.queue, (len(word), self.counter, p, q, word))


def accepted_word(machine: Pushdown[C, A, G]) -> tuple[A, ...] | None:
    """A shortest word the automaton accepts, or None if it accepts nothing."""
    return _Balanced(machine).shortest()


def reflection_failure(system: System, letters: tuple[int, ...] = ()) -> Failure | None:
    """Theorem 6 for the reflection: a configuration or step whose mirror image is none, or None."""
    mirror = reflection_transducer(system.alphabet.size, letters)
    word = accepted_word(_beside_space(mirror, system.configurations))
    if word is not None:
        return Failure(Condition.INSIDE, tracks(word, 2))
    for name, step in system.steps.items():
        columns = accepted_word(paired_with_step(mirror, step))
        if columns is not None:
            return Failure(Condition.SIMULATION, tracks(columns, 4), name)
    return None


_Spaced: TypeAlias = tuple[str, int, int]


def _beside_space(relation: Pushdown[str, Pair, Pair], space: Language) -> Pushdown[_Spaced, Pair, Pair]:
    """The related pairs whose first word is a configuration and whose second is not."""

    def joined(node: _Spaced, pair: Pair, p: str) -> _Spaced:
        return p, space.step(node[1], pair[0]), space.step(node[2], pair[1])

    def keeps(node: _Spaced) -> Iterator[tuple[Pair, _Spaced]]:
        return ((pair, joined(node, pair, p)) for pair, p in relation.keeps(node[0]) if node[1] != SINK)

    def pushes(node: _Spaced) -> Iterator[tuple[Pair, Pair, _Spaced]]:
        return ((pair, top, joined(node, pair, p)) for pair, top, p in relation.pushes(node[0]) if node[1] != SINK)

    def pops(node: _Spaced, top: Pair) -> Iterator[tuple[Pair, _Spaced]]:
        return ((pair, joined(node, pair, p)) for pair, p in relation.pops(node[0], top) if node[1] != SINK)

    def is_final(node: _Spaced) -> bool:
        return relation.is_final(node[0]) and node[1] in space.accepting and node[2] not in space.accepting

    return Pushdown((relation.start, 0, 0), is_final, keeps, pushes, pops, relation.removers)
