"""Running tools: processor time and memory of a command, texts of a size, versions."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, final

from burnside.bench.machine import first_line
from burnside.bench.tables import Row
from burnside.resources import resource_directory

HERE = Path(__file__).parent
RUNS = 3  # the best counts
NEARLY = 1.1  # ratios up to this are no difference

_Measured = TypeVar("_Measured")
Measure: TypeAlias = Callable[[Row, Path], dict[str, Any]]  # figures of one tool; it may write to the directory


class ToolError(Exception):
    """A tool did not do what it was run for."""


@final
@dataclass(frozen=True)
class Run:
    """What a command printed, its processor time, and the most memory it had; None where that is not known."""

    text: str
    cpu_seconds: float
    peak_bytes: int | None


def run(
    command: Sequence[str], cwd: Path, environment: Mapping[str, str] | None = None, *, may_fail: bool = False
) -> Run:
    """Run a command to its end. Checkers may fail: they say so by their exit code when a claim is violated."""
    peak = 0
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(command, cwd=cwd, env=environment, stdout=output, stderr=subprocess.STDOUT)
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            peak = max(peak, _peak_so_far(process.pid))
            time.sleep(0.005)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read()
    if process.returncode and not may_fail:
        raise ToolError(f"'{' '.join(command)}' failed: {text[-2000:]}")
    return Run(text, usage.ru_utime + usage.ru_stime, peak or None)


def _peak_so_far(pid: int) -> int:
    """The most memory that a process has had, in bytes. What `wait4` says counts its parent's, too."""
    try:
        found = re.search(r"^VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    except OSError:
        return 0
    return int(found[1]) << 10 if found else 0


def best(measure: Callable[[], _Measured], seconds: Callable[[_Measured], float]) -> _Measured:
    """The best of several runs."""
    return min((measure() for _ in range(RUNS)), key=seconds)


def find(pattern: str, text: str) -> float:
    """The number that a pattern captures in a tool's output."""
    match = re.search(pattern, text)
    if match is None:
        raise ToolError(f"no '{pattern}' in: {text[-2000:]}")
    return float(match[1].replace(",", ""))


def is_there(tool: str) -> bool:
    """Whether a tool is installed."""
    return shutil.which(tool) is not None


def versions() -> dict[str, str]:
    """The versions of the other tools, and of the compiler that they are given."""
    commands = {"spin": ["spin", "-V"], "rumur": ["rumur", "--version"], "gcc": ["gcc", "--version"]}
    return {name: first_line(command) or "not installed" for name, command in commands.items()}


def write_text(row: Row, suffix: str, directory: Path) -> str:
    """The protocol of a row in another language, in its size; the name of the file."""
    text = (HERE / f"{row.expected['text']}.{suffix}").read_text()
    for name, value in row.constants.items():
        text = re.sub(rf"(#define {name}|\b{name}:) \d+", rf"\g<1> {value}", text)
    path = directory / f"{row.expected['text']}.{suffix}"
    path.write_text(text)
    return path.name


def burnside_command(verb: str, row: Row, *extra: str) -> list[str]:
    """How a user asks Burnside."""
    definitions = [part for name, value in row.constants.items() for part in ("-D", f"{name}={value}")]
    example = str(resource_directory("examples") / row.example)
    return [sys.executable, "-m", "burnside", verb, example, *definitions, "--json", *extra]


def whole_job(command: Sequence[str], scratch: Path, searches: Path | None = None) -> Run:
    """Burnside with nothing cached but the byte code of Burnside itself and compiled ``searches``, if there are any.

    Afterwards ``searches`` has those that this model was linked with.
    """
    with tempfile.TemporaryDirectory(dir=scratch) as cache:  # nobody else may write there
        if searches is not None:
            shutil.copytree(searches, cache, dirs_exist_ok=True)
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        places = {"BURNSIDE_CACHE": cache, "PYTHONPYCACHEPREFIX": str(scratch / "byte code")}
        done = run(command, scratch, environment | places, may_fail=True)
        if searches is not None:
            for search in Path(cache).glob("*.o"):
                shutil.copy2(search, searches)
        return done


def ratio(other: float | None, ours: float | None) -> float | None:
    """How many times ours another tool's figure is; None if one of them is not known."""
    return round(other / ours, 2) if other and ours else None


def beside(row: Row, ours: Measure, name: str, theirs: Measure, compared: Iterable[str]) -> dict[str, dict[str, Any]]:
    """The figures of Burnside and, where it is installed, of another tool, with the ratios of some of them."""
    with tempfile.TemporaryDirectory() as scratch:
        tools = {"burnside": ours(row, Path(scratch))}
        if is_there(name):
            tools[name] = theirs(row, Path(scratch))
            for key in compared:
                tools[name][f"{key}_ratio"] = ratio(tools[name][key], tools["burnside"][key])
    return tools


def shown_ratio(value: float | None) -> str:
    """A ratio in a table."""
    return "" if value is None else f"{value:.1f} x"


def losses(rows: Iterable[dict[str, Any]], ratios: Mapping[str, str]) -> Iterator[str]:
    """Where another tool is better or about as good, by ratios (with what each is called) of the other to ours."""
    compared = [
        (figures[key], f"{what}, {' '.join((row['system'], row['size'], row.get('property', ''))).strip()}: {tool}")
        for row in rows
        for tool, figures in row["tools"].items()
        for key, what in ratios.items()
        if figures.get(key) is not None
    ]
    lost = [f"{place} takes {value:.2f} times as much as Burnside" for value, place in compared if value < 1 / NEARLY]
    even = [f"{place} takes {value:.2f} times as much" for value, place in compared if 1 / NEARLY <= value <= NEARLY]
    yield f"Of {len(compared)} comparisons Burnside loses {_listed(lost)}."
    yield f"About even (within a tenth) are {_listed(even)}."


def _listed(places: Sequence[str]) -> str:
    return f"{len(places)}: {'; '.join(places)}" if places else "none"
