"""Pages made from the code are up to date, and first pages stay short."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from markdown_pages import ROOT, generate

from burnside.bench import PUBLISHED, RUNNERS
from burnside.bench.differences import unexplained
from burnside.bench.suite import Suite
from burnside.cli.main import main
from burnside.source.codes import CODES


def test_the_page_of_diagnostics_is_up_to_date() -> None:
    """If this fails: run ``python docs/generate.py``."""
    assert generate.PAGE.read_text() == generate.diagnostics_page()


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="later versions of Python lay out the help differently")
def test_the_page_of_options_is_up_to_date() -> None:
    """If this fails: run ``python docs/generate.py``."""
    assert generate.OPTIONS.read_text() == generate.options_page()


def test_the_page_of_tables_is_up_to_date() -> None:
    """If this fails: run ``python docs/generate.py``."""
    assert generate.TABLES.read_text() == generate.benchmarks_page()


def test_the_page_of_other_tools_is_up_to_date() -> None:
    """If this fails: run ``python docs/generate.py``."""
    assert generate.PEER_TABLES.read_text() == generate.peers_page()


def test_the_page_of_the_corpus_is_up_to_date() -> None:
    """If this fails: run ``python docs/generate.py``."""
    assert generate.CORPUS.read_text() == generate.corpus_page()


SUITES = [
    pytest.param(PUBLISHED, generate.RESULTS, id="published"),
    pytest.param(generate.PEERS, generate.PEER_RESULTS, id="peers"),
]


@pytest.mark.parametrize(("suite", "path"), SUITES)
def test_what_was_measured_has_every_row_of_every_table(suite: Suite, path: Path) -> None:
    """Also those that take long; and all rows are as they should be."""
    results = json.loads(path.read_text())

    assert list(results["tables"]) == list(suite.runners)
    assert not any(results["left_out"].values())
    for name, rows in results["tables"].items():
        assert [(r["system"], r["size"]) for r in rows] == [(r.system, r.size) for r in suite.table(name).rows]
        assert all(row["agrees"] for row in rows), name


@pytest.mark.parametrize("name", RUNNERS)
def test_every_difference_from_a_paper_has_a_reason(name: str) -> None:
    """In the row for what is exact, in the table for the rest; the page shows them."""
    rows = json.loads(generate.RESULTS.read_text())["tables"][name]

    assert unexplained(PUBLISHED.table(name), PUBLISHED.figures(name, rows)) == []


def test_other_tools_were_there() -> None:
    """Their versions are recorded, and every row has a figure of one of them, unless they ran out of memory before."""
    results = json.loads(generate.PEER_RESULTS.read_text())

    assert "not installed" not in (results["machine"][tool] for tool in ("spin", "rumur", "gcc"))
    assert all(
        {"spin", "rumur"} & row["tools"].keys()
        for name, rows in results["tables"].items()
        for row in (rows if name != "memory" else {row["system"]: row for row in reversed(rows)}.values())
    )


@pytest.mark.parametrize("page", generate.RUNS, ids=lambda p: p.stem)
def test_what_commands_print_is_up_to_date(page: Path) -> None:
    """Apart from times. If this fails: run ``python docs/generate.py``."""
    text = page.read_text()

    assert "$ burnside check" in text
    assert generate.without_times(text) == generate.without_times(generate.with_output(text))


def test_times_are_not_compared() -> None:
    """And nothing else is left out."""
    text = "states       5\ntime         0.026 s, 1,595 states/s\nevents       6 states, 0.004 s, without symmetry\n"
    text += "             8 representatives, 0.069 µs each\n"

    kept = "states       5\ntime         …\nevents       6 states, …, without symmetry\n"
    assert generate.without_times(text) == kept + "             8 representatives, … each\n"


def test_the_picture_of_the_tutorial_is_up_to_date(tmp_path: Path) -> None:
    """It shows the same states and steps, wherever Graphviz puts them. If this fails: draw it as the tutorial says."""
    pytest.importorskip("pygraphviz")
    path = tmp_path / "quotient.svg"
    model = str(ROOT / "examples" / "tutorial" / "queue_lock.seq")

    assert main(["draw", model, "--what", "quotient", "-o", str(path)]) == 0
    shown, drawn = (
        sorted(re.findall(r"<text[^>]*>([^<]*)</text>", svg.read_text()))
        for svg in (ROOT / "docs" / "pictures" / "queue_lock_quotient.svg", path)
    )
    assert shown == drawn


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_has_an_example(code: str) -> None:
    """The page has a section for every code, and shows a text or a setting that causes it."""
    assert f"### {code}: {CODES[code]}\n" in generate.PAGE.read_text()
    assert generate.find_example(code) is not None


@pytest.mark.parametrize(("page", "most"), [("README.md", 150), ("ARCHITECTURE.md", 200)])
def test_first_pages_stay_short(page: str, most: int) -> None:
    """What is read first can be read in one go."""
    assert len((ROOT / page).read_text().splitlines()) <= most
