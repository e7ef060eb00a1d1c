"""Process symmetries decided on the minimal automaton of the steps, without any product of four tracks.

A permutation of positions acts on words over pairs of letters as it does on words over letters, so it is a
symmetry iff it maps the language of steps (and the set of configurations) onto itself. For the library this
is a question about states of the automaton: ``transposition@i`` asks whether two letters commute at depth
``i - 1``, ``rotation@i`` whether the first letter may be read last, the reflection whether the language is
its own reversal. A letter permutation θ asks for equality with the language renamed by θ⁻¹ instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar, final

from burnside.regular.alphabet import Alphabet, Word, tracks
from burnside.regular.automata import SINK, Dfa, Ordered, reduce, relabel, reverse
from burnside.regular.library import IDENTITY, REFLECTION, ROTATION, Permutation
from burnside.regular.search import shortest_path
from burnside.regular.system import System
from burnside.values import dataclass

S = TypeVar("S", bound=Ordered)
Tuples = tuple[S, ...]


@final
@dataclass(frozen=True, slots=True)
class Breach:
    """Why a permutation is no symmetry: a configuration or a step whose image is none.

    ``lost`` says so; otherwise it is the image that is a configuration or step, and the original is not.
    """

    words: tuple[Word, ...]
    lost: bool
    action: str = ""

    def explain(self, alphabet: Alphabet, permutation: Permutation) -> str:
        """The counterexample as a sentence."""
        original = " → ".join(f"'{alphabet.text(word)}'" for word in self.words)
        image = " → ".join(f"'{alphabet.text(permutation.image(word))}'" for word in self.words)
        what = "a configuration" if len(self.words) == 1 else f"a step by '{self.action}'"
        if self.lost:
            return f"{original} is {what}, its image {image} is not"
        return f"{original} is not {what}, its image {image} is"


def breach(system: System, permutation: Permutation) -> Breach | None:
    """A shortest reason per automaton why ``permutation`` is no symmetry of the system, or None if it is one."""
    undo = _inverse(permutation.letters) if permutation.letters else ()
    space = system.configurations
    renamed = relabel(space, lambda a: undo[a]) if undo else space
    word = _unmapped(space, renamed, permutation)
    if word is not None:
        return Breach((word,), space.accepts(word))
    for name, step in system.steps.items():
        other = relabel(step, lambda pair: (undo[pair[0]], undo[pair[1]])) if undo else step
        columns = _unmapped(step, other, permutation)
        if columns is not None:
            return Breach(tracks(columns, 2), step.accepts(columns), name)
    return None


def holds(system: System, permutation: Permutation) -> bool:
    """Whether the permutation is a symmetry of every instance of the system."""
    return breach(system, permutation) is None


def _inverse(letters: tuple[int, ...]) -> tuple[int, ...]:
    undo = [0] * len(letters)
    for a, b in enumerate(letters):
        undo[b] = a
    return tuple(undo)


def _unmapped(left: Dfa[S], right: Dfa[S], permutation: Permutation) -> Tuples[S] | None:
    """A word ``u`` such that ``u`` is in ``left`` but its permuted form not in ``right``, or conversely."""
    if permutation.kind == IDENTITY:
        return _difference(left, 0, left.accepting, right, 0, right.accepting)
    if permutation.kind == REFLECTION:
        return _unreversed(left, right)
    if permutation.place < 0:
        # The reversed languages, the permutation seen from the other end; rotations turn around, so swap sides.
        backwards = Permutation(permutation.kind, -permutation.place)
        other = reduce(reverse(right))
        found = _unmapped(other, other if left is right else reduce(reverse(left)), backwards)
        return None if found is None else _unpermuted(tuple(reversed(found)), permutation)
    test = _unrotated if permutation.kind == ROTATION else _unswapped
    word = _short(left, right, permutation.place)
    return test(left, right, permutation.place) if word is None else word


def _unpermuted(word: Tuples[S], permutation: Permutation) -> Tuples[S]:
    """The word whose permuted form is ``word``."""
    positions = permutation.positions(len(word))
    return tuple(word[positions[i]] for i in range(len(word)))


def _unreversed(left: Dfa[S], right: Dfa[S]) -> Tuples[S] | None:
    backwards = reduce(reverse(right))
    return _difference(left, 0, left.accepting, backwards, 0, backwards.accepting)


def _short(left: Dfa[S], right: Dfa[S], place: int) -> Tuples[S] | None:
    """A word too short to be moved on which the languages differ. Nothing to do if they are the same."""
    if left is right:
        return None
    for prefix, p, q in _prefixes(left, right, place - 1, every=True):
        if (p in left.accepting) != (q in right.accepting):
            return prefix
    return None


def _unswapped(left: Dfa[S], right: Dfa[S], place: int) -> Tuples[S] | None:
    """``u x y z`` in one language, ``u y x z`` not in the other, with ``u`` of length ``place - 1``."""
    letters = sorted({*left.symbols, *right.symbols})
    for prefix, p, q in _prefixes(left, right, place - 1):
        if left is not right:
            for x in letters:
                if (left.step(p, x) in left.accepting) != (right.step(q, x) in right.accepting):
                    return (*prefix, x)
        for x in letters:
            for y in letters:
                a, b = left.run((x, y), p), right.run((y, x), q)
                # Within one minimal automaton, equal states are equal languages.
                if left is right and a == b:
                    continue
                rest = _difference(left, a, left.accepting, right, b, right.accepting)
                if rest is not None:
                    return (*prefix, x, y, *rest)
    return None


def _unrotated(left: Dfa[S], right: Dfa[S], place: int) -> Tuples[S] | None:
    """``u z x`` in one language, ``u x z`` not in the other, with ``u`` of length ``place - 1``."""
    letters = sorted({*left.symbols, *right.symbols})
    before = {x: frozenset(q for q, row in enumerate(left.rows) if row.get(x, SINK) in left.accepting) for x in letters}
    for prefix, p, q in _prefixes(left, right, place - 1):
        for x in letters:
            rest = _difference(left, p, before[x], right, right.step(q, x), right.accepting)
            if rest is not None:
                return (*prefix, *rest, x)
    return None


def _prefixes(left: Dfa[S], right: Dfa[S], depth: int, *, every: bool = False) -> Iterator[tuple[Tuples[S], int, int]]:
    """The pairs of states after the same words of length ``depth`` (or at most ``depth``), each with one word."""
    level: dict[tuple[int, int], Tuples[S]] = {(0, 0): ()}
    for size in range(depth + 1):
        if every or size == depth:
            yield from ((word, p, q) for (p, q), word in level.items())
        following: dict[tuple[int, int], Tuples[S]] = {}
        for (p, q), word in level.items():
            for s in _symbols(left, p, right, q):
                following.setdefault((left.step(p, s), right.step(q, s)), (*word, s))
        level = following


def _symbols(left: Dfa[S], p: int, right: Dfa[S], q: int) -> Iterable[S]:
    """The symbols that lead anywhere from either state."""
    first = left.rows[p] if p != SINK else {}
    second = right.rows[q] if q != SINK else {}
    return sorted({*first, *second})


def _difference(
    left: Dfa[S], p: int, ends: frozenset[int], right: Dfa[S], q: int, right_ends: frozenset[int]
) -> Tuples[S] | None:
    """A shortest word accepted from exactly one of two states, with given accepting sets."""

    def moves(node: tuple[int, int]) -> Iterator[tuple[S, tuple[int, int]]]:
        return ((s, (left.step(node[0], s), right.step(node[1], s))) for s in _symbols(left, node[0], right, node[1]))

    path = shortest_path((p, q), moves, lambda n: (n[0] in ends) != (n[1] in right_ends))
    return None if path is None else tuple(path)
