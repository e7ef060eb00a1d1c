"""Petri nets beside published numbers, as a table.

    python -m tests.nets.figures --counts FOLDER/counts.csv --most 3000000
    python -m tests.nets.figures --counts FOLDER/counts.csv --least 3000000 --symmetry unique
    python -m tests.nets.figures --verdicts FOLDER/formulas/verdicts.csv --symmetry none
    python -m tests.nets.figures --random 1000

Every net is a process of its own, which a limit ends. Prints a line for each net or file of formulas: what was found,
and what is published if that is something else, and processor time; then how many are equal.
"""

from __future__ import annotations

import argparse
import csv
import json
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1]
BURNSIDE = (sys.executable, "-m", "burnside")
EXAMINATIONS = {
    "RC": "ReachabilityCardinality",
    "RF": "ReachabilityFireability",
    "UB": "UpperBounds",
    "LTLC": "LTLCardinality",
    "LTLF": "LTLFireability",
}


def run(command: Sequence[str], seconds: float, memory: str) -> dict[str, Any]:
    """The JSON that a command prints, or what became of it under ``error``."""
    limited = (*BURNSIDE, *command, "--json", "--quiet", "--time", str(seconds), "--memory", memory)
    try:
        done = subprocess.run(limited, capture_output=True, text=True, timeout=seconds + 60)
    except subprocess.TimeoutExpired:
        return {"error": "no answer"}
    try:
        answer = json.loads(done.stdout)
    except json.JSONDecodeError:
        told = f"{done.stderr.strip()[-300:]} ({len(done.stdout):,} characters, the last {done.stdout[-40:]!r})"
        return {"error": f"exit {done.returncode}: {told}"}
    if done.returncode not in (0, 1):
        told = [d["message"] for d in answer.get("diagnostics", ())]
        answer["error"] = f"exit {done.returncode}: {'; '.join(told) or answer.get('stopped', '')}"[:200]
    return dict(answer)


def _processor_time() -> float:
    """Seconds that commands have taken so far: the machine may be busy."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def rows_of(table: Path) -> list[dict[str, str]]:
    """The rows of a table."""
    with table.open() as file:
        return list(csv.DictReader(file))


# ---------------------------------------------------------------- sizes


def counts(table: Path, arguments: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """A line for each net of a table, and how it ended."""
    rows = [row for row in rows_of(table) if row["states"].isdigit()]
    for row in sorted(rows, key=lambda row: int(row["states"])):
        states = int(row["states"])
        path = table.parent / f"{row['net']}.pnml"
        if not arguments.least <= states <= arguments.most or not path.exists():
            continue
        if arguments.only and arguments.only not in row["net"]:
            continue
        yield _counted(path, row, arguments)


def _counted(path: Path, row: Mapping[str, str], arguments: argparse.Namespace) -> tuple[str, str]:
    start = _processor_time()
    command = ["count", str(path), "--symmetry", arguments.symmetry]
    found = run(command, arguments.seconds, arguments.memory)
    symmetry = found.get("symmetry") or {}
    full = symmetry.get("full_states") or found.get("states")
    told = [f"{row['net']:36}", f"{int(row['states']):>20,}", f"{found.get('states') or 0:>12,} stored"]
    wrong = []
    if "error" in found:
        wrong.append(found["error"])
    elif full != int(row["states"]):
        wrong.append(f"STATES {full}")
    if "error" not in found and arguments.symmetry == "none" and found["transitions"] != int(row["transitions"]):
        wrong.append(f"TRANSITIONS {found['transitions']} of {row['transitions']}")
    if "error" not in found and arguments.tokens:
        wrong += _tokens(path, row, arguments)
    told.append(f"group {symmetry.get('order', 1)} {symmetry.get('strategy', '')}")
    told.append(f"{_processor_time() - start:.1f} s")
    end = "equal" if not wrong else "wrong" if any(said.split()[0].isupper() for said in wrong) else "open"
    return "  ".join([*told, *wrong]), end


def _tokens(path: Path, row: Mapping[str, str], arguments: argparse.Namespace) -> list[str]:
    """What is wrong with the largest numbers of tokens in a place and in a marking."""
    code = "from nets.figures import print_tokens; print_tokens()"
    command = [sys.executable, "-c", code, str(path), arguments.symmetry]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=arguments.seconds * 2, cwd=TESTS)
    except subprocess.TimeoutExpired:
        return ["tokens: no answer"]
    wanted = [int(row["max_token_in_place"]), int(row["max_token_per_marking"])]
    try:
        found = json.loads(done.stdout)
    except json.JSONDecodeError:
        return [f"tokens: {done.stderr.strip()[-200:]}"]
    return [] if found == wanted else [f"TOKENS {found} of {wanted}"]


def print_tokens() -> None:
    """Print the most tokens of a place and of a marking that are reached in the net of a file."""
    from burnside.claims.kinds import Extreme
    from burnside.claims.task import Task
    from burnside.decide.modes import Mode
    from burnside.frontends.loading import load
    from burnside.ir.nodes import TRUE, Binary, Const, Expr, Read
    from burnside.study import Study

    model = load(Path(sys.argv[1])).model
    largest: Expr = Const(0)
    total: Expr = Const(0)
    for variable in model.variables:
        largest = Binary("max", largest, Read(variable.name))
        total = Binary("+", total, Read(variable.name))
    most = [variable.domain.high for variable in model.variables]
    sys.setrecursionlimit(100_000)
    claims = (
        Extreme("place", TRUE, largest, 0, max(most, default=0), False),
        Extreme("marking", TRUE, total, 0, sum(most), False),
    )
    report = Study(Task(model, claims)).check(mode=Mode(sys.argv[2]))
    sys.stdout.write(json.dumps([finding.value for finding in report.findings]))


# ---------------------------------------------------------------- verdicts


def verdicts(table: Path, arguments: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """A line for each file of formulas, and how it ended."""
    wanted: dict[tuple[str, str], dict[str, str]] = {}
    for row in rows_of(table):
        wanted.setdefault((row["net"], row["examination"]), {})[row["formula"]] = row["verdict"]
    for (net, examination), rows in wanted.items():
        path = table.parent.parent / f"{net}.pnml"
        file = table.parent / f"{net}-{EXAMINATIONS.get(examination, '')}.xml"
        if not path.exists() or (arguments.only and arguments.only not in f"{net}-{examination}"):
            continue
        if examination == "RD":
            yield _deadlock(path, rows, arguments)
        elif file.exists() and examination in EXAMINATIONS:
            yield _decided(path, file, rows, arguments)


def _options(arguments: argparse.Namespace) -> list[str]:
    asked = {"symmetry": arguments.symmetry, "partial-order": arguments.partial_order, "simplify": arguments.simplify}
    return [word for option, value in asked.items() for word in (f"--{option}", value)]


def _deadlock(path: Path, rows: Mapping[str, str], arguments: argparse.Namespace) -> tuple[str, str]:
    found = run(["check", str(path), *_options(arguments)], arguments.seconds, arguments.memory)
    verdict = {"violated": "TRUE", "holds": "FALSE"}.get(_verdicts(found).get("deadlockfree", ""), "")
    return _compared(f"{path.stem} RD", {next(iter(rows)): verdict}, rows, found)


def _decided(path: Path, file: Path, rows: Mapping[str, str], arguments: argparse.Namespace) -> tuple[str, str]:
    command = ["check", str(path), "--formulas", str(file), *_options(arguments)]
    start = _processor_time()
    found = run(command, arguments.seconds, arguments.memory)
    line, end = _compared(file.stem, _verdicts(found), rows, found)
    return f"{line}  {_processor_time() - start:.1f} s", end


def _verdicts(answer: Mapping[str, Any]) -> dict[str, str]:
    """Verdicts as they are published, by the names of claims."""
    words = {"holds": "TRUE", "violated": "FALSE", "unknown": ""}
    found = {}
    for entry in answer.get("properties", ()):
        value = entry.get("value")
        found[entry["name"]] = words[entry["verdict"]] if value is None else str(value)
        if entry["name"] == "deadlockfree":
            found[entry["name"]] = entry["verdict"]
    return found


def _compared(
    name: str, found: Mapping[str, str], rows: Mapping[str, str], answer: Mapping[str, Any]
) -> tuple[str, str]:
    ends = Counter("equal" if found.get(f) == v else "wrong" if found.get(f) else "open" for f, v in rows.items())
    wrong = [f"{f}: {found[f]}, not {v}" for f, v in rows.items() if found.get(f) and found[f] != v]
    told = [f"{name:56}", f"{ends['equal']:>3} of {len(rows)} equal", *wrong]
    if "error" in answer:
        told.append(answer["error"])
    return "  ".join(told), "wrong" if wrong else "equal" if ends["equal"] == len(rows) else "open"


# ---------------------------------------------------------------- random nets


def randoms(count: int) -> Iterator[tuple[str, str]]:
    """A line for each random net that is not as the judge says, and how all of them ended."""
    sys.path.insert(0, str(TESTS))
    from nets.comparing import COMPARISONS

    for compare in COMPARISONS:
        met: Counter[str] = Counter()
        for seed in range(count):
            try:
                met += compare(seed)
            except AssertionError as error:
                yield f"{compare.__name__} {seed}: {error}", "wrong"
            else:
                yield "", "equal"
        yield f"{compare.__name__}: {dict(met)}", "compared"


def parser() -> argparse.ArgumentParser:
    """What can be asked for."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--counts", type=Path, metavar="FILE", help="table of nets and their sizes")
    options.add_argument("--verdicts", type=Path, metavar="FILE", help="table of formulas and their verdicts")
    options.add_argument("--random", type=int, metavar="NUMBER", help="random nets and formulas beside the judge")
    options.add_argument("--symmetry", default="none")
    options.add_argument("--partial-order", default="off")
    options.add_argument("--simplify", default="off", help="nets of formulas in a simpler form")
    options.add_argument("--least", type=int, default=0, help="leave out nets with fewer states")
    options.add_argument("--most", type=int, default=3_000_000, help="leave out nets with more states")
    options.add_argument("--only", default="", help="only what has this in its name")
    options.add_argument("--tokens", action="store_true", help="largest numbers of tokens, too")
    options.add_argument("--seconds", type=float, default=600)
    options.add_argument("--memory", default="3G")
    return options


def lines_of(arguments: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """The lines of a table, and how each ended."""
    if arguments.random:
        return randoms(arguments.random)
    if arguments.counts:
        return counts(arguments.counts, arguments)
    return verdicts(arguments.verdicts, arguments)


def main() -> None:
    """Print the table."""
    ends: Counter[str] = Counter()
    for line, end in lines_of(parser().parse_args()):
        ends[end] += 1
        sys.stdout.write(f"{line}\n" if line else "")
        sys.stdout.flush()
    sys.stdout.write(", ".join(f"{count} {end}" for end, count in sorted(ends.items())) + "\n")


if __name__ == "__main__":
    main()
