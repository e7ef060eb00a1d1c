"""What differs in nothing but its cells is done once: the same results as one by one, and one object for all."""

from __future__ import annotations

import gc
from pathlib import Path
from random import Random

import pytest

from burnside.detect.relations import Column, Relation, Tables, tabulate
from burnside.detect.restriction import Allowed, Restriction
from burnside.detect.terms import Terms
from burnside.frontends.loading import load
from burnside.ir.instances import instances_of
from burnside.ir.nodes import Domain
from burnside.ir.simplify import Simplifier
from burnside.limits import without_collections
from unit.detect.test_masks import grown

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize("seed", range(40))
def test_tables_of_renamed_terms(seed: int) -> None:
    """Cells 4 to 7 are like 0 to 3, but for the last, which has one value less: without it, rows are shared."""
    random = Random(seed)
    terms = Terms([Domain("", 0, 2)] * 8)
    values = dict.fromkeys(range(8), (0, 1, 2)) | {7: (0, 1)}
    tables, shifted = Tables(values), {k: terms.cell(k + 4) for k in range(4)}
    for _ in range(8):
        condition, term = (grown(random, terms, 4, 2) for _ in range(2))
        others = [terms.substituted(t, shifted, {}) for t in (condition, term)]
        for width in (3, 4) if not (condition.support | term.support) >> 3 else (4,):
            here = tables.tabulate([condition], [(0, term)], range(width))
            there = tables.tabulate(others[:1], [(4, others[1])], range(4, 4 + width))

            assert here == tabulate([condition], [(0, term)], range(width), values)
            assert there == tabulate(others[:1], [(4, others[1])], range(4, 4 + width), values)
            assert width == 4 or there.rows is here.rows


def test_restricted_relations() -> None:
    """Values that cannot occur, a constant, and a write that changes nothing are left out; alike cells stay alike."""
    rows = tuple((old, other, old, new) for old in range(3) for other in range(2) for new in range(3))
    restriction = Restriction({1, 5}, {k: Allowed(frozenset({0, 1}), False) for k in (0, 4)} | {
        k: Allowed(frozenset({0, 2}), False) for k in (3, 7)})  # fmt: skip
    here, there = (
        restriction.of(Relation((Column(k), Column(k + 1), Column(k, True), Column(k + 3, True)), rows)) for k in (0, 4)
    )

    assert here == Relation((Column(0), Column(3, True)), ((0, 0), (0, 2), (1, 0), (1, 2)))
    assert there.columns == (Column(4), Column(7, True))
    assert there.rows is here.rows
    assert (
        restriction.of(Relation((Column(3), Column(1), Column(3, True), Column(2, True)), rows)).rows is not here.rows
    )


def test_simplified_parts_are_shared() -> None:
    """The guard of ``recolour`` does not depend on the new colour; each part is what it is by itself."""
    model = load(EXAMPLES / "zhang2013" / "two_hop_colouring.seq", {"N": 3}).model
    together = [*Simplifier(model, unroll=0).ground(instances_of(model))]
    alone = [next(Simplifier(model, unroll=0).ground([i])) for i in instances_of(model)]

    assert together == alone
    assert together[0].guard is together[1].guard is together[2].guard
    assert together[0].guard is not together[3].guard


def test_what_was_made_is_not_looked_through() -> None:
    """Enabling the collector must not start a collection of all that was made while it was off."""
    collections: list[str] = []
    gc.collect()
    gc.callbacks.append(lambda phase, _: collections.append(phase))
    try:
        with without_collections():
            made = [[k] for k in range(20_000)]
        assert gc.isenabled()
        assert not collections
    finally:
        gc.callbacks.pop()
    assert len(made) == 20_000
