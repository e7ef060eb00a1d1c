"""Limits of time and memory hold for everything a command does, and say where they were reached."""

from __future__ import annotations

import importlib
import itertools
import json
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace

import pytest

from burnside import limits
from burnside.cli import main, watchdog
from burnside.cli.watchdog import watched
from burnside.decide import quotient, runs
from burnside.explore.native.run import SearchOptions
from burnside.frontends import loading
from burnside.limits import LimitReached, Limits, phase
from burnside.results.exploration import Stop
from burnside.study import Study

SMALL = "var x: 0 .. 3 = 0;\nrule r when x < 3 do { x := x + 1; }\ninvariant low: x < 4;\n"


@pytest.fixture
def hasty(monkeypatch):
    """Nobody gets another second."""
    monkeypatch.setattr(watchdog, "_GRACE", 0.0)


def work() -> None:
    """Something that never ends and never asks."""
    with phase("counting"):
        for _ in itertools.count():
            pass


def hoard() -> None:
    """Something that takes ever more memory."""
    kept = []
    while True:
        kept.append(bytearray(1 << 20))


@pytest.mark.usefixtures("hasty")
def test_the_limit_of_time_ends_work_that_never_asks():
    """With what was being done."""
    with pytest.raises(LimitReached, match="stopped at the time limit while counting"), watched(Limits(seconds=0.01)):
        work()


class Slow:
    """An object that takes its time to go."""

    def __del__(self) -> None:
        end = time.perf_counter() + 0.3
        while time.perf_counter() < end:
            pass


@pytest.mark.usefixtures("hasty")
def test_a_limit_that_is_reached_while_an_object_is_freed_is_not_lost(capsys):
    """Python swallows what is raised there, with a traceback on the screen; it is raised again where it counts."""
    with pytest.raises(LimitReached, match="time limit"), watched(Limits(seconds=0.01)):
        while True:
            Slow()
            sum(range(1_000_000))
    assert capsys.readouterr().err == ""


def test_what_else_goes_wrong_while_an_object_is_freed_is_told_as_ever(monkeypatch):
    """Only limits are ours, and only inside."""
    told: list[object] = []

    def hook(lost: sys.UnraisableHookArgs) -> None:
        told.append(lost.exc_type)

    class Broken:
        def __del__(self) -> None:
            raise ValueError

    monkeypatch.setattr(sys, "unraisablehook", hook)
    with watched(Limits()):
        Broken()
    assert told == [ValueError]
    assert sys.unraisablehook is hook


def test_the_limit_of_memory_ends_work_that_never_asks(monkeypatch):
    """Memory that is in use already does not count."""
    monkeypatch.setattr(limits, "_BESIDES", 0)
    kept = bytearray(64 << 20)

    with pytest.raises(LimitReached, match="stopped at the memory limit"), watched(Limits(memory=32 << 20)):
        hoard()

    assert kept


@pytest.mark.usefixtures("hasty")
def test_who_goes_on_is_interrupted_again():
    """So that a clean-up which never ends does not outlive the limit."""
    with pytest.raises(LimitReached), watched(Limits(seconds=0.01)):
        try:
            work()
        finally:
            work()


LIBRARY = """
from collections import namedtuple
Pair = namedtuple("Pair", "x y")
def work():
    return Pair(1, 2)
"""


@pytest.mark.parametrize(
    ("file", "inside"), [("<string>", "<lambda>"), ("<frozen importlib._bootstrap>", "_load_unlocked")]
)
def test_half_a_library_is_never_left(file, inside, monkeypatch):
    """Named tuples have code without a file, which was taken for ours: a library that was interrupted there as it was
    loaded stayed in parts, and whoever needed it next met a bug.
    """
    seen = []

    def look(frame, _event, _):
        if (frame.f_code.co_filename, frame.f_code.co_name) == (file, inside):
            seen.append(watchdog._is_ours(frame))

    library = {"__name__": "numpy.anything"}
    exec(LIBRARY, library)
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    sys.setprofile(look)
    library["work"]()
    importlib.import_module("colorsys")
    sys.setprofile(None)

    assert seen
    assert not any(seen)


SLOW_LIBRARY = """
import time
def work():
    time.sleep(0.3)
"""


@pytest.mark.usefixtures("hasty")
def test_a_library_that_is_called_again_and_again_is_left_when_it_returns():
    """Hardly any time is spent between two calls: solvers went on until a timer happened to end just then."""
    library = {"__name__": "pysat.solvers"}
    exec(SLOW_LIBRARY, library)
    started = time.perf_counter()

    def ask() -> None:
        while True:
            library["work"]()

    with pytest.raises(LimitReached, match="time limit"), watched(Limits(seconds=0.01)):
        ask()
    assert time.perf_counter() - started < 3
    assert sys.gettrace() is None


def test_the_timer_of_others_is_theirs_again():
    """As is their handler."""
    rung = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with watched(Limits(seconds=60)):
            pass
        time.sleep(0.2)
    finally:
        signal.signal(signal.SIGALRM, before)

    assert rung == [1]


def test_another_thread_is_not_watched():
    """Signals are for the main thread; there is nothing to restore either."""
    seen = []

    def run() -> None:
        with watched(Limits(seconds=0.001)):
            seen.append(signal.getsignal(signal.SIGALRM))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()

    assert seen == [signal.getsignal(signal.SIGALRM)]


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("command", ["check", "count", "detect", "draw", "report", "simulate"])
def test_reading_a_model_has_an_end(command, tmp_path, monkeypatch, capsys):
    """Exit code 4 and a sentence, whatever the command."""
    path = tmp_path / "model.seq"
    path.write_text(SMALL)
    monkeypatch.setattr(loading, "Source", lambda *_: work())
    output = {"draw": ["-o", str(tmp_path / "x.svg")], "report": ["-o", str(tmp_path / "x.html")]}

    assert main.main([command, str(path), "--time", "0.01", *output.get(command, [])]) == 4
    assert capsys.readouterr().err.startswith("burnside: stopped at the time limit")


@pytest.mark.usefixtures("hasty")
def test_the_limit_is_told_as_json(tmp_path, monkeypatch, capsys):
    """One object, as always."""
    path = tmp_path / "model.seq"
    path.write_text(SMALL)
    monkeypatch.setattr(loading, "Source", lambda *_: work())

    assert main.main(["check", str(path), "--json", "--time", "0.5"]) == 4
    assert json.loads(capsys.readouterr().out) == {"stopped": "time", "phase": "counting"}


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(("limit", "value"), [("time", "0.5"), ("memory", "1M")])
def test_a_walk_has_an_end(limit, value, tmp_path, monkeypatch, capsys):
    """What was walked until then is shown, in every format."""
    monkeypatch.setattr(limits, "_BESIDES", 0)
    path = tmp_path / "model.seq"
    path.write_text("var x: 0 .. 3 = 0;\nrule r do { x := (x + 1) % 4; }\n")

    assert main.main(["simulate", str(path), "--steps", "999999999", f"--{limit}", value, "--json"]) == 4
    captured = capsys.readouterr()
    found = json.loads(captured.out)
    assert found["stopped"] == limit
    assert len(found["trace"]["steps"]) == found["steps"] > 0
    assert captured.err == f"burnside: stopped at the {limit} limit after {found['steps']:,} steps\n"


@pytest.mark.usefixtures("hasty")
def test_nobody_waits_for_a_user_for_ever(tmp_path, monkeypatch, capsys):
    """The limit holds for a session, too."""
    path = tmp_path / "model.seq"
    path.write_text(SMALL)
    monkeypatch.setattr("sys.stdin", type("Input", (), {"readline": lambda _: work(), "isatty": lambda _: True})())

    assert main.main(["simulate", str(path), "--interactive", "--time", "0.5"]) == 4
    assert "stopped at the time limit after 0 steps" in capsys.readouterr().err


@pytest.mark.usefixtures("hasty")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("option", [["--time", "0.01"], ["--memory", "64K"]])
def test_tables_have_an_end(option, monkeypatch, capsys):
    """With the rows until then, here none. A limit may come while Python removes a folder, whose list is then left to
    the collector of garbage.
    """
    monkeypatch.setattr(limits, "_BESIDES", -(1 << 30))  # too much is in use already

    assert main.main(["bench", "zhang2013-table3", *option, "--json"]) == 4
    captured = capsys.readouterr()
    limit = option[0].removeprefix("--")
    assert json.loads(captured.out).get("stopped", limit) == limit
    assert f"stopped at the {limit} limit" in captured.err


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("form", ["json", "sarif", "github", "junit", "html"])
def test_the_limit_is_told_in_every_format(form, tmp_path, monkeypatch, capsys):
    """A reader that expects a document gets one."""
    path = tmp_path / "model.seq"
    path.write_text(SMALL)
    monkeypatch.setattr(loading, "Source", lambda *_: work())

    assert main.main(["check", str(path), "--format", form, "--time", "0.5"]) == 4
    captured = capsys.readouterr()
    assert form == "json" or "stopped at the time limit while counting" in captured.out
    assert captured.err == "burnside: stopped at the time limit while counting\n"


@pytest.mark.usefixtures("hasty")
def test_planning_has_an_end_and_verdicts_are_unknown(tmp_path, monkeypatch, capsys):
    """Before anything is explored."""
    path = tmp_path / "model.seq"
    path.write_text(SMALL)
    monkeypatch.setattr(quotient, "Quotient", lambda *_, **__: work())

    assert main.main(["check", str(path), "--symmetry", "unique", "--time", "0.5"]) == 4
    out = capsys.readouterr().out
    assert "low  unknown" in out
    assert "stopped at the time limit while counting" in out


@pytest.mark.usefixtures("hasty")
def test_what_is_known_survives_a_limit_before_the_next_search(tmp_path, monkeypatch, capsys):
    """A violation that was found is shown, though there was no time for claims about runs."""
    path = tmp_path / "model.seq"
    path.write_text(SMALL + "invariant no: x < 2;\nltl later: <> x == 3;\n")
    monkeypatch.setattr(runs, "find_cycle", lambda *_, **__: work())

    assert main.main(["check", str(path), "--symmetry", "none", "--time", "3", "--json"]) == 1
    verdicts = {p["name"]: p["verdict"] for p in json.loads(capsys.readouterr().out)["properties"]}
    assert verdicts == {"low": "holds", "no": "violated", "later": "unknown"}


@pytest.mark.usefixtures("hasty")
def test_a_search_that_is_interrupted_has_figures(tmp_path):
    """The states so far, and why there are no more."""
    path = tmp_path / "model.seq"
    path.write_text("var x[0 .. 30]: bool = false;\nrule r(i: 0 .. 30) do { x[i] := !x[i]; }\n")
    task = loading.load(path)
    options = SearchOptions(flags=("-O0",), states=10, cache=tmp_path / "cache")
    Study(task, options).count()  # compiled before the clock runs

    with watched(Limits(seconds=0.5)):
        found = Study(task, replace(options, states=None)).count().exploration

    assert found.stop is Stop.TIME
    assert found.states > 0


@pytest.mark.parametrize("reason", [KeyboardInterrupt(), LimitReached("time")])
def test_the_end_of_work_is_no_bug_in_whatever_it_comes(reason, tmp_path, monkeypatch, capsys):
    """Python makes a RuntimeError of what comes while a class is made, such as those of a module that is loaded."""

    class Ending:
        def __set_name__(self, *_: object) -> None:
            raise reason

    def load(*_: object, **__: object) -> None:
        type("Made", (), {"part": Ending()})

    (tmp_path / "m.seq").write_text(SMALL)
    monkeypatch.setattr(Study, "count", load)

    assert main.main(["count", str(tmp_path / "m.seq"), "--no-warnings"]) == 4
    assert "bug" not in capsys.readouterr().err


def test_who_gives_up_while_the_command_is_loaded_sees_no_traceback():
    """The process ends as processes do that are interrupted."""
    script = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore it
from burnside import __main__
class Finder:
    def find_spec(self, name, *_):
        if name == "burnside.cli.main": os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
__main__.start()
"""
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)

    assert (result.returncode, result.stderr) == (-signal.SIGINT, "")
