"""Forms for groups that are nearly of a simple shape: some images of a state are sorted or refined, the least is taken.

Let A be a subgroup for which sorting, say, is exact, and let every element of the group be one of ``b1, ..., bn``, then
one of A. The least of the sorted images of a state under the ``bi`` is a canonical form: for any g, the products
``g bi`` lead to the same cosets in another order. As many elements fix a state as fix its representative in A, times
the number of ``bi`` that lead to the representative.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import final

from burnside.groups import Perm
from burnside.groups.cosets import arranged_cosets, natural_cosets
from burnside.groups.perm import compose
from burnside.groups.work import Work
from burnside.reduce.symmetry.action import Action, Image
from burnside.reduce.symmetry.images import image_code, pack_element
from burnside.reduce.symmetry.refinement import Refinement
from burnside.reduce.symmetry.sorting import Sorting
from burnside.reduce.symmetry.strategy import Moved, Packing, Strategy, Taken
from burnside.reduce.tables import Table
from burnside.values import dataclass, replace

MOST_COSETS = 24  # the chain is slower still (MESI with four values, 24 cosets: 2.1 against 5.8 µs)
WORDS_PER_SORT = 20  # of images, which take as long as sorting one state

_MOST_REFINED = 6  # by the chain the hypercube of five dimensions, 16 cosets, takes a twentieth of the time
_WORDS_PER_REFINEMENT = 60

_MOST_WORK = 500_000  # where there is such a subgroup, it is found soon
_MOST_WORK_FOR_MEMBERS = 4_000_000


@dataclass(frozen=True)
class _CosetForms(Strategy):
    """The least of the forms of some images, one for each coset of a subgroup that another strategy serves."""

    action: Action
    elements: tuple[Perm, ...]  # the identity first
    inner: Strategy

    @property
    def reason(self) -> str:
        """What is done, and how often."""
        return f"{self.inner.reason}, after each of {len(self.elements)} symmetries"

    @property
    def pruners(self) -> Iterable[Perm]:
        """The elements, and those of the subgroup."""
        return chain(self.elements[1:], self.inner.pruners)

    @property
    def tables(self) -> tuple[Table, ...]:
        """Those of the subgroup."""
        return self.inner.tables

    def code(self, function: str, packing: Packing) -> str:
        """Straight code: image by image, each in its form, and the least of them."""
        forming = f"{function}_formed"
        state = [f"s[{w}]" for w in range(packing.words)]
        lines = [
            "word least[WORDS], image[WORDS];",
            "memcpy(least, s, sizeof least);",
            f"count_t fixing = {forming}(x, least), same = 1, more;",
            "if (!fixing) return 0;",
        ]
        for element in self.elements[1:]:
            words = image_code(pack_element(self.action, element, packing.fields, packing.words), state)
            lines += [f"image[{w}] = {word};" for w, word in enumerate(words)]
            lines += [f"more = {forming}(x, image);", "if (!more) return 0;"]
            lines += ["keep_lesser(least, &fixing, &same, image, more);"]
        lines += ["memcpy(s, least, sizeof least);", "return at_least_one(fixing * same);"]
        body = "\n".join(f"    {line}" for line in lines)
        return "\n".join(
            [
                '#include "sort.h"',
                self.inner.code(forming, packing),
                "",
                f"static count_t {function}(struct scratch *x, word *s) {{\n{body}\n}}",
            ]
        )

    def representative(self, image: Image) -> Moved:
        """The least of some forms."""
        moved = []
        for element in self.elements:
            least, forming = self.inner.representative(self.action.apply(element, image))
            moved.append((least, compose(element, forming)))
        return min(moved)


@final
@dataclass(frozen=True)
class SortedCosets(_CosetForms):
    """Sort images of a state under some elements, one for each coset of a subgroup that arranges blocks in any way."""

    name = "sorting some images"

    @classmethod
    def take(cls, action: Action, work: Work) -> Taken | None:
        """Groups with a subgroup of small index that sorting is exact for, unless all images are sooner computed."""
        found = arranged_cosets(action.group, MOST_COSETS, work=work.part(_MOST_WORK))
        if found is None or action.image_words <= WORDS_PER_SORT * len(found.elements):
            return None
        return Taken(cls(action, found.elements, Sorting(action, found.shape)))


@final
@dataclass(frozen=True)
class RefinedCosets(_CosetForms):
    """Refine images of a state under some elements, one for each coset of a product of symmetric groups."""

    name = "partition refinement of some images"

    @classmethod
    def take(cls, action: Action, work: Work) -> Taken | None:
        """Groups with a subgroup of small index that refinement is exact for, unless all images are sooner computed."""
        if action.image_words <= 2 * _WORDS_PER_REFINEMENT:
            return None
        found = natural_cosets(action.group, _MOST_REFINED, work=work.part(_MOST_WORK_FOR_MEMBERS))
        if found is None or action.image_words <= _WORDS_PER_REFINEMENT * len(found.elements):
            return None
        inner = Refinement.of(replace(action, group=found.subgroup), found.shape)
        return None if inner is None else Taken(cls(action, found.elements, inner))
