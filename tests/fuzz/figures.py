"""Commands on damaged texts in every language, as figures.

    python -m tests.fuzz.figures --many 50000 --seed 0

Every text is loaded, and what loads is searched for symmetries and explored. Prints everything that should not be:
other exit codes, tracebacks, crashes, and texts that take more processor time or memory than any text may; then how the
commands ended, by language, and what they took at most.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

TESTS = Path(__file__).parents[1]
EXAMPLES = TESTS.parent / "examples" / "nets"
sys.path.insert(0, str(TESTS))

MOST_SECONDS, MOST_BYTES = 10, 1 << 30
ENDS = {0: "done", 1: "violated", 3: "refused", 4: "limit"}
LIMITS = ("--time", "5", "--memory", "700M")
SEARCHES = (("check",), ("check", "--symmetry", "unique"), ("detect", "--explain"), ("count", "--symmetry", "multi"))
PATTERNS = (
    ("check",),
    ("check", "--pattern", "reflection"),
    ("find", "--count", "3"),
    ("find", "--mode", "lifted"),
    ("find", "--mode", "catalogue"),
    ("image", "--pattern", "rotation@1"),
)
AT_ONCE = 250  # texts for one process, whose memory is measured


def damaged(seed: int, folder: Path) -> tuple[str, list[str]]:
    """The language of a damaged text, and a command about it."""
    from fuzz import texts

    chance = random.Random(f"fuzz {seed}")
    models = {".seq": texts.SEQ, ".csp": texts.CSP, ".rebeca": texts.REBECA, ".diagram": texts.DIAGRAM}
    models[".pnml"] = texts.PNML
    suffix = chance.choice([*models, ".regular"])
    path = folder / f"{seed}{suffix}"
    if suffix == ".regular":
        form = chance.choice(sorted(texts.REGULAR))
        path.write_text(texts.REGULAR[form].text(chance), errors="replace")
        command, *more = chance.choice(PATTERNS)
        return suffix, ["pattern", command, str(path), *more, *LIMITS]
    path.write_text(models[suffix].text(chance), errors="replace")
    if suffix == ".rebeca" and chance.random() < 0.25:
        path.with_suffix(".property").write_text(texts.PROPERTIES.text(chance), errors="replace")
    command, *more = chance.choice(SEARCHES)
    if suffix == ".pnml" and chance.random() < 0.25:
        path.write_text((EXAMPLES / "philosophers_5.pnml").read_text())
        formulas = path.with_suffix(".xml")
        formulas.write_text(texts.FORMULAS.text(chance), errors="replace")
        more.extend(("--formulas", str(formulas)))
    return suffix, [command, str(path), *more, *LIMITS]


# ---------------------------------------------------------------- a process for some texts


def seconds() -> float:
    """Processor time of this process and of the compilers it called."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def work(first: int, last: int) -> None:
    """A line for each text: before it is read, and when the command has ended."""
    from burnside.cli.main import main as burnside

    with TemporaryDirectory(prefix="fuzz-") as folder:
        for seed in range(first, last):
            suffix, command = damaged(seed, Path(folder))
            say(seed=seed, language=suffix, command=" ".join(command[:1] if command[0] != "pattern" else command[:2]))
            before = seconds()
            with redirect_stdout(StringIO()), redirect_stderr(StringIO()) as said:
                try:
                    code = burnside(command)
                except SystemExit as end:
                    code = end.code if isinstance(end.code, int) else 1
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
            told = said.getvalue() if code not in ENDS or "Traceback" in said.getvalue() else ""
            say(code=code, seconds=seconds() - before, memory=memory, said=told[-2000:])


def say(**facts: Any) -> None:
    """A line to the process that waits for it, whatever becomes of standard output."""
    assert sys.__stdout__ is not None
    sys.__stdout__.write(f"{json.dumps(facts)}\n")
    sys.__stdout__.flush()


# ---------------------------------------------------------------- all of them


def outcomes(
    first: int, many: int, worker: Sequence[str] = ("tests.fuzz.figures",), variables: Mapping[str, str] | None = None
) -> Iterator[dict[str, Any]]:
    """What came of each text; a process that dies is followed by another."""
    at, end = first, first + many
    environment = {**os.environ, **(variables or {})}
    while at < end:
        last = min(end, at + AT_ONCE)
        command = [sys.executable, "-m", *worker, "--work", str(at), str(last)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=TESTS.parent, env=environment)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        for asked, answered in zip(lines[::2], lines[1::2], strict=False):
            yield asked | answered
        if len(lines) % 2:
            said = done.stderr[-2000:]
            yield lines[-1] | {"code": f"died with {done.returncode}", "seconds": 0.0, "memory": 0, "said": said}
        at += max(1, (len(lines) + 1) // 2)


def main() -> None:
    """Ends with 1 if something should not be."""
    parser = argparse.ArgumentParser(description="Commands on damaged texts in every language, as figures.")
    parser.add_argument("--many", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--work", type=int, nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        work(*given.work)
        return
    ends: Counter[str] = Counter()
    commands: Counter[str] = Counter()
    worst_seconds, worst_memory, wrong = 0.0, 0, 0
    for found in outcomes(given.seed, given.many):
        ends[f"{found['language']}: {ENDS.get(found['code'], found['code'])}"] += 1
        commands[found["command"]] += 1
        worst_seconds, worst_memory = max(worst_seconds, found["seconds"]), max(worst_memory, found["memory"])
        is_right = found["code"] in ENDS and not found["said"]
        if not is_right or found["seconds"] > MOST_SECONDS or found["memory"] > MOST_BYTES:
            wrong += 1
            sys.stdout.write(f"seed {found['seed']}: {json.dumps(found)}\n")
            sys.stdout.flush()
    for title, counted in (("texts", ends), ("commands", commands)):
        sys.stdout.write(f"{counted.total()} {title}\n")
        for what, count in sorted(counted.items()):
            sys.stdout.write(f"  {count:>8}  {what}\n")
    taken = f"at most {worst_seconds:.1f} s of processor time, {worst_memory >> 20} MB"
    sys.stdout.write(f"{taken}; {wrong} that should not be\n")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
