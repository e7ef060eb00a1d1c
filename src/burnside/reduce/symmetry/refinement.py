"""The canonical form for products of symmetric groups whose facts are about several members at once.

``grant[i][j]`` is a fact about two servers: blocks cannot be sorted, nor need all arrangements be walked through.
Members are told apart by the facts about them, as in graph isomorphism [McKay81]: first by what is said of each, then
by what is said of it together with members that are told apart already. That depends on the orbit alone, so whoever is
told apart has its place in the representative. Where members look the same, each of them is made the first in turn, and
the least image wins; members that can be exchanged without changing the state count as one, and so do ways that lead to
the same image.

The elements that lead to the least image are as many as those that fix the state, and are counted on the way. What a
search stores is decided by ``runtime/refinement.h``; the Python here is for traces and self-tests, and may choose other
representatives.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import prod
from typing import Final, TypeAlias, final

from burnside.ctext import c_array
from burnside.groups import Perm
from burnside.groups.natural import Members, Names, natural_members
from burnside.groups.work import Work
from burnside.ir.packing import WORD
from burnside.reduce.symmetry.action import NO_LITERAL, Action, Image
from burnside.reduce.symmetry.strategy import Moved, Packing, Strategy, Taken
from burnside.reduce.tables import Table

_MOST_NAMES: Final = 3
_MOST_MEMBERS: Final = 64
_MOST_ENTRIES: Final = 1 << 20  # of the table of renamed facts
_MOST_WORK: Final = 2_000_000

_Classes: TypeAlias = tuple[tuple[int, ...], ...]  # an ordered partition of the members


@final
@dataclass(frozen=True)
class Refinement(Strategy):
    """Tell members apart by facts about them, and try all ways where that leaves a choice."""

    name = "partition refinement"

    action: Action
    members: Members

    @classmethod
    def take(cls, action: Action, work: Work) -> Taken | None:
        """A product of symmetric groups, all of it."""
        members = natural_members(action.group, work=work.part(_MOST_WORK))
        if members is None or members.most_names > _MOST_NAMES or sum(members.sizes) > _MOST_MEMBERS:
            return None
        strategy = cls(action, members)
        return Taken(strategy) if len(strategy._facts.renamed) <= _MOST_ENTRIES else None

    @property
    def reason(self) -> str:
        """Who can be arranged in any way."""
        arranged = " and ".join(map(str, self.members.sizes))
        return f"facts about {arranged} members, which can be arranged in any way"

    @property
    def pruners(self) -> Iterable[Perm]:
        """Exchanges of two members."""
        for sort in self.members.sorts:
            for a, b in combinations(sort, 2):
                yield self._element({a: b, b: a})

    def _element(self, moves: dict[int, int]) -> Perm:
        """The element that renames members."""
        names, literal_of = self.members.names, self._facts.literal_of
        kinds = self._facts.kinds
        return tuple(literal_of[kinds[p], tuple(moves.get(m, m) for m in names[p])] for p in range(len(names)))

    # ------------------------------------------------------------ C

    @cached_property
    def _facts(self) -> _Facts:
        return _Facts(self.action, self.members)

    def code(self, function: str, packing: Packing) -> str:
        """What is known of members and of silence; the rest is the same for all groups."""
        starts = [sort.start for sort in self.members.sorts]
        loud = [k for k in range(len(self.action.positions)) if k not in self._silent]
        return f"""\
enum {{ MEMBERS = {sum(self.members.sizes)}, SORTS = {len(starts)} }};
enum {{ NAMES = {self.members.most_names}, LOUD = {len(loud)} }};
{c_array("int", "sort_start", [*starts, sum(self.members.sizes)])}
{c_array("int", "loud_positions", [*loud, 0])}
{chr(10).join(self._silence(packing))}
#include "refinement.h"

static count_t {function}(struct scratch *x, word *s) {{
    return refine_state(x, s);
}}"""

    def _silence(self, packing: Packing) -> Iterator[str]:
        """The state in which all is silent, and where literals differ from it."""
        action, fields = self.action, packing.fields
        silent = {k: action.values[literal] - fields[k].low for k, literal in self._silent.items()}
        state, sparse, position_at = [0] * packing.words, [0] * packing.words, [0] * (WORD * packing.words)
        for k, raw in silent.items():
            field = fields[k]
            state[field.word] |= raw << field.shift
            sparse[field.word] |= field.mask
            for bit in range(field.shift, field.shift + field.width):
                position_at[WORD * field.word + bit] = k
        places = [(fields[k], silent.get(k, 0)) for k in action.position_of]
        bits = [(v - f.low ^ raw) << f.shift for v, (f, raw) in zip(action.values, places, strict=True)]
        yield c_array("word", "silent_state", state)
        yield c_array("word", "sparse_bits", sparse)
        yield c_array("uint16_t", "position_at", position_at)
        yield c_array("word", "bits_of", bits)
        yield c_array("uint16_t", "word_of", [f.word for f, _ in places])

    @cached_property
    def _silent(self) -> dict[int, int]:
        """The silent literals, by position: a kind of facts of which every position of an orbit has one."""
        action, kinds = self.action, self._facts.kinds
        silent: dict[int, int] = {}
        for orbit in action.group.orbits:
            places = {action.position_of[literal]: literal for literal in orbit}
            if len(places) == len(orbit) and not places.keys() & silent.keys():
                reached = {kinds[p] for k in places for p in range(action.first[k], action.first[k + 1])}
                if places.keys() >= {action.position_of[p] for p, kind in enumerate(kinds) if kind in reached}:
                    silent |= places
        return silent

    @property
    def tables(self) -> tuple[Table, ...]:
        """Facts, and what they become."""
        return Table("facts", self._facts.rows), Table("renamed", self._facts.renamed)

    # ------------------------------------------------------------ Python

    def representative(self, image: Image) -> Moved:
        """The least image under all labellings that refinement leaves."""
        return self._least(image, tuple(tuple(sort) for sort in self.members.sorts))[0]

    def _moved(self, image: Image, classes: _Classes) -> Moved:
        order = [member for members in classes for member in members]
        element = self._element({member: place for place, member in enumerate(order)})
        return self.action.apply(element, image), element

    def _least(self, image: Image, classes: _Classes) -> tuple[Moved, Image]:
        """The least image that a partition leads to, and any other."""
        classes = self._refined(image, classes)
        at = _first_choice(classes)
        if at is None:
            moved = self._moved(image, classes)
            return moved, moved[0]
        known: list[tuple[Moved, Image]] = []
        tried: list[int] = []
        for member in classes[at]:
            if not any(self._are_twins(image, member, other) for other in tried):
                tried.append(member)
                child = _with_first(classes, at, member)
                some = self._any_image(image, child) if known else None
                if all(some not in (least[0], other) for least, other in known):
                    known.append(self._least(image, child))
        return min(known)[0], known[0][1]

    def _any_image(self, image: Image, classes: _Classes) -> Image:
        """What one way to tell members apart leads to."""
        classes = self._refined(image, classes)
        while (at := _first_choice(classes)) is not None:
            classes = self._refined(image, _with_first(classes, at, classes[at][0]))
        return self._moved(image, classes)[0]

    def _refined(self, image: Image, classes: _Classes) -> _Classes:
        """The classes, split by the facts about their members until they stay as they are."""
        names, kinds = self.members.names, self._facts.kinds
        while True:
            class_of = {m: k for k, members in enumerate(classes) for m in members}
            seen: dict[int, list[tuple[int, int, tuple[int, ...]]]] = {m: [] for m in class_of}
            for literal in image:
                of_classes = tuple(class_of[m] for m in names[literal])
                for part, member in enumerate(names[literal]):
                    seen[member].append((kinds[literal], part, of_classes))
            told = {m: tuple(sorted(facts)) for m, facts in seen.items()}
            refined = tuple(
                tuple(m for m in members if told[m] == key)
                for members in classes
                for key in sorted({told[m] for m in members})
            )
            if len(refined) == len(classes):
                return classes
            classes = refined

    def _are_twins(self, image: Image, one: int, other: int) -> bool:
        moves, names, facts = {one: other, other: one}, self.members.names, self._facts
        for literal in image:
            if one in names[literal] or other in names[literal]:
                moved = facts.literal_of[facts.kinds[literal], tuple(moves.get(m, m) for m in names[literal])]
                if image[self.action.position_of[moved]] != moved:
                    return False
        return True


def _first_choice(classes: _Classes) -> int | None:
    """The first class of several members."""
    return next((k for k, members in enumerate(classes) if len(members) > 1), None)


def _with_first(classes: _Classes, at: int, member: int) -> _Classes:
    """The classes, with a member of one put before its others."""
    rest = tuple(m for m in classes[at] if m != member)
    return (*classes[:at], (member,), rest, *classes[at + 1 :])


@final
class _Facts:
    """Literals as facts: what is said (a kind is an orbit of literals), and what it becomes if members are renamed."""

    def __init__(self, action: Action, members: Members) -> None:
        names = members.names
        self.kinds = [0] * len(names)
        for kind, orbit in enumerate(action.group.orbits):
            for literal in orbit:
                self.kinds[literal] = kind
        self.literal_of: dict[tuple[int, Names], int] = {(self.kinds[p], names[p]): p for p in range(len(names))}
        sort_of = {m: sort for sort in members.sorts for m in sort}
        self.rows = array("I")
        self.renamed = array("H")
        starts: dict[int, int] = {}
        for literal, named in enumerate(names):
            sorts = [sort_of[m] for m in named]
            strides = [prod(len(sort) for sort in sorts[k + 1 :]) for k in range(len(sorts))]
            start = starts.get(self.kinds[literal])
            if start is None:
                start = starts[self.kinds[literal]] = len(self.renamed)
                self.renamed.extend([NO_LITERAL] * prod(map(len, sorts)))
            numbers = [m - sort.start for m, sort in zip(named, sorts, strict=True)]
            self.renamed[start + sum(s * n for s, n in zip(strides, numbers, strict=True))] = literal
            padding = [0] * (members.most_names - len(named))
            self.rows.extend([start, len(named), *named, *padding, *strides, *padding])
