"""Deliberate breaks in the adaptive search: who notices?

    python tests/mutants/adaptive.py

copies the sources, breaks one place, and asks about random models with 500 to 1,500 states: of how many does the answer
change, and does the search's own test stop it? Then small random models are compared with their explicit state spaces
(`support.annotated.compare`), with the self-test switched off. Prints a line for each break.
"""

from __future__ import annotations

import json
import os
import pickle
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

TESTS = Path(__file__).parents[1]
SOURCES = TESTS.parent / "src"
FOLDER = Path("burnside") / "adaptive"
LARGE, SMALL = 10, 24


@dataclass(frozen=True)
class Mutant:
    """What is broken, where, and how."""

    name: str
    module: str
    old: str
    new: str


MUTANTS = (
    Mutant("meets are too coarse", "cover", "cells = meet(self.all[p], self.all[q])", "cells = self.all[p]"),
    Mutant("relations tell nothing apart", "relations", "return bool(np.array_equal(first, second))", "return True"),
    Mutant(
        "an element with an index bound inside is one argument",
        "relation_finder",
        "return name in self._holders and not free_names(expr) & inside",
        "return name in self._holders",
    ),
    Mutant(
        "variables that hold some ids hold all",
        "relation_finder",
        "if not set(self.view.ids) <= set(domain.values()):",
        "if False:",
    ),
    Mutant("names are taken as they are spelt", "actions", "rule = with_own_names(rule)", "rule = rule"),
    Mutant("exchanges are not compared", "exchange", "if effects[0] != effects[1] and", "if False and"),
    Mutant("only actors are exchanged", "exchange", "if p != q\n", "if False\n"),
    Mutant("whole states are not compared", "exchange", "if _key(before) != _key(after):", "if False:"),
    Mutant("one class of actors is enough", "edges", "if edge.is_dead:", "if edge.is_dead or groups:"),
    Mutant(
        "joined edges keep the first base",
        "edges",
        "base = syntactic_partition(view, action.relations, action.actor, actors)\n    return Edge(view, action, mask",
        "base = edges[0].base\n    return Edge(view, action, mask",
    ),
    Mutant(
        "cells that straddle need not be uniform",
        "cover",
        "straddling(other, partition) & mixed:\n                continue",
        "False:\n                continue",
    ),
    Mutant("nearer states are dropped", "cover", "if bucket.depth != depth:", "if bucket.depth == -1:"),
    Mutant("hosts are compared the wrong way", "cover", "if hosts & ~known or", "if known & ~hosts or"),
    Mutant("a distribution is left out", "unwind", "in range(low, high + 1):", "in range(low, max(low + 1, high)):"),
    Mutant("two local states are spread once", "unwind", "min(most[0], size - least[1]) + 1):", "low + 1):"),
    Mutant("the actor counts as another process", "profiles", "total = self.first[number]", "total = 0"),
    Mutant("flags of others stay up", "profiles", "if old[f] == view.held != new[f])", "if False)"),
    Mutant("one process answers for all", "profiles", "total += count * self", "total += self"),
    Mutant(
        "processes start in one cell whatever their flags",
        "initial",
        "starts.setdefault((*(choices[c] for c in cells), *flags), [])",
        "starts.setdefault((*(choices[c] for c in cells), *((f and (0,)) for f in flags)), [])",
    ),
    Mutant(
        "rules are joined by their guards", "joining", "(general[0].guard, general[0].body)", "(general[0].guard, 0)"
    ),
    Mutant("a ban holds for the actor, too", "spreading", "return int(part == cell and state == local)", "return 0"),
    Mutant("deadlocks are not looked for", "search", "if not is_live:", "if False:"),
    Mutant(
        "goals are tested on one arrangement",
        "search",
        "refined, parts = self.partitions.meet(own, self._numbers[id(goal)])",
        "refined, parts = own, tuple((k,) for k in range(len(spread)))",
    ),
    Mutant(
        "edges are remembered without the shared part",
        "steps",
        "key = (shared, self._multisets.occurring[total])",
        "key = ((), self._multisets.occurring[total])",
    ),
    Mutant(
        "questions may be asked after writing", "actions", "if self._written & variables_read(expr.body):", "if False:"
    ),
    Mutant(
        "runs are lifted to the wrong processes",
        "lift",
        "moved[target] = before[source]",
        "moved[source] = before[source]",
    ),
)


def broken_sources(mutant: Mutant | None, folder: Path) -> Path:
    """A copy of the sources with one break."""
    target = folder / "src"
    shutil.copytree(SOURCES, target, ignore=shutil.ignore_patterns("__pycache__"))
    if mutant is not None:
        path = target / FOLDER / f"{mutant.module}.py"
        text = path.read_text()
        assert text.count(mutant.old) == 1, mutant.name
        path.write_text(text.replace(mutant.old, mutant.new))
    return target


def ask(mutant: Mutant | None, models: Path, what: str) -> list[Any]:
    """What the sources with a break say; one entry for each model."""
    with TemporaryDirectory(prefix="mutant-") as folder:
        sources = broken_sources(mutant, Path(folder))
        environment = {**os.environ, "PYTHONPATH": f"{sources}{os.pathsep}{TESTS}"}
        command = [sys.executable, str(TESTS / "mutants" / "answers.py"), str(models), what]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def write_models(path: Path, number: int, most: int, least: int) -> list[Any]:
    """Random models that can be explored adaptively, and the right answers."""
    sys.path.insert(0, str(TESTS))
    from support.nearly_symmetric import random_model

    kept: list[Any] = []
    answers: list[Any] = []
    seed = 0
    while len(kept) < number:
        path.write_bytes(pickle.dumps([random_model(seed + k, most, least) for k in range(number)]))
        seed += number
        found = ask(None, path, "untested")
        good = [k for k, answer in enumerate(found) if "answer" in answer and answer["answer"][1] is None]
        kept += [pickle.loads(path.read_bytes())[k] for k in good]
        answers += [found[k] for k in good]
    path.write_bytes(pickle.dumps(kept[:number]))
    return answers[:number]


@dataclass(frozen=True)
class Finding:
    """Of how many models a break changes the answer, how that ends, and in how many the comparison sees it."""

    changed: int
    stopped_by_self_test: int
    stopped_otherwise: int
    silent: int
    compared: int


def find(mutant: Mutant, large: Path, small: Path, right: list[Any]) -> Finding:
    """Try one break."""
    tested, untested = ask(mutant, large, "answers"), ask(mutant, large, "untested")
    changed = [t for t, u, r in zip(tested, untested, right, strict=True) if u != r]
    stopped = sum("self-test" in answer for answer in changed)
    otherwise = sum("error" in answer for answer in changed)
    silent = len(changed) - stopped - otherwise
    return Finding(len(changed), stopped, otherwise, silent, sum(ask(mutant, small, "compared")))


def main() -> None:
    """Try all breaks, or those whose names are given."""
    with TemporaryDirectory(prefix="mutants-") as folder:
        large, small = Path(folder) / "large", Path(folder) / "small"
        right = write_models(large, 16, 1_500, 500)
        write_models(small, 60, 260, 3)
        sys.stdout.write(
            "of 16 models: changed, stopped by the self-test, stopped otherwise, silent; of 60: compared\n"
        )
        for mutant in MUTANTS:
            if len(sys.argv) == 1 or mutant.name in sys.argv[1:]:
                found = find(mutant, large, small, right)
                sys.stdout.write(f"{mutant.name:55}{found}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
