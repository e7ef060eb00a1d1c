"""What `--partial-order auto` costs beside the better of `on` and `off`: examples that take more than half a second.

python -m benchmarks.racing_orders [RUNS]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

from burnside.claims.task import Task
from burnside.decide.modes import Mode
from burnside.explore.native.run import SearchOptions
from burnside.explore.orders import Orders
from burnside.frontends.loading import load, load_tasks
from burnside.limits import Deadline
from burnside.resources import resource_directory
from burnside.study import Study

SUFFIXES = (".seq", ".csp", ".rebeca")
ENOUGH = 0.5  # seconds
MOST = 1.3  # times the better of the others
_RUNS = 3
_LONGEST = 60.0  # seconds for one answer
# At their default sizes examples are decided in less time: these are not.
LARGER = (
    ("zhang2013/dining_philosophers.seq", {"N": 14}),
    ("zhang2013/dining_philosophers.seq", {"N": 16}),
    ("zhang2013/milner_scheduler.seq", {"N": 18}),
    ("classics/filter_lock.seq", {"N": 9}),
    ("classics/german.seq", {"N": 6}),
    ("classics/fifo_allocator.seq", {"N": 14}),
    ("classics/two_phase_commit.seq", {"N": 18}),
    ("zhang2013/peterson.seq", {"N": 9}),
    ("protocols/paxos_proposers.seq", {"PROPOSERS": 3}),
    ("protocols/raft_log.seq", {"LENGTH": 3}),
)


def timed(task: Task, orders: Orders) -> float:
    """Seconds from the model to the answer about all claims about states."""
    start = time.perf_counter()
    study = Study(task, SearchOptions(partial_order=orders, deadline=Deadline.after(_LONGEST)))
    study.decide(study.state_members(), Mode.AUTO, None)
    return time.perf_counter() - start


def measured(task: Task, runs: int) -> dict[Orders, float]:
    """The best time of each way; ways take turns. Nothing where that is no time to speak of, or where none ends."""
    found = {orders: timed(task, orders) for orders in Orders}  # the first compiles
    if min(found.values()) >= _LONGEST:
        return {}
    found = {orders: min(seconds, timed(task, orders)) for orders, seconds in found.items()}
    if max(found[Orders.AUTO], found[Orders.OFF]) < ENOUGH:
        return {}
    for _ in range(runs):
        found = {orders: min(seconds, timed(task, orders)) for orders, seconds in found.items()}
    return found


def all_tasks(examples: Path) -> list[tuple[str, Task]]:
    """Every example at its default size, and some that are larger."""
    paths = sorted(path for path in examples.rglob("*") if path.suffix in SUFFIXES)
    tasks = [(str(path.relative_to(examples)), task) for path in paths for task in load_tasks(path)]
    larger = [(f"{name} {sizes}", load(examples / name, sizes)) for name, sizes in LARGER]
    return [(name, task) for name, task in [*tasks, *larger] if Study(task).state_members()]


def main(arguments: Sequence[str]) -> None:
    """Print a line for each of those examples."""
    runs = int(arguments[0]) if arguments else _RUNS
    slow = many = 0
    for name, task in all_tasks(resource_directory("examples")):
        found = measured(task, runs)
        if not found:
            continue
        ratio = found[Orders.AUTO] / min(found[Orders.ON], found[Orders.OFF])
        many += 1
        slow += ratio > MOST
        times = "  ".join(f"{orders.value} {seconds:7.3f} s" for orders, seconds in found.items())
        print(f"{name:56} {times}  {ratio:5.2f}", flush=True)
    print(f"{many} examples that take more than {ENOUGH} s, {slow} above {MOST}")


if __name__ == "__main__":
    main(sys.argv[1:])
