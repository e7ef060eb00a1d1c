"""All images of a state on packed words, each by one cheap step from another one.

An element of the group moves fields by masks and shifts, flips values by exclusive or, and renames other values by
boolean functions of their bits, for all fields with the same renaming at once. The images of a state under the
whole group are the nodes of the group's Cayley graph; a spanning tree of cheap edges computes them all, so that
most images cost a rotation or a flip, whatever the elements look like.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import final

from burnside.ctext import c_mask
from burnside.groups import Perm, stabiliser_chain
from burnside.groups.perm import compose, identity, inverse
from burnside.groups.work import Work
from burnside.ir.packing import Field
from burnside.reduce.symmetry.action import Action, Image
from burnside.reduce.symmetry.strategy import Moved, Packing, Strategy, Taken

MOST_IMAGES = 144  # beyond, the chain is as quick (two-hop 4, 576 symmetries: 0.45 against 0.75 µs)
_WIDEST_TABLE = 64
_WIDEST_PLANES = 3  # bits of a field whose renaming is written as boolean functions


# ---------------------------------------------------------------- the strategy


@final
@dataclass(frozen=True)
class AllImages(Strategy):
    """Compute the image under every element on packed words: exact, and quick for small groups."""

    name = "all images"

    action: Action
    elements: tuple[Perm, ...]  # all but the identity

    @classmethod
    def take(cls, action: Action, work: Work) -> Taken | None:
        """Small groups."""
        if action.order > MOST_IMAGES:
            return None
        elements = tuple(stabiliser_chain(action.group, work=work).elements())[1:]
        return Taken(cls(action, elements))

    @property
    def reason(self) -> str:
        """How small the group is."""
        return f"only {self.action.order} symmetries"

    @property
    def pruners(self) -> Iterable[Perm]:
        """All elements."""
        return self.elements

    def code(self, function: str, packing: Packing) -> str:
        """Straight code: image by image, and the least of them."""
        words = range(packing.words)
        packed = [pack_element(self.action, e, packing.fields, packing.words) for e in self.elements]
        lines = [f"const word i0_{w} = s[{w}];" for w in words]
        lines += [f"word l{w} = s[{w}];" for w in words]
        lines.append("uint64_t same = 1;")
        for number, parent, step in spanning_tree(self.elements, [p.cost for p in packed]):
            code = image_code(packed[step], [f"i{parent}_{w}" for w in words])
            here = [f"i{number}_{w}" for w in words]
            lines += [f"const word {name} = {value};" for name, value in zip(here, code, strict=True)]
            lines.append(f"same += {' & '.join(f'({t} == s[{w}])' for w, t in enumerate(here))};")
            lines.append(_keep_less(here))
        lines += [f"s[{w}] = l{w};" for w in words]
        body = "\n".join(f"    {line}" for line in lines)
        return f"static count_t {function}(struct scratch *x, word *s) {{\n    (void)x;\n{body}\n    return same;\n}}"

    def representative(self, image: Image) -> Moved:
        """The least image."""
        moved = ((self.action.apply(e, image), e) for e in self.elements)
        return min((image, identity(self.action.group.degree)), *moved)


# ---------------------------------------------------------------- elements on packed words


@final
@dataclass(frozen=True, slots=True, order=True)
class Renaming:
    """Old raw values of a field of ``width`` bits and their new ones in a field of ``new_width`` bits.

    Symmetries may exchange cells of different domains, so that the two widths need not agree.
    """

    width: int
    new_width: int
    raws: tuple[tuple[int, int], ...]


@final
@dataclass
class PackedElement:
    """What an element does to packed words.

    ``moves`` has the bits that go from one word to a word, by how far; ``flips`` is what is inverted at the end;
    ``renames`` has the fields whose values change otherwise, by what happens to them.
    """

    moves: dict[tuple[int, int, int], int]
    flips: list[int]
    renames: dict[tuple[int, int, int, Renaming], list[int]] = field(default_factory=dict)

    @property
    def cost(self) -> int:
        """Roughly the number of instructions."""
        total = sum(1 for f in self.flips if f)
        total += sum(3 if distance or word != into else 2 for word, into, distance in self.moves)
        return total + sum(_renaming_cost(key[3], len(shifts)) for key, shifts in self.renames.items())


def spanning_tree(elements: Sequence[Perm], costs: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """``(image, image it is computed from, step)``: images from 1 on, 0 is the state itself, steps are elements.

    Kruskal's method on the Cayley graph: cheap elements join what they can before dearer ones are looked at. Then
    depth first from the identity, so that few images are alive at a time.
    """
    everything = (tuple(range(len(elements[0]))), *elements)
    number = {perm: k for k, perm in enumerate(everything)}
    parent = list(range(len(everything)))
    edges: list[list[tuple[int, int]]] = [[] for _ in everything]

    def root(k: int) -> int:
        while parent[k] != k:
            parent[k] = k = parent[parent[k]]
        return k

    missing = len(elements)
    for step in sorted(range(len(elements)), key=lambda k: (costs[k], k)):
        if not missing:
            break
        back = number[inverse(elements[step])] - 1
        for source, perm in enumerate(everything):
            target = number[compose(perm, elements[step])]
            one, other = root(source), root(target)
            if one != other:
                parent[one] = other
                edges[source].append((target, step))
                edges[target].append((source, back))
                missing -= 1
    seen = {0}
    waiting = [(0, target, step) for target, step in edges[0]]
    while waiting:
        source, target, step = waiting.pop()
        if target not in seen:
            seen.add(target)
            yield target, source, step
            waiting += [(target, further, by) for further, by in edges[target]]


def pack_element(action: Action, element: Perm, fields: Sequence[Field], words: int) -> PackedElement:
    """An element as operations on packed words."""
    everything = (1 << 64) - 1
    stay = [everything] * words
    for place in fields:
        stay[place.word] &= ~place.mask
    packed = PackedElement({(w, w, 0): stay[w] for w in range(words)}, [0] * words)
    for k, source in enumerate(fields):
        points = range(action.first[k], action.first[k + 1])
        target = fields[action.position_of[element[points[0]]]]
        raws = {action.values[p] - source.low: action.values[element[p]] - target.low for p in points}
        flip = next(iter(raws)) ^ next(iter(raws.values()))
        distance = target.shift - source.shift
        if all(old ^ flip == new for old, new in raws.items()):
            key = (source.word, target.word, distance)
            # Bits of the source that the target has no room for are the same in all values that occur.
            common = (1 << min(source.width, target.width)) - 1
            packed.moves[key] = packed.moves.get(key, 0) | common << source.shift
            packed.flips[target.word] |= flip << target.shift & target.mask
        else:
            renaming = Renaming(source.width, target.width, tuple(sorted(raws.items())))
            packed.renames.setdefault((source.word, target.word, distance, renaming), []).append(source.shift)
    packed.moves = {key: mask for key, mask in packed.moves.items() if mask}
    return packed


def image_code(packed: PackedElement, source: Sequence[str]) -> list[str]:
    """Every word of the image as an expression of the words it is computed from."""
    parts: list[list[str]] = [[] for _ in source]
    for (word, into, distance), mask in sorted(packed.moves.items()):
        bits = source[word] if mask == (1 << 64) - 1 else f"({source[word]} & {c_mask(mask)})"
        parts[into].append(_shifted(bits, distance))
    for (word, into, distance, renaming), shifts in sorted(packed.renames.items()):
        parts[into] += _renamed(source[word], distance, renaming, shifts)
    return [
        f"(({' | '.join(part)}) ^ {c_mask(flip)})" if flip else " | ".join(part) or "0"
        for part, flip in zip(parts, packed.flips, strict=True)
    ]


def _shifted(bits: str, distance: int) -> str:
    if distance == 0:
        return bits
    return f"({bits} << {distance})" if distance > 0 else f"({bits} >> {-distance})"


def _keep_less(here: Sequence[str]) -> str:
    if len(here) == 1:
        return f"l0 = {here[0]} < l0 ? {here[0]} : l0;"
    less = "0"
    for w in reversed(range(len(here))):
        less = f"({here[w]} < l{w} || ({here[w]} == l{w} && {less}))"
    copies = " ".join(f"l{w} = {t};" for w, t in enumerate(here))
    return f"if ({less}) {{ {copies} }}"


# ---------------------------------------------------------------- renamed values


def _renaming_cost(renaming: Renaming, fields: int) -> int:
    if renaming.width > _WIDEST_PLANES:
        return 6 * fields
    polynomials = (_polynomial(renaming, bit) for bit in range(renaming.new_width))
    return 2 * renaming.width + sum(2 + sum(m.bit_count() for m in monomials) for monomials in polynomials)


def _renamed(source: str, distance: int, renaming: Renaming, shifts: Sequence[int]) -> Iterator[str]:
    """Fields at ``shifts`` whose values are renamed, moved by ``distance``."""
    if renaming.width > _WIDEST_PLANES:
        yield from (_looked_up(source, shift, shift + distance, renaming) for shift in shifts)
        return
    lowest = c_mask(sum(1 << shift for shift in shifts))
    planes = [f"({_shifted(source, -bit)} & {lowest})" for bit in range(renaming.width)]
    for bit in range(renaming.new_width):
        monomials = _polynomial(renaming, bit)
        terms = [" & ".join(planes[k] for k in range(renaming.width) if m >> k & 1) or lowest for m in monomials]
        if terms:
            yield _shifted(f"({' ^ '.join(f'({t})' for t in terms)})", distance + bit)


def _polynomial(renaming: Renaming, bit: int) -> tuple[int, ...]:
    """One bit of a renaming: an exclusive or of conjunctions (sets of old bits). Values that cannot occur are free."""
    width, raws = renaming.width, dict(renaming.raws)
    free = [v for v in range(1 << width) if v not in raws]
    best: tuple[int, ...] | None = None
    for choice in product((0, 1), repeat=len(free)):
        truth = [raws.get(v, 0) >> bit & 1 for v in range(1 << width)]
        for value, chosen in zip(free, choice, strict=True):
            truth[value] = chosen
        for k in range(width):  # the transform of Moebius turns a table of values into coefficients
            for v in range(1 << width):
                if v >> k & 1:
                    truth[v] ^= truth[v ^ 1 << k]
        found = tuple(v for v in range(1 << width) if truth[v])
        if best is None or _weight(found) < _weight(best):
            best = found
    assert best is not None
    return best


def _weight(monomials: tuple[int, ...]) -> int:
    return sum(1 + m.bit_count() for m in monomials)


def _looked_up(source: str, shift: int, into: int, renaming: Renaming) -> str:
    """One field, looked up in a constant that holds all new values, or by comparison."""
    raw = f"({source} >> {shift} & {c_mask((1 << renaming.width) - 1)})"
    width, raws = renaming.new_width, dict(renaming.raws)
    if (max(raws) + 1) * width <= _WIDEST_TABLE:
        packed = sum(new << old * width for old, new in raws.items())
        return f"(({c_mask(packed)} >> ({raw} * {width}) & {c_mask((1 << width) - 1)}) << {into})"
    choice = "0"
    for old, new in raws.items():
        choice = f"({raw} == {old}u ? {c_mask(new << into)} : {choice})"
    return choice
