"""Rules selected by the cells they read, where there are many: a state pays for rules that may fire, not for all.

Tests of a cell against constants become one ``switch``::

    if (x == 1) A; if (x == 2) B; if (x == 3) C;   ▶   switch (x) { case 1: A; break; case 2: B; break; … }

and rules that want cells not to be zero stand in blocks that are passed over while all these cells are::

    if (a == 1) A; if (b == 1) B; …                ▶   if (s[0] & bits_of_a_and_b…) { A; B; … }

A rule is tested, and its guard evaluated, only where what it requires of that cell is so: no fault comes or goes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias, final

from burnside.ctext import c_mask
from burnside.ir.packing import Field
from burnside.values import dataclass

MANY = 32  # rules: fewer are tried one after another, which costs less than a jump that nobody can predict
VERY_MANY = 128  # rules of which most can be passed over at a time
BLOCK = 16  # rules that are passed over together
_PER_FUNCTION: Final = 64  # rules: compilers take more than linear time over long functions

Fields: TypeAlias = Sequence[Field]  # by cell


@final
@dataclass(frozen=True, slots=True)
class RuleText:
    """The C of a rule instance, and cells that must have certain values where it fires."""

    lines: Sequence[str]
    requires: Mapping[int, int]

    def named(self, name: str) -> RuleText:
        """The same with a comment before it."""
        return RuleText([f"/* {name} */", *self.lines], self.requires)

    def without(self, cell: int) -> RuleText:
        """The same where a cell is known to have its value."""
        return RuleText(self.lines, {c: v for c, v in self.requires.items() if c != cell})


@final
@dataclass(frozen=True, slots=True)
class _Unit:
    """Lines that belong together, and how many rules they have."""

    lines: Sequence[str]
    rules: int


def in_functions(rules: Sequence[RuleText], fields: Fields) -> Iterator[list[Sequence[str]]]:
    """The lines of all rules, selected where that pays, in parts that are not too long for a function."""
    part: list[Sequence[str]] = []
    size = 0
    for unit in _selected(rules, fields):
        if part and size + unit.rules > _PER_FUNCTION:
            yield part
            part, size = [], 0
        part.append(unit.lines)
        size += unit.rules
    if part:
        yield part


def _selected(rules: Sequence[RuleText], fields: Fields) -> Iterator[_Unit]:
    rest = list(rules)
    while len(rest) > MANY:
        cell = _most_telling(rest, fields)
        if cell is None:
            break
        yield _switch(cell, [r for r in rest if cell in r.requires], fields)
        rest = [r for r in rest if cell not in r.requires]
    if len(rest) >= VERY_MANY:
        yield from _in_blocks(rest, fields)
    else:
        yield from (_Unit(r.lines, 1) for r in rest)


def _most_telling(rules: Sequence[RuleText], fields: Fields) -> int | None:
    """The cell whose value rules out most rules, if these are many."""
    tested = Counter(cell for rule in rules for cell in rule.requires)
    spared = {cell: count - (count >> fields[cell].width) for cell, count in tested.items()}
    cell = max(spared, key=spared.__getitem__, default=None)
    return cell if cell is not None and spared[cell] >= MANY else None


def _switch(cell: int, rules: Sequence[RuleText], fields: Fields) -> _Unit:
    """Rules that test a cell, by its value."""
    field = fields[cell]
    by_value: dict[int, list[RuleText]] = {}
    for rule in rules:
        by_value.setdefault(rule.requires[cell], []).append(rule.without(cell))
    lines = [f"switch (s[{field.word}] >> {field.shift} & {c_mask((1 << field.width) - 1)}) {{"]
    for value in sorted(by_value):
        lines.append(f"case {value - field.low}: {{")
        for unit in _selected(by_value[value], fields):
            lines += unit.lines
        lines += ["break;", "}"]
    return _Unit([*lines, "default: break;", "}"], len(rules))


def _in_blocks(rules: Sequence[RuleText], fields: Fields) -> Iterator[_Unit]:
    """Rules behind a test whether any of the cells that they want not to be zero is not."""
    by_word: dict[int, list[tuple[int, RuleText]]] = {}
    for rule in rules:
        wanted = [c for c, value in rule.requires.items() if value != fields[c].low]
        if wanted:
            by_word.setdefault(fields[wanted[0]].word, []).append((wanted[0], rule))
        else:
            yield _Unit(rule.lines, 1)
    for word, triggered in by_word.items():
        triggered.sort(key=lambda entry: fields[entry[0]].shift)
        for first in range(0, len(triggered), BLOCK):
            block = triggered[first : first + BLOCK]
            mask = 0
            for cell, _ in block:
                mask |= fields[cell].mask
            lines = [line for _, rule in block for line in rule.lines]
            yield _Unit([f"if (s[{word}] & {c_mask(mask)}) {{", *lines, "}"], len(block))
