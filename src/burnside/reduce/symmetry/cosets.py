"""Sorting for groups that nearly arrange blocks in any way: some images of a state are sorted, the least is taken.

Let A be a subgroup for which sorting is exact, and let every element of the group be one of ``b1, ..., bn``, then one
of A. The least of the sorted images of a state under the ``bi`` is a canonical form: for any element g, the products
``g bi`` lead to the same cosets in another order. As many elements fix a state as fix its representative in A, times
the number of ``bi`` that lead to the representative.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import final

from burnside.groups import Perm
from burnside.groups.cosets import arranged_cosets
from burnside.groups.perm import compose
from burnside.groups.work import Work
from burnside.groups.wreath import Arranged
from burnside.reduce.symmetry.action import Action, Image
from burnside.reduce.symmetry.images import image_code, pack_element
from burnside.reduce.symmetry.sorting import Sorting
from burnside.reduce.symmetry.strategy import Moved, Packing, Strategy, Taken

MOST_COSETS = 24  # the chain is slower still (MESI with four values, 24 cosets: 2.1 against 5.8 µs)
WORDS_PER_SORT = 20  # of images, which take as long as sorting one state

_MOST_WORK = 500_000  # where there is such a subgroup, it is found soon


@final
@dataclass(frozen=True)
class SortedCosets(Strategy):
    """Sort images of a state under some elements, one for each coset of a subgroup that arranges blocks in any way."""

    name = "sorting some images"

    action: Action
    elements: tuple[Perm, ...]  # the identity first
    trees: tuple[Arranged, ...]

    @classmethod
    def take(cls, action: Action, work: Work) -> Taken | None:
        """Groups with a subgroup of small index that sorting is exact for, unless all images are sooner computed."""
        found = arranged_cosets(action.group, MOST_COSETS, work=work.part(_MOST_WORK))
        if found is None or action.image_words <= WORDS_PER_SORT * len(found.elements):
            return None
        return Taken(cls(action, found.elements, found.trees))

    @cached_property
    def _sorting(self) -> Sorting:
        return Sorting(self.action, self.trees)

    @property
    def reason(self) -> str:
        """What is sorted, and how often."""
        return f"{self._sorting.reason}, after each of {len(self.elements)} symmetries"

    @property
    def pruners(self) -> Iterable[Perm]:
        """The elements, and exchanges of two blocks."""
        return chain(self.elements[1:], self._sorting.pruners)

    def code(self, function: str, packing: Packing) -> str:
        """Straight code: image by image, each sorted, and the least of them."""
        arranging = f"{function}_arranged"
        state = [f"s[{w}]" for w in range(packing.words)]
        lines = [
            "word least[WORDS], image[WORDS];",
            "memcpy(least, s, sizeof least);",
            f"count_t fixing = {arranging}(x, least), same = 1, more;",
        ]
        for element in self.elements[1:]:
            words = image_code(pack_element(self.action, element, packing.fields, packing.words), state)
            lines += [f"image[{w}] = {word};" for w, word in enumerate(words)]
            lines += [f"more = {arranging}(x, image);", "keep_lesser(least, &fixing, &same, image, more);"]
        lines += ["memcpy(s, least, sizeof least);", "return at_least_one(fixing * same);"]
        body = "\n".join(f"    {line}" for line in lines)
        return "\n".join(
            [
                self._sorting.code(arranging, packing),
                "",
                f"static count_t {function}(struct scratch *x, word *s) {{\n{body}\n}}",
            ]
        )

    def representative(self, image: Image) -> Moved:
        """The least of some arrangements."""
        moved = []
        for element in self.elements:
            least, arranging = self._sorting.representative(self.action.apply(element, image))
            moved.append((least, compose(element, arranging)))
        return min(moved)
