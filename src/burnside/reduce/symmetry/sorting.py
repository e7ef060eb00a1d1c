"""The canonical form for symmetric groups, S_n and wreath products over it: blocks of literals are sorted.

A state is the set of literals that hold in it. Where a group permutes blocks of literals in every way
(``groups/wreath.py`` recognises that), they can be brought into canonical form one by one and sorted, and no two
states of an orbit come out different.

The blocks may be processes: a block then holds the facts about one process, its own variables as well as the variables
of others that name it (``turn = 3`` is a fact about process 3). So stored process ids need no search for ties. What
names *two* processes at once (``next[2] = 3``) is not of this form.

In C every block becomes a *key* (``keys.py``): some words that hold its literals as small codes. The keys are sorted
from the innermost blocks outwards and written back.

What a search stores is decided by the C that `_Sorts` writes, with ``runtime/sort.h``. `arrange` is the same in Python,
for traces and self-tests; it may choose other representatives.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import final

from burnside.groups import Perm
from burnside.groups.work import Work
from burnside.groups.wreath import Arranged, Fixed, Together, Tree, arranged_factors, swaps
from burnside.reduce.symmetry.action import Action, Image
from burnside.reduce.symmetry.keys import Keys
from burnside.reduce.symmetry.strategy import Moved, Packing, Strategy, Taken
from burnside.values import dataclass, field

# ---------------------------------------------------------------- the strategy


@final
@dataclass(frozen=True)
class Sorting(Strategy):
    """Sort blocks of literals that can be arranged in any way: exact, and quickest wherever it applies."""

    name = "sorting"

    action: Action
    trees: tuple[Arranged, ...]

    @classmethod
    def take(cls, action: Action, work: Work) -> Taken | None:
        """The direct factors that arrange blocks in any way."""
        found = arranged_factors(action.group, work=work)
        return Taken(cls(action, found.trees), found.rest) if found.trees else None

    @property
    def reason(self) -> str:
        """What is sorted."""
        return f"{' and '.join(map(_tree_text, self.trees))} can be arranged in any way"

    @property
    def pruners(self) -> Iterable[Perm]:
        """Exchanges of two blocks."""
        return (g for tree in self.trees for g in swaps(tree, self.action.group.degree))

    def code(self, function: str, packing: Packing) -> str:
        """Straight code with the places of all blocks in it."""
        sorts = _Sorts(Keys(self.action, packing.fields))
        start = 0
        for tree in self.trees:
            start = sorts.place(tree, start, lambda literal: literal)
        return sorts.function(function, start, packing.words)

    def representative(self, image: Image) -> Moved:
        """Some arrangement that is the same for all."""
        held = frozenset(image)
        moves = {p: q for tree in self.trees for p, q in arrange(tree, held)[1].items()}
        element = tuple(moves.get(p, p) for p in range(self.action.group.degree))
        return self.action.apply(element, image), element


def arrange(tree: Tree, held: Collection[int]) -> tuple[object, dict[int, int]]:
    """A key that is the same for all arrangements of some literals, and the map of literals that leads to one of them.

    The map leaves out what it does not move.
    """
    match tree:
        case Fixed(points=literals):
            return tuple(p for p in literals if p in held), {}
        case Together(parts=parts):
            found = [arrange(part, held) for part in parts]
            return tuple(key for key, _ in found), {p: q for _, move in found for p, q in move.items()}
        case Arranged(block=block, copies=copies):
            inside = [arrange(block, {p for p, q in copy.items() if q in held}) for copy in copies]
            order = sorted(range(len(copies)), key=lambda b: repr(inside[b][0]))
            moves: dict[int, int] = {}
            for place, b in enumerate(order):
                moves |= {q: copies[place][inside[b][1].get(p, p)] for p, q in copies[b].items()}
            return tuple(inside[b][0] for b in order), moves


def _tree_text(tree: Tree) -> str:
    """What is sorted, for people."""
    match tree:
        case Arranged(block=block, copies=copies):
            inside = _tree_text(block)
            return f"{len(copies)} blocks" + (f" of {inside}" if inside else "")
        case Together(parts=parts):
            return " and ".join(filter(None, map(_tree_text, parts)))
        case Fixed():
            return ""


# ---------------------------------------------------------------- C


@final
@dataclass
class _Sorts:
    """The keys of blocks, and the sorts to be done, in order."""

    keys: Keys
    sorts: list[str] = field(default_factory=list)

    def place(self, tree: Tree, start: int, copied: Callable[[int], int]) -> int:
        """Give the literals of a tree, copied elsewhere, their places from word ``start`` on; the first free word."""
        match tree:
            case Fixed(points=literals):
                return self.keys.place(literals, start, copied)
            case Together(parts=parts):
                for part in parts:
                    start = self.place(part, start, copied)
                return start
            case Arranged(block=block, copies=copies):
                end = start
                for copy in copies:
                    end = self.place(block, end, lambda literal, copy=copy: copied(copy[literal]))  # type: ignore[misc]
                size = (end - start) // len(copies)
                self.sorts.append(f"fixing *= sort_blocks(k + {start}, {len(copies)}, {size});")
                return end

    def function(self, name: str, size: int, words: int) -> str:
        """The C text: tables, and a function that reads keys of so many words, sorts them and writes them back."""
        text = self.keys.text(name, words)
        body = (f"word k[{size}] = {{0}};", *text.reads, *self.sorts, *text.clear, *text.writes)
        lines = [
            '#include "sort.h"',
            "",
            *text.tables,
            "",
            f"static count_t {name}(struct scratch *x, word *s) {{",
            "    (void)x;",
            "    count_t fixing = 1;",
            *(f"    {line}" for line in body),
            "    return at_least_one(fixing);",
            "}",
        ]
        return "\n".join(lines)
