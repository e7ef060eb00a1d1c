"""Deliberate breaks are tried by hand; that each still has something to break is tested always."""

from __future__ import annotations

import pytest

from mutants.core import SOURCES, Mutant, mutants


@pytest.mark.parametrize("mutant", mutants(), ids=lambda mutant: mutant.name)
def test_what_is_to_be_broken_is_there(mutant: Mutant) -> None:
    """The place that an entry of ``core.toml`` names exists."""
    text = (SOURCES / "burnside" / mutant.path).read_text()

    assert mutant.old in text
    assert mutant.old != mutant.new
