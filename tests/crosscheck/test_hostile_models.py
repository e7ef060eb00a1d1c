"""Models written to mislead the tool or to exhaust it: one answer in every mode, or a clear refusal, in little time.

The files are not part of the project; without them the tests are skipped. Run as a script, this prints a table.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[3] / "shared" / "models" / "attack"
FILES = (
    sorted(p for p in FOLDER.glob("*") if p.suffix in (".seq", ".csp", ".rebeca", ".regular"))
    if FOLDER.exists()
    else []
)
MODES = ("none", "unique", "multi", "auto", "adaptive")
MOST_SECONDS, MOST_BYTES = 10, 1 << 30


def run(path: Path, *words: str) -> tuple[int, str, str, float, int]:
    """Exit code, output, processor time and memory of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "burnside", *words, str(path)]
    watched = "import resource,subprocess,sys; c=subprocess.run(sys.argv[1:]).returncode; " + (
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10, file=sys.stderr); sys.exit(c)"
    )
    done = subprocess.run(
        [sys.executable, "-c", watched, *command], capture_output=True, text=True, check=False, env={**os.environ}
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    *errors, memory = done.stderr.splitlines()
    spent = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return done.returncode, done.stdout, "\n".join(errors), spent, int(memory)


def answer(path: Path, mode: str) -> tuple[dict[str, Any], float, int]:
    """What is said about a model in a mode, and what that takes."""
    code, out, errors, spent, memory = run(
        path, "check", "--symmetry", mode, "--time", "5", "--memory", "900M", "--json"
    )
    if code == 3 and not out:
        return {"refused": errors.splitlines()[0]}, spent, memory
    said = json.loads(out) if out else {}
    verdicts = {p["name"]: p["verdict"] for p in said.get("properties", ())}
    return {"exit": code, "verdicts": verdicts}, spent, memory


def pattern_answer(path: Path) -> tuple[int, str, float, int]:
    """What ``pattern find`` says of a regular system."""
    code, out, _, spent, memory = run(path, "pattern", "find", "--time", "5")
    return code, out, spent, memory


def modes_of(path: Path) -> tuple[str, ...]:
    """The modes that a language has."""
    return MODES if path.suffix == ".seq" else MODES[:-1]


@pytest.mark.skipif(not FILES, reason="the models are not here")
@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=[pytest.mark.slow] if k % 10 else [], id=path.name) for k, path in enumerate(FILES)],
)
def test_every_mode_says_the_same_or_refuses(path: Path) -> None:
    """And nothing takes more than ten seconds of processor time or a gigabyte."""
    if path.suffix == ".regular":
        code, _, spent, memory = pattern_answer(path)
        assert code in (0, 1, 4)
        assert spent < MOST_SECONDS + 3 and memory < MOST_BYTES
        return
    decided: dict[str, str] = {}
    for mode in modes_of(path):
        said, spent, memory = answer(path, mode)
        assert spent < MOST_SECONDS + 3, (mode, spent)
        assert memory < MOST_BYTES, (mode, memory)
        assert "refused" in said or said["exit"] in (0, 1, 3, 4), (mode, said)
        for name, verdict in said.get("verdicts", {}).items():
            if verdict != "unknown":
                assert decided.setdefault(name, verdict) == verdict, (mode, name)


def main() -> None:
    """A line for each file and mode."""
    for path in FILES:
        for mode in modes_of(path) if path.suffix != ".regular" else ("find",):
            if mode == "find":
                code, out, spent, memory = pattern_answer(path)
                said: Any = f"exit {code}: {' / '.join(out.splitlines()[:2])}"
            else:
                said, spent, memory = answer(path, mode)
            sys.stdout.write(f"{path.name:36} {mode:9} {spent:5.1f} s {memory >> 20:5} MB  {said}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
