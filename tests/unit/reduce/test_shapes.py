"""Shapes of terms: those of one shape are the same but for their cells, and most that are the same have one shape."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations, product
from random import Random

from burnside.detect.sample import states_of
from burnside.detect.terms import Term, Terms
from burnside.ir.nodes import Domain
from burnside.reduce.partial_order.shapes import Outline, Shapes
from unit.detect.test_folds import CELLS, DOMAIN, grown

STATES = [*product(DOMAIN.values(), repeat=CELLS)]


def renamed(terms: Terms, term: Term, cells: dict[int, int]) -> Term:
    """A term with others in place of its cells, all at once."""
    return terms.substituted(term, {a: terms.cell(b) for a, b in cells.items()}, {})


def some_way(random: Random, one: Outline, other: Outline) -> Iterator[tuple[int, int]]:
    """The cells of an outline, each with one of another of the same shape; those that are alike in any order."""
    for first, second in zip(one.cells, other.cells, strict=True):
        yield from zip(first, random.sample(second, len(second)), strict=True)


def test_terms_of_one_shape_differ_in_their_cells_alone() -> None:
    """Random terms, and the same with their cells exchanged: equal values, wherever they have one shape."""
    pairs = alike = 0
    for seed in range(60):
        random = Random(seed)
        terms = Terms([DOMAIN] * CELLS)
        shapes = Shapes([tuple(DOMAIN.values())] * CELLS)
        some = [grown(random, terms, 2)[0] for _ in range(3)]
        every = [renamed(terms, t, dict(enumerate(p))) for t in some for p in permutations(range(CELLS))]
        for one, other in combinations(dict.fromkeys(every), 2):
            first, second = shapes.outline((one,), ()), shapes.outline((other,), ())
            pairs += 1
            if first.shape == second.shape:
                alike += 1
                instead = renamed(terms, one, dict(some_way(random, first, second)))
                evaluation = states_of(STATES).evaluation
                assert evaluation.value(instead) == evaluation.value(other), seed
    assert alike * 8 > pairs


def test_a_term_and_its_images_have_one_shape() -> None:
    """Whichever cells it is about; with other values it is another one."""
    terms = Terms([Domain("", 0, 3)] * 5)
    cells = [terms.cell(k) for k in range(5)]
    taken = [(0, 1, 2, 3)] * 4 + [(0, 1)]
    shapes = Shapes(taken)
    found = {
        shapes.outline((terms.equal(cells[i], terms.constant(1)), terms.at_most(terms.linear(0, others), cells[i])), ())
        for i in range(5)
        for others in [[(1, cells[k]) for k in range(5) if k not in (i, 4)]]
    }

    assert len({outline.shape for outline in found if outline.cells[0][0] < 4}) == 1
    assert len({outline.shape for outline in found}) == 2


def test_it_does_not_matter_which_of_many_cells_two_have_in_common() -> None:
    """Beside one another there are as many shapes for six cells as for nine: by how many cells they share."""
    found = []
    for many in (6, 9):
        terms = Terms([Domain("", 0, 1)] * many)
        shapes = Shapes([(0, 1)] * many)
        cells = [terms.cell(k) for k in range(many)]
        asked = [
            terms.conjunction((cells[i], terms.disjunction([c for k, c in enumerate(cells) if k != i])))
            for i in range(many)
        ]
        outlines = [shapes.outline((condition,), ()) for condition in asked]
        found.append({one.beside(other) for one in outlines for other in outlines})

    assert [len(some) for some in found] == [2, 2]
