"""Burnside beside Spin and Rumur on the same protocols, in one run, as ratios."""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


@dataclass(frozen=True)
class Protocol:
    """One protocol in three languages."""

    name: str
    example: str
    constants: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Measure:
    """What one tool did with one protocol."""

    tool: str
    protocol: str
    states: int
    cpu_seconds: float
    bytes_per_state: float | None
    note: str = ""

    @property
    def rate(self) -> float:
        """States per second of processor time."""
        return self.states / self.cpu_seconds


PROTOCOLS = (
    Protocol("philosophers 12", "examples/zhang2013/dining_philosophers.seq", ("N=12",), "phil_12"),
    Protocol("filter lock 6", "examples/classics/filter_lock.seq", ("N=6",), "filter_6"),
    Protocol("allocator 9", "examples/classics/fifo_allocator.seq", ("N=9",), "alloc_9"),
)

SYMMETRIC = (
    Protocol("filter lock 6", "examples/classics/filter_lock.seq", ("N=6",), "filter_6"),
    Protocol("allocator 10", "examples/classics/fifo_allocator.seq", ("N=10",), "alloc_10"),
)


def run(command: Sequence[str], cwd: Path) -> tuple[str, float]:
    """Output and processor time of a command."""
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(command, cwd=cwd, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        return output.read(), usage.ru_utime + usage.ru_stime


def find(pattern: str, text: str) -> float:
    """The number that a pattern captures in a tool's output."""
    match = re.search(pattern, text)
    if match is None:
        raise RuntimeError(f"no '{pattern}' in: {text[-2000:]}")
    return float(match[1].replace(",", ""))


def count_command(protocol: Protocol, *extra: str) -> list[str]:
    """How a user counts the states of a protocol with Burnside."""
    definitions = [part for c in protocol.constants for part in ("-D", c)]
    return [sys.executable, "-m", "burnside", "count", protocol.example, *definitions, "--json", *extra]


def burnside(protocol: Protocol, _: Path, *extra: str) -> Measure:
    """Count with Burnside, twice: the first run fills the cache of compiled checkers."""
    command = count_command(protocol, *extra)
    run(command, ROOT)
    found = json.loads(run(command, ROOT)[0])
    threads = f"{found['threads']} threads, {found['seconds']:.3f} s elapsed"
    return Measure("burnside", protocol.name, found["states"], found["cpu_seconds"], found["bytes_per_state"], threads)


def spin(protocol: Protocol, scratch: Path, *flags: str) -> Measure:
    """Depth-first search without partial-order reduction; with ``-DBFS`` breadth-first."""
    run(["spin", "-a", str(HERE / f"{protocol.text}.pml")], scratch)
    run(["gcc", "-O2", "-DSAFETY", "-DNOREDUCE", *flags, "-o", "pan", "pan.c"], scratch)
    text, cpu = run(["./pan", "-E", "-w24", "-m3000000"], scratch)
    states = find(r"([\d.e+]+) states, stored", text)
    memory = find(r"([\d.]+)\s+total actual memory usage", text) * (1 << 20)
    return Measure("spin bfs" if flags else "spin", protocol.name, int(states), cpu, memory / states)


def rumur(protocol: Protocol, scratch: Path) -> Measure:
    """Rumur with symmetry off, one thread."""
    states, _, cpu = rumur_run(protocol, scratch, "off")
    return Measure("rumur", protocol.name, states, cpu, None)


def rumur_run(protocol: Protocol, scratch: Path, symmetry: str) -> tuple[int, float, float]:
    """States, and processor time for making the checker and for running it."""
    options = [f"--symmetry-reduction={symmetry}", "--deadlock-detection=off", "--threads=1"]
    _, generating = run(["rumur", *options, "-o", "r.c", str(HERE / f"{protocol.text}.m")], scratch)
    compiler = ["gcc", "-std=c11", "-O3", "-march=native", "-mcx16", "-o", "r", "r.c", "-lpthread"]
    _, compiling = run(compiler, scratch)
    text, cpu = run(["./r"], scratch)
    return int(find(r"\t(\d+) states, \d+ rules fired in", text)), generating + compiling, cpu


# ---------------------------------------------------------------- with symmetry: everything from the text to the answer


def whole_burnside(protocol: Protocol, scratch: Path) -> Measure:
    """Reading, detecting, compiling and exploring, with an empty cache."""
    cache = scratch / "cache"
    cache.mkdir(mode=0o700)
    os.environ["BURNSIDE_CACHE"] = str(cache)
    try:
        text, cpu = run(count_command(protocol, "--symmetry", "unique"), ROOT)
    finally:
        del os.environ["BURNSIDE_CACHE"]
    found = json.loads(text)
    return Measure("burnside", protocol.name, found["states"], cpu, None, f"exploring {found['cpu_seconds']:.3f} s")


def whole_rumur(protocol: Protocol, scratch: Path) -> Measure:
    """Rumur's quickest symmetry mode: generating, compiling and exploring."""
    states, making, cpu = rumur_run(protocol, scratch, "heuristic")
    return Measure("rumur", protocol.name, states, making + cpu, None, f"exploring {cpu:.3f} s")


def measure_symmetric(protocols: Sequence[Protocol]) -> list[Measure]:
    """Both tools on the protocols with symmetry; nothing where Rumur is missing."""
    measures = []
    for protocol in protocols:
        with tempfile.TemporaryDirectory() as scratch:
            measures.append(whole_burnside(protocol, Path(scratch)))
            if shutil.which("rumur") is not None:
                measures.append(whole_rumur(protocol, Path(scratch)))
    return measures


def show_symmetric(measures: Sequence[Measure]) -> None:
    """The second table: processor time for the whole job."""
    ours = {m.protocol: m.cpu_seconds for m in measures if m.tool == "burnside"}
    print("\nwith symmetry, from the text to the answer")
    print(f"{'protocol':<16} {'tool':<9} {'states':>10} {'cpu s':>8} {'ours is':>9}")
    for m in measures:
        ratio = "" if m.tool == "burnside" else f"{m.cpu_seconds / ours[m.protocol]:.1f} x"
        print(f"{m.protocol:<16} {m.tool:<9} {m.states:>10,} {m.cpu_seconds:>8.3f} {ratio:>9}  {m.note}")


TOOLS: tuple[tuple[str, Callable[[Protocol, Path], Measure]], ...] = (("spin", spin), ("rumur", rumur))


def measure(protocols: Sequence[Protocol]) -> tuple[list[Measure], list[str]]:
    """Every tool on every protocol, and the tools that are missing."""
    missing = [name for name, _ in TOOLS if shutil.which(name) is None]
    measures = []
    for protocol in protocols:
        with tempfile.TemporaryDirectory() as scratch:
            measures.append(burnside(protocol, Path(scratch)))
            measures += [tool(protocol, Path(scratch)) for name, tool in TOOLS if name not in missing]
            measures.append(burnside(protocol, Path(scratch), "--threads", "2"))
    return measures, missing


def show(measures: Sequence[Measure]) -> None:
    """The table with ratios: how many times faster Burnside is on one thread."""
    ours = {m.protocol: m for m in reversed(measures) if m.tool == "burnside"}
    print(f"{'protocol':<16} {'tool':<9} {'states':>10} {'cpu s':>8} {'states/cpu s':>13} {'bytes':>6} {'ours is':>9}")
    for m in measures:
        ratio = "" if m.tool == "burnside" else f"{ours[m.protocol].rate / m.rate:.1f} x"
        memory = f"{m.bytes_per_state:.0f}" if m.bytes_per_state else ""
        figures = f"{m.states:>10,} {m.cpu_seconds:>8.3f} {m.rate:>13,.0f} {memory:>6} {ratio:>9}"
        print(f"{m.protocol:<16} {m.tool:<9} {figures}  {m.note}".rstrip())


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--only", help="run only the protocol with this name")
    arguments = parser.parse_args()
    measures, missing = measure([p for p in PROTOCOLS if arguments.only in (None, p.name)])
    symmetric = measure_symmetric([p for p in SYMMETRIC if arguments.only in (None, p.name)])
    if arguments.json:
        machine = {"machine": platform.machine(), "system": platform.platform(), "python": platform.python_version()}
        figures = {"machine": machine, "missing": missing, "measures": [asdict(m) for m in measures]}
        print(json.dumps(figures | {"symmetric": [asdict(m) for m in symmetric]}))
        return
    show(measures)
    show_symmetric(symmetric)
    for name in missing:
        print(f"{name} is not installed: left out")


if __name__ == "__main__":
    main()
