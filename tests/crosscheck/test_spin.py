"""State counts against Spin on the protocols of the peer benchmark."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from burnside.decide.modes import Mode
from burnside.frontends.loading import load
from burnside.study import Study

PEERS = Path("benchmarks/peers").resolve()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("spin") is None, reason="spin is not installed")
@pytest.mark.parametrize(
    ("text", "example", "size"),
    [
        ("phil.pml", "zhang2013/dining_philosophers.seq", 12),
        ("filter.pml", "classics/filter_lock.seq", 6),
        ("alloc.pml", "classics/fifo_allocator.seq", 9),
    ],
)
def test_spin_finds_as_many_states(text: str, example: str, size: int, tmp_path: Path) -> None:
    """The same protocol has the same number of states in both tools."""
    subprocess.run(["spin", "-a", str(PEERS / text)], cwd=tmp_path, check=True, capture_output=True)
    flags = ["-O2", "-DSAFETY", "-DNOREDUCE", "-w"]
    subprocess.run(["cc", *flags, "-o", "pan", "pan.c"], cwd=tmp_path, check=True)
    command = ["./pan", "-E", "-w24", "-m3000000"]
    output = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout

    found = re.search(r"([\d.e+]+) states, stored", output)
    assert found is not None, output
    task = load(Path("examples") / example, {"N": size})
    assert Study(task).count(Mode.NONE).exploration.states == int(float(found[1]))
