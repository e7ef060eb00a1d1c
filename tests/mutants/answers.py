"""What the adaptive search of the sources at hand says about pickled models, a line for each.

python answers.py FILE answers|untested|compared
"""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path
from typing import Any

from burnside.adaptive import run
from burnside.adaptive.selftest import SelfTestFailed
from burnside.decide.modes import Mode
from burnside.report.json import check_object
from burnside.study import Study
from oracle.language import Model
from oracle.space import Space
from support.annotated import compare, loaded


def answer(model: Model) -> dict[str, Any]:
    """What is said about the model, or why nothing is.

    Figures of annotated states are left out: a break may change partitions and still give right answers.
    """
    try:
        found = check_object([Study(loaded(model)).check(mode=Mode.ADAPTIVE)])
    except SelfTestFailed as failed:
        return {"self-test": str(failed)[:160]}
    except Exception as error:  # any other end is one that no user takes for an answer
        return {"error": type(error).__name__}
    shown = [(p["name"], p["verdict"], p["trace"] and len(p["trace"]["steps"])) for p in found["properties"]]
    fault = found["fault"] and found["fault"]["kind"]
    return {"answer": [shown, fault, found["depth"], bool(found["deadlocks"])]}


def differs(model: Model, space: Space) -> bool:
    """Whether the comparison with the explicit state space finds a difference."""
    try:
        return bool(compare(model, space)[0])
    except Exception:
        return True


def main() -> None:
    """Print answers, answers without self-tests, or whether comparisons find a difference."""
    path, what = sys.argv[1:]
    if what != "answers":
        run.test_search = lambda *_, **__: 0
    for model, space in pickle.loads(Path(path).read_bytes()):
        said = differs(model, space) if what == "compared" else answer(model)
        sys.stdout.write(json.dumps(said) + "\n")


main()
