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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from burnside import pipeline
from burnside.explore.native.run import SearchOptions
from burnside.ir.task import Task
from burnside.ir.temporal import Fairness

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


def run(command: Sequence[str], cwd: Path, environment: Mapping[str, str] | None = None) -> tuple[str, float]:
    """Output and processor time of a command."""
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(command, cwd=cwd, env=environment, stdout=output, stderr=subprocess.STDOUT)
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


# ---------------------------------------------------------------- claims about infinite runs, without symmetry


@dataclass(frozen=True)
class Instance:
    """A protocol of some size, in two texts of the same name; ``depth`` and ``table`` are what suits Spin best."""

    name: str
    text: str
    size: int
    depth: int
    table: int

    @property
    def model(self) -> str:
        """Where the model for Burnside is."""
        return f"examples/liveness/{self.text}.seq"

    def command(self, verb: str, *extra: str) -> list[str]:
        """A command of Burnside on the model."""
        return [sys.executable, "-m", "burnside", verb, self.model, "-D", f"N={self.size}", "--json", *extra]


@dataclass(frozen=True)
class RunClaim:
    """One claim about infinite runs; in Promela it has no argument, and is about process 0."""

    instance: Instance
    claim: str
    fairness: str
    holds: bool

    @property
    def name(self) -> str:
        """What the claim is called in the table."""
        return f"{self.instance.name} {self.claim}, {self.fairness}"

    def command(self) -> list[str]:
        """How a user decides the claim with Burnside, without symmetry."""
        options = ["--property", self.claim, "--fairness", self.fairness, "--symmetry", "none", "--threads", "1"]
        return self.instance.command("check", *options)


@dataclass(frozen=True)
class RunMeasure:
    """What one tool did with one claim: states of the product, processor time for searching and for the whole job."""

    tool: str
    claim: str
    holds: bool
    model_states: int
    states: int
    search_seconds: float
    whole_seconds: float


PETERSON_4 = Instance("Peterson 4", "peterson", 4, depth=10_000, table=18)
PETERSON_5 = Instance("Peterson 5", "peterson", 5, depth=200_000, table=20)
LEFT_HANDED_10 = Instance("left-handed 10", "left_handed_philosopher", 10, depth=300_000, table=20)
LEFT_HANDED_12 = Instance("left-handed 12", "left_handed_philosopher", 12, depth=3_000_000, table=22)

RUN_CLAIMS = (
    RunClaim(PETERSON_4, "served(0)", "weak", holds=True),
    RunClaim(PETERSON_5, "served(0)", "weak", holds=True),
    RunClaim(PETERSON_5, "served(0)", "none", holds=False),
    RunClaim(LEFT_HANDED_10, "finishes_meal(0)", "weak", holds=True),
    RunClaim(LEFT_HANDED_10, "everybody_eats(0)", "weak", holds=False),
    RunClaim(LEFT_HANDED_10, "somebody_eats", "none", holds=True),
    RunClaim(LEFT_HANDED_12, "somebody_eats", "none", holds=True),
)

_RUNS = 3  # the best counts


def runs_burnside(claim: RunClaim, scratch: Path) -> RunMeasure:
    """Decide a claim: the whole job as a user would, with an empty cache; the search by optimised code, like Spin's.

    Left to itself, Burnside searches small products by code that was not optimised, because that is built sooner.
    """
    model_states = json.loads(run(claim.instance.command("count"), ROOT)[0])["states"]
    jobs = [whole_job(claim, scratch / f"cache {k}") for k in range(_RUNS)]
    found, whole = json.loads(jobs[0][0]), min(seconds for _, seconds in jobs)
    holds, search = (
        found["properties"][0]["verdict"] == "holds",
        min(search_optimised(claim, scratch) for _ in range(_RUNS)),
    )
    return RunMeasure("burnside", claim.name, holds, model_states, found["states"], search, whole)


def whole_job(claim: RunClaim, cache: Path) -> tuple[str, float]:
    """Output and processor time of Burnside on a claim, with nothing cached but the byte code of Burnside itself."""
    cache.mkdir(mode=0o700)
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    byte_code = str(cache.with_name("byte code"))
    return run(claim.command(), ROOT, environment | {"BURNSIDE_CACHE": str(cache), "PYTHONPYCACHEPREFIX": byte_code})


def search_optimised(claim: RunClaim, scratch: Path) -> float:
    """Processor time of Burnside's search for a run that violates a claim."""
    instance = claim.instance
    model = pipeline.load(ROOT / instance.model, {"N": instance.size})
    reports = pipeline.check_tasks(
        [Task(model)],
        properties=[claim.claim],
        symmetry="none",
        fairness=Fairness(claim.fairness),
        options=SearchOptions(flags=("-O2",), cache=scratch / "cache 0"),
    )
    search = reports[0].claims[0].search
    assert search is not None
    return search.exploration.cpu_seconds


def runs_spin(claim: RunClaim, scratch: Path) -> RunMeasure:
    """Nested depth-first search without partial-order reduction, which leaves these products as they are."""
    instance = claim.instance
    limits = [f"-w{instance.table}", f"-m{instance.depth}"]
    generate = ["spin", f"-DN={instance.size}", "-a", str(HERE / f"{instance.text}.pml")]
    run(generate, scratch)
    run(["gcc", "-O2", "-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", "-o", "count", "pan.c"], scratch)
    counted, _ = run(["./count", "-E", *limits], scratch)
    room = f"-DNFAIR={(instance.size + 6) // 4}"  # for the processes and the claim
    build = ["gcc", "-O2", "-DNOREDUCE", room, "-o", "pan", "pan.c"]
    formula = claim.claim.partition("(")[0]
    search = ["./pan", "-a", "-N", formula, *limits, *(["-f"] if claim.fairness == "weak" else [])]
    jobs = [[run(command, scratch) for command in (generate, build, search)] for _ in range(_RUNS)]
    text = jobs[0][-1][0]
    if "max search depth too small" in text + counted:
        raise RuntimeError(f"{claim.name}: Spin needs a larger depth")
    holds = find(r"errors: (\d+)", text) == 0
    model_states, states = (int(find(r"([\d.e+]+) states, stored", output)) for output in (counted, text))
    searching = min(job[-1][1] for job in jobs)
    whole = min(sum(seconds for _, seconds in job) for job in jobs)
    return RunMeasure("spin", claim.name, holds, model_states, states, searching, whole)


def measure_runs(claims: Sequence[RunClaim]) -> list[RunMeasure]:
    """Both tools on the claims; both must explore the same model, and say what is right."""
    measures = []
    for claim in claims:
        with tempfile.TemporaryDirectory() as scratch:
            found = [runs_burnside(claim, Path(scratch))]
            if shutil.which("spin") is not None:
                found.append(runs_spin(claim, Path(scratch)))
        if len({m.model_states for m in found}) > 1 or any(m.holds != claim.holds for m in found):
            raise RuntimeError(f"the tools do not agree: {found}")
        measures += found
    return measures


def show_runs(measures: Sequence[RunMeasure]) -> None:
    """The third table: processor time for searching the product, and for the whole job."""
    ours = {m.claim: m for m in measures if m.tool == "burnside"}
    print("\nclaims about infinite runs, one thread, no symmetry; the whole job includes making the checker")
    heads = f"{'model':>10} {'product':>10} {'search s':>9} {'ours is':>9} {'whole s':>8} {'ours is':>9}"
    print(f"{'claim':<38} {'tool':<9} {'verdict':<9} {heads}")
    for m in measures:
        ratios = ["", ""]
        if m.tool != "burnside":
            mine = ours[m.claim]
            ratios = [
                f"{m.search_seconds / mine.search_seconds:.1f} x",
                f"{m.whole_seconds / mine.whole_seconds:.1f} x",
            ]
        verdict = "holds" if m.holds else "violated"
        figures = f"{m.search_seconds:>9.3f} {ratios[0]:>9} {m.whole_seconds:>8.2f} {ratios[1]:>9}"
        print(f"{m.claim:<38} {m.tool:<9} {verdict:<9} {m.model_states:>10,} {m.states:>10,} {figures}".rstrip())


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
    runs = measure_runs([c for c in RUN_CLAIMS if arguments.only in (None, c.name, c.instance.name)])
    if arguments.json:
        machine = {"machine": platform.machine(), "system": platform.platform(), "python": platform.python_version()}
        figures = {"machine": machine, "missing": missing, "measures": [asdict(m) for m in measures]}
        print(json.dumps(figures | {"symmetric": [asdict(m) for m in symmetric], "runs": [asdict(m) for m in runs]}))
        return
    show(measures)
    show_symmetric(symmetric)
    show_runs(runs)
    for name in missing:
        print(f"{name} is not installed: left out")


if __name__ == "__main__":
    main()
