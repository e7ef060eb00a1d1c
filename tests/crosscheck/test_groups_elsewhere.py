"""Group orders and automorphisms against other people's programs."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from sympy.combinatorics import Permutation, PermutationGroup

from burnside.frontends.loading import load
from burnside.graph.coloured import dimacs_text
from burnside.groups.gap import gap_text
from burnside.ir.nodes import Value
from burnside.results.detection import DetectReport
from burnside.study import Study

SMALL: list[tuple[str, dict[str, Value]]] = [
    ("token_circulation", {"N": 5}),
    ("reader_writer", {}),
    ("peterson", {"N": 4}),
    ("resource_allocator", {"CLASSES": (2, 2, 3)}),
    ("three_tier", {"CLIENTS": (3, 3, 2)}),
    ("hypercube", {"D": 3}),
    ("dining_philosophers", {"N": 10}),
    ("milner_scheduler", {"N": 5}),
    ("two_hop_colouring", {"N": 4}),
    ("leader_tree", {"N": 11}),
    ("hanoi", {"D": 3}),
]


def detected(name: str, constants: dict[str, Value]) -> DetectReport:
    return Study(load(Path(f"examples/zhang2013/{name}.seq"), constants)).symmetries()


@pytest.mark.parametrize(("name", "constants"), SMALL, ids=lambda x: str(x))
def test_sympy_finds_the_same_order(name: str, constants: dict[str, Value]) -> None:
    """The order from the same generators, by sympy's own Schreier–Sims."""
    group = detected(name, constants).detection.symmetry.group
    theirs = PermutationGroup([Permutation(list(g)) for g in group.generators] or [Permutation(group.degree - 1)])

    assert group.order == theirs.order()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bliss") is None, reason="Debian's bliss is not installed")
@pytest.mark.parametrize(("name", "constants"), SMALL, ids=lambda x: str(x))
def test_bliss_finds_the_same_automorphisms(name: str, constants: dict[str, Value], tmp_path: Path) -> None:
    """Debian's bliss on the written graph."""
    report = detected(name, constants)
    path = tmp_path / "graph.dimacs"
    path.write_text(dimacs_text(report.detection.encoding.graph))
    output = subprocess.run(["bliss", str(path)], capture_output=True, text=True, check=True).stdout

    found = re.search(r"\|Aut\|:\s*(\d+)", output)
    assert found is not None, output
    assert int(found[1]) == report.detection.symmetry.order


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gap") is None, reason="GAP is not installed")
@pytest.mark.parametrize(("name", "constants"), SMALL, ids=lambda x: str(x))
def test_gap_finds_the_same_order(name: str, constants: dict[str, Value], tmp_path: Path) -> None:
    """GAP on the written generators."""
    report = detected(name, constants)
    path = tmp_path / "group.g"
    path.write_text(gap_text(report.detection.symmetry.group) + 'Print("order ", Size(G), "\\n");\nQUIT;\n')
    output = subprocess.run(["gap", "-q", str(path)], capture_output=True, text=True, check=True).stdout

    assert f"order {report.detection.symmetry.order}" in output
