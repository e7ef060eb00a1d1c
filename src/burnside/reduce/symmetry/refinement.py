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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, combinations
from math import factorial
from typing import Final, TypeAlias, final

from burnside.ctext import c_array, c_mask
from burnside.groups import Perm
from burnside.groups.natural import Members, natural_members
from burnside.groups.work import Work
from burnside.ir.packing import WORD
from burnside.reduce.symmetry.action import NO_LITERAL, Action, Image
from burnside.reduce.symmetry.facts import LANE, Facts
from burnside.reduce.symmetry.keys import Keys
from burnside.reduce.symmetry.strategy import Moved, Packing, Strategy, Taken
from burnside.reduce.tables import Table
from burnside.values import dataclass

_MOST_NAMES: Final = 3
_MOST_MEMBERS: Final = 64
_MOST_ENTRIES: Final = 1 << 20  # of the table of renamed facts
_MOST_WORK: Final = 24_000_000  # a second; twenty members of whom pairs are named take a sixth of it

_WHOLE_WORD: Final = (1 << WORD) - 1

_Classes: TypeAlias = tuple[tuple[int, ...], ...]  # an ordered partition of the members
_Way: TypeAlias = tuple[Image, _Classes]  # an image, and the places of members that lead to it


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
        strategy = None if members is None else cls.of(action, members)
        return None if strategy is None else Taken(strategy)

    @classmethod
    def of(cls, action: Action, members: Members) -> Refinement | None:
        """The strategy for members of a group, unless they are too many."""
        if members.most_names > _MOST_NAMES or sum(members.sizes) > _MOST_MEMBERS:
            return None
        strategy = cls(action, members)
        return strategy if len(strategy._facts.renamed) <= _MOST_ENTRIES else None

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
        return tuple([literal_of[kinds[p], tuple([moves.get(m, m) for m in names[p]])] for p in range(len(names))])

    # ------------------------------------------------------------ C

    @cached_property
    def _facts(self) -> Facts:
        return Facts(self.action, self.members)

    def code(self, function: str, packing: Packing) -> str:
        """What is known of members and of silence; the rest is the same for all groups."""
        starts = [sort.start for sort in self.members.sorts]
        told = self._facts.told_alone
        loud = [k for k in range(len(self.action.positions)) if k not in self._facts.silent and k not in told]
        return f"""\
enum {{ MEMBERS = {sum(self.members.sizes)}, SORTS = {len(starts)} }};
enum {{ NAMES = {self.members.most_names}, LOUD = {len(loud)} }};
#define TABLE_OF_PAIRS {int(self._facts.fit_table)}
{c_array("int", "sort_start", [*starts, sum(self.members.sizes)])}
{c_array("int32_t", "first_classes", self._first_classes)}
{_factorials(sum(self.members.sizes))}
{c_array("int", "loud_positions", [*loud, 0])}
{chr(10).join(self._silence(packing))}
{chr(10).join(self._keys(function, packing))}
#include "refinement.h"

static count_t {function}(struct scratch *x, word *s) {{
    return refine_state(x, s);
}}"""

    @property
    def _first_classes(self) -> list[int]:
        """The first member of the sort of each; for the last of those that C looks at together, too."""
        first = [sort.start for sort in self.members.sorts for _ in sort]
        return first + [first[-1]] * (-len(first) % LANE)

    def _keys(self, function: str, packing: Packing) -> Iterator[str]:
        """What is said of one member alone, as its key: so much is read and written without looking for facts."""
        action, facts = self.action, self._facts
        keys = Keys(action, packing.fields)
        width = 0
        told = [p for k in self._facts.told_alone for p in range(action.first[k], action.first[k + 1])]
        of_member = {m: [p for p in told if self.members.names[p] == (m,)] for sort in self.members.sorts for m in sort}
        for sort in self.members.sorts:
            if of_member[sort.start]:
                width = max(
                    width, Keys(action, packing.fields).place(of_member[sort.start], 0, lambda literal: literal)
                )
        for sort in self.members.sorts:
            for m in sort if of_member[sort.start] else ():
                copied = {p: facts.literal_of[facts.kinds[p], (m,)] for p in of_member[sort.start]}
                keys.place(of_member[sort.start], width * m, copied.__getitem__)
        text = keys.text(function, packing.words)
        moved = [0] * packing.words
        for k, field in enumerate(packing.fields):
            if k not in self._facts.told_alone:
                moved[field.word] |= field.mask
        kept = [_WHOLE_WORD & ~(bits | own) for bits, own in zip(moved, text.own_bits, strict=True)]
        yield f"enum {{ MEMBER_WORDS = {width} }};"
        yield c_array("word", "kept_bits", kept)
        yield from text.tables
        yield from _c_function("read_keys(const word *s, word *k)", text.reads)
        yield from _c_function("write_keys(const word *k, word *s)", text.writes)

    def _silence(self, packing: Packing) -> Iterator[str]:
        """The state in which all is silent, and where literals differ from it."""
        action, fields = self.action, packing.fields
        silent = {
            k: action.values[literal] - fields[k].low
            for k, literal in self._facts.silent.items()
            if k not in self._facts.told_alone
        }
        state, sparse = [0] * packing.words, [0] * packing.words
        position_at, literal_at = [0] * (WORD * packing.words), [NO_LITERAL] * (WORD * packing.words)
        for k, raw in silent.items():
            field = fields[k]
            state[field.word] |= raw << field.shift
            sparse[field.word] |= field.mask
            first = WORD * field.word + field.shift
            position_at[first : first + field.width] = [k] * field.width
            if action.first[k + 1] - action.first[k] == 2 and field.width == 1:
                literal_at[first] = action.first[k] + action.first[k + 1] - 1 - self._facts.silent[k]
        places = [(fields[k], silent.get(k, 0)) for k in action.position_of]
        bits = [(v - f.low ^ raw) << f.shift for v, (f, raw) in zip(action.values, places, strict=True)]
        yield c_array("word", "silent_state", state)
        yield c_array("word", "sparse_bits", sparse)
        yield c_array("uint16_t", "position_at", position_at)
        yield c_array("uint16_t", "literal_at_bit", literal_at)
        yield c_array("word", "bits_of", bits)
        yield c_array("word", "field_of", [f.mask for f, _ in places])
        yield c_array("uint16_t", "word_of", [f.word for f, _ in places])

    @property
    def tables(self) -> tuple[Table, ...]:
        """Facts, and what they become."""
        return Table("facts", self._facts.rows), Table("renamed", self._facts.renamed)

    # ------------------------------------------------------------ Python

    def representative(self, image: Image) -> Moved:
        """The least image under all labellings that refinement leaves."""
        silent = self._facts.silent
        facts = [literal for k, literal in enumerate(image) if silent.get(k) != literal]
        told = _Told(image, facts, {member: [] for sort in self.members.sorts for member in sort})
        for literal in facts:
            for member in self.members.names[literal]:
                told.about[member].append(literal)
        _, classes = self._least(told, self._refined(told, tuple(tuple(sort) for sort in self.members.sorts)))[0]
        element = self._element(_places(classes))
        return self.action.apply(element, image), element

    def _image(self, told: _Told, classes: _Classes) -> Image:
        """What becomes of a state if all members are put into their places."""
        after, places = [self._facts.silent.get(k, 0) for k in range(len(told.image))], _places(classes)
        names, kinds, literal_of = self.members.names, self._facts.kinds, self._facts.literal_of
        for literal in told.facts:
            moved = literal_of[kinds[literal], tuple([places[m] for m in names[literal]])]
            after[self.action.position_of[moved]] = moved
        return tuple(after)

    def _least(self, told: _Told, classes: _Classes) -> tuple[_Way, Image]:
        """The least image that refined classes lead to, with a way to it, and any other."""
        while (at := _first_choice(classes)) is not None:
            different = self._without_twins(told, classes[at])
            if len(different) > 1:
                return self._least_of(told, classes, at, different)
            classes = (*classes[:at], *((m,) for m in classes[at]), *classes[at + 1 :])  # in whatever order
        image = self._image(told, classes)
        return (image, classes), image

    def _least_of(self, told: _Told, classes: _Classes, at: int, members: Iterable[int]) -> tuple[_Way, Image]:
        """The same if some members are put first in turn."""
        known: list[tuple[_Way, Image]] = []
        for member in members:
            child = self._refined(told, _with_first(classes, at, member))
            some = self._any_image(told, child) if known else None
            if all(some not in (least[0], other) for least, other in known):
                known.append(self._least(told, child))
        return min(known)[0], known[0][1]

    def _any_image(self, told: _Told, classes: _Classes) -> Image:
        """What one way to tell members apart leads to."""
        while (at := _first_choice(classes)) is not None:
            classes = self._refined(told, _with_first(classes, at, classes[at][0]))
        return self._image(told, classes)

    def _refined(self, told: _Told, classes: _Classes) -> _Classes:
        """The classes, split by the facts about their members until they stay as they are."""
        names, parts, kinds = self.members.names, self.members.parts, self._facts.kinds
        while _first_choice(classes) is not None:
            class_of = {m: k for k, members in enumerate(classes) for m in members}
            seen = dict.fromkeys(class_of, 0)
            for literal in told.facts:
                having = list(zip(parts[literal], names[literal], strict=True))
                of_classes = tuple(sorted([(part, class_of[member]) for part, member in having]))
                for part, member in having:
                    seen[member] += hash((kinds[literal], part, of_classes))
            refined = tuple(
                tuple(m for m in members if seen[m] == key)
                for members in classes
                for key in sorted({seen[m] for m in members})
            )
            if len(refined) == len(classes):
                break
            classes = refined
        return classes

    def _without_twins(self, told: _Told, members: Iterable[int]) -> list[int]:
        """Some of the members, so that each of the others can be exchanged with one of them."""
        different: list[int] = []
        for member in members:
            if not any(self._are_twins(told, member, other) for other in different):
                different.append(member)
        return different

    def _are_twins(self, told: _Told, one: int, other: int) -> bool:
        """Whether the state stays the same if two members are exchanged."""
        moves, names, facts = {one: other, other: one}, self.members.names, self._facts
        for literal in (*told.about[one], *told.about[other]):
            moved = facts.literal_of[facts.kinds[literal], tuple([moves.get(m, m) for m in names[literal]])]
            if told.image[self.action.position_of[moved]] != moved:
                return False
        return True


@final
@dataclass(frozen=True)
class _Told:
    """A state as facts: those that are not silent, and those among them that are about a member."""

    image: Image
    facts: Sequence[int]
    about: Mapping[int, list[int]]


def _places(classes: _Classes) -> dict[int, int]:
    """The place of each member, if all are told apart."""
    return {member: place for place, member in enumerate(chain.from_iterable(classes))}


def _first_choice(classes: _Classes) -> int | None:
    """The first class of several members."""
    return next((k for k, members in enumerate(classes) if len(members) > 1), None)


def _with_first(classes: _Classes, at: int, member: int) -> _Classes:
    """The classes, with a member of one put before its others."""
    rest = tuple(m for m in classes[at] if m != member)
    return (*classes[:at], (member,), rest, *classes[at + 1 :])


def _factorials(last: int) -> str:
    """A table for C, in 128 bits; beyond, nobody asks for sizes of orbits."""
    halves = (divmod(factorial(n) % (1 << 2 * WORD), 1 << WORD) for n in range(last + 1))
    entries = ", ".join(f"(count_t){c_mask(high)} << {WORD} | {c_mask(low)}" for high, low in halves)
    return f"static const count_t factorials[] = {{{entries}}};"


def _c_function(head: str, body: Iterable[str]) -> Iterator[str]:
    """A function of C that may do nothing."""
    yield f"static inline void {head} {{"
    yield "    (void)k, (void)s;"
    yield from (f"    {line}" for line in body)
    yield "}"
