"""Process patterns over two letters, and what they mean for any number of letters.

A permutation of positions commutes with every map of letters. So it is known from what it does to words over
{0, 1}: the pattern over Σ relates ``v`` and ``w`` iff the binary one relates their indicator words
``χ_a(v)``, ``χ_a(w)`` for every letter ``a``. Conversely a total, injective binary function whose lift to three
letters is total maps every partition of the positions into three to such a partition, hence respects disjoint
unions, and so does permute positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from burnside.regular.alphabet import Pair, Word
from burnside.regular.automata import SINK, Dfa, explore, minimise, nfa_of, reduce
from burnside.regular.inclusion import missing_word
from burnside.regular.relations import Language, Relation, apply, arcs, project, restrict, universal
from burnside.regular.search import shortest_path
from burnside.regular.verify import Failure, missing_input, missing_output, two_images, two_origins

PairOfWords: TypeAlias = tuple[Word, Word]
BINARY = universal((0, 1))
SINGLE: Language = Dfa(({0: 0, 1: 1}, {0: 1}), frozenset((1,)))  # the words with a single 1


def indicator(word: Word, letter: int) -> Word:
    """``χ_a``: where the letter stands.

    >>> indicator((2, 0, 2), 2)
    (1, 0, 1)
    """
    return tuple(int(a == letter) for a in word)


def indicators(left: Word, right: Word, size: int) -> list[PairOfWords]:
    """The indicator words of both words, for every letter."""
    return sorted({(indicator(left, a), indicator(right, a)) for a in range(size)})


def extend_to_letters(binary: Relation, size: int) -> Relation:
    """The pattern over ``size`` letters that a binary pattern stands for, minimised.

    One copy of the binary automaton runs per letter. Reading ``a/b``, the copies of all other letters see 0/0.
    """

    def moves(node: tuple[int, ...]) -> Iterator[tuple[Pair, tuple[int, ...]]]:
        rows = [binary.rows[state] for state in node]
        idle = [row.get((0, 0), SINK) for row in rows]
        stuck = [letter for letter, target in enumerate(idle) if target == SINK]
        if len(stuck) > 2:
            return
        for a in range(size):
            for b in range(size):
                if any(letter not in (a, b) for letter in stuck):
                    continue
                target = list(idle)
                target[a] = rows[a].get((1, int(a == b)), SINK)
                target[b] = rows[b].get((int(a == b), 1), SINK)
                if SINK not in (target[a], target[b]):
                    yield (a, b), tuple(target)

    return minimise(explore((0,) * size, moves, binary.accepting.issuperset))


def binary_failures(binary: Relation) -> list[Failure]:
    """Why a binary relation is no total bijection."""
    found = [missing_input(binary, BINARY), missing_output(binary, BINARY), two_images(binary), two_origins(binary)]
    return [failure for failure in found if failure is not None]


def unlifted_word(binary: Relation) -> Word | None:
    """A word over three letters without an image under the lift; None if the binary pattern permutes positions.

    Needs: the binary pattern is a total bijection.
    """
    return missing_word(universal(range(3)), project(extend_to_letters(binary, 3), 0))


def is_process_pattern(binary: Relation) -> bool:
    """Whether a binary relation is a permutation of positions for every length."""
    return not binary_failures(binary) and unlifted_word(binary) is None


def unlifted_pairs(binary: Relation, word: Word) -> list[PairOfWords]:
    """The binary pairs that together leave a word over several letters without an image."""
    pairs: list[PairOfWords] = []
    for letter in sorted(set(word)):
        source = indicator(word, letter)
        pairs += [(source, image) for image in apply(binary, source)]
    return pairs


def position_conflict(relation: Relation, size: int) -> list[PairOfWords] | None:
    """Two related pairs that no one permutation of positions explains, or None.

    Two copies of the relation run side by side, each with one letter marked; where the marks of the inputs
    agree and those of the outputs do not (or the reverse), no permutation moves the marks as both pairs say.
    """
    for track in (0, 1):
        for first in range(size):
            for second in range(first, size):
                found = _marked_twins(relation, track, first, second)
                if found is not None:
                    return found
    return None


_Node: TypeAlias = tuple[int, int, bool]


def _marked_twins(relation: Relation, track: int, first: int, second: int) -> list[PairOfWords] | None:
    table = arcs(relation, track)

    def moves(node: _Node) -> Iterator[tuple[tuple[Pair, Pair], _Node]]:
        p, q, differ = node
        for a, lefts in table[p].items():
            for b, rights in table[q].items():
                if (a == first) != (b == second):
                    continue
                for c, p2 in lefts:
                    for d, q2 in rights:
                        yield ((a, c), (b, d)), (p2, q2, differ or (c == first) != (d == second))

    accepting = relation.accepting
    path = shortest_path((0, 0, False), moves, lambda n: n[2] and n[0] in accepting and n[1] in accepting)
    if path is None:
        return None
    return [_oriented(tuple(pair[i] for pair in path), track) for i in (0, 1)]


def _oriented(columns: tuple[Pair, ...], track: int) -> PairOfWords:
    return tuple(c[track] for c in columns), tuple(c[1 - track] for c in columns)


def binary_shadow(relation: Relation, size: int) -> Relation:
    """The binary relation between indicator words of related words, over all letters."""
    edges = [
        ((letter, q), (int(a == letter), int(b == letter)), (letter, t))
        for letter in range(size)
        for q, (a, b), t in relation.edges()
    ]
    starts = [(letter, 0) for letter in range(size)]
    return reduce(nfa_of(edges, starts, [(letter, q) for letter in range(size) for q in sorted(relation.accepting)]))


def permutes_positions(relation: Relation, size: int) -> bool:
    """Whether every related pair of words is explained by one permutation of positions per length.

    Where the permutation moves a position is read off the words in which some letter stands at that position
    only; then every other pair has to agree. If such words are missing, the answer is no.
    """
    marks = restrict(binary_shadow(relation, size), inputs=SINGLE, outputs=SINGLE)
    if missing_input(marks, SINGLE) or missing_output(marks, SINGLE) or two_images(marks) or two_origins(marks):
        return False
    return _disagreement(relation, marks) is None


def _disagreement(relation: Relation, marks: Relation) -> object | None:
    """A related pair and a moved position at which the letter did not come along: what is held until both are known."""
    nothing = -1

    def moves(node: tuple[int, int, int, bool]) -> Iterator[tuple[Pair, tuple[int, int, int, bool]]]:
        p, q, held, bad = node
        for (a, b), p2 in relation.rows[p].items():
            for (i, j), q2 in marks.rows[q].items():
                letters = [x for x, marked in ((a, i), (b, j)) if marked]
                kept = letters[0] if letters and held == nothing else held
                yield (a, b), (p2, q2, kept, bad or any(x != kept for x in letters))

    def is_bad(node: tuple[int, int, int, bool]) -> bool:
        return node[3] and node[0] in relation.accepting and node[1] in marks.accepting

    return shortest_path((0, 0, nothing, False), moves, is_bad)
