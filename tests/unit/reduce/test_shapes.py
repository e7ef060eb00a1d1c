"""Shapes of terms: those of one shape are the same but for their cells, and most that are the same have one shape."""

from __future__ import annotations

from itertools import combinations, permutations, product
from random import Random

from burnside.detect.sample import states_of
from burnside.detect.terms import Term, Terms
from burnside.ir.nodes import Domain
from burnside.reduce.partial_order.shapes import Shapes
from unit.detect.test_folds import CELLS, DOMAIN, grown

STATES = [*product(DOMAIN.values(), repeat=CELLS)]


def renamed(terms: Terms, term: Term, cells: dict[int, int]) -> Term:
    """A term with others in place of its cells, all at once."""
    return terms.substituted(term, {a: terms.cell(b) for a, b in cells.items()}, {})


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
                instead = renamed(terms, one, dict(zip(first.cells, second.cells, strict=True)))
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

    assert len({outline.shape for outline in found if outline.cells[0] < 4}) == 1
    assert len({outline.shape for outline in found}) == 2
