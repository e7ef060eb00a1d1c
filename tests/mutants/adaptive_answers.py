"""What the adaptive search of the sources at hand says about pickled models, a line for each.

python adaptive_answers.py FILE [FILE TO COMPARE]
"""

from __future__ import annotations

import json
import pickle
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

from burnside.adaptive import run
from burnside.adaptive.selftest import SelfTestFailed, Tested
from burnside.decide.modes import Mode
from burnside.report.json import check_object
from burnside.study import Study
from oracle.language import Model
from oracle.space import Space
from support.annotated import compare, loaded

_MOST_SECONDS = 15  # of processor time for one model; a break may make a search endless
_really_test = run.test_search


class _TooLong(Exception):
    pass


@contextmanager
def _limited() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise _TooLong

    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, _MOST_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def answer(model: Model) -> dict[str, Any]:
    """What is said about the model if self-tests have no say, or why nothing is; and what they say.

    Figures of annotated states are left out: a break may change partitions and still give right answers.
    """
    failures: list[str] = []

    def test(*arguments: Any, **options: Any) -> Tested:
        try:
            return _really_test(*arguments, **options)
        except SelfTestFailed as failed:
            failures.append(str(failed)[:160])
            return Tested(0, 0.0)

    run.test_search = test
    try:
        with _limited():
            found = check_object([Study(loaded(model)).check(mode=Mode.ADAPTIVE)])
    except Exception as error:  # no user takes that for an answer
        return {"error": type(error).__name__, "self-test": failures}
    shown = [(p["name"], p["verdict"], p["trace"] and len(p["trace"]["steps"])) for p in found["properties"]]
    fault = found["fault"] and found["fault"]["kind"]
    return {"answer": [shown, fault, found["depth"], bool(found["deadlocks"])], "self-test": failures}


def differs(model: Model, space: Space) -> bool:
    """Whether the comparison with the explicit state space finds a difference; the search does not test itself."""
    run.test_search = lambda *_, **__: Tested(0, 0.0)
    try:
        with _limited():
            return bool(compare(model, space)[0])
    except Exception:
        return True


def main() -> None:
    """Print answers about the models of one file, and whether comparisons find a difference in those of another."""
    asked, *compared = [pickle.loads(Path(path).read_bytes()) for path in sys.argv[1:]]
    for model in asked:
        sys.stdout.write(json.dumps(answer(model)) + "\n")
    for model, space in chain(*compared):
        sys.stdout.write(json.dumps(differs(model, space)) + "\n")


main()
