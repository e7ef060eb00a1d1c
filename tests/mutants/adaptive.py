"""Deliberate breaks in the adaptive search (`adaptive.toml`): who notices?

    python tests/mutants/adaptive.py [NUMBER…]

breaks one place of a copy of the sources, and asks about random models with 500 to 1,500 states: of how many does the
answer change, and does the search's own test fail? Then small random models are compared with their explicit state
spaces (`support.annotated.compare`), as the tests do; self-tests have no say in that. Prints a line for each break.
"""

from __future__ import annotations

import pickle
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from breaks import SOURCES, TESTS, answers, broken_sources, chosen, say

sys.path.insert(0, str(TESTS))
from support.nearly_symmetric import random_model

# Seeds of random models that can be explored adaptively, which takes less than half a second, and do not fault.
LARGE = (5, 6, 13, 16, 28, 37, 38)
LARGE_OF_MANY = (5, 16, 17, 19, 20, 21)  # of four or five processes, and far fewer annotated states than states
SMALL = (0, 1, 3, 4, 5, 8, 9, 10, 11, 13, 14, 15, 16, 17, 18)
SCRIPT = "adaptive_answers.py"


def end_of(said: dict[str, Any], right: Any) -> str:
    """How a question to broken sources ends: what a user would see if self-tests had no say, and what they say."""
    wrong = "no answer" if "error" in said else "right" if said["answer"] == right else "wrong"
    return f"{wrong}, {'stopped' if said['self-test'] else 'not stopped'}"


def main() -> int:
    """Try the breaks with the given numbers, or all; the number of those that give a wrong answer."""
    missed = 0
    with TemporaryDirectory(prefix="mutants-") as folder:
        large, small = Path(folder) / "large", Path(folder) / "small"
        models = [random_model(seed, 1_500, 500)[0] for seed in LARGE]
        models += [random_model(seed, 1_500, 500, (4, 5))[0] for seed in LARGE_OF_MANY]
        large.write_bytes(pickle.dumps(models))
        small.write_bytes(pickle.dumps([random_model(seed) for seed in SMALL]))
        right = [said["answer"] for said in answers(SOURCES, SCRIPT, str(large))]
        say(f"of {len(models)} models: wrong answers, stopped by the self-test, errors; of {len(SMALL)}: seen by tests")
        for number, mutant in chosen("adaptive"):
            with broken_sources(mutant) as sources:
                found = answers(sources, SCRIPT, str(large), str(small))
            ends = Counter(map(end_of, found[: len(models)], right))
            seen = sum(map(bool, found[len(models) :]))
            stopped, silent = ends["wrong, stopped"], ends["wrong, not stopped"]
            errors = ends["no answer, stopped"] + ends["no answer, not stopped"]
            missed += silent > 0
            numbers = f"{stopped + silent:3} wrong, {stopped:3} stopped; {errors:3} errors; {seen:3} seen"
            early = f" ({ends['right, stopped']} stopped without need)" if ends["right, stopped"] else ""
            say(f"{number:3}  {mutant.name:55} {numbers}{early}")
    return missed


if __name__ == "__main__":
    sys.exit(main())
