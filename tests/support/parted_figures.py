"""Random models with parts beside the same flattened by hand, as figures.

    python -m tests.support.parted_figures --many 3000 --seed 0

States, transitions, the group, verdicts and lengths of traces of both forms; the reference semantics sees as many
states and transitions as native code. Prints what differs, and how often each construct was in a model compared.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from time import perf_counter

from burnside.ir.cells import State
from burnside.ir.initial import initial
from burnside.ir.nodes import Model
from burnside.ir.semantics import Fault, FaultRaised, successors

from .flattened import answers, task_of
from .parted_models import parted_model

MOST = 1_000


def compare(seed: int) -> bool:
    """Whether a model was small enough to be compared; both its forms are the same."""
    made = parted_model(seed)
    seen = reached(task_of(made.parted, made.constants).model)
    if seen is None:
        return False
    found = answers(made.parted, made.constants)

    wanted = answers(made.flat)
    assert found == wanted, f"seed {seed}\n{found}\n{wanted}\n{made.parted}\n{made.flat}"
    assert found.figures[:2] == seen, f"seed {seed}\n{made.parted}"
    return True


def reached(model: Model) -> tuple[int, int] | None:
    """States and transitions by the reference semantics; None if there are too many, or a fault."""
    try:
        seen = set(initial(model))
        pending: list[State] = list(seen)
        transitions = 0
        while pending and len(seen) <= MOST:
            for outcome in successors(model, pending.pop()):
                if isinstance(outcome, Fault):
                    return None
                transitions += 1
                if outcome.state not in seen:
                    seen.add(outcome.state)
                    pending.append(outcome.state)
    except FaultRaised:
        return None
    return (len(seen), transitions) if len(seen) <= MOST else None


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
