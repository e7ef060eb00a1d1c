"""C that sorts blocks of literals (reduce/sorting.py) as words.

Every block becomes a *key*: some words that hold its literals as small codes. A variable that belongs to the block
as a whole is copied as it is; one that merely names it, such as ``turn = 3``, leaves a mark in the key of the block it
names. The keys are sorted from the innermost blocks outwards and written back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import final

from burnside.explore.native.expressions import literal_mask
from burnside.explore.native.layout import WORD, Field
from burnside.reduce.action import Action
from burnside.reduce.sorting import Facts, Sorted, Together, Tree


@final
@dataclass(frozen=True, slots=True)
class _Slot:
    """Bits of a key that tell which literal of a position holds, if any."""

    word: int
    shift: int
    width: int

    @property
    def read(self) -> str:
        return f"(k[{self.word}] >> {self.shift} & {literal_mask((1 << self.width) - 1)})"


def sort_facts(action: Action, trees: Sequence[Sorted], fields: Sequence[Field], words: int) -> str:
    """The function ``sort_facts`` of ``runtime/reduce.h``."""
    keys = _Keys(action, fields)
    start = 0
    for tree in trees:
        start = keys.place(tree, start, lambda literal: literal)
    return keys.function(start, words)


@final
@dataclass
class _Keys:
    """Where every literal leaves its mark, and the sorts to be done, in order."""

    action: Action
    fields: Sequence[Field]
    marks: dict[int, tuple[_Slot, int]] = field(default_factory=dict)
    sorts: list[str] = field(default_factory=list)

    def place(self, tree: Tree, start: int, copied: Callable[[int], int]) -> int:
        """Give the literals of a tree, copied elsewhere, their places from word ``start`` on; the first free word."""
        match tree:
            case Facts(literals=literals):
                return self._place_facts(literals, start, copied)
            case Together(parts=parts):
                for part in parts:
                    start = self.place(part, start, copied)
                return start
            case Sorted(block=block, copies=copies):
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

    def function(self, size: int, words: int) -> str:
        """The C text."""
        tables: list[str] = []
        reads: list[str] = []
        writes: list[str] = []
        cleared = [0] * words
        for position, place in enumerate(self.fields):
            first, last = self.action.first[position], self.action.first[position + 1]
            marks = {self._raw(p): self.marks[p] for p in range(first, last) if p in self.marks}
            if not marks:
                continue
            slots = {slot for slot, _ in marks.values()}
            if len(slots) == 1 and len(marks) == last - first:
                cleared[place.word] |= place.mask
                self._own(position, place, marks, tables, reads, writes)
            else:
                self._naming(position, place, marks, tables, reads, writes)
        clear = [f"s[{w}] &= {literal_mask(~mask & (1 << WORD) - 1)};" for w, mask in enumerate(cleared) if mask]
        return "\n".join(
            [
                *tables,
                "static count_t sort_facts(word *s) {",
                f"word k[{size}] = {{0}};",
                "count_t fixing = 1;",
                *reads,
                *self.sorts,
                *clear,
                *writes,
                "return fixing;",
                "}",
            ]
        )

    def _own(
        self,
        position: int,
        place: Field,
        marks: dict[int, tuple[_Slot, int]],
        tables: list[str],
        reads: list[str],
        writes: list[str],
    ) -> None:
        """A variable that belongs to one block."""
        slot = next(iter(marks.values()))[0]
        codes = {raw: code for raw, (_, code) in marks.items()}
        raw, code = _raw_code(place), slot.read
        if any(old != new for old, new in codes.items()):
            tables.append(_table("uint16_t", f"code_of_{position}", 1 << place.width, codes))
            tables.append(_table("uint16_t", f"raw_of_{position}", 1 << slot.width, {c: r for r, c in codes.items()}))
            raw, code = f"(word)code_of_{position}[{raw}]", f"(word)raw_of_{position}[{code}]"
        reads.append(f"k[{slot.word}] |= {raw} << {slot.shift};")
        writes.append(f"s[{place.word}] |= {code} << {place.shift};")

    def _naming(
        self,
        position: int,
        place: Field,
        marks: dict[int, tuple[_Slot, int]],
        tables: list[str],
        reads: list[str],
        writes: list[str],
    ) -> None:
        """A variable whose value names a block, or none."""
        size = 1 << place.width
        tables.append(_table("uint16_t", f"key_of_{position}", size, {r: s.word for r, (s, _) in marks.items()}))
        tables.append(_table("word", f"mark_of_{position}", size, {r: c << s.shift for r, (s, c) in marks.items()}))
        raw = _raw_code(place)
        reads.append(f"k[key_of_{position}[{raw}]] |= mark_of_{position}[{raw}];")
        named: dict[_Slot, dict[int, int]] = {}
        for old, (slot, code) in marks.items():
            named.setdefault(slot, {})[code] = old
        lines = ["{ word raw = 0, named = 0, mark;"]
        for slot, raws in named.items():
            if slot.width == 1:
                lines.append(f"mark = -{slot.read}; raw |= mark & {raws[1]}u; named |= mark;")
            else:
                name = f"raw_of_{position}_{slot.word}"
                tables.append(_table("uint16_t", name, 1 << slot.width, raws))
                lines.append(f"mark = {slot.read}; raw |= {name}[mark]; named |= -(word)(mark != 0);")
        field_mask = literal_mask(place.mask)
        lines.append(f"s[{place.word}] = (s[{place.word}] & ~(named & {field_mask})) | raw << {place.shift}; }}")
        writes.append("\n".join(lines))


def _raw_code(place: Field) -> str:
    return f"(s[{place.word}] >> {place.shift} & {literal_mask((1 << place.width) - 1)})"


def _table(kind: str, name: str, size: int, entries: dict[int, int]) -> str:
    values = ", ".join(literal_mask(entries.get(k, 0)) for k in range(size))
    return f"static const {kind} {name}[] = {{{values}}};"
