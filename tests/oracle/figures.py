"""Random models against the interpreter, as figures.

    python -m tests.oracle.figures --many 2000 --seed 0
    python -m tests.oracle.figures --many 2000 --seed 0 --orders
    python -m tests.oracle.figures --many 2000 --seed 0 --slices
    python -m tests.oracle.figures --many 2000 --seed 0 --stores

Prints what was compared, by feature and mode, and every difference; models that differ are made small and kept.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from .compare import (
    EVERYTHING,
    STORES,
    UNIQUE,
    Comparison,
    Difference,
    Plan,
    Result,
    in_some_store,
    plan_for,
    plan_in_orders,
    plan_in_slices,
    plan_in_stores,
)
from .dead import model_with_dead
from .features import features_of
from .language import Model, text_of
from .minimise import smaller
from .models import random_model
from .orders import model_in_orders
from .tool import forget_models


def compare(seed: int, plan: Plan | None = None, *, detection: bool = False) -> tuple[Model, Result]:
    """One model, asked about as planned for its seed, or about its symmetries alone."""
    model = random_model(seed)
    return model, _compared(model, plan or in_some_store(plan_for(seed), seed), detection=detection)


def compare_orders(seed: int, plan: Plan | None = None) -> tuple[Model, Result]:
    """A model for partial order, asked about with it."""
    model = model_in_orders(seed)
    return model, _compared(model, plan or in_some_store(plan_in_orders(seed), seed))


def compare_slices(seed: int, plan: Plan | None = None) -> tuple[Model, Result]:
    """A model with variables that nothing depends on, asked about without them; what was added is counted."""
    model, added = model_with_dead(seed)
    result = _compared(model, plan or in_some_store(plan_in_slices(seed), seed))
    result.compared += Counter({f"models: {kind}": many for kind, many in added.items()})
    return model, result


def _compared(model: Model, plan: Plan, *, detection: bool = False) -> Result:
    """Nothing of one model is there for another, but compiled searches."""
    folder = Path(_scratch().name)
    try:
        comparison = Comparison(model, folder)
        return comparison.run_detection(plan) if detection else comparison.run(plan)
    finally:
        forget_models(folder)


@cache
def _scratch() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="oracle-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None)


def minimised(model: Model, difference: Difference, rows: int) -> Model:
    """A smaller model with the same difference."""
    command, shown, _ = difference.kind
    stored = [replace(m, store=store) for m in EVERYTHING.check for store in STORES]
    modes = tuple(m for m in stored if shown.split(",")[0] == str(m))
    if command == "detect":
        modes = UNIQUE[:1]
    plan = Plan(
        modes if command in ("count", "detect") else (),
        modes if command in ("check", "detect") else (),
        modes if command == "ltl" else (),
        rows=rows,
    )

    def still_differs(candidate: Model) -> bool:
        return any(d.kind == difference.kind for d in _compared(candidate, plan).differences)

    return smaller(model, still_differs)


def main() -> None:
    """Compare many models; ends with 1 if something is different."""
    parser = argparse.ArgumentParser(description="Random models against the interpreter, as figures.")
    parser.add_argument("--many", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every", action="store_true", help="every mode for every model")
    parser.add_argument("--detection", action="store_true", help="symmetries alone: nothing is compiled")
    parser.add_argument("--orders", action="store_true", help="models for partial order, and nothing but that")
    parser.add_argument("--slices", action="store_true", help="models with variables that nothing depends on")
    parser.add_argument("--stores", action="store_true", help="each model in every store, with one thread and two")
    parser.add_argument("--keep", type=Path, help="a folder for models that differ, made small")
    given = parser.parse_args()
    start = perf_counter()
    compared: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    features: Counter[str] = Counter()
    strategies: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    claims = 0
    for seed in range(given.seed, given.seed + given.many):
        planned = plan_in_orders if given.orders else plan_in_slices if given.slices else plan_for
        plan = EVERYTHING if given.every else in_some_store(planned(seed), seed)
        if given.stores:
            plan = plan_in_stores(seed)
        if given.orders:
            model, result = compare_orders(seed, plan)
        elif given.slices:
            model, result = compare_slices(seed, plan)
        else:
            model, result = compare(seed, plan, detection=given.detection)
        compared += result.compared
        refused += result.refused
        strategies += result.strategies
        features.update(features_of(model))
        claims += result.claims
        for kind, difference in {d.kind: d for d in result.differences}.items():
            kinds[" ".join(kind)] += 1
            sys.stdout.write(f"seed {seed}: {difference}\n")
            sys.stdout.flush()
            if given.keep and kinds[" ".join(kind)] <= 2:
                _keep(
                    given.keep / f"{seed}_{'_'.join(kind).replace(' ', '_').replace(',', '')}.seq",
                    model,
                    difference,
                    plan.rows,
                )
    _print(f"{given.many} models", features)
    _print(f"{claims} claims, {compared.total()} comparisons: by mode", _summed(compared, 0))
    _print("by figure", _summed(compared, 1))
    _print(f"{strategies.total()} explorations with symmetry", strategies)
    _print(f"{refused.total()} times nothing to compare", refused)
    _print(f"{kinds.total()} differences", kinds)
    sys.stdout.write(f"{perf_counter() - start:.0f} s\n")
    sys.exit(1 if kinds else 0)


def _keep(path: Path, model: Model, difference: Difference, rows: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"// {difference}\n{text_of(minimised(model, difference, rows))}")


def _summed(compared: Counter[str], part: int) -> Counter[str]:
    """Counts of "mode: figure" by one of the two."""
    result: Counter[str] = Counter()
    for what, count in compared.items():
        result[what.partition(": ")[2 * part]] += count
    return result


def _print(title: str, counted: Counter[str]) -> None:
    sys.stdout.write(title + "\n")
    for what, count in sorted(counted.items()):
        sys.stdout.write(f"  {count:>8}  {what}\n")


if __name__ == "__main__":
    main()
