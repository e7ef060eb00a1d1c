"""Pages made from the code are up to date, lengths are kept, and links and keys lead somewhere."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

import burnside
from burnside.bench import RUNNERS
from burnside.bench.tables import read_table
from burnside.source.codes import CODES

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs"))
import generate  # noqa: E402  (docs/generate.py)

PAGES = sorted((*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")))
THEORY = ROOT / "docs" / "theory"


def name_of(page: Path) -> str:
    """A page's path, for messages."""
    return str(page.relative_to(ROOT))


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


def test_the_page_of_tables_has_every_row_of_every_table() -> None:
    """Also those that take long; and all rows are as they should be."""
    results = json.loads(generate.RESULTS.read_text())["tables"]

    assert set(results) == set(RUNNERS)
    for name, rows in results.items():
        assert len(rows) >= len(read_table(name).rows), name
        assert all(row.get("agrees", True) for row in rows), name


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


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_has_an_example_or_a_remark(code: str) -> None:
    """The page has a section for every code, and it says more than the title."""
    assert f"### {code}: {CODES[code]}\n" in generate.PAGE.read_text()
    assert code in generate.REMARKS or generate.find_example(code) is not None


@pytest.mark.parametrize(("page", "most"), [("README.md", 150), ("ARCHITECTURE.md", 200)])
def test_first_pages_stay_short(page: str, most: int) -> None:
    """What is read first can be read in one go."""
    assert len((ROOT / page).read_text().splitlines()) <= most


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link names a file that exists."""
    prose = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", prose)

    assert not [link for link in links if "://" not in link and not (page.parent / link).exists()]


def test_keys_of_references_are_explained() -> None:
    """Every key such as [IpDill96] in the code and the documents has an entry."""
    key = r"\[([A-Z][A-Za-z]+\d{2})\]"
    entries = set(re.findall(rf"^\*\*{key}\*\*", (THEORY / "references.md").read_text(), re.MULTILINE))
    texts = (p.read_text() for p in (*PAGES, *Path(burnside.__file__).parent.rglob("*.py")))

    assert {found for text in texts for found in re.findall(key, text)} - entries == set()
