"""Groups by what they act upon: what is named is proved, and what is not a product of actions has no such name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from pathlib import Path

import pytest
from test_directed import load_task

from burnside.detect.actions import ActionFactor, name_action, values_text
from burnside.detect.run import detect
from burnside.detect.sorts import Sorts
from burnside.detect.symmetry import Symmetry
from burnside.frontends.loading import load as load_file
from burnside.groups import Perm, stabiliser_chain
from burnside.groups.names import structure_order
from burnside.ir.renaming import Sort
from burnside.study import Study
from support.thorough import some
from support.tiny_models import tiny_model

Moved = tuple[Sort, int, int]

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize(
    ("name", "action", "abstract"),
    [
        ("zhang2013/dining_philosophers.seq", "C10 (Phil)", None),
        ("zhang2013/token_circulation.seq", "C3 (Agent) × S2 (label)", None),
        ("zhang2013/hanoi.seq", "S2 (Peg middle, right)", None),
        ("zhang2013/three_tier.seq", "(S3 wr S2) (Client 0..5) × S2 (Client 6, 7)", None),
        ("zhang2013/two_hop_colouring.seq", "S3 (Agent) × S3 (Colour) × S2 (flag)", None),
        ("classics/german.seq", "S3 (Client) × S2 (Data)", "D6"),
        ("jaghoori2005/dining_philosophers.rebeca", "C3 (Rebec phil0, phil1, phil2)", None),
    ],
)
def test_groups_of_examples_are_named_by_what_they_act_upon(name: str, action: str, abstract: str | None) -> None:
    """The abstract name stands beside it only if it is not the same product."""
    report = Study(load_file(EXAMPLES / name)).symmetries()

    assert report.group_name == action
    assert report.abstract_name == abstract


def test_domains_that_extend_another_are_of_its_sort(tmp_path: Path) -> None:
    """Of data as of processes: what is exchanged is a Colour, in a cell that may have none as well."""
    text = """
        domain Colour = 0 .. 2; domain Maybe = Colour + { none };
        var one: Colour = *; var other: Maybe = none;
        rule take when other == none do { other := one; }
        rule give when other != none do { other := none; }
        """
    report = Study(load_task(text, tmp_path)).symmetries()

    assert report.group_name == "S3 (Colour)"
    assert {g.description for g in report.generators} == {
        "swaps the values 0 and 1 of Colour",
        "swaps the values 1 and 2 of Colour",
    }


def test_what_is_tied_together_is_named_once(tmp_path: Path) -> None:
    """Exchanging two seats takes their lamps along: one factor, not two."""
    text = """
        process Seat = 0 .. 2; process Lamp = 0 .. 2;
        var taken[Seat]: bool; var lit[Lamp]: bool;
        rule sit(s: Seat) when !taken[s] do { taken[s] := true; lit[ord(s)] := true; }
        """
    assert Study(load_task(text, tmp_path)).symmetries().group_name == "S3 (Seat)"


def test_actions_that_are_not_independent_are_not_a_product(tmp_path: Path) -> None:
    """An even number of three flags can be flipped: the actions are independent two by two, and not all three."""
    text = """
        var p: bool = *; var q: bool = *; var r: bool = *;
        initially p == (q == r);
        rule a do { p := !p; q := !q; }
        rule b do { q := !q; r := !r; }
        rule c when p == (q == r) do { q := !q; p := !p; }
        rule d do { p := !p; r := !r; p := !p; p := !p; }
        """
    report = Study(load_task(text, tmp_path)).symmetries()

    assert (report.order, report.action, report.group_name) == (4, None, "C2^2")


def test_little_work_gives_no_name() -> None:
    """The limit counts steps, and ends the naming without a wrong answer."""
    found = Study(load_file(EXAMPLES / "zhang2013/hypercube.seq")).symmetries().detection

    assert name_action(found.symmetry) is not None
    assert name_action(found.symmetry, limit=2_000) is None


@pytest.mark.parametrize("start", some(range(0, 400, 100)))
def test_named_actions_are_the_products_that_they_are_said_to_be(start: int) -> None:
    """All elements of groups of random models, one by one: every combination of what the factors do occurs once."""
    named = 0
    for seed in range(start, start + 100):
        found = detect(tiny_model(seed))
        if 1 < found.symmetry.order <= 200:
            named += name_action(found.symmetry) is not None
            assert _is_product(found.symmetry, [*stabiliser_chain(found.symmetry.group).elements()]), seed

    assert named > 10


def _is_product(symmetry: Symmetry, elements: Sequence[Perm]) -> bool:
    """Whether the named factors, if there are any, act as all combinations of what each of them does."""
    action = name_action(symmetry)
    if action is None:
        return True
    sorts = Sorts(symmetry.literals)
    seen = []
    for g in elements:
        moves = sorts.moves(g)
        seen.append(tuple(_on(sorts, moves, factor) for factor in action.factors))
    each = [set(column) for column in zip(*seen, strict=True)]
    sizes = [structure_order(f.structure) for f in action.factors]
    return (
        [len(s) for s in each] == sizes
        and prod(sizes) == len(elements) == len(set(seen))
        and set(seen) == set(product(*each))
    )


def _on(sorts: Sorts, moves: Mapping[Sort, Mapping[int, int] | None], factor: ActionFactor) -> tuple[Moved, ...]:
    """What an element does to the values of a factor."""
    return tuple(
        (m.sort, v, (moves.get(m.sort) or {}).get(v, v))
        for m in factor.moved
        for v in sorts.values(m.sort)
        if sorts.text(m.sort, v) in m.values
    )


def test_consecutive_numbers_are_ranges() -> None:
    """Labels are not numbers, and two of a kind are no range."""
    assert values_text({k: str(k) for k in (0, 1, 2, 3, 7)}) == "0..3, 7"
    assert values_text({k: f"c{k}" for k in range(9)}) == "c0, c1, c2, …, c8"
