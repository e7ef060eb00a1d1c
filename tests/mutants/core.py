"""Deliberate breaks in canonical forms, planning, lifting, carry-over and emitted rules (`core.toml`): who notices?

    python tests/mutants/core.py [NUMBER…]

breaks one place of a copy of the sources, and asks about models of about a thousand states. Prints a line for each
break: on how many models it changes an answer, at how many of those the tests that every search makes of itself fail,
and the names of the others.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from breaks import SOURCES, answers, broken_sources, chosen, say


def by_model(sources: Path, cache: str) -> dict[str, dict[str, Any]]:
    """What some sources say, by model; what is compiled is shared, by its text."""
    return {line.pop("model"): line for line in answers(sources, "core_answers.py", cache)}


def main() -> int:
    """Judge the breaks with the given numbers, or all; the number of those that are not always caught."""
    missed = 0
    with TemporaryDirectory(prefix="mutants-") as cache:
        right = by_model(SOURCES, cache)
        for number, mutant in chosen("core"):
            with broken_sources(mutant) as sources:
                found = by_model(sources, cache)
            # Without an answer nobody is misled, and a break that ends in an exception is none that self-tests are for.
            answered = [name for name, said in found.items() if "answer" in said]
            changed = [name for name in answered if found[name]["answer"] != right[name]["answer"]]
            silent = [name for name in changed if not found[name]["self-test"]]
            missed += bool(silent)
            numbers = f"{len(changed):3} answers changed, {len(changed) - len(silent):3} caught"
            say(f"{number:3}  {mutant.name:60} {numbers}{': not ' if silent else ''}{', '.join(silent)}")
    return missed


if __name__ == "__main__":
    sys.exit(main())
