"""Random models with parts beside the same flattened by hand, as figures.

    python -m tests.support.parted_figures --many 3000 --seed 0

States, transitions, verdicts and lengths of traces of both forms, and their groups: if these differ in order, because
more cells of one form are found to say the same, they have as many orbits. The reference semantics sees as many states
and transitions as native code. Prints what differs, and how often each construct was in a model compared.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from time import perf_counter

from burnside.claims.task import Task
from burnside.ir.cells import State
from burnside.ir.initial import initial
from burnside.ir.instances import valuation_count
from burnside.ir.nodes import Model
from burnside.ir.semantics import Fault, FaultRaised, successors
from burnside.study import Study
from support.brute_force import orbits_of

from .flattened import answers, task_of
from .parted_models import parted_model

MOST = 1_000  # states of a model that is compared
_EVALUATED = 60_000  # rule instances evaluated by the reference semantics, which takes some two seconds


def compare(seed: int) -> bool:
    """Whether a model was small enough to be compared; both its forms are the same."""
    made = parted_model(seed)
    task, flat = task_of(made.parted, made.constants), task_of(made.flat)
    seen = reached(task.model)
    if seen is None:
        return False
    states, transitions = seen
    found, wanted = answers(made.parted, made.constants), answers(made.flat)
    texts = f"seed {seed}\n{found}\n{wanted}\n{made.parted}\n{made.flat}"

    assert found.figures[:2] == wanted.figures[:2] == (len(states), transitions), texts
    assert found.verdicts == wanted.verdicts, texts
    if found != wanted:
        reached_of_flat = reached(flat.model)
        assert reached_of_flat is not None and orbits(task, states) == orbits(flat, reached_of_flat[0]), texts
    return True


def orbits(task: Task, states: set[State]) -> list[int]:
    """How many orbits some states have under all symmetries, and under those that keep each claim."""
    study = Study(task)
    selections = [[], *([claim.name] for claim in task.claims)]
    return [len(orbits_of(states, study.symmetries(names).detection.symmetry)) for names in selections]


def reached(model: Model) -> tuple[set[State], int] | None:
    """States and the number of transitions by the reference semantics; None if there are too many, or a fault."""
    most = min(MOST, _EVALUATED // max(1, sum(valuation_count(rule.parameters) for rule in model.rules)))
    try:
        seen = set(initial(model))
        pending: list[State] = list(seen)
        transitions = 0
        while pending and len(seen) <= most:
            for outcome in successors(model, pending.pop()):
                if isinstance(outcome, Fault):
                    return None
                transitions += 1
                if outcome.state not in seen:
                    seen.add(outcome.state)
                    pending.append(outcome.state)
    except FaultRaised:
        return None
    return (seen, transitions) if len(seen) <= most else None


def main() -> None:
    """Compare many models; ends with 1 if something is different."""
    parser = argparse.ArgumentParser(description="Random models with parts beside the same flattened, as figures.")
    parser.add_argument("--many", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    start = perf_counter()
    constructs: Counter[str] = Counter()
    compared = wrong = 0
    for seed in range(given.seed, given.seed + given.many):
        made = parted_model(seed)
        try:
            if compare(seed):
                compared += 1
                constructs += made.made_of
        except Exception as error:  # (one of them is to be shown, and the others compared)
            wrong += 1
            _say(f"seed {seed}: {type(error).__name__}: {error}")
        if (seed - given.seed) % 100 == 99:
            _say(f"{seed - given.seed + 1} models: {compared} compared, {wrong} different, {_since(start)}")
    _say(f"{given.many} models: {compared} compared, {wrong} different, {_since(start)}")
    for construct, many in sorted(constructs.items()):
        _say(f"  {construct}: {many}")
    sys.exit(wrong > 0)


def _since(start: float) -> str:
    return f"{perf_counter() - start:.0f} s"


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
