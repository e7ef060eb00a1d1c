"""Figures 3 and 4 and table 1 of Wahl 2007: states as they must be; times are shown by ``burnside bench``."""

from __future__ import annotations

from math import prod
from xml.etree import ElementTree

import pytest

from burnside.bench.adaptive import draw, measure, text_lines
from burnside.bench.tables import Row, read_table

TABLES = ("wahl2007-fig3", "wahl2007-fig4", "wahl2007-table1", "wahl2007-growth")


def closed_forms(sizes: tuple[int, ...]) -> dict[str, int]:
    """How many states there are, from the sizes of the classes."""
    low = [sum(sizes[c + 1 :]) for c in range(len(sizes))]
    kinds = [prod(m + 1 for m in sizes[c + 1 :]) for c in range(len(sizes))]
    return {
        "plain": 2 ** sum(sizes) + 3 * sum(m * 2 ** (m - 1) * 2**k for m, k in zip(sizes, low, strict=True)),
        "standard": prod(m + 1 for m in sizes) + 3 * sum(m * k for m, k in zip(sizes, kinds, strict=True)),
        "adaptive": sum(sizes) + 1 + 3 * sum(m * (k + 1) for m, k in zip(sizes, low, strict=True)),
    }


@pytest.mark.parametrize("name", TABLES)
def test_what_is_expected_follows_from_closed_forms(name: str) -> None:
    """No figure was copied from a run; what the paper prints agrees."""
    for row in read_table(name).rows:
        right = closed_forms(row.constants["SIZES"])

        assert {k: right[k] for k in row.expected} == row.expected
        assert {k: row.paper[k] for k in right if k in row.paper}.items() <= right.items()


@pytest.mark.parametrize("row", read_table("wahl2007-table1").rows, ids=lambda r: f"{r.system} {r.size}")
def test_table_1_is_reproduced(row: Row) -> None:
    assert measure(row)["adaptive"]["states"] == row.paper["adaptive"]


QUICK = [row for row in read_table("wahl2007-fig3").rows if row.expected["plain"] < 500_000]


@pytest.mark.parametrize("row", QUICK, ids=lambda r: f"{r.system} {r.size}")
def test_the_figures_are_reproduced(row: Row) -> None:
    assert measure(row)["agrees"]


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_all_rows_are_as_expected(name: str) -> None:
    assert all(measure(row)["agrees"] for row in read_table(name).rows)


def test_a_figure_is_drawn_with_every_point() -> None:
    """Two panels, three series of eight points each; the same rows give the same text."""
    table = read_table("wahl2007-fig3")
    rows = [
        {"system": r.system, "size": r.size, "paper": r.paper, "agrees": True}
        | {column: {"states": states, "seconds": 0.0} for column, states in r.expected.items()}
        for r in table.rows
    ]

    drawing = draw(table, rows)

    assert drawing is not None
    points = ElementTree.fromstring(drawing).findall(".//{*}circle/{*}title")
    assert len(points) == 2 * 3 * 8
    assert "adaptive, 18: 505" in [p.text for p in points]
    assert drawing == draw(table, rows)
    assert any("1,310,716 in 0.000 s (1,310,716)" in line for line in text_lines(rows))


def test_a_table_is_no_figure() -> None:
    rows = [{"system": "1, 1, ..., rest", "size": "k=2", "adaptive": {"states": 558}}]

    assert draw(read_table("wahl2007-table1"), rows) is None
