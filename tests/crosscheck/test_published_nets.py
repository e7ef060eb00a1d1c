"""Numbers and verdicts of the Model Checking Contest: nobody could tune to them."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from nets import figures

FOLDER = Path(__file__).parents[3] / "shared" / "models" / "pnml"
COUNTS, VERDICTS = FOLDER / "counts.csv", FOLDER / "formulas" / "verdicts.csv"

pytestmark = pytest.mark.skipif(not COUNTS.exists(), reason="the models of the contest are not here")


def check(*options: str) -> None:
    """All lines of a table are right, and there are some."""
    table = ("--verdicts", str(VERDICTS)) if "--verdicts" in options else ("--counts", str(COUNTS))
    arguments = figures.parser().parse_args([*table, *(o for o in options if o != "--verdicts")])
    ends = list(_lines(arguments))

    assert ends
    assert [line for line, end in ends if end != "equal"] == []


def _lines(arguments: argparse.Namespace) -> list[tuple[str, str]]:
    return list(figures.lines_of(arguments))


def test_small_nets_have_the_published_sizes() -> None:
    check("--most", "170", "--tokens")


@pytest.mark.slow
@pytest.mark.parametrize("symmetry", ["none", "unique"])
def test_nets_have_the_published_sizes(symmetry: str) -> None:
    check("--most", "3000000", "--symmetry", symmetry)


@pytest.mark.parametrize("net", ["Referendum-PT-0020", "Sudoku-PT-AN04", "DiscoveryGPU-PT-08a"])
def test_orbits_stand_for_as_many_markings_as_are_published(net: str) -> None:
    """Far more than could be stored: they test symmetries, representatives and sizes of orbits together."""
    check("--most", "10000000000", "--only", net, "--symmetry", "unique")


def test_formulas_have_the_published_verdicts() -> None:
    check("--verdicts", "--only", "IOTPpurchase-PT-C01M01P01D01-R")


@pytest.mark.slow
@pytest.mark.parametrize("simplify", ["off", "on"])
@pytest.mark.parametrize("orders", ["off", "on"])
@pytest.mark.parametrize("symmetry", ["none", "unique"])
def test_all_formulas_have_the_published_verdicts(symmetry: str, orders: str, simplify: str) -> None:
    check("--verdicts", "--symmetry", symmetry, "--partial-order", orders, "--simplify", simplify)
