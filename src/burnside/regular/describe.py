"""Patterns in words, and as state diagrams.

A pattern that permutes positions is recognised by comparing automata, not by looking at small instances, so
"rotation of positions 2..n" is a statement about all lengths.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from burnside.regular.alphabet import Alphabet, Pair, Word, tracks
from burnside.regular.library import REFLECTION, ROTATION, TRANSPOSITION, Permutation
from burnside.regular.relations import Relation, apply, converse, restrict
from burnside.regular.search import shortest_path
from burnside.regular.system import System

_DEPTH = 4


def describe_permutation(permutation: Permutation, alphabet: Alphabet | None = None) -> str:
    """A library permutation in words.

    >>> describe_permutation(Permutation("rotation", 2))
    'rotation of positions 2..n'
    """
    text = _positions(permutation)
    if not permutation.letters or alphabet is None:
        return text
    cycles = _cycles(permutation.letters, [alphabet.show(a) for a in alphabet.letters])
    return f"{text}, with letters exchanged: {cycles}"


def rotated_positions(place: int) -> str:
    """The positions that a rotation of the library moves.

    >>> rotated_positions(2), rotated_positions(-2)
    ('positions 2..n', 'positions 1..n-1')
    """
    last = "n" if place > 0 or place == -1 else f"n-{-place - 1}"
    return f"positions {max(place, 1)}..{last}"


def _positions(permutation: Permutation) -> str:
    place = permutation.place
    if permutation.kind == REFLECTION:
        return "reflection of all positions"
    if permutation.kind == ROTATION:
        return f"rotation of {rotated_positions(place)}"
    if permutation.kind == TRANSPOSITION:
        first, second = (f"{place}", f"{place + 1}") if place > 0 else (f"n-{-place}", f"n-{-place - 1}")
        return f"exchange of positions {first} and {second}".replace("n-0", "n")
    return "identity"


def describe_pattern(system: System, relation: Relation, binary: Relation | None = None) -> str:
    """A pattern of a system in words: a known one for every length, or else its first instances.

    ``binary`` is the binary process pattern behind it, if there is one.
    """
    space = system.configurations
    within = restrict(relation, inputs=space, outputs=space)
    for name, known in _known(system.alphabet.size):
        if restrict(known, inputs=space, outputs=space) == within:
            return name
    if binary is None:
        return _by_examples(within, system.alphabet)
    shown = ", ".join(f"n={n}: {_cycles(instance_of(binary, n))}" for n in range(2, 7))
    return f"permutation of positions ({shown}, …)"


def _known(size: int) -> Iterator[tuple[str, Relation]]:
    for place in (*range(1, _DEPTH + 1), *range(-2, -_DEPTH - 1, -1)):
        rotation = Permutation(ROTATION, place)
        yield f"{_positions(rotation)} to the right", rotation.relation(size)
        yield f"{_positions(rotation)} to the left", converse(rotation.relation(size))
    for place in (*range(1, _DEPTH + 1), *range(-1, -_DEPTH - 1, -1)):
        exchange = Permutation(TRANSPOSITION, place)
        yield _positions(exchange), exchange.relation(size)


def instance_of(binary: Relation, length: int) -> tuple[int, ...]:
    """The permutation of one length in image form, from zero. Needs: a process pattern."""
    images = []
    for i in range(length):
        mark: Word = tuple(int(j == i) for j in range(length))
        (image,) = apply(binary, mark)
        images.append(image.index(1))
    return tuple(images)


def _cycles(images: tuple[int, ...], names: list[str] | None = None) -> str:
    """Disjoint cycles; positions count from one."""
    shown = names or [str(i + 1) for i in range(len(images))]
    seen: set[int] = set()
    cycles = []
    for start in range(len(images)):
        cycle, i = [], start
        while i not in seen:
            seen.add(i)
            cycle.append(shown[i])
            i = images[i]
        if len(cycle) > 1:
            cycles.append("(" + " ".join(cycle) + ")")
    return "".join(cycles) or "identity"


def _by_examples(relation: Relation, alphabet: Alphabet) -> str:
    """A relation that does not permute positions: its images of the first few words that it moves."""
    moved = (columns for columns in _first_words(relation) if any(a != b for a, b in columns))
    examples = list(islice(moved, 3)) or _first_moved(relation)
    shown = ("{} ↦ {}".format(*map(alphabet.text, tracks(columns, 2))) for columns in examples)
    return "function with, for instance, " + "; ".join(shown) if examples else "identity"


def _first_moved(relation: Relation) -> list[tuple[Pair, ...]]:
    """A shortest pair of different words, of any length, if there is one."""

    def moves(node: tuple[int, bool]) -> Iterator[tuple[Pair, tuple[int, bool]]]:
        return ((pair, (t, node[1] or pair[0] != pair[1])) for pair, t in sorted(relation.rows[node[0]].items()))

    path = shortest_path((0, False), moves, lambda n: n[1] and n[0] in relation.accepting)
    return [] if path is None else [tuple(path)]


def _first_words(relation: Relation) -> Iterator[tuple[Pair, ...]]:
    level: list[tuple[tuple[Pair, ...], int]] = [((), 0)]
    for _ in range(6):
        yield from (word for word, q in level if q in relation.accepting)
        level = [((*word, s), t) for word, q in level for s, t in sorted(relation.rows[q].items())][:5000]


def write_dot(relation: Relation, alphabet: Alphabet, *, name: str = "pattern") -> str:
    """The state diagram in the DOT language; parallel edges share one arrow."""
    quoted = '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
    lines = [f"digraph {quoted} {{", "  rankdir=LR;", '  start [shape=point, label=""];']
    shapes = ("doublecircle" if q in relation.accepting else "circle" for q in range(relation.size))
    lines += [f"  q{q} [shape={shape}, label={q}];" for q, shape in enumerate(shapes)]
    lines.append("  start -> q0;")
    arrows: dict[tuple[int, int], list[str]] = {}
    for q, pair, t in relation.edges():
        arrows.setdefault((q, t), []).append(alphabet.show_pair(pair))
    for (q, t), labels in sorted(arrows.items()):
        text = "\\n".join(label.replace("\\", "\\\\").replace('"', '\\"') for label in labels)
        lines.append(f'  q{q} -> q{t} [label="{text}"];')
    return "\n".join([*lines, "}", ""])
