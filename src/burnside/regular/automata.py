"""Finite automata with explicit symbols: partial, small, immutable.

A missing transition rejects. Symbols are integers (letters) or tuples of integers (pairs), so their order is
total and every construction is deterministic: `minimise` returns the same value for the same language.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar, final

from burnside.regular.search import TooLarge, reachable, shortest_path
from burnside.values import dataclass


class Ordered(Hashable, Protocol):
    """A symbol: hashable and ordered."""

    def __lt__(self, other: Any, /) -> bool: ...


S = TypeVar("S", bound=Ordered)
T = TypeVar("T", bound=Ordered)
N = TypeVar("N", bound=Hashable)

SINK = -1
LARGEST_SUBSETS = 5_000
LARGEST_PRODUCT = 100_000


@final
@dataclass(frozen=True)
class Dfa(Generic[S]):
    """A deterministic automaton; state 0 is the start, ``rows[q][s]`` the successor of ``q`` under ``s``."""

    rows: tuple[Mapping[S, int], ...]
    accepting: frozenset[int]

    @property
    def size(self) -> int:
        """How many states there are."""
        return len(self.rows)

    def step(self, state: int, symbol: S) -> int:
        """The successor, or ``SINK``."""
        return self.rows[state].get(symbol, SINK) if state != SINK else SINK

    def run(self, word: Iterable[S], state: int = 0) -> int:
        """The state after reading ``word``, or ``SINK``."""
        for symbol in word:
            if state == SINK:
                break
            state = self.rows[state].get(symbol, SINK)
        return state

    def accepts(self, word: Iterable[S]) -> bool:
        """Whether the word belongs to the language."""
        return self.run(word) in self.accepting

    @property
    def symbols(self) -> list[S]:
        """The symbols that occur, in order."""
        return sorted({s for row in self.rows for s in row})

    def edges(self) -> Iterator[tuple[int, S, int]]:
        """Every transition, in the order of states and symbols."""
        for state, row in enumerate(self.rows):
            for symbol in sorted(row):
                yield state, symbol, row[symbol]

    def nfa(self) -> Nfa[S]:
        """The same automaton as a nondeterministic one."""
        rows = tuple({s: frozenset((q,)) for s, q in row.items()} for row in self.rows)
        return Nfa(rows, frozenset((0,)), self.accepting)


@final
@dataclass(frozen=True)
class Nfa(Generic[S]):
    """A nondeterministic automaton without empty moves, with any number of start states."""

    rows: tuple[Mapping[S, frozenset[int]], ...]
    starts: frozenset[int]
    accepting: frozenset[int]

    @property
    def size(self) -> int:
        """How many states there are."""
        return len(self.rows)

    def post(self, states: Iterable[int], symbol: S) -> frozenset[int]:
        """All successors of a set of states under one symbol."""
        empty: frozenset[int] = frozenset()
        return empty.union(*(self.rows[q].get(symbol, empty) for q in states))

    def moves(self, states: Iterable[int]) -> dict[S, frozenset[int]]:
        """All successors of a set of states, by symbol."""
        found: defaultdict[S, set[int]] = defaultdict(set)
        for state in states:
            for symbol, targets in self.rows[state].items():
                found[symbol] |= targets
        return {symbol: frozenset(found[symbol]) for symbol in sorted(found)}

    def accepts(self, word: Iterable[S]) -> bool:
        """Whether some run on the word accepts."""
        states = self.starts
        for symbol in word:
            states = self.post(states, symbol)
        return bool(states & self.accepting)


def nfa_of(
    edges: Iterable[tuple[N, S, N]], starts: Iterable[N], accepting: Iterable[N], *, silent: Iterable[tuple[N, N]] = ()
) -> Nfa[S]:
    """An automaton over any hashable state names; empty moves (``silent``) are removed."""
    edges, starts, accepting, silent = list(edges), list(starts), list(accepting), list(silent)
    ends = [q for source, _, target in edges for q in (source, target)]
    names = dict.fromkeys([*starts, *ends, *accepting, *(q for move in silent for q in move)])
    number = {name: i for i, name in enumerate(names)}
    hops: defaultdict[int, list[int]] = defaultdict(list)
    for source, target in silent:
        hops[number[source]].append(number[target])
    closure = [frozenset(reachable([q], hops.__getitem__)) for q in range(len(number))]
    rows: list[defaultdict[S, set[int]]] = [defaultdict(set) for _ in number]
    for source, symbol, target in edges:
        rows[number[source]][symbol] |= closure[number[target]]
    frozen = tuple({s: frozenset(q) for s, q in row.items()} for row in rows)
    begin: frozenset[int] = frozenset().union(*(closure[number[q]] for q in starts))
    return Nfa(frozen, begin, frozenset(number[q] for q in accepting))


def explore(
    start: N,
    moves: Callable[[N], Iterable[tuple[S, N]]],
    is_accepting: Callable[[N], bool],
    *,
    largest: int = LARGEST_PRODUCT,
) -> Dfa[S]:
    """The deterministic automaton of a product given by its moves, built from ``start``."""
    number: dict[N, int] = {start: 0}
    order = [start]
    rows: list[dict[S, int]] = []
    for node in order:
        row: dict[S, int] = {}
        for symbol, following in moves(node):
            if following not in number:
                if len(order) >= largest:
                    raise TooLarge
                number[following] = len(order)
                order.append(following)
            row[symbol] = number[following]
        rows.append(row)
    return Dfa(tuple(rows), frozenset(i for i, node in enumerate(order) if is_accepting(node)))


def determinise(nfa: Nfa[S], *, largest: int = LARGEST_SUBSETS) -> Dfa[S]:
    """The subset construction, reachable part only."""
    return explore(nfa.starts, lambda q: nfa.moves(q).items(), lambda q: bool(q & nfa.accepting), largest=largest)


def live_states(dfa: Dfa[S]) -> frozenset[int]:
    """The states from which an accepting state can be reached."""
    back: list[list[int]] = [[] for _ in dfa.rows]
    for source, row in enumerate(dfa.rows):
        for target in row.values():
            back[target].append(source)
    return frozenset(reachable(sorted(dfa.accepting), back.__getitem__))


def minimise(dfa: Dfa[S]) -> Dfa[S]:
    """The least partial automaton of the language, states numbered breadth first: equal languages, equal values."""
    live = live_states(dfa)
    if 0 not in live:
        return empty()
    classes = _moore(dfa, sorted(live))
    representative = {classes[q]: q for q in sorted(live, reverse=True)}

    def moves(block: int) -> Iterator[tuple[S, int]]:
        row = dfa.rows[representative[block]]
        return ((s, classes[row[s]]) for s in sorted(row) if row[s] in live)

    return explore(classes[0], moves, lambda block: representative[block] in dfa.accepting, largest=dfa.size + 1)


def _moore(dfa: Dfa[S], live: Sequence[int]) -> dict[int, int]:
    """Moore's partition refinement: the class of every live state."""
    classes = {q: int(q in dfa.accepting) for q in live}
    count = len(set(classes.values()))
    while True:
        signatures: dict[Hashable, int] = {}
        refined: dict[int, int] = {}
        for q in live:
            key = (classes[q], frozenset((s, classes[t]) for s, t in dfa.rows[q].items() if t in classes))
            refined[q] = signatures.setdefault(key, len(signatures))
        classes = refined
        if len(signatures) == count:
            return classes
        count = len(signatures)


def reduce(nfa: Nfa[S]) -> Dfa[S]:
    """The least deterministic automaton of a nondeterministic one."""
    return minimise(determinise(nfa))


def empty() -> Dfa[Any]:
    """The empty language."""
    return Dfa(({},), frozenset())


def intersect(left: Dfa[S], right: Dfa[S]) -> Dfa[S]:
    """The words both accept, minimised."""

    def moves(node: tuple[int, int]) -> Iterator[tuple[S, tuple[int, int]]]:
        p, q = node
        row = right.rows[q]
        return ((s, (t, row[s])) for s, t in left.rows[p].items() if s in row)

    return minimise(explore((0, 0), moves, lambda n: n[0] in left.accepting and n[1] in right.accepting))


def subtract(left: Dfa[S], right: Dfa[S]) -> Dfa[S]:
    """The words of ``left`` that ``right`` does not accept, minimised."""

    def moves(node: tuple[int, int]) -> Iterator[tuple[S, tuple[int, int]]]:
        p, q = node
        return ((s, (t, right.step(q, s))) for s, t in left.rows[p].items())

    return minimise(explore((0, 0), moves, lambda n: n[0] in left.accepting and n[1] not in right.accepting))


def unite(automata: Iterable[Nfa[S]]) -> Nfa[S]:
    """The union of languages, side by side."""
    rows: list[Mapping[S, frozenset[int]]] = []
    starts: set[int] = set()
    accepting: set[int] = set()
    for nfa in automata:
        shift = len(rows)
        rows += shifted(nfa.rows, shift)
        starts |= {q + shift for q in nfa.starts}
        accepting |= {q + shift for q in nfa.accepting}
    return Nfa(tuple(rows), frozenset(starts), frozenset(accepting))


def shifted(rows: Iterable[Mapping[S, frozenset[int]]], shift: int) -> list[dict[S, frozenset[int]]]:
    """Rows whose target states have all moved up by ``shift``."""
    return [{s: frozenset(q + shift for q in targets) for s, targets in row.items()} for row in rows]


def reverse(dfa: Dfa[S]) -> Nfa[S]:
    """The words read backwards."""
    return nfa_of(((t, s, q) for q, s, t in dfa.edges()), dfa.accepting, [0])


def relabel(dfa: Dfa[S], rename: Callable[[S], T]) -> Dfa[T]:
    """The automaton under an injective renaming of symbols."""
    return Dfa(tuple({rename(s): t for s, t in row.items()} for row in dfa.rows), dfa.accepting)


def shortest_word(dfa: Dfa[S]) -> tuple[S, ...] | None:
    """A shortest accepted word, least in the order of symbols among those found first."""
    path = shortest_path(0, lambda q: sorted(dfa.rows[q].items()), dfa.accepting.__contains__)
    return None if path is None else tuple(path)


def difference_word(left: Dfa[S], right: Dfa[S]) -> tuple[S, ...] | None:
    """A shortest word of ``left`` that is not in ``right``."""

    def moves(node: tuple[int, int]) -> Iterator[tuple[S, tuple[int, int]]]:
        p, q = node
        return ((s, (t, right.step(q, s))) for s, t in left.rows[p].items())

    path = shortest_path((0, 0), moves, lambda n: n[0] in left.accepting and n[1] not in right.accepting)
    return None if path is None else tuple(path)


def is_finite(dfa: Dfa[S]) -> bool:
    """Whether the language is finite: no cycle among states that are both reachable and live."""
    trimmed = minimise(dfa)
    pending = [0] * trimmed.size
    for row in trimmed.rows:
        for target in row.values():
            pending[target] += 1
    free = [q for q in range(trimmed.size) if pending[q] == 0]
    for state in free:
        for target in trimmed.rows[state].values():
            pending[target] -= 1
            if pending[target] == 0:
                free.append(target)
    return len(free) == trimmed.size


def count_of_length(dfa: Dfa[S], length: int) -> int:
    """How many words of exactly this length are accepted."""
    here = {0: 1}
    for _ in range(length):
        after: defaultdict[int, int] = defaultdict(int)
        for state, ways in here.items():
            for target in dfa.rows[state].values():
                after[target] += ways
        here = after
    return sum(ways for state, ways in here.items() if state in dfa.accepting)


def words(dfa: Dfa[S], length: int) -> Iterator[tuple[S, ...]]:
    """Every accepted word of exactly this length, in lexicographic order."""
    useful = _useful(dfa, length)
    stack: list[tuple[tuple[S, ...], int]] = [((), 0)] if 0 in useful[length] else []
    while stack:
        word, state = stack.pop()
        if len(word) == length:
            yield word
            continue
        rest = useful[length - len(word) - 1]
        row = dfa.rows[state]
        stack += [((*word, s), row[s]) for s in sorted(row, reverse=True) if row[s] in rest]


def _useful(dfa: Dfa[S], length: int) -> list[frozenset[int]]:
    """``[k]``: the states that accept some word of length ``k``."""
    levels = [dfa.accepting]
    for _ in range(length):
        last = levels[-1]
        levels.append(frozenset(q for q, row in enumerate(dfa.rows) if any(t in last for t in row.values())))
    return levels
