"""Canonical forms on random actions, judged by brute force, as figures.

    python -m tests.fuzz.actions --many 500

So many actions of each kind (or of those that are named) are explored by the method that is chosen for them, by
partition refinement where it applies, and by what is chosen if some methods are left out. There must be one stored
state for each orbit, and sizes of orbits must add up to the number of states. Prints every action for which that is not
so; then, by kind, which methods were used how often, and the processor time.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))


def main() -> None:
    """Read arguments, judge, print."""
    from burnside.reduce.reduction import SelfTestError
    from support.actions import judge_kind
    from support.literal_actions import KINDS

    parser = argparse.ArgumentParser(description="Canonical forms on random actions, judged by brute force.")
    parser.add_argument("--many", type=int, default=500, help="actions of each kind")
    parser.add_argument("--first", type=int, default=0, help="seed of the first")
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"one of: {', '.join(KINDS)} (default: all)")
    arguments = parser.parse_args()
    wrong = 0
    for kind in arguments.kinds or KINDS:
        used: Counter[str] = Counter()
        failed, started = 0, _processor_time()
        with TemporaryDirectory(prefix="actions-") as folder:
            for seed in range(arguments.first, arguments.first + arguments.many):
                try:
                    used.update(strategy.name for strategy in judge_kind(kind, seed, Path(folder)))
                except (AssertionError, SelfTestError) as error:
                    failed += 1
                    _say(f"{kind} {seed}: {error}")
        wrong += failed
        methods = ", ".join(f"{name} {number}" for name, number in used.most_common())
        seconds = _processor_time() - started
        _say(f"{kind:<17} {arguments.many:>4} actions, {failed} wrong, {seconds:6.0f} s: {methods}")
    sys.exit(1 if wrong else 0)


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _processor_time() -> float:
    """Of this process and of the compilers that it has waited for."""
    return sum(os.times()[:4])


if __name__ == "__main__":
    main()
