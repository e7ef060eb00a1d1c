"""Walks on the command line: wrong answers, the end of the input, interrupts, and runs that can be taken again."""

from __future__ import annotations

import io
import json
import os
import pty
import signal
import sys
from pathlib import Path

import pytest

from burnside.cli.exits import Exit
from burnside.cli.main import main
from burnside.explore.walk import Walk, begin_walk
from burnside.frontends.loading import load
from burnside.ir.cells import Cells
from burnside.results.trace import TraceStep

EXAMPLES = Path(__file__).parents[3] / "examples"
PHILOSOPHERS = EXAMPLES / "zhang2013" / "dining_philosophers.seq"
SEMAPHORE = EXAMPLES / "liveness" / "semaphore.seq"


def interact(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lines: str, *options: str) -> str:
    """What a session with these lines as input prints."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    main(["simulate", str(PHILOSOPHERS), "-D", "N=3", "--seed", "1", "--interactive", *options])
    return capsys.readouterr().out


@pytest.mark.parametrize("line", ["r x", "u x", "r 0", "r -1", "u 99999999999", "r 1000001", "r 1 2"])
def test_a_number_of_steps_is_a_number(
    line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Anything else is refused, and nothing happens."""
    out = interact(monkeypatch, capsys, f"1\n{line}\nt\n")

    assert f"behind '{line[0]}' stands a number of steps" in out
    assert out.count("after 1 step\n") == 1


def test_a_saved_run_can_be_taken_again(tmp_path: Path) -> None:
    """Every step of the file is possible, and changes what the file says."""
    path = tmp_path / "run.json"
    assert main(["simulate", str(PHILOSOPHERS), "-D", "N=3", "--seed", "4", "--steps", "9", "--trace", str(path)]) == 0
    saved = json.loads(path.read_text())["simulation"]
    model = load(PHILOSOPHERS, {"N": 3}).model
    walk = begin_walk(model, (), 0)
    assert isinstance(walk, Walk)

    assert Cells(model).describe(walk.here.state) == saved["initial"]
    assert len(saved["steps"]) == 9
    for step in saved["steps"]:
        (choice,) = [
            c
            for c in walk.here.choices
            if (c.event, c.rule, {d.name: [d.before, d.after] for d in c.changes})
            == (step["event"], step["rule"], step["changes"])
        ]
        walk.take(choice)


def at_terminal(*keys: bytes, options: tuple[str, ...] = ()) -> tuple[int, str]:
    """The exit code and what is on the screen after keys were pressed at prompts."""
    command = [sys.executable, "-m", "burnside", "simulate", str(PHILOSOPHERS), "-D", "N=3", "--seed", "5"]
    pid, screen = pty.fork()
    if pid == 0:  # pragma: no cover
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # in the background, shells let processes ignore it
        signal.alarm(120)
        os.execv(sys.executable, [*command, "--interactive", *options])
    shown = b""
    for key in (*keys, b""):
        while not shown.endswith(b"> ") and (more := _read(screen)):
            shown += more
        if key:
            os.write(screen, key)
            shown += b"\0"  # so that the next prompt is waited for
    _, status = os.waitpid(pid, 0)
    os.close(screen)
    return os.waitstatus_to_exitcode(status), shown.replace(b"\0", b"").decode()


def _read(screen: int) -> bytes:
    try:
        return os.read(screen, 4096)
    except OSError:  # the other end is closed
        return b""


@pytest.mark.parametrize(("key", "name"), [(b"\x04", "end"), (b"\x03", "interrupt"), (b"q\r", "quit")])
def test_a_session_ends_politely(key: bytes, name: str, tmp_path: Path) -> None:
    """By the end of the input, an interrupt or a command: the run is saved, and the shell begins on a new line."""
    path = tmp_path / f"{name}.json"
    code, shown = at_terminal(b"1\r", key, options=("--trace", str(path)))

    assert code == Exit.DONE
    assert shown.endswith("\n")
    assert "Traceback" not in shown
    assert [s["event"] for s in json.loads(path.read_text())["simulation"]["steps"]] == ["get(0, 1)"]


def test_an_interrupted_walk_is_shown_and_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As far as it came; a step that was being taken is taken back."""
    path = tmp_path / "long.json"
    whole = Walk.take

    def take(walk: Walk, choice: TraceStep) -> None:
        if len(walk.steps) == 12:
            walk.steps.append(choice)  # and is interrupted before it is known where that leads
            raise KeyboardInterrupt
        whole(walk, choice)

    monkeypatch.setattr(Walk, "take", take)
    assert main(["simulate", str(SEMAPHORE), "--steps", "1000", "--trace", str(path)]) == Exit.LIMIT

    captured = capsys.readouterr()
    assert "interrupted after 12 steps" in captured.err
    assert "\n  12  " in captured.out
    assert len(json.loads(path.read_text())["simulation"]["steps"]) == 12
