"""What the sources at hand say about some models with symmetry, and with partial order, a JSON line for each.

python core_answers.py CACHE
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from burnside.claims.task import Task
from burnside.decide import partial_order, quotient
from burnside.decide.modes import Mode
from burnside.explore import replay
from burnside.explore.native import run
from burnside.explore.native.run import SearchOptions
from burnside.explore.orders import Orders
from burnside.frontends.loading import load
from burnside.reduce.reduction import SelfTestError
from burnside.report.json import check_object
from burnside.results.exploration import SelfTest, Stop
from burnside.study import Study

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
SIZES: dict[str, dict[str, Any]] = {
    "classics/filter_lock.seq": {"N": 4},
    "classics/fifo_allocator.seq": {"N": 3},
    "classics/two_phase_commit.seq": {"N": 4},
    "zhang2013/dining_philosophers.seq": {"N": 6},
    "zhang2013/peterson.seq": {"N": 3},
    "zhang2013/reader_writer.seq": {"N": 5},
    "zhang2013/token_circulation.seq": {"N": 5},
    "zhang2013/leader_ring.seq": {"N": 4},
    "zhang2013/two_hop_colouring.seq": {"N": 3},
    "zhang2013/three_tier.seq": {"CLIENTS": [2, 2]},
    "zhang2013/hanoi.seq": {"D": 4},
}


def models() -> Iterator[tuple[str, Task]]:
    """Examples of about a thousand states, and the models on which an answer was wrong once."""
    for name, sizes in SIZES.items():
        values = {k: tuple(v) if isinstance(v, list) else v for k, v in sizes.items()}
        yield name, load(EXAMPLES / name, values)
    for path in sorted((ROOT / "tests" / "corpus" / "models").glob("*.seq")):
        if "64_bits" not in path.name and "power_of_two" not in path.name:
            yield path.name, load(path)


def answer(task: Task, options: SearchOptions, failures: list[str]) -> dict[str, Any]:
    """What is said about the model if self-tests have no say, or why nothing is; and what they say.

    Verdicts, lengths of runs and the way a search ends are answers; with partial order, verdicts alone. Figures are if
    the search was complete: how many states it had seen before it met a fault depends on the order of the search, and
    nothing is promised about it.
    """
    failures.clear()
    try:
        study = Study(task, options)
        found = check_object([study.check(mode=Mode.UNIQUE)])
        counted = study.count(Mode.UNIQUE).exploration
        some = study.with_options(replace(options, partial_order=Orders.ON))
        in_some_orders = [(f.member.name, f.verdict.value) for f in some.check(mode=Mode.NONE).findings]
    except Exception as error:  # no user takes that for an answer
        return {"error": type(error).__name__}
    shown = [(p["name"], p["verdict"], p["trace"] and len(p["trace"]["steps"])) for p in found["properties"]]
    figures = (counted.states, counted.full_states, counted.depth, counted.deadlocks)
    told = [shown, counted.stop.value, figures if counted.stop is Stop.COMPLETE else None, in_some_orders]
    return {"answer": told, "self-test": list(failures)}


def noting(test: Callable[..., Any], failures: list[str], otherwise: Any) -> Callable[..., Any]:
    """A self-test whose failure is noted, and ends nothing."""

    def noted(*arguments: Any, **options: Any) -> Any:
        try:
            return test(*arguments, **options)
        except SelfTestError as failed:
            failures.append(str(failed))
            return otherwise

    return noted


def main() -> None:
    """Print answers."""
    failures: list[str] = []
    decides = replay.decides

    def decided(*arguments: Any, **options: Any) -> bool:
        if not decides(*arguments, **options):
            failures.append("a run does not decide its claim")
        return True

    replay.decides = decided
    run.Search.self_test = noting(run.Search.self_test, failures, SelfTest())  # type: ignore[method-assign]
    quotient.compare_with_plain = noting(quotient.compare_with_plain, failures, None)
    partial_order.compare_with_plain = quotient.compare_with_plain
    options = SearchOptions(flags=("-O0",), cache=Path(sys.argv[1]))
    for name, task in models():
        sys.stdout.write(json.dumps({"model": name, **answer(task, options, failures)}) + "\n")


main()
