"""Tables as they are read, and that they have every row that the papers print."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnside.bench import PUBLISHED, RUNNERS
from burnside.bench.tables import read_table, table_names

# The rows of the papers' tables, copied from the papers: systems with their sizes.
PRINTED = {
    "zhang2013-table1": {
        "reader-writer": ["3"],
        "Peterson": ["N=9", "N=12"],
        "prioritised allocator": ["CLASSES=2-2-3", "CLASSES=3-3-4"],
        "three-tiered architecture": ["CLIENTS=3-3-2", "CLIENTS=3-3-3", "CLIENTS=4-4-3"],
        "hypercube": ["D=5", "D=6"],
        "dining philosophers": ["N=10", "N=20"],
        "Milner's scheduler": ["N=10"],
        "two-hop colouring": ["N=9", "N=12"],
        "leader, complete graph": ["N=12", "N=15"],
        "leader, rooted tree": ["N=15", "N=19"],
        "leader, ring": ["N=9", "N=12"],
        "Hanoi": ["D=3", "D=6"],
        "social golfer": ["G=3, S=3, W=4"],
    },
    "zhang2013-table2": {
        "dining philosophers": ["N=10", "N=12", "N=14"],
        "three-tiered architecture": ["CLIENTS=3-3-2", "CLIENTS=3-3-3", "CLIENTS=4-4-3"],
        "two-hop colouring": ["N=3", "N=4", "N=5"],
    },
    "zhang2013-table3": {
        "dining philosophers": ["N=10", "N=12", "N=14"],
        "three-tiered architecture": ["CLIENTS=3-3-2", "CLIENTS=3-3-3", "CLIENTS=4-4-3"],
        "two-hop colouring": ["N=3", "N=4", "N=5"],
    },
    "wahl2007-fig2": {"readers and writers": ["3 processes"]},
    "wahl2007-fig3": {"classes of two": ["n=18"], "two classes": ["n=18"]},
    "wahl2007-fig4": {"classes of two": ["n=18"], "two classes": ["n=18"]},
    "wahl2007-table1": {
        f"{size}, {size}, ..., rest": [f"k={k}" for k in (2, 3, 5, 7, 10, 15, 20, 25)] for size in (1, 2)
    },
    "lin2016-table1": {
        system: [""]
        for system in (
            "Herman protocol",
            "Israeli-Jalfon protocol",
            "Gries's coffee can",
            "resource allocator",
            "dining philosophers",
        )
    },
    "jaghoori2005": {f"load balancer, {kind}": ["6 clients, 2 balancers, 3 servers"] for kind in ("static", "dynamic")},
}


@pytest.mark.parametrize("name", PRINTED)
def test_every_row_that_a_paper_prints_is_there(name: str) -> None:
    """And only those rows say that they are in the paper."""
    found: dict[str, list[str]] = {}
    for row in read_table(name).rows:
        if row.paper:
            found.setdefault(row.system, []).append(row.size)

    assert found == PRINTED[name]


def test_every_table_is_run() -> None:
    assert table_names() == sorted(RUNNERS)


@pytest.mark.parametrize("name", RUNNERS)
def test_a_table_says_what_it_is_and_keeps_quick_rows(name: str) -> None:
    """Names of rows tell them apart; ``--quick`` leaves something of every table."""
    table = PUBLISHED.table(name)

    assert table.notes
    assert len({row.name for row in table.rows}) == len(table.rows)
    assert table.quick().rows


def test_a_table_in_a_directory(tmp_path: Path) -> None:
    """Rows have names and sizes; those that take long can be left out."""
    (tmp_path / "mine.toml").write_text(
        'title = "Mine"\nnotes = ["a note"]\ndiffers = { seconds = "a reason" }\n'
        '[[row]]\nsystem = "ring"\nexample = "ring.seq"\nconstants = { N = [1, 2] }\nfull = 5\n'
        '[[row]]\nsystem = "ring"\nexample = "ring.seq"\nconstants = { N = 9 }\nfull = 7\nslow = true\n'
        'property = "served"\nfairness = "weak"\n'
    )

    table = read_table("mine", tmp_path)

    assert table_names(tmp_path) == ["mine"]
    assert (table.title, table.notes, table.differs) == ("Mine", ("a note",), {"seconds": "a reason"})
    assert [row.name for row in table.rows] == ["ring N=1-2", "ring N=9 served weak"]
    assert [row.expected["full"] for row in table.quick().rows] == [5]
