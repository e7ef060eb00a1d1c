"""Random actions of known groups on the literals of a few cells: for tests of canonical forms without a model.

An action is put together from shapes (rings, flips, blocks that can be arranged in any way, blocks of blocks, pairs),
then disguised: cells are shuffled and the values of every cell are renamed at random.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from itertools import product as combinations_of
from random import Random

from burnside.groups import PermGroup, with_order
from burnside.ir.cells import State
from burnside.ir.nodes import Domain, Model, Variable
from burnside.reduce.symmetry.action import Action

Literal = tuple[int, int]  # cell and value
Move = dict[Literal, Literal]


@dataclass(frozen=True)
class Shape:
    """Sizes of cells, and generators as maps of literals."""

    sizes: tuple[int, ...]
    moves: tuple[Move, ...]


def shape_of(sizes: Sequence[int], moves: Iterable[Move]) -> Shape:
    """Literals that a map does not mention stay."""
    every = [(c, v) for c, size in enumerate(sizes) for v in range(size)]
    return Shape(tuple(sizes), tuple({p: move.get(p, p) for p in every} for move in moves))


def ring(n: int, size: int, *, mirrored: bool) -> Shape:
    """Cells in a ring, rotated and perhaps reflected."""
    turns = [[(k + 1) % n for k in range(n)], *([[-k % n for k in range(n)]] if mirrored else [])]
    return shape_of([size] * n, [{(k, v): (turn[k], v) for k in range(n) for v in range(size)} for turn in turns])


def flips(n: int, size: int) -> Shape:
    """The values of all cells turn at once."""
    return shape_of([size] * n, [{(k, v): (k, (v + 1) % size) for k in range(n) for v in range(size)}])


def blocks(n: int, own: Sequence[int], names: int, *, nobody: bool) -> Shape:
    """``n`` processes with variables of their own, and variables that name a process or, perhaps, nobody."""
    sizes = list(own) * n + [n + nobody] * names
    moves = []
    for turn in ([1, 0, *range(2, n)], [*range(1, n), 0]):
        move = {
            (i * len(own) + k, v): (turn[i] * len(own) + k, v)
            for i in range(n)
            for k in range(len(own))
            for v in range(own[k])
        }
        move |= {(n * len(own) + g, i): (n * len(own) + g, turn[i]) for g in range(names) for i in range(n)}
        moves.append(move)
    return shape_of(sizes, moves)


def nested(outer: int, inner: int, size: int, own: int, names: int) -> Shape:
    """``outer`` groups of ``inner`` cells; groups may have a cell of their own, and variables may name a cell."""
    sizes = [size] * (outer * inner) + [own] * (outer if own else 0) + [outer * inner] * names
    first = outer * inner + (outer if own else 0)
    leaves = [list(range(outer * inner)) for _ in range(3)]
    groups = [list(range(outer)) for _ in range(3)]
    leaves[0][0], leaves[0][1] = 1, 0  # two cells of the first group
    leaves[1][:inner] = [*range(1, inner), 0]
    leaves[2] = [(k + inner) % (outer * inner) for k in range(outer * inner)]
    groups[2] = [(k + 1) % outer for k in range(outer)]
    swap = [*range(inner, 2 * inner), *range(inner), *range(2 * inner, outer * inner)]
    moves = []
    for leaf, group in (*zip(leaves, groups, strict=True), (swap, [1, 0, *range(2, outer)])):
        move = {(k, v): (leaf[k], v) for k in range(outer * inner) for v in range(size)}
        if own:
            move |= {(outer * inner + k, v): (outer * inner + group[k], v) for k in range(outer) for v in range(own)}
        move |= {(first + g, k): (first + g, leaf[k]) for g in range(names) for k in range(outer * inner)}
        moves.append(move)
    return shape_of(sizes, moves)


def values(n: int, own: int, size: int, names: int) -> Shape:
    """``n`` processes, each with ``own`` variables of values that can be exchanged in all of them at once, some
    variables that hold one of these values, and some that name a process.
    """
    held = n * own
    sizes = [size] * (held + 1) + [n] * names
    moves = []
    for turn in ([1, 0, *range(2, n)], [*range(1, n), 0]):
        move = {(i * own + k, v): (turn[i] * own + k, v) for i in range(n) for k in range(own) for v in range(size)}
        moves.append(move | {(held + 1 + g, i): (held + 1 + g, turn[i]) for g in range(names) for i in range(n)})
    turns = ([1, 0, *range(2, size)], [*range(1, size), 0])
    moves += [{(c, v): (c, turn[v]) for c in range(held + 1) for v in range(size)} for turn in turns]
    return shape_of(sizes, moves)


def pairs(n: int) -> Shape:
    """A truth value for every ordered pair of ``n`` processes."""
    cells = [(i, j) for i in range(n) for j in range(n) if i != j]
    number = {pair: k for k, pair in enumerate(cells)}
    turns = ([1, 0, *range(2, n)], [*range(1, n), 0])
    return shape_of(
        [2] * len(cells),
        [{(number[i, j], v): (number[t[i], t[j]], v) for i, j in cells for v in (0, 1)} for t in turns],
    )


def matrix(rows: int, columns: int) -> Shape:
    """A truth value for every row and column, which can be arranged independently."""
    cells = [*every(rows, columns, 2)]
    moves = [{(i * columns + j, v): (turn[i] * columns + j, v) for i, j, v in cells} for turn in turns_of(rows)]
    moves += [{(i * columns + j, v): (i * columns + turn[j], v) for i, j, v in cells} for turn in turns_of(columns)]
    return shape_of([2] * (rows * columns), moves)


def pointers(n: int, own: int, *, nobody: bool) -> Shape:
    """``n`` processes, each of which names one of them or, perhaps, nobody, and may have a variable of its own."""
    sizes = [n + nobody] * n + [own] * (n if own else 0)
    moves = []
    for turn in turns_of(n):
        move = {(i, v): (turn[i], turn[v] if v < n else v) for i in range(n) for v in range(n + nobody)}
        moves.append(move | {(n + i, v): (n + turn[i], v) for i in range(n if own else 0) for v in range(own)})
    return shape_of(sizes, moves)


def turns_of(n: int) -> tuple[list[int], ...]:
    """An exchange and a rotation: all permutations."""
    return [1, 0, *range(2, n)], [*range(1, n), 0]


def every(*sizes: int) -> Iterator[tuple[int, ...]]:
    """All tuples of numbers below some."""
    return combinations_of(*map(range, sizes))


def product(shapes: Sequence[Shape]) -> Shape:
    """Shapes side by side."""
    starts = [0, *accumulate(len(s.sizes) for s in shapes)]
    moves = [
        {(c + start, v): (d + start, w) for (c, v), (d, w) in move.items()}
        for start, shape in zip(starts, shapes, strict=False)
        for move in shape.moves
    ]
    return shape_of([size for s in shapes for size in s.sizes], moves)


def triples(n: int) -> Shape:
    """A truth value for each of ``n`` processes, and a variable that names three of them, in order."""
    named = [t for t in every(n, n, n) if len(set(t)) == 3]
    number = {triple: k for k, triple in enumerate(named)}
    moves = []
    for turn in turns_of(n):
        move = {(0, k): (0, number[turn[a], turn[b], turn[c]]) for k, (a, b, c) in enumerate(named)}
        moves.append(move | {(1 + i, v): (1 + turn[i], v) for i in range(n) for v in (0, 1)})
    return shape_of([len(named)] + [2] * n, moves)


def edges(n: int, own: int, sides: int = 2) -> Shape:
    """A value for every pair of ``n`` processes, without order, and perhaps one for each process."""
    cells = [(i, j) for i in range(n) for j in range(i)]
    number = {frozenset(pair): k for k, pair in enumerate(cells)}
    moves = []
    for turn in turns_of(n):
        move = {
            (number[frozenset(p)], v): (number[frozenset(turn[i] for i in p)], v) for p in cells for v in range(sides)
        }
        moves.append(move | {(len(cells) + i, v): (len(cells) + turn[i], v) for i in range(n) for v in range(own)})
    return shape_of([sides] * len(cells) + [own] * (n if own else 0), moves)


def teams(n: int, size: int, led: int, own: int) -> Shape:
    """A variable that names ``size`` of ``n`` processes, the first ``led`` in order, the others without, or nobody;
    one that names one of them, or nobody, and perhaps a value for each process.
    """
    named = sorted({(*t[:led], *sorted(t[led:])) for t in every(*[n] * size) if len(set(t)) == size})
    number = {team: k for k, team in enumerate(named)}
    moves = []
    for turn in turns_of(n):
        move = {}
        for k, team in enumerate(named):
            after = [turn[m] for m in team]
            move[0, k] = (0, number[*after[:led], *sorted(after[led:])])
        move |= {(1, i): (1, turn[i]) for i in range(n)}
        moves.append(move | {(2 + i, v): (2 + turn[i], v) for i in range(n) for v in range(own)})
    return shape_of([len(named) + 1, n + 1] + [own] * (n if own else 0), moves)


def arrows(n: int, many: int, own: int) -> Shape:
    """Variables that name two of ``n`` processes, in order, or nobody; all can be turned round at once. Perhaps a
    value for each process.
    """
    named = [(i, j) for i in range(n) for j in range(n) if i != j]
    number = {arrow: k for k, arrow in enumerate(named)}
    moves: list[Move] = [{(c, number[i, j]): (c, number[j, i]) for c in range(many) for i, j in named}]
    for turn in turns_of(n):
        move = {(c, number[i, j]): (c, number[turn[i], turn[j]]) for c in range(many) for i, j in named}
        moves.append(move | {(many + i, v): (many + turn[i], v) for i in range(n) for v in range(own)})
    return shape_of([len(named) + 1] * many + [own] * (n if own else 0), moves)


def groups_of_arrows(outer: int, n: int) -> Shape:
    """Groups of ``n`` processes, each with a variable that names two of them, in order, or nobody."""
    named = [(i, j) for i in range(n) for j in range(n) if i != j]
    number = {arrow: k for k, arrow in enumerate(named)}
    moves: list[Move] = [{(0, number[i, j]): (0, number[t[i], t[j]]) for i, j in named} for t in turns_of(n)]
    moves += [{(c, v): (turn[c], v) for c in range(outer) for v in range(len(named) + 1)} for turn in turns_of(outer)]
    return shape_of([len(named) + 1] * outer, moves)


def labels(n: int, many: int) -> Shape:
    """A variable that names two of ``n`` processes, in order, in one of many ways; another, which names one of them."""
    named = [(i, j, k) for i in range(n) for j in range(n) if i != j for k in range(many)]
    number = {label: v for v, label in enumerate(named)}
    moves = []
    for turn in turns_of(n):
        move = {(0, number[i, j, k]): (0, number[turn[i], turn[j], k]) for i, j, k in named}
        moves.append(move | {(c, i): (c, turn[i]) for c in (1, 2) for i in range(n)})
    return shape_of([len(named), n + 1, n], moves)


KINDS: dict[str, Callable[[Random], Shape]] = {
    "ring": lambda r: ring(r.choice((3, 4, 5)), r.choice((2, 2, 3)), mirrored=r.random() < 0.5),
    "flips": lambda r: flips(r.choice((1, 2, 3)), r.choice((2, 3))),
    "blocks": lambda r: blocks(
        r.choice((2, 3, 4)), r.choice(((2,), (3,), (2, 2), ())), r.choice((0, 1, 1, 2)), nobody=r.random() < 0.5
    ),
    "nested": lambda r: nested(2, r.choice((2, 3)), 2, r.choice((0, 2)), r.choice((0, 1))),
    "three nested": lambda r: nested(3, 2, 2, 0, r.choice((0, 1))),
    "pairs": lambda _: pairs(3),
    "matrix": lambda r: matrix(*r.choice(((2, 3), (3, 3), (2, 4), (2, 2)))),
    "pointers": lambda r: pointers(r.choice((3, 3, 4)), r.choice((0, 0, 2)), nobody=r.random() < 0.5),
    "values": lambda r: values(r.choice((2, 3, 4)), r.choice((1, 1, 2)), r.choice((2, 3)), r.choice((0, 1))),
    "edges": lambda r: edges(*r.choice(((4, 0, 2), (4, 2, 2), (4, 0, 3), (5, 0, 2), (5, 2, 2)))),
    "teams": lambda r: teams(r.choice((4, 5)), *r.choice(((2, 0), (3, 0), (3, 1), (3, 2))), r.choice((0, 2))),
    "arrows": lambda r: arrows(*r.choice(((5, 2, 0), (5, 1, 2), (6, 2, 0)))),
    "groups of arrows": lambda r: groups_of_arrows(*r.choice(((2, 4), (2, 5), (3, 3), (2, 3)))),
    "labels": lambda r: labels(*r.choice(((4, 3), (3, 20), (5, 2)))),
    "triples": lambda r: triples(r.choice((4, 4, 5))),
}


def random_shape(random: Random, kind: str | None = None) -> Shape:
    """One or two shapes, the first of them of some kind, with at most a few thousand states together."""
    while True:
        kinds = [random.choice([*KINDS]) for _ in range(random.choice((1, 1, 2)))]
        if kind is not None:
            kinds[0] = kind
        shape = product([KINDS[k](random) for k in kinds])
        if shape.moves and 1 < number_of_states(shape) <= 3000:
            return shape


def number_of_states(shape: Shape) -> int:
    """How many assignments there are."""
    total = 1
    for size in shape.sizes:
        total *= size
    return total


@dataclass(frozen=True)
class Disguised:
    """An action on the cells of a model whose initial states are all assignments."""

    model: Model
    action: Action
    moves: tuple[Move, ...]

    def states(self) -> Iterator[State]:
        """All assignments."""
        return combinations_of(*(range(v.domain.low, v.domain.high + 1) for v in self.model.variables))

    def image(self, move: Move, state: State) -> State:
        """The image of a state."""
        after = list(state)
        for literal in enumerate(state):
            cell, value = move[literal]
            after[cell] = value
        return tuple(after)


def disguise(random: Random, shape: Shape) -> Disguised:
    """The same action after shuffling cells and renaming values."""
    count = len(shape.sizes)
    order = random.sample(range(count), count)
    lows = [random.choice((0, 0, -1, 3)) for _ in range(count)]
    renames = [random.sample(range(size), size) if random.random() < 0.5 else list(range(size)) for size in shape.sizes]
    name = {(c, v): (order[c], renames[c][v] + lows[c]) for c, size in enumerate(shape.sizes) for v in range(size)}
    moves = tuple({name[p]: name[q] for p, q in move.items()} for move in shape.moves)
    domains = [Domain("", 0, 0)] * count
    for c, size in enumerate(shape.sizes):
        domains[order[c]] = Domain("", lows[c], lows[c] + size - 1)
    variables = tuple(Variable(f"v{k}", (), domain, None, (None,)) for k, domain in enumerate(domains))
    return Disguised(Model("shape", (), (), variables, ()), _action(domains, moves), moves)


def _action(domains: Sequence[Domain], moves: Sequence[Move]) -> Action:
    moved = sorted({c for move in moves for (c, v), image in move.items() if image != (c, v)})
    points = [(c, v) for c in moved for v in range(domains[c].low, domains[c].high + 1)]
    number = {point: k for k, point in enumerate(points)}
    perms = tuple(tuple(number[move[p]] for p in points) for move in moves)
    first = (0, *accumulate(domains[c].size for c in moved))
    return Action(tuple(moved), first, tuple(v for _, v in points), with_order(PermGroup(len(points), perms)))
