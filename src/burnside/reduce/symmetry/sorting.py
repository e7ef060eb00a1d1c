"""The canonical form for symmetric groups, S_n and wreath products over it: blocks of literals are sorted.

A state is the set of literals that hold in it. Where a group permutes blocks of literals in every way
(``groups/wreath.py`` recognises that), they can be brought into canonical form one by one and sorted, and no two
states of an orbit come out different.

The blocks may be processes: a block then holds the facts about one process, its own variables as well as the variables
of others that name it (``turn = 3`` is a fact about process 3). So stored process ids need no search for ties. What
names *two* processes at once (``next[2] = 3``) is not of this form.

In C every block becomes a *key*: some words that hold its literals as small codes. A variable that belongs to the block
as a whole is copied as it is; one that merely names it, such as ``turn = 3``, leaves a mark in the key of the block it
names. The keys are sorted from the innermost blocks outwards and written back.

What a search stores is decided by the C that `_Keys` writes, with ``runtime/sort.h``. `arrange` is the same in Python,
for traces and self-tests; it may choose other representatives.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, final

from burnside.ctext import c_array, c_mask
from burnside.groups import Perm
from burnside.groups.work import Work
from burnside.groups.wreath import Arranged, Fixed, Together, Tree, arranged_factors, swaps
from burnside.ir.packing import WORD, Field
from burnside.reduce.symmetry.action import Action, Image
from burnside.reduce.symmetry.strategy import Moved, Packing, Strategy, Taken

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
        keys = _Keys(self.action, packing.fields)
        start = 0
        for tree in self.trees:
            start = keys.place(tree, start, lambda literal: literal)
        return keys.function(function, start, packing.words)

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
@dataclass(frozen=True, slots=True)
class _Slot:
    """Bits of a key that tell which literal of a position holds, if any."""

    word: int
    shift: int
    width: int

    @property
    def read(self) -> str:
        return f"(k[{self.word}] >> {self.shift} & {c_mask((1 << self.width) - 1)})"


_Mark: TypeAlias = tuple[_Slot, int]  # where a literal shows in a key, and the code that stands for it there


@final
@dataclass
class _Keys:
    """Where every literal leaves its mark, and the sorts to be done, in order."""

    action: Action
    fields: Sequence[Field]
    marks: dict[int, _Mark] = field(default_factory=dict)
    sorts: list[str] = field(default_factory=list)

    def place(self, tree: Tree, start: int, copied: Callable[[int], int]) -> int:
        """Give the literals of a tree, copied elsewhere, their places from word ``start`` on; the first free word."""
        match tree:
            case Fixed(points=literals):
                return self._place_facts(literals, start, copied)
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

    def _place_facts(self, literals: Sequence[int], start: int, copied: Callable[[int], int]) -> int:
        at_position: dict[int, list[int]] = {}
        for literal in literals:
            at_position.setdefault(self.action.position_of[literal], []).append(literal)
        word, used = start, 0
        for position, here in at_position.items():
            whole = len(here) == self.action.first[position + 1] - self.action.first[position]
            width = self.fields[position].width if whole else len(here).bit_length()
            if used + width > WORD:
                word, used = word + 1, 0
            for code, literal in enumerate(here, start=1):
                slot = _Slot(word, used, width)
                self.marks[copied(literal)] = (slot, self._raw(literal) if whole else code)
            used += width
        return word + 1

    def _raw(self, literal: int) -> int:
        return self.action.values[literal] - self.fields[self.action.position_of[literal]].low

    def function(self, name: str, size: int, words: int) -> str:
        """The C text: tables, and a function that reads keys of so many words, sorts them and writes them back."""
        text = _Text(name)
        cleared = [0] * words
        for position, place in enumerate(self.fields):
            first, last = self.action.first[position], self.action.first[position + 1]
            marks = {self._raw(p): self.marks[p] for p in range(first, last) if p in self.marks}
            if not marks:
                continue
            slots = {slot for slot, _ in marks.values()}
            if len(slots) == 1 and len(marks) == last - first:
                cleared[place.word] |= place.mask
                text.add_own(position, place, marks)
            else:
                text.add_naming(position, place, marks)
        clear = [f"s[{w}] &= {c_mask(~mask & (1 << WORD) - 1)};" for w, mask in enumerate(cleared) if mask]
        body = (f"word k[{size}] = {{0}};", *text.reads, *self.sorts, *clear, *text.writes)
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


@final
@dataclass
class _Text:
    """Lines of C for the positions of a state: what they look up, how they enter keys, how they are written back."""

    function: str
    tables: list[str] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)

    def add_own(self, position: int, place: Field, marks: Mapping[int, _Mark]) -> None:
        """A variable that belongs to one block."""
        slot = next(iter(marks.values()))[0]
        codes = {raw: code for raw, (_, code) in marks.items()}
        raw, code = _raw_code(place), slot.read
        if any(old != new for old, new in codes.items()):
            code_of = self._table("uint16_t", f"code_of_{position}", place.width, codes)
            raw_of = self._table("uint16_t", f"raw_of_{position}", slot.width, {c: r for r, c in codes.items()})
            raw, code = f"(word){code_of}[{raw}]", f"(word){raw_of}[{code}]"
        self.reads.append(f"k[{slot.word}] |= {raw} << {slot.shift};")
        self.writes.append(f"s[{place.word}] |= {code} << {place.shift};")

    def add_naming(self, position: int, place: Field, marks: Mapping[int, _Mark]) -> None:
        """A variable whose value names a block, or none."""
        key_of = self._table("uint16_t", f"key_of_{position}", place.width, {r: s.word for r, (s, _) in marks.items()})
        codes = {r: c << s.shift for r, (s, c) in marks.items()}
        mark_of = self._table("word", f"mark_of_{position}", place.width, codes)
        raw = _raw_code(place)
        self.reads.append(f"k[{key_of}[{raw}]] |= {mark_of}[{raw}];")
        named: dict[_Slot, dict[int, int]] = {}
        for old, (slot, code) in marks.items():
            named.setdefault(slot, {})[code] = old
        self.writes += ["{", "    word raw = 0, named = 0, mark;"]
        for slot, raws in named.items():
            if slot.width == 1:
                self.writes.append(f"    mark = -{slot.read}; raw |= mark & {raws[1]}u; named |= mark;")
            else:
                raw_of = self._table("uint16_t", f"raw_of_{position}_{slot.word}", slot.width, raws)
                self.writes.append(f"    mark = {slot.read}; raw |= {raw_of}[mark]; named |= -(word)(mark != 0);")
        kept = f"(s[{place.word}] & ~(named & {c_mask(place.mask)}))"
        self.writes += [f"    s[{place.word}] = {kept} | raw << {place.shift};", "}"]

    def _table(self, kind: str, name: str, width: int, entries: Mapping[int, int]) -> str:
        """An entry for every number of so many bits; the name of the table, which no other function uses."""
        own = f"{self.function}_{name}"
        self.tables.append(c_array(kind, own, (entries.get(k, 0) for k in range(1 << width))))
        return own


def _raw_code(place: Field) -> str:
    return f"(s[{place.word}] >> {place.shift} & {c_mask((1 << place.width) - 1)})"
