"""Literals as facts about members that can be permuted in any way: for partition refinement, and its tables in C.

A *kind* of facts is an orbit of literals; a fact is determined by its kind and by whom it names in which part. At most
positions one kind is *silent*: it is there where no other is, whoever is renamed, and so need not be looked at.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise, permutations
from math import prod
from typing import Final, TypeAlias, final

from burnside.groups.natural import Members, Names, Parts
from burnside.reduce.symmetry.action import NO_LITERAL, Action

LANE: Final = 4  # members that C looks at together

_MOST_IN_TABLE: Final = 32  # members; the table grows with their square, though most facts are silent
_KEY: Final = 32  # bits

_Way: TypeAlias = tuple[int, int]  # how somebody is named: a kind of facts and a part in it


@final
class Facts:
    """What literals say (their kinds), of whom, and what they become if members are renamed."""

    def __init__(self, action: Action, members: Members) -> None:
        self.action = action
        self.members = members
        self.kinds = [0] * len(members.names)
        for kind, orbit in enumerate(action.group.orbits):
            for literal in orbit:
                self.kinds[literal] = kind
        self.literal_of: dict[tuple[int, Names], int] = {}
        self.renamed = array("H")  # literals of each kind, by members named
        self._bases: list[int] = []  # of a literal: where those of its kind would begin if all members had number 0
        sort_of = {m: sort for sort in members.sorts for m in sort}
        starts: dict[int, int] = {}
        for literal, (named, parts) in enumerate(zip(members.names, members.parts, strict=True)):
            sorts = [sort_of[m] for m in named]
            strides = _strides(sorts)
            kind = self.kinds[literal]
            if kind not in starts:
                starts[kind] = len(self.renamed)
                self.renamed.extend([NO_LITERAL] * prod(map(len, sorts)))
            base = starts[kind] - sum(s * sort.start for s, sort in zip(strides, sorts, strict=True))
            for likewise in _arrangements(named, parts):
                self.literal_of[kind, likewise] = literal
                self.renamed[base + sum(s * m for s, m in zip(strides, likewise, strict=True))] = literal
            self._bases.append(base)

    @cached_property
    def told_alone(self) -> frozenset[int]:
        """The positions that say something of one member, or of nobody, whatever they hold."""
        most = [max(len(self.members.names[p]) for p in range(*ends)) for ends in pairwise(self.action.first)]
        return frozenset(k for k, number in enumerate(most) if number <= 1)

    @cached_property
    def silent(self) -> dict[int, int]:
        """The silent literals, by position: a kind of facts of which every position of an orbit has one."""
        action, kinds = self.action, self.kinds
        silent: dict[int, int] = {}
        for orbit in action.group.orbits:
            places = {action.position_of[literal]: literal for literal in orbit}
            if len(places) == len(orbit) and not places.keys() & silent.keys():
                reached = {kinds[p] for k in places for p in range(action.first[k], action.first[k + 1])}
                if places.keys() >= {action.position_of[p] for p, kind in enumerate(kinds) if kind in reached}:
                    silent |= places
        return silent

    # ------------------------------------------------------------ tables in C

    @property
    def rows(self) -> array[int]:
        """A ``struct fact`` of ``runtime/sight.h`` for each literal."""
        names, most = self.members.names, self.members.most_names
        sort_of = {m: sort for sort in self.members.sorts for m in sort}
        rows = array("I")
        for literal, (named, parts) in enumerate(zip(names, self.members.parts, strict=True)):
            lacking = [0] * (most - len(named))
            again = [named[0] if named else 0] * len(lacking)
            keys = [self._key_of[self.kinds[literal], part] for part in parts]
            rows.extend([self._bases[literal] % (1 << 32), *named, *again])
            rows.extend([*_strides([sort_of[m] for m in named]), *lacking, *keys, *lacking])
            rows.append(self._place(named))
        return rows

    def _place(self, named: Names) -> int:
        """Where keys of a fact go in the table of pairs: two numbers of 16 bits."""
        if not self.fit_table or not named:
            return 0
        count = sum(self.members.sizes)
        width = count + -count % LANE
        if len(named) == 1:
            return count * width + named[0]
        one, other = named
        return other * width + one | (one * width + other) << 16

    @cached_property
    def fit_table(self) -> bool:
        """Whether all that two members share is one number (``runtime/sight.h``)."""
        few = self.members.most_names <= 2 and sum(self.members.sizes) <= _MOST_IN_TABLE
        return few and len(self._ways) <= _KEY

    @cached_property
    def _ways(self) -> list[_Way]:
        """The ways in which facts name somebody that are looked at."""
        alone, silent, position_of = self.told_alone, self.silent, self.action.position_of
        ways: dict[_Way, None] = {}
        for literal, (kind, parts) in enumerate(zip(self.kinds, self.members.parts, strict=True)):
            position = position_of[literal]
            if position not in alone and silent.get(position) != literal:
                ways |= dict.fromkeys((kind, part) for part in parts)
        return list(ways)

    @cached_property
    def _key_of(self) -> dict[_Way, int]:
        """A number for each way in which facts name somebody, which looks random."""
        every = {(kind, part) for kind, parts in zip(self.kinds, self.members.parts, strict=True) for part in parts}
        if self.fit_table:
            return dict.fromkeys(every, 0) | dict(zip(self._ways, independent_keys(len(self._ways)), strict=True))
        bits = _KEY - len(self.action.positions).bit_length()  # so that sums of keys are 0 only where nothing is said
        most = self.members.most_names
        return {(kind, part): mixed(most * kind + part + 1) >> 64 - bits | 1 for kind, part in every}


def independent_keys(count: int) -> list[int]:
    """At most 32 numbers that look random, of which no two sets have the same sum, bit by bit."""
    found: list[int] = []
    basis: list[int] = []
    seed = 0
    while len(found) < count:
        seed += 1
        key = left = mixed(seed) >> 64 - _KEY
        for other in basis:
            left = min(left, left ^ other)
        if left:
            found.append(key)
            basis.append(left)
            basis.sort(reverse=True)
    return found


def _strides(sorts: Sequence[range]) -> list[int]:
    """How far apart literals are that name the next member of some sort."""
    return [prod(map(len, sorts[k + 1 :])) for k in range(len(sorts))]


def _arrangements(named: Names, parts: Parts) -> Iterator[Names]:
    """All orders in which members can be named without changing the part that any of them has."""
    for order in permutations(range(len(named))):
        if all(parts[k] == part for k, part in zip(order, parts, strict=True)):
            yield tuple(named[k] for k in order)


def mixed(number: int) -> int:
    """A number of 64 bits that looks random."""
    whole = (1 << 64) - 1
    number = number * 0x9E3779B97F4A7C15 & whole
    number = (number ^ number >> 29) * 0xBF58476D1CE4E5B9 & whole
    return number ^ number >> 32
