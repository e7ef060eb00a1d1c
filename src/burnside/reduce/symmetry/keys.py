"""Keys: what is said of one block or member, as small codes in some words, read from a state and written back in C.

A variable that is about one block as a whole is copied as it is; one that merely names it, such as ``turn = 3``, leaves
a mark in the key of the block it names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, final

from burnside.ctext import c_array, c_mask
from burnside.ir.packing import WORD, Field
from burnside.reduce.symmetry.action import Action
from burnside.values import dataclass, field


@final
@dataclass(frozen=True, slots=True)
class Slot:
    """Bits of a key that tell which literal of a position holds, if any."""

    word: int
    shift: int
    width: int

    @property
    def read(self) -> str:
        return f"(k[{self.word}] >> {self.shift} & {c_mask((1 << self.width) - 1)})"


_Mark: TypeAlias = tuple[Slot, int]  # where a literal shows in a key, and the code that stands for it there


@final
@dataclass
class Keys:
    """Where every literal leaves its mark."""

    action: Action
    fields: Sequence[Field]
    marks: dict[int, _Mark] = field(default_factory=dict)

    def place(self, literals: Sequence[int], start: int, copied: Callable[[int], int]) -> int:
        """Give literals, copied elsewhere, their places from word ``start`` on; the first free word."""
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
                slot = Slot(word, used, width)
                self.marks[copied(literal)] = (slot, self._raw(literal) if whole else code)
            used += width
        return word + 1

    def _raw(self, literal: int) -> int:
        return self.action.values[literal] - self.fields[self.action.position_of[literal]].low

    def text(self, function: str, words: int) -> KeysText:
        """C for a function that reads keys ``k`` from a state ``s`` of so many words and writes them back."""
        text = KeysText(function, [0] * words)
        for position, place in enumerate(self.fields):
            first, last = self.action.first[position], self.action.first[position + 1]
            marks = {self._raw(p): self.marks[p] for p in range(first, last) if p in self.marks}
            if not marks:
                continue
            slots = {slot for slot, _ in marks.values()}
            if len(slots) == 1 and len(marks) == last - first:
                text.add_own(position, place, marks)
            else:
                text.add_naming(position, place, marks)
        return text


@final
@dataclass
class KeysText:
    """Lines of C for the positions of a state: what they look up, how they enter keys, how they are written back."""

    function: str
    own_bits: list[int]  # of variables that belong to one block, word by word
    tables: list[str] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)

    def add_own(self, position: int, place: Field, marks: Mapping[int, _Mark]) -> None:
        """A variable that belongs to one block."""
        self.own_bits[place.word] |= place.mask
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
        named: dict[Slot, dict[int, int]] = {}
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

    @property
    def clear(self) -> list[str]:
        """Makes room for what belongs to one block: it is written back by setting bits."""
        return [f"s[{w}] &= {c_mask(~bits & (1 << WORD) - 1)};" for w, bits in enumerate(self.own_bits) if bits]

    def _table(self, kind: str, name: str, width: int, entries: Mapping[int, int]) -> str:
        """An entry for every number of so many bits; the name of the table, which no other function uses."""
        own = f"{self.function}_{name}"
        self.tables.append(c_array(kind, own, (entries.get(k, 0) for k in range(1 << width))))
        return own


def _raw_code(place: Field) -> str:
    return f"(s[{place.word}] >> {place.shift} & {c_mask((1 << place.width) - 1)})"
