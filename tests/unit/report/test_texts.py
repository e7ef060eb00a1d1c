"""Texts for a terminal: figures and nouns."""

from __future__ import annotations

import re
from pathlib import Path

from burnside.frontends.loading import load, load_tasks
from burnside.report.detection import detect_text
from burnside.report.json import check_object
from burnside.report.text import check_text
from burnside.study import Studies, Study

BROKEN = Path(__file__).parents[3] / "examples" / "tutorial" / "broken_lock.seq"
CONSTANT = """\
var fixed: bool = true;
var x: bool = false;
rule flip when fixed do { x := !x; }
"""


def test_a_search_is_as_deep_as_the_run_it_finds() -> None:
    """Also if it ends there and then."""
    reports = Studies.of(load_tasks(BROKEN, {})).check()

    text = check_text(reports)
    assert "is violated after 4 steps" in text
    assert re.search(r"^depth +4$", text, re.MULTILINE)
    assert check_object(reports)["depth"] == 4


def test_one_cell_is_no_cells(tmp_path: Path) -> None:
    (tmp_path / "model.seq").write_text(CONSTANT)

    found = Study(load(tmp_path / "model.seq", {})).symmetries()

    assert re.search(r"^left out +1 constant cell(,|$)", detect_text(found), re.MULTILINE)
