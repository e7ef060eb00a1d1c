"""What the sources at hand say about some models with symmetry, a JSON line for each.

python core_answers.py tested|untested
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from burnside.claims.task import Task
from burnside.decide.modes import Mode
from burnside.explore import replay
from burnside.explore.native import run
from burnside.explore.native.run import SearchOptions
from burnside.frontends.loading import load
from burnside.reduce.reduction import SelfTestError
from burnside.report.json import check_object
from burnside.results.exploration import SelfTest
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


def answer(task: Task, options: SearchOptions) -> dict[str, Any]:
    """What is said about the model, or why nothing is."""
    try:
        study = Study(task, options)
        found = check_object([study.check(mode=Mode.UNIQUE)])
        counted = study.count(Mode.UNIQUE).exploration
    except SelfTestError as failed:
        return {"self-test": str(failed)}
    except Exception as error:  # any other end is one that no user takes for an answer
        return {"error": type(error).__name__}
    shown = [(p["name"], p["verdict"], p["trace"] and len(p["trace"]["steps"])) for p in found["properties"]]
    return {"answer": [shown, counted.states, counted.full_states, counted.depth, counted.deadlocks]}


def main() -> None:
    """Print answers, with or without self-tests."""
    if sys.argv[1] == "untested":
        run.Search.self_test = lambda *_: SelfTest()  # type: ignore[method-assign]
        run._confirming = lambda *_: None
        replay.decides = lambda *_: True
    with TemporaryDirectory() as cache:
        options = SearchOptions(flags=("-O0",), cache=Path(cache))
        for name, task in models():
            sys.stdout.write(json.dumps({"model": name, **answer(task, options)}) + "\n")


main()
