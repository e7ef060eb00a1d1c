"""Runs that are others renamed: shown once to people, kept whole for machines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from burnside.cli.main import main

TEXT = """
process P = 0 .. 3; var x[P]: 0 .. 2;
rule up(i: P) when x[i] < 2 do { x[i] := x[i] + 1; }
invariant low(i: P): x[i] < 2;
reachable high(i: P): x[i] == 2;
"""


@pytest.fixture
def family(tmp_path: Path) -> Path:
    """A model with two families, each decided by one run."""
    path = tmp_path / "family.seq"
    path.write_text(TEXT)
    return path


def printed(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """What a command prints."""
    main([*map(str, words), "--quiet"])
    return capsys.readouterr().out


def test_the_text_has_one_run_and_one_line_for_each_other(family: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Verdicts come first; existential claims are reached likewise."""
    text = printed(capsys, "check", family)

    assert "low(3)   violated likewise: exchange P 0 and 3 in the run of low(0)" in text
    assert "high(3)  holds: reached likewise: exchange P 0 and 3 in the run of high(0)" in text
    assert text.count("initial state") == 2


def test_json_has_every_run(family: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With a word about those that are others renamed."""
    found = json.loads(printed(capsys, "check", family, "--json"))["properties"]

    assert [len(p["trace"]["steps"]) for p in found] == [2] * 8
    assert [p["trace"]["steps"][0]["event"] for p in found] == [f"up({k})" for k in (0, 1, 2, 3)] * 2
    assert "likewise" not in found[0]
    assert found[1]["likewise"] == {"run_of": "low(0)", "renaming": "exchange P 0 and 1"}


@pytest.mark.parametrize(("form", "runs"), [("github", 1), ("junit", 4), ("sarif", 4)])
def test_other_formats(form: str, runs: int, family: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Annotations stand side by side in one list; cases and results are looked at one by one."""
    assert printed(capsys, "check", family, "--format", form).count("initial state") == runs


def test_the_page_has_one_run_for_each_family(family: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And says how the others follow."""
    printed(capsys, "report", family, "-o", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()

    assert page.count('class="trace"') == 2
    assert "likewise: exchange P 0 and 2 in the run of low(0)" in page
