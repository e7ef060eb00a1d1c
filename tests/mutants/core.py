"""Deliberate breaks in canonical forms, planning, lifting, carry-over and emitted rules: who notices?

    python tests/mutants/core.py [NUMBER…]

copies the sources, breaks one place, and asks about models of about a thousand states, with the tests that every search
makes of itself and without them. Prints a line for each break: on how many models it changes an answer, and how
many of those the search stops at by itself.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

TESTS = Path(__file__).parents[1]
SOURCES = TESTS.parent / "src"


@dataclass(frozen=True)
class Mutant:
    """What is broken, where, and how."""

    name: str
    path: str
    old: str
    new: str


def mutants() -> list[Mutant]:
    """All breaks of ``core.toml``."""
    return [Mutant(**entry) for entry in tomllib.loads(Path(__file__).with_suffix(".toml").read_text())["mutant"]]


def answers(sources: Path, what: str) -> dict[str, dict[str, Any]]:
    """What some sources say, by model."""
    environment = {**os.environ, "PYTHONPATH": str(sources)}
    script = Path(__file__).with_name("core_answers.py")
    done = subprocess.run([sys.executable, script, what], env=environment, capture_output=True, text=True, check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {line.pop("model"): line for line in lines}


def broken(mutant: Mutant, copy: Path) -> None:
    """Break one place of a copy of the sources."""
    path = copy / "burnside" / mutant.path
    text = path.read_text()
    if text.count(mutant.old) < 1:
        raise SystemExit(f"'{mutant.name}': {mutant.path} has no such place any more")
    path.write_text(text.replace(mutant.old, mutant.new))


def judge(mutant: Mutant, right: dict[str, dict[str, Any]]) -> tuple[int, int]:
    """On how many models a break changes an answer, and how many of these the search refuses to answer by itself."""
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "src"
        shutil.copytree(SOURCES, copy, ignore=shutil.ignore_patterns("__pycache__"))
        broken(mutant, copy)
        untested, tested = answers(copy, "untested"), answers(copy, "tested")
    # Without an answer nobody is misled, and a break that ends in an exception is none that self-tests are for.
    wrong = [name for name in right if "answer" in untested.get(name, {}) and untested[name] != right[name]]
    caught = [name for name in wrong if "answer" not in tested.get(name, {}) or tested[name] == right[name]]
    return len(wrong), len(caught)


def main() -> int:
    """Judge the breaks with the given numbers, or all; the number of those that are not always caught."""
    every = mutants()
    right = answers(SOURCES, "tested")
    missed = 0
    for number in [int(text) for text in sys.argv[1:]] or range(len(every)):
        wrong, caught = judge(every[number], right)
        missed += caught < wrong
        sys.stdout.write(f"{number:3}  {every[number].name:52} {wrong:3} answers changed, {caught:3} caught\n")
        sys.stdout.flush()
    return missed


if __name__ == "__main__":
    sys.exit(main())
