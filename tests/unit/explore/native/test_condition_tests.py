"""Self-tests of conditions: a search ends without a verdict if what it judges by was compiled wrongly."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from burnside.claims.task import Task
from burnside.decide.modes import Mode
from burnside.explore.native import toolchain
from burnside.explore.native.emit import Emission
from burnside.explore.native.run import SearchOptions
from burnside.frontends.seq import load
from burnside.ir.nodes import Const, Expr
from burnside.reduce.reduction import SelfTestError
from burnside.source import Source
from burnside.study import Study
from support.runtime import broken_runtime

MODEL = """
    process P = 0 .. 2;
    var x[P]: 0 .. 3;
    rule up(i: P) when x[i] < 3 do { x[i] := x[i] + 1; }
    terminal: x[0] == 3;
    invariant small: forall i in P: x[i] < 3;
    deadlockfree progress;
    ltl ends: <> x[0] == 3;
"""


def task() -> Task:
    (found,) = load(Source("model.seq", MODEL), {}).tasks
    return found


def check(name: str, cache: Path) -> object:
    options = SearchOptions(flags=("-O0",), cache=cache)
    return Study(task(), options).check([name], Mode.NONE)


def test_claims_that_are_compiled_wrongly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A condition that is never met would give 'holds'."""
    monkeypatch.setattr(Emission, "_claim", lambda *_: "0")

    with pytest.raises(SelfTestError, match="a compiled condition and the reference semantics disagree"):
        check("small", tmp_path)


def test_atoms_that_are_compiled_wrongly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A formula that is true of other words would give any verdict."""
    right: Callable[[Emission, Expr], str] = Emission.condition
    monkeypatch.setattr(Emission, "condition", lambda self, e: right(self, e) if isinstance(e, Const) else "1")

    with pytest.raises(SelfTestError, match="a compiled atom and the reference semantics disagree"):
        check("ends", tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "claim", "said"),
    [
        ("terminal ? TERMINAL : DEADLOCK", "DEADLOCK", "progress", "a deadlock was counted that decides nothing"),
        ("terminal ? TERMINAL : DEADLOCK", "TERMINAL", "progress", "deadlocks and terminal states are confused"),
        ("if (PROPERTIES > 0) inspect(w, s, index);", "(void)inspect;", "small", "was passed over"),
        (
            "if (PROPERTIES > 0) inspect(w, s, index);",
            "if (index > 20) inspect(w, s, index);",
            "small",
            "a witness is not a nearest one",
        ),
    ],
)
def test_a_runtime_that_passes_over_states(
    old: str, new: str, claim: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Deadlocks as they were counted, and every state that is stored, are looked at again."""
    monkeypatch.setattr(toolchain, "RUNTIME", broken_runtime(tmp_path, "worker.h", old, new))
    model = MODEL.replace("terminal: x[0] == 3;", "") if new == "TERMINAL" else MODEL
    (one,) = load(Source("model.seq", model), {}).tasks

    with pytest.raises(SelfTestError, match=said):
        Study(one, SearchOptions(flags=("-O0",), cache=tmp_path / "cache")).check([claim], Mode.NONE)
