"""The examples in docstrings give what they say."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

import burnside

SRC = Path(burnside.__file__).parent
MODULES = sorted(
    ".".join(("burnside", *path.relative_to(SRC).with_suffix("").parts)).removesuffix(".__init__")
    for path in SRC.rglob("*.py")
    if "resources_" not in path.parts and ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings_are_right(name: str) -> None:
    """Each module with examples has some that are found, and none fails."""
    found = doctest.testmod(importlib.import_module(name))

    assert found.attempted > 0
    assert found.failed == 0


def test_examples_of_docstrings_are_found() -> None:
    assert len(MODULES) > 25
