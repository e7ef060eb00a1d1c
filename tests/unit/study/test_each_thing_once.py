"""What is found out about a model is found out once: counted calls of the stages behind a command."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from burnside.cli.main import main
from burnside.detect import constrain, culprits, encode, validate
from burnside.explore.native import build
from burnside.explore.native.run import Search
from burnside.frontends import loading
from burnside.graph import automorphisms
from burnside.graph.coloured import ColouredGraph

EXAMPLES = Path(__file__).parents[3] / "examples"
PHILOSOPHERS = EXAMPLES / "zhang2013" / "dining_philosophers.seq"


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Counter[str]:
    """How often each stage is asked while a test runs; nothing is compiled yet."""
    counted: Counter[str] = Counter()

    def count(owner: Any, name: str, stage: str) -> None:
        original: Callable[..., Any] = getattr(owner, name)

        def asked(*arguments: Any, **options: Any) -> Any:
            counted[stage] += 1
            return original(*arguments, **options)

        monkeypatch.setattr(owner, name, asked)

    monkeypatch.setenv("BURNSIDE_CACHE", str(tmp_path / "cache"))
    count(loading, "read_source", "text")
    count(import_module("burnside.frontends.rebeca.stages"), "parse", "parse")
    count(constrain.ModelConstraints, "__init__", "constrain")
    count(encode, "encode", "encode")
    count(culprits, "encode", "encode to explain")
    count(validate, "validate", "validate")
    count(automorphisms, "_native", "bliss")
    count(build, "_link", "build")
    count(Search, "run_entry", "search")
    return counted


@pytest.fixture
def graphs(monkeypatch: pytest.MonkeyPatch) -> set[ColouredGraph]:
    """The graphs whose automorphisms are asked for while a test runs."""
    found: set[ColouredGraph] = set()
    original = automorphisms._native
    monkeypatch.setattr(automorphisms, "_native", lambda graph: (found.add(graph), original(graph))[1])
    return found


@pytest.mark.parametrize("command", [["detect"], ["report", "--quiet", "-o", "page.html"]], ids=["detect", "report"])
def test_actors_are_read_once(
    calls: Counter[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    """Who knows whom comes with the model; two files are read, the text and its properties."""
    monkeypatch.chdir(tmp_path)
    main([*command, str(EXAMPLES / "jaghoori2005" / "dining_philosophers.rebeca")])

    assert (calls["text"], calls["parse"]) == (2, 1)


def test_a_report_detects_each_set_of_requirements_once(
    calls: Counter[str], graphs: set[ColouredGraph], tmp_path: Path
) -> None:
    """One detection serves the verdicts and the quotient, one the model itself, and one each of the properties that are
    conditions; what costs symmetry takes graphs of its own, and none of these is validated.

    Three programs: the check, the graph of the quotient and that of all states. The check of so small a quotient is
    confirmed by a second search.
    """
    arguments = ["report", str(PHILOSOPHERS), "-D", "N=5", "--quiet", "-o", str(tmp_path / "page.html")]

    assert main(arguments) == 1
    assert {stage: calls[stage] for stage in ("encode", "validate", "build", "search")} == {
        "encode": 4,
        "validate": 4,
        "build": 3,
        "search": 4,
    }
    assert calls["constrain"] == calls["encode to explain"]  # the graph of the model with ties needs no constraints
    assert (calls["bliss"], len(graphs)) == (7, 7)  # with all marks and without them, one graph explains twice


def test_a_check_detects_once_for_each_set_of_requirements(calls: Counter[str]) -> None:
    """Properties of states, and a claim about infinite runs under fairness, for which it is observed who acts."""
    arguments = ["check", str(EXAMPLES / "jaghoori2005" / "dining_philosophers.rebeca"), "--symmetry", "unique"]

    assert main(arguments) == 1
    assert calls["constrain"] == 2  # the model, and the model with those who act
    assert calls["validate"] == 2
    assert calls["encode"] == 4  # both with and without what is asked
    assert calls["bliss"] == 4
    assert calls["build"] == 2


def test_without_fairness_runs_need_no_model_of_their_own(calls: Counter[str]) -> None:
    """The constraints of the model are those of all claims."""
    arguments = ["check", str(EXAMPLES / "liveness" / "semaphore.seq"), "--fairness", "none", "--symmetry", "unique"]

    main(arguments)
    assert calls["constrain"] == 1
