"""BLISS, without the package that it comes in."""

from __future__ import annotations

import subprocess
import sys

import pytest

OURS = """
from burnside.graph.automorphisms import count_automorphisms
from burnside.graph.coloured import ColouredGraph
print(count_automorphisms(ColouredGraph((0, 0, 0, 1), ((0, 1), (1, 2)))), 'igraph' in sys.modules)
"""
THEIRS = "import igraph; print(igraph.Graph.Ring(5).count_automorphisms())\n"


@pytest.mark.parametrize(
    ("script", "printed"), [(OURS + THEIRS, ["2", "False", "10"]), (THEIRS + OURS, ["10", "2", "True"])]
)
def test_the_package_can_be_used_beside_its_compiled_part(script: str, printed: list[str]) -> None:
    """It must not be initialised twice in one process, whoever comes first."""
    result = subprocess.run([sys.executable, "-c", "import sys\n" + script], capture_output=True, text=True, check=True)

    assert result.stdout.split() == printed
