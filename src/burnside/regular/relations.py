"""Regular relations between words: automata over pairs of letters, the shorter word padded at its end.

Composition, converse, projection and restriction stay within deterministic, minimised automata; what would
be exponential (a product with four tracks, a complement) is searched on the fly in `verify` instead.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from burnside.regular.alphabet import PAD, Letter, Pair, Word, convolve
from burnside.regular.automata import SINK, Dfa, Nfa, explore, intersect, minimise, nfa_of, reduce, relabel
from burnside.regular.search import shortest_path

Relation: TypeAlias = Dfa[Pair]
Language: TypeAlias = Dfa[Letter]
Arcs: TypeAlias = tuple[Mapping[Letter, tuple[tuple[Letter, int], ...]], ...]

ENDED = (PAD, PAD)


def universal(letters: Iterable[Letter]) -> Language:
    """All words."""
    return Dfa((dict.fromkeys(letters, 0),), frozenset((0,)))


def identity(language: Language) -> Relation:
    """The pairs ``(v, v)`` with ``v`` in the language."""
    return relabel(language, lambda a: (a, a))


def converse(relation: Relation) -> Relation:
    """The relation read from right to left."""
    return minimise(relabel(relation, lambda pair: (pair[1], pair[0])))


def cross(left: Language, right: Language) -> Relation:
    """All pairs of words, of any lengths, from two languages."""
    pairs = _padded_product(left, right)
    return minimise(pairs)


def _padded_product(left: Language, right: Language) -> Relation:
    first, second = _with_end(left), _with_end(right)

    def moves(node: tuple[int, int]) -> Iterator[tuple[Pair, tuple[int, int]]]:
        for a, p in first.rows[node[0]].items():
            for b, q in second.rows[node[1]].items():
                if (a, b) != ENDED:
                    yield (a, b), (p, q)

    return explore((0, 0), moves, lambda n: n[0] in first.accepting and n[1] in second.accepting)


def _with_end(language: Language) -> Language:
    """The language followed by any amount of padding."""
    end = language.size
    rows = [{**row, PAD: end} if q in language.accepting else row for q, row in enumerate(language.rows)]
    return Dfa((*rows, {PAD: end}), language.accepting | {end})


def padded(relation: Relation) -> Relation:
    """The relation followed by any number of ended columns: what a track reads while longer words go on."""
    end = relation.size
    rows = [{**row, ENDED: end} if q in relation.accepting else row for q, row in enumerate(relation.rows)]
    return Dfa((*rows, {ENDED: end}), relation.accepting | {end})


def restrict(relation: Relation, *, inputs: Language | None = None, outputs: Language | None = None) -> Relation:
    """The pairs whose words lie in the given languages."""
    first = _with_end(inputs) if inputs is not None else None
    second = _with_end(outputs) if outputs is not None else None

    def moves(node: tuple[int, int, int]) -> Iterator[tuple[Pair, tuple[int, int, int]]]:
        state, p, q = node
        for (a, b), target in relation.rows[state].items():
            p2 = first.step(p, a) if first else 0
            q2 = second.step(q, b) if second else 0
            if SINK not in (p2, q2):
                yield (a, b), (target, p2, q2)

    def is_accepting(node: tuple[int, int, int]) -> bool:
        state, p, q = node
        inside = (first is None or p in first.accepting) and (second is None or q in second.accepting)
        return state in relation.accepting and inside

    return minimise(explore((0, 0, 0), moves, is_accepting))


def arcs(relation: Relation, track: int = 0) -> Arcs:
    """The transitions of every state by their letter on one track: ``[q][a] = ((b, target), ...)``."""
    table: list[Mapping[Letter, tuple[tuple[Letter, int], ...]]] = []
    for row in relation.rows:
        by_letter: defaultdict[Letter, list[tuple[Letter, int]]] = defaultdict(list)
        for pair in sorted(row):
            by_letter[pair[track]].append((pair[1 - track], row[pair]))
        table.append({a: tuple(found) for a, found in by_letter.items()})
    return tuple(table)


def project(relation: Relation, track: int) -> Nfa[Letter]:
    """The words on one track. Columns where that track has ended are empty moves."""
    edges = [(q, pair[track], t) for q, pair, t in relation.edges() if pair[track] != PAD]
    silent = [(q, t) for q, pair, t in relation.edges() if pair[track] == PAD]
    return nfa_of(edges, [0], relation.accepting, silent=silent)


def compose(first: Relation, second: Relation) -> Relation:
    """``{(u, w) : (u, v) in first and (v, w) in second for some v}``, of any lengths.

    The middle word may be longer than both others; the columns where only it goes on are empty moves.
    """
    left, right = padded(first), padded(second)
    onward = arcs(right)
    edges: list[tuple[tuple[int, int], Pair, tuple[int, int]]] = []
    silent: list[tuple[tuple[int, int], tuple[int, int]]] = []
    start, todo, seen = (0, 0), [(0, 0)], {(0, 0)}
    while todo:
        p, q = node = todo.pop()
        for (a, b), p2 in left.rows[p].items():
            for c, q2 in onward[q].get(b, ()):
                target = (p2, q2)
                if (a, b, c) == (PAD, PAD, PAD):
                    continue
                if (a, c) == ENDED:
                    silent.append((node, target))
                else:
                    edges.append((node, (a, c), target))
                if target not in seen:
                    seen.add(target)
                    todo.append(target)
    accepting = [n for n in sorted(seen) if n[0] in left.accepting and n[1] in right.accepting]
    return reduce(nfa_of(edges, [start], accepting, silent=silent))


def apply(relation: Relation, word: Word) -> list[Word]:
    """All images of one word (finitely many unless lengths may grow without bound)."""
    single = restrict(relation, inputs=word_language(word))
    found = reduce(project(single, 1))
    return sorted(_all_words(found), key=lambda w: (len(w), w))


def word_language(word: Word) -> Language:
    """The language of one word."""
    rows = [{a: i + 1} for i, a in enumerate(word)]
    return Dfa((*rows, {}), frozenset((len(word),)))


def _all_words(language: Language) -> Iterator[Word]:
    stack: list[tuple[Word, int]] = [((), 0)]
    while stack:
        word, state = stack.pop()
        if state in language.accepting:
            yield word
        stack += [((*word, a), t) for a, t in language.rows[state].items()]


def finite_words(language: Language) -> list[Word]:
    """Every word of a finite language, shortest first. Needs: ``is_finite``."""
    return sorted(_all_words(minimise(language)), key=lambda w: (len(w), w))


def count_words(language: Language) -> int:
    """How many words a finite language has. Needs: ``is_finite``."""
    trimmed = minimise(language)
    counts: dict[int, int] = {}
    stack = [0]
    while stack:
        state = stack[-1]
        targets = trimmed.rows[state].values()
        pending = [target for target in targets if target not in counts]
        if pending:
            stack += pending
        else:
            counts[stack.pop()] = int(state in trimmed.accepting) + sum(counts[target] for target in targets)
    return counts[0]


def relates(relation: Relation, left: Word, right: Word) -> bool:
    """Whether the relation holds between two words."""
    return relation.accepts(convolve(left, right))


def badly_padded(relation: Relation) -> tuple[Pair, ...] | None:
    """A shortest accepted word in which a letter follows padding on its own track, or None."""

    def moves(node: tuple[int, bool, bool, bool]) -> Iterator[tuple[Pair, tuple[int, bool, bool, bool]]]:
        state, left, right, bad = node
        for (a, b), t in sorted(relation.rows[state].items()):
            worse = bad or (left and a != PAD) or (right and b != PAD) or (a, b) == ENDED
            yield (a, b), (t, left or a == PAD, right or b == PAD, worse)

    found = shortest_path((0, False, False, False), moves, lambda n: n[3] and n[0] in relation.accepting)
    return None if found is None else tuple(found)


def is_length_preserving(relation: Relation) -> bool:
    """Whether no accepted pair of words is padded. Needs a minimised relation, whose every edge is used."""
    return all(PAD not in pair for row in relation.rows for pair in row)


def both(left: Relation, right: Relation) -> Relation:
    """The pairs in both relations."""
    return intersect(left, right)
