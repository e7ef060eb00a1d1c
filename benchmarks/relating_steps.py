"""How long it takes to find out what steps have to do with one another: every example at its default size.

python -m benchmarks.relating_steps
"""

from __future__ import annotations

import time
from pathlib import Path

from burnside.claims.requirements import required_for_states
from burnside.decide.partial_order import plan_orders
from burnside.decide.workbench import Workbench
from burnside.frontends.loading import load_tasks
from burnside.reduce.partial_order.plan import Unsuited
from burnside.resources import resource_directory
from burnside.study import Study

SUFFIXES = (".seq", ".csp", ".rebeca", ".diagram")
MOST = 1.0  # seconds
_RUNS = 2


def relating(path: Path) -> tuple[float, str]:
    """The seconds for all claims about states of a model together, constraints not included; and what came of it."""
    seconds, said = 0.0, "nothing to decide by states"
    for task in load_tasks(path):
        members = Study(task).state_members()
        times = []
        for _ in range(_RUNS if members else 0):
            bench = Workbench(task.model)
            bench.symmetries().constrained(required_for_states(task.model, members))
            start = time.perf_counter()
            try:
                said = plan_orders(bench, members, None).reason
            except Unsuited as reason:
                said = str(reason)
            times.append(time.perf_counter() - start)
        seconds += min(times, default=0.0)
    return seconds, said


def main() -> None:
    """Print a line for each example, slowest first."""
    examples = resource_directory("examples")
    paths = sorted(path for path in examples.rglob("*") if path.suffix in SUFFIXES)
    found = sorted(((relating(path), path) for path in paths), reverse=True)
    for (seconds, said), path in found:
        print(f"{path.relative_to(examples)!s:44} {seconds:7.3f} s  {said}")
    slow = sum(seconds > MOST for (seconds, _), _ in found)
    print(f"{len(found)} examples, {slow} above {MOST:.0f} s")


if __name__ == "__main__":
    main()
