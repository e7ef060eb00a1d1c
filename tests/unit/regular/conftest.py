"""The shipped systems, read once."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnside.regular.formats import load_system
from burnside.source import Source

EXAMPLES = Path(__file__).parents[3] / "examples" / "lin2016"


@pytest.fixture(scope="session")
def systems():
    """Every shipped regular system by name."""
    return {p.stem: load_system(Source(p.name, p.read_text())) for p in sorted(EXAMPLES.glob("*.regular"))}
