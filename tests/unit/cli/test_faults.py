"""A hostile surrounding: closed or full streams, little memory, a full disk, a cache that was tampered with.

Exit codes mean what they say whatever happens; above all, 1 is the answer "violated" and nothing else.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from burnside.cli.main import main
from burnside.decide import race

HOLDS = """\
var x: 0 .. 3 = 0;
rule r when x < 3 do { x := x + 1; }
invariant low: x < 4;
"""
MODELS = {
    "holds": HOLDS,
    "violated": HOLDS.replace("x < 4", "x < 3"),
    "faults": HOLDS.replace("when x < 3 ", ""),
}
CODES = {"holds": 0, "violated": 1, "faults": 3, "missing": 3}
LARGE = "var x[0 .. 27]: bool = false;\nrule r(i: 0 .. 27) do { x[i] := !x[i]; }\n"


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A directory with the models, and in it a cache."""
    folder = tmp_path_factory.mktemp("models")
    for name, text in MODELS.items():
        (folder / f"{name}.seq").write_text(text)
    (folder / "large.seq").write_text(LARGE)
    return folder


@pytest.fixture
def burnside(models, tmp_path):
    """Runs the command in a shell, with redirections behind it and limits before it."""

    def run(words: str, *, before: str = "", behind: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
        command = f"{before} exec {shlex.quote(sys.executable)} -m burnside {words} {behind}"
        environment = {**os.environ, "BURNSIDE_CACHE": str(models / "cache"), "TMPDIR": str(tmp_path), **variables}
        result = subprocess.run(
            ["/bin/sh", "-c", command], cwd=models, env=environment, capture_output=True, text=True, timeout=120
        )
        assert "Traceback" not in result.stderr
        return result

    return run


# ---------------------------------------------------------------- streams


@pytest.mark.parametrize("behind", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-", "2>/dev/full"])
@pytest.mark.parametrize("model", CODES)
def test_the_exit_code_is_the_answer_even_if_nobody_hears_it(model, behind, burnside):
    """Messages that cannot be written are lost; a stream that is closed was closed on purpose."""
    assert burnside(f"check {model}.seq", behind=behind).returncode == CODES[model]


@pytest.mark.parametrize("behind", [">/dev/full", ">/dev/full 2>/dev/full"])
@pytest.mark.parametrize(
    "command",
    ["check violated.seq", "check violated.seq --json", "count holds.seq", "--help", "check --help", "--version"],
)
def test_an_answer_that_cannot_be_written_is_not_given(command, behind, burnside):
    """Exit code 2: what was asked for could not be done."""
    assert burnside(command, behind=behind).returncode == 2


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_slow_reader_gets_all_of_an_answer(unbuffered, burnside, models):
    """Without a buffer Python wrote as much as a pipe holds, and took the signal of the timer for an end: answers of
    more than 64 KB were cut off, with the exit code of a whole one.
    """
    (models / "long.seq").write_text(
        "var x: 0..3000 = 0;\nrule up when x < 3000 do { x := x + 1; }\ninvariant low: x < 3000;\n"
    )
    slow = burnside("check long.seq --json", behind="| (sleep 4; cat)", PYTHONUNBUFFERED=unbuffered).stdout

    assert len(slow) > 100_000
    assert len(json.loads(slow)["properties"][0]["trace"]["steps"]) == 3000


def test_the_user_of_a_closed_input_has_quit(burnside):
    """As at the end of the input."""
    result = burnside("simulate holds.seq --interactive --seed 1", behind="<&-")

    assert result.returncode == 0
    assert result.stdout.startswith("seed 1")


def test_input_that_is_no_text_is_no_bug(burnside):
    """It is nothing that could be obeyed."""
    result = burnside("simulate holds.seq --interactive --seed 1", before="printf '\\377\\n' |")

    assert result.returncode == 0
    assert "what is" in result.stdout


# ---------------------------------------------------------------- memory


def test_what_is_not_needed_is_not_loaded():
    """Numerical libraries end the process where there is no room for them: that is asked when they are loaded."""
    commands = ", ".join(f"burnside.cli.{name}" for name in ("check", "count", "draw", "export", "report", "simulate"))
    script = f"import sys, {commands}\nprint(*(m for m in sys.modules if m in ('numpy', 'igraph', 'burnside.detect')))"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert result.stdout.split() == []


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited elsewhere in other ways")
@pytest.mark.parametrize("command", ["check large.seq", "check large.seq --symmetry unique", "detect large.seq"])
@pytest.mark.parametrize("megabytes", [40, 60, 100, 200, 300])
def test_too_little_memory_is_a_limit(megabytes, command, burnside):
    """Whichever library gets none first; a model that is small enough is still answered."""
    result = burnside(command, before=f"ulimit -v {megabytes << 10};")

    assert result.returncode in (0, 4)
    assert result.returncode == 0 or "memory" in result.stdout + result.stderr


@pytest.mark.parametrize(("is_full", "code"), [(True, 0), (False, 70)])
def test_a_library_that_finds_no_room_beside_the_search_is_done_without(is_full, code, models, monkeypatch):
    """When the search is over there is room again, so that is asked at once; any other reason is a bug."""

    def load(*_: object, **__: object) -> None:
        raise ImportError("failed to map segment from shared object")

    monkeypatch.setattr(race._Race, "_go_on", load)
    monkeypatch.setattr(race, "has_room", lambda: not is_full)
    monkeypatch.setattr(race.Background, "has_many_states", lambda *_: True)
    monkeypatch.setattr(tempfile, "tempdir", str(models))

    assert main(["check", str(models / "holds.seq")]) == code


@pytest.mark.parametrize("mode", ["none", "auto"])
def test_no_room_for_a_thread_is_a_limit(mode, models, monkeypatch, capsys):
    """It was waited for, though it had never begun."""
    started = threading.Thread.start
    others = []  # the first is of the race

    def refuse(thread: threading.Thread) -> None:
        others.append(thread)
        if len(others) > 1:
            raise RuntimeError("can't start new thread")
        started(thread)

    monkeypatch.setattr(threading.Thread, "start", refuse)

    assert main(["check", str(models / "holds.seq"), "--symmetry", mode]) == 4
    assert "out of memory" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited elsewhere in other ways")
def test_more_memory_is_more_states(burnside):
    """States and parents once took the room that the table needed to grow. A compact store makes more of the same.

    One search alone: of two that run at the same time either may be the one that finds no room.
    """
    found = []
    for megabytes, store in ((90, "index"), (150, "index"), (90, "auto")):
        command = f"count large.seq --symmetry none --store {store}"
        result = burnside(command, before=f"ulimit -v {megabytes << 10};")
        found.append(int(result.stdout.split()[1].replace(",", "")))

    assert found[0] < min(found[1:])


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited elsewhere in other ways")
def test_a_thread_takes_no_address_space_for_itself():
    """Where there is little, it was chance whether a search found room beside the 64 MB for its thread's own heap."""
    script = (
        "import ctypes, threading\nfrom burnside.limits import addressable, start_thread\n"
        "done, left = threading.Event(), addressable()\n"
        "start_thread(lambda: (ctypes.CDLL(None).malloc(1), print(left - addressable() >> 20), done.set()))\n"
        "done.wait()"
    )
    command = ["/bin/sh", "-c", f"ulimit -v 1000000; exec {shlex.quote(sys.executable)} -c {shlex.quote(script)}"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)

    assert int(result.stdout) < 16  # its stack


# ---------------------------------------------------------------- files


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a device without an end")
@pytest.mark.parametrize("command", ["check endless.seq", "check holds.seq --properties endless.property"])
def test_a_model_without_an_end_is_refused(command, burnside, models):
    """Its size is said to be 0."""
    for name in ("endless.seq", "endless.property"):
        if not (models / name).is_symlink():
            (models / name).symlink_to("/dev/zero")
    result = burnside(command, before="ulimit -v 1000000;")

    assert result.returncode == 3


def test_a_model_that_is_too_large_is_named(burnside, models):
    """However it comes."""
    with (models / "huge.seq").open("wb") as file:
        file.truncate((64 << 20) + 1)
    result = burnside("check huge.seq")

    assert result.returncode == 3
    assert "BUR106" in result.stderr
    assert "larger than 64 MB" in result.stderr


def test_a_dump_for_which_there_is_no_room_leaves_nothing(burnside, tmp_path):
    """All files or none."""
    result = burnside(f"detect holds.seq --dump {tmp_path}/a/b", before="ulimit -f 0;")

    assert result.returncode == 2
    assert "File too large" in result.stderr
    assert not [*tmp_path.iterdir()]


def test_a_bug_is_reported_without_a_file_if_need_be(models, tmp_path):
    """On a full disk the message has it all."""
    script = tmp_path / "buggy.py"
    script.write_text(
        "import sys\nfrom burnside.frontends import loading\nfrom burnside.cli.main import main\n"
        "loading.read_source = lambda *_, **__: {}[0]\nsys.exit(main(['check', 'holds.seq']))\n"
    )
    command = ["/bin/sh", "-c", f"ulimit -f 0; exec {shlex.quote(sys.executable)} {script}"]
    result = subprocess.run(command, cwd=models, capture_output=True, text=True, timeout=60)

    assert result.returncode == 70
    assert "KeyError" in result.stderr


# ---------------------------------------------------------------- the cache and the compiler


def libraries(cache: Path) -> list[Path]:
    """What is in a cache, oldest first."""
    return sorted(cache.rglob("*.so"), key=lambda path: path.stat().st_mtime)


def test_the_library_of_another_model_is_never_believed(burnside, tmp_path):
    """It says "holds" where the answer is "violated"."""
    assert burnside("check holds.seq", BURNSIDE_CACHE=str(tmp_path / "one")).returncode == 0
    assert burnside("check violated.seq", BURNSIDE_CACHE=str(tmp_path / "two")).returncode == 1
    (library,) = libraries(tmp_path / "two")
    library.write_bytes(libraries(tmp_path / "one")[0].read_bytes())

    assert burnside("check violated.seq", BURNSIDE_CACHE=str(tmp_path / "two")).returncode == 1


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9])
def test_a_truncated_library_does_not_end_the_process(share, burnside, tmp_path):
    """Not by a signal, and not at all."""
    cache = str(tmp_path / "cache")
    burnside("check violated.seq", BURNSIDE_CACHE=cache)
    (library,) = libraries(tmp_path / "cache")
    os.truncate(library, int(library.stat().st_size * share))

    assert burnside("check violated.seq", BURNSIDE_CACHE=cache).returncode == 1


def test_a_compiler_that_hangs_is_ended_by_the_limit(burnside, tmp_path):
    """And does not stay behind."""
    slow = tmp_path / "slow-cc"
    slow.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\nsleep 60\n")
    slow.chmod(0o755)
    for mode in ("none", "auto"):
        result = burnside(
            f"check holds.seq --symmetry {mode} --time 1", CC=str(slow), BURNSIDE_CACHE=str(tmp_path / "cache")
        )

        assert result.returncode == 4
        assert "stopped at the time limit while compiling" in result.stdout
        assert not is_alive(int((tmp_path / "pid").read_text()))


def is_alive(pid: int) -> bool:
    """Whether a process is there, and still is a little later."""
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        time.sleep(0.05)
    return True


@pytest.mark.parametrize("command", ["/bin/true", "cc '", "/etc/passwd", "/nowhere/cc"])
def test_a_compiler_that_is_none_is_named(command, burnside, tmp_path):
    """It is neither a bug nor the fault of the cache."""
    result = burnside("check holds.seq", CC=command, BURNSIDE_CACHE=str(tmp_path / "cache"))

    assert result.returncode == 3
    assert "BUR503" in result.stderr
