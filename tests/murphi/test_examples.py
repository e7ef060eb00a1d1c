"""The examples: states and rules fired as Rumur counts them, with and without symmetry."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from burnside.decide.modes import Mode
from burnside.frontends.loading import load
from burnside.study import Study

EXAMPLES = Path(__file__).parents[2] / "examples" / "murphi"
needs_rumur = pytest.mark.skipif(not shutil.which("rumur"), reason="Rumur is not installed")


# Those of unions were counted by the interpreter: Rumur has none.
@pytest.mark.parametrize(
    ("name", "states", "fired", "orbits"),
    [("german", 27_513, 109_728, 4_947), ("mesi_directory", 506, 1_947, 113), ("mcs_lock", 704, 1_554, 122)],
)
def test_examples_have_the_states_that_others_count(name, states, fired, orbits):
    """Symmetry is found, and gives the quotient that declared symmetry gives."""
    study = Study(load(EXAMPLES / f"{name}.m"))

    assert study.symmetries().order == 6
    full = study.count(Mode.NONE).exploration
    assert (full.states, full.transitions) == (states, fired)
    assert study.count(Mode.UNIQUE).exploration.states == orbits


@needs_rumur
@pytest.mark.parametrize("name", ["german", "mesi_directory"])
@pytest.mark.parametrize("size", [2])
@pytest.mark.parametrize(("symmetry", "mode"), [("off", Mode.NONE), ("exhaustive", Mode.UNIQUE)])
def test_rumur_counts_the_same(tmp_path, name, size, symmetry, mode):
    """The other tool on the same text with another size."""
    text = (EXAMPLES / f"{name}.m").read_text().replace("N: 3;", f"N: {size};")
    (tmp_path / "model.m").write_text(text)

    counted = rumur(tmp_path, symmetry)

    own = Study(load(tmp_path / "model.m")).count(mode).exploration
    assert (own.states, own.transitions) == counted


def rumur(folder, symmetry):
    """States and rules fired."""
    checker = folder / "checker"
    command = ["rumur", "--quiet", "--symmetry-reduction", symmetry, "--threads", "1"]
    subprocess.run([*command, "--output", f"{checker}.c", "model.m"], check=True, cwd=folder)
    compiled = ["cc", "-std=c11", "-O1", "-w", "-mcx16", "-o", str(checker), f"{checker}.c", "-lpthread"]
    subprocess.run(compiled, check=True)
    shown = subprocess.run([str(checker)], capture_output=True, text=True, check=True).stdout
    states, fired = re.search(r"(\d+) states, (\d+) rules fired", shown).groups()
    return int(states), int(fired)
