"""Deliberate breaks are tried by hand; that each still has something to break is tested always."""

from __future__ import annotations

import pytest

from mutants.breaks import FILES, SOURCES, Mutant, mutants


@pytest.mark.parametrize("mutant", [m for file in FILES for m in mutants(file)], ids=lambda mutant: mutant.name)
def test_what_is_to_be_broken_is_there(mutant: Mutant) -> None:
    """The place that an entry names exists."""
    text = (SOURCES / "burnside" / mutant.path).read_text()

    assert mutant.old in text
    assert mutant.old != mutant.new
