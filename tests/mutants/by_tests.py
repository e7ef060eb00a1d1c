"""Deliberate breaks of `core.toml`: do the tests notice?

    python tests/mutants/by_tests.py [NUMBER…]

runs the tests that compare modes, strategies and other judges on a copy of the sources with one break, until one fails.
Prints a line for each break with the test that noticed; the exit code is the number of those that none did.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from breaks import TESTS, broken_sources, chosen, say

ASKED = (
    "properties/test_strategies.py",
    "unit/explore/native/test_reduced_runs.py",
    "corpus",
    "properties/test_reduction.py",
    "properties/test_native_agrees.py",
    "properties/test_oracle.py",
    "properties/test_families.py",
    "unit/reduce/test_partial_order.py",
    "unit/decide",
    "unit/live",
)


def noticed(sources: Path, cache: str) -> str:
    """The first test that fails with some sources; empty if none does."""
    files = [str(TESTS / name) for name in ASKED]
    options = ["-x", "-q", "--no-header", "-m", "not slow", "-p", "no:cacheprovider", "--tb=no"]
    environment = {**os.environ, "PYTHONPATH": str(sources), "XDG_CACHE_HOME": cache}
    command = [sys.executable, "-m", "pytest", *options, *files]
    done = subprocess.run(command, env=environment, cwd=TESTS.parent, capture_output=True, text=True, check=False)
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return failed[0] if failed else "" if done.returncode == 0 else done.stdout[-200:]


def main() -> int:
    """Try the breaks with the given numbers, or all."""
    missed = 0
    with TemporaryDirectory(prefix="mutants-") as cache:
        for number, mutant in chosen("core"):
            with broken_sources(mutant) as sources:
                by = noticed(sources, cache)
            missed += not by
            say(f"{number:3}  {mutant.name:60} {by.split(' - ')[0] or 'not noticed'}")
    return missed


if __name__ == "__main__":
    sys.exit(main())
