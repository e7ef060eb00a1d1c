"""``--checkpoint`` and ``burnside resume``: a search goes on where it was, or says why it does not."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import burnside
from burnside.explore import checkpoints
from burnside.explore.manifests import MANIFEST, sum_of
from support.command import LISTENING, run_here
from support.kept import every_level

FIGURES = ("states", "transitions", "deadlocks", "depth", "initial_states", "stopped")

# Tokens on a ring of places, each of which may take part of the values of its bits: symmetric, and eleven levels.
TOKENS = """\
var x[0 .. 4]: 0 .. 2 = 0;
var turn: 0 .. 1 = 0;
rule step(i: 0 .. 4) when x[i] < 2 do { x[i] := x[i] + 1; turn := 1 - turn; }
invariant few: (count i in 0 .. 4: x[i] == 2) < BOUND;
invariant small: forall i in 0 .. 4: x[i] < 3;
deadlockfree live;
"""
# Of 200 values, the greatest one takes two searches.
EXTREMES = """\
var x:{0..200} = 7;
P() = [x < 190] up{x = x + 9} -> P() [] stop{x = x} -> Skip;
#define far x > 20;
#assert P() reaches far with max(x);
#assert P() reaches far with min(x);
"""
HOLDING, VIOLATED = TOKENS.replace("BOUND", "6"), TOKENS.replace("BOUND", "4")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model with a claim that is violated on the eighth level, and a deadlock on the last."""
    path = tmp_path / "tokens.seq"
    path.write_text(VIOLATED)
    return path


def kept(capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, Any]:
    """What a command prints as JSON."""
    result = run_here(capsys, *words, "--json")
    assert result.stdout, result.stderr
    return dict(json.loads(result.stdout))


def answer_of(report: dict[str, Any]) -> list[object]:
    """Figures, verdicts and lengths of traces."""
    found = [(p["name"], p["verdict"], p["trace"] and len(p["trace"]["steps"])) for p in report.get("properties", [])]
    return [*(report[name] for name in FIGURES), report["symmetry"]["full_states"], *found]


@pytest.mark.parametrize("text", [HOLDING, VIOLATED], ids=["holding", "violated"])
@pytest.mark.parametrize(
    "words",
    [
        ["check", "--symmetry", "auto"],
        ["check", "--symmetry", "none"],
        ["check", "--symmetry", "none", "--partial-order", "on"],
        ["check", "--symmetry", "unique", "--partial-order", "on"],
        ["count"],
    ],
    ids=" ".join,
)
def test_a_search_goes_on_from_every_level(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: list[str], text: str
) -> None:
    """The answer is that of a search that was not interrupted, with one thread or two, in memory or on disk."""
    path, directory = tmp_path / "tokens.seq", tmp_path / "kept"
    path.write_text(text)
    words = [words[0], str(path), *words[1:]]
    alone = ("--symmetry", "unique", "--partial-order", "off") if "auto" in words else ()  # not a race
    plain = kept(capsys, *words, *alone, "--store", "compact")
    with every_level(monkeypatch) as moments:
        whole = kept(capsys, *words, "--checkpoint", directory)
    assert answer_of(whole) == answer_of(plain)
    assert whole["checkpoint"]["levels"] == len(moments.manifests) - 1 > 5
    assert (whole["checkpoint"]["resumed_states"], whole["checkpoint"]["failure"]) == (0, None)

    for number in range(len(moments.manifests)):
        again = moments.restore(number, directory, tmp_path / f"at-{number}")
        threads, store = ("1", "compact") if number % 2 else ("2", "disk")
        report = kept(capsys, "resume", again, "--threads", threads, "--store", store)
        assert answer_of(report) == answer_of(plain), number
        assert (report["checkpoint"]["resumed_states"] > 0) == (number > 0)
        assert report["checkpoint"]["levels"] == whole["checkpoint"]["levels"]


def test_a_command_may_keep_several_searches(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The least and the greatest value take searches of their own: each is kept, and each goes on."""
    path = tmp_path / "extremes.csp"
    path.write_text(EXTREMES)
    directory = tmp_path / "kept"
    with every_level(monkeypatch) as moments:
        whole = run_here(capsys, "check", path, "--checkpoint", directory)
    assert {name.name.partition("-")[0] for name in directory.glob("*.levels")} >= {"1", "2"}

    for number in range(0, len(moments.manifests), 7):
        again = moments.restore(number, directory, tmp_path / f"at-{number}")
        result = run_here(capsys, "resume", again)
        assert (result.returncode, result.stdout.splitlines()[:2]) == (whole.returncode, whole.stdout.splitlines()[:2])


def test_python_keeps_and_goes_on(model: Path, tmp_path: Path) -> None:
    """What the command line keeps, Python goes on with, and the reverse; constants are kept."""
    counted = burnside.load(model).count(checkpoint=tmp_path / "counted")
    checked = burnside.load(model).check("few", checkpoint=str(tmp_path / "checked"), slices=False)

    assert burnside.resume(tmp_path / "counted", threads=2).states == counted.states == 243
    assert str(burnside.resume(tmp_path / "checked")).splitlines()[:5] == str(checked).splitlines()[:5]


def test_what_was_asked_first_is_not_asked_again(model: Path, tmp_path: Path) -> None:
    """Options that decide what is kept are kept; what would be overruled is refused."""
    burnside.load(model).count(checkpoint=tmp_path / "counted")
    for again in ({"slices": True}, {"fingerprint": 96}):
        with pytest.raises(ValueError, match=f"{next(iter(again))} cannot be given again"):
            burnside.resume(tmp_path / "counted", **again)


# ------------------------------------------------------------ refused


def refused(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """What is said by a command that is refused."""
    result = run_here(capsys, *words)
    assert result.returncode == 3, result
    assert "error[" in result.stderr
    return result.stderr


@pytest.fixture
def directory(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A checkpoint of a search that is complete."""
    assert run_here(capsys, "count", model, "--checkpoint", tmp_path / "kept").returncode == 0
    return tmp_path / "kept"


def contents(directory: Path) -> dict[str, bytes]:
    """Files by name."""
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def test_a_changed_model_is_refused(directory: Path, model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By its text, whatever has changed, and nothing of what is kept is lost."""
    before, text = contents(directory), model.read_text()
    model.write_text(text.replace("turn := 1 - turn", "turn := turn"))
    assert "tokens.seq' has changed since" in refused(capsys, "resume", directory)

    model.write_text(text)
    assert contents(directory) == before
    assert run_here(capsys, "resume", directory).returncode == 0


def test_every_byte_of_the_states_matters(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A bit that is another one, whichever: the file is named, and nothing is said about the model."""
    levels = max(directory.glob("*.levels"), key=lambda path: path.stat().st_size)
    good = levels.read_bytes()
    for place in range(0, len(good), 29):
        levels.write_bytes(good[:place] + bytes([good[place] ^ 1 << place % 8]) + good[place + 1 :])
        said = refused(capsys, "resume", directory, "--store", "disk" if place % 2 else "compact")
        assert f"{levels.name}' of the checkpoint is damaged" in said
    levels.write_bytes(good)
    assert run_here(capsys, "resume", directory).returncode == 0


def test_every_byte_of_the_manifest_matters(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Figures that are other ones are not believed."""
    good = (directory / MANIFEST).read_bytes()
    for place in range(0, len(good), 7):
        (directory / MANIFEST).write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
        assert "checkpoint.json' is " in refused(capsys, "resume", directory)


@pytest.mark.parametrize("size", [0, -1, 1])
def test_a_file_of_another_size_is_refused(directory: Path, capsys: pytest.CaptureFixture[str], size: int) -> None:
    """Empty, one byte less, one byte more."""
    levels = max(directory.glob("*.levels"), key=lambda path: path.stat().st_size)
    good = levels.read_bytes()
    levels.write_bytes({0: b"", -1: good[:-1], 1: good + b"\0"}[size])

    assert f"{levels.name}' of the checkpoint is damaged" in refused(capsys, "resume", directory)


def test_a_file_that_is_missing_is_named(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Or one that is a link to another."""
    levels = max(directory.glob("*.levels"), key=lambda path: path.stat().st_size)
    moved = levels.rename(directory.parent / "moved")
    assert f"{levels.name}' of the checkpoint is missing" in refused(capsys, "resume", directory)

    levels.symlink_to(moved)
    assert f"{levels.name}' of the checkpoint is damaged" in refused(capsys, "resume", directory)


def rewritten(directory: Path, change: Any) -> None:
    """A manifest that somebody wrote with care."""
    found = json.loads((directory / MANIFEST).read_text())
    change(found)
    found["sum"] = sum_of({name: part for name, part in found.items() if name not in ("format", "sum")})
    (directory / MANIFEST).write_text(json.dumps(found))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda m: m.update(format=2), "of another format"),
        (lambda m: m["made_by"].update(version="0.0.1"), "of another version"),
        (lambda m: m["made_by"].update(byte_order="big"), "of another byte order"),
        (lambda m: m["made_by"].update(word_bits=32), "of another word bits"),
        (lambda m: m["searches"][0].update(digest="0" * 64), "is of another search"),
        (lambda m: m["asked"].update(symmetry="unique"), "is of another search"),
        (lambda m: m["asked"].update(command="check"), "has changed since"),
        (lambda m: m["searches"][0]["sizes"].append(1), "is damaged"),
        (lambda m: m["searches"][0]["sizes"].__setitem__(3, 0), "is damaged"),
        (lambda m: m["searches"][0]["sizes"].__setitem__(3, 1 << 70), "is damaged"),
        (lambda m: m["searches"][0]["sizes"].__setitem__(3, 1 << 60), "is damaged"),
        (lambda m: m["searches"][0].update(transitions=-1), "is damaged"),
        (lambda m: m["searches"][0].pop("files"), "is damaged"),
        (lambda m: m["searches"][0]["witnesses"].append({"claim": 9, "level": 1, "words": [1]}), "is damaged"),
        (lambda m: m["searches"][0]["witnesses"].append({"claim": 0, "level": 11, "words": [1]}), "is damaged"),
        (lambda m: m["searches"][0].update(full_states="many"), "is damaged"),
        (lambda m: m["searches"][0].update(full_states=1 << 128), "is damaged"),
        (lambda m: m["searches"][0]["files"][0].update(sum=1 << 64), "is damaged"),
        (lambda m: m.update(searches=7), "is damaged"),
        (lambda m: m["asked"].update(constants=[]), "is damaged"),
        (lambda m: m["asked"].update(extra=1), "is damaged"),
    ],
)
def test_a_manifest_that_does_not_fit_is_refused(
    directory: Path, capsys: pytest.CaptureFixture[str], change: Any, said: str
) -> None:
    """Even where its sum is right."""
    rewritten(directory, change)

    assert said in refused(capsys, "resume", directory)


def test_levels_in_another_order_are_refused(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """States of one level in the place of those of another would have other distances."""
    monkeypatch.setattr(checkpoints, "PAUSE", 1e9)  # one file for all levels
    run_here(capsys, "count", model, "--checkpoint", tmp_path / "kept")
    sizes = json.loads((tmp_path / "kept" / MANIFEST).read_text())["searches"][0]["sizes"]
    assert sizes == [1, 5, 15, 30, 45, 51, 45, 30, 15, 5, 1]
    levels, states = tmp_path / "kept" / "1-1.levels", sum(sizes)
    good = levels.read_bytes()
    width = len(good) // states
    one, other = slice(width, 6 * width), slice(len(good) - 6 * width, len(good) - width)
    bad = bytearray(good)
    bad[one], bad[other] = good[other], good[one]
    levels.write_bytes(bad)

    assert "1-1.levels' of the checkpoint is damaged" in refused(capsys, "resume", tmp_path / "kept")


def test_directories_that_do_not_suit_are_refused(
    directory: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing that is there is overwritten."""
    before, other = contents(directory), tmp_path / "other"
    other.mkdir()
    said = refused(capsys, "count", model, "--checkpoint", directory)
    assert "has a checkpoint already" in said
    assert f"'burnside resume {directory}' goes on with it" in said
    assert contents(directory) == before
    assert "other' has no checkpoint" in refused(capsys, "resume", other)
    assert "is not a directory" in refused(capsys, "resume", tmp_path / "nowhere")
    assert "is not a directory" in refused(capsys, "resume", model)
    assert "cannot be made a directory" in refused(capsys, "count", model, "--checkpoint", tmp_path / "a" / "b")
    assert "cannot be made a directory" in refused(capsys, "count", model, "--checkpoint", model)
    (other / "thesis.txt").write_text("years of work")
    assert "is not empty" in refused(capsys, "count", model, "--checkpoint", other)
    assert [path.name for path in other.iterdir()] == ["thesis.txt"]


def _hold(directory: Path, ready: Any, done: Any) -> None:
    with checkpoints.Checkpoint.open(directory):
        ready.set()
        done.wait(30)


def test_two_processes_do_not_share_a_directory(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The second one is told, until the first one ends."""
    processes = multiprocessing.get_context("fork")
    ready, done = processes.Event(), processes.Event()
    other = processes.Process(target=_hold, args=(directory, ready, done))
    other.start()
    try:
        assert ready.wait(30)
        assert "is used by another process" in refused(capsys, "resume", directory)
    finally:
        done.set()
        other.join(30)
    assert run_here(capsys, "resume", directory).returncode == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--search", "dfs"], "the depth-first search has no levels to be kept"),
        (["--symmetry", "adaptive"], "the adaptive search cannot be kept"),
        (["--store", "index"], "what is kept has no index for every state"),
        (["--coverage"], "what is covered is found by an index of every state"),
        (["--format", "html"], "a page is made of several searches"),
    ],
)
def test_what_does_not_go_together_is_refused(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    """One sentence, what to leave out, and no directory."""
    words = ["check", str(model), "--checkpoint", str(tmp_path / "kept"), *words]
    assert said in refused(capsys, *words)
    assert not (tmp_path / "kept").exists()


def test_infinite_runs_are_not_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are decided by indices: the claim is shown, and others can be asked for."""
    path = tmp_path / "clock.seq"
    text = "var x: 0 .. 2 = 0;\nrule tick do { x := (x + 1) % 3; }\ninvariant low: x < 3;\nltl again: [] <> x == 0;\n"
    path.write_text(text)
    words = ["check", path, "--checkpoint", tmp_path / "kept"]

    said = refused(capsys, *words)
    assert "'again' is decided by an index of every state" in said
    assert "clock.seq:4:" in said
    assert run_here(capsys, *words, "--property", "low").returncode == 0
    assert run_here(capsys, "resume", tmp_path / "kept").returncode == 0


# ------------------------------------------------------------ limits


def test_a_full_disk_leaves_the_checkpoint_as_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit 4, what is kept is named, and with more room the search goes on."""
    path = tmp_path / "bits.seq"
    path.write_text("var x[0 .. 16]: bool = false;\nrule flip(i: 0 .. 16) do { x[i] := !x[i]; }\n")
    monkeypatch.setattr(checkpoints, "PAUSE", 0.0)
    words = ["count", path, "--symmetry", "none", "--disk", "100K", "--checkpoint", tmp_path / "kept"]

    result = run_here(capsys, *words)
    assert result.returncode == 4
    assert "stopped because there is no more room on the disk; the figures are partial" in result.stdout
    assert "no more could be kept: No space left on device" in result.stdout
    assert f"go on with: burnside resume {tmp_path / 'kept'}" in result.stdout
    assert not [*(tmp_path / "kept").glob("*.part")]

    assert run_here(capsys, "resume", tmp_path / "kept", "--disk", "64K").returncode == 4
    report = kept(capsys, "resume", tmp_path / "kept", "--threads", "2")
    assert [report[name] for name in FIGURES] == [2**17, 17 * 2**17, 0, 17, 1, "complete"]
    assert report["checkpoint"]["resumed_states"] > 0


LARGE = "var x[0 .. 25]: bool = false;\nrule flip(i: 0 .. 25) do { x[i] := !x[i]; }\n"  # for half a minute


def test_a_limit_of_time_says_how_to_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And what is kept by then; going on keeps more."""
    path, directory = tmp_path / "large.seq", tmp_path / "kept"
    path.write_text(LARGE)
    words = ["count", path, "--symmetry", "none", "--checkpoint"]
    run_here(capsys, *words, tmp_path / "first", "--disk", "64K")  # so that no time goes into compiling
    result = run_here(capsys, *words, directory, "--time", "1.5")
    assert result.returncode == 4
    assert "stopped at the time limit; the figures are partial" in result.stdout
    assert f"go on with: burnside resume {directory}" in result.stdout

    before = sum(json.loads((directory / MANIFEST).read_text())["searches"][0]["sizes"])
    report = kept(capsys, "resume", directory, "--time", "2.5", "--threads", "2")
    assert report["stopped"] == "time"
    assert report["checkpoint"]["resumed_states"] == before
    assert report["checkpoint"]["states"] >= before > 0


def steps(count: int) -> str:
    """Rules whose C takes long to be optimised."""
    chance = random.Random(1)
    lines = ["var x[0 .. 29]: 0 .. 9 = 0;\n"]
    for number in range(count):
        i, j, k, n = (chance.randrange(30) for _ in range(4))
        lines.append(f"rule r{number} when x[{i}] < {n % 9} && x[{j}] * x[{k}] < {n + 9} do ")
        lines.append(f"{{ x[{i}] := x[{i}] + 1; x[{j}] := (x[{k}] * {n} + x[{i}]) % 10; }}\n")
    return "".join(lines)


@pytest.mark.parametrize("slow", ["detection", "compiling"])
def test_limits_of_time_hold_before_the_search(tmp_path: Path, capsys: pytest.CaptureFixture[str], slow: str) -> None:
    """Where detection takes long, and where compiling does, as in a search; going on begins again then."""
    path, directory = tmp_path / "slow.seq", tmp_path / "kept"
    leaders = Path(__file__).parents[3] / "examples" / "zhang2013" / "leader_complete.seq"
    path.write_text(leaders.read_text() if slow == "detection" else steps(1500))
    words = ["-D", "N=160", "--symmetry", "unique"] if slow == "detection" else []
    start = time.monotonic()
    result = run_here(capsys, "count", path, *words, "--no-warnings", "--checkpoint", directory, "--time", "3")

    assert result.returncode == 4
    assert "stopped at the time limit" in result.stdout + result.stderr
    assert slow != "detection" or "while finding symmetries" in result.stdout + result.stderr
    assert time.monotonic() - start < 12
    assert directory.exists() or "go on with: burnside resume" not in result.stdout


def test_an_interruption_says_how_to_go_on(tmp_path: Path) -> None:
    """Ctrl-C while searching: a partial report, and levels that were complete are kept."""
    path, directory = tmp_path / "large.seq", tmp_path / "kept"
    path.write_text(LARGE)
    command = [*LISTENING, "count", path, "--symmetry", "none", "--checkpoint", directory]
    running = subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, text=True)
    end = time.monotonic() + 60
    while not (directory / "1-1.levels").exists() and time.monotonic() < end:
        time.sleep(0.05)
    time.sleep(0.5)
    running.send_signal(signal.SIGINT)
    said = running.communicate(timeout=60)[0]

    assert running.returncode == 4
    assert "interrupted; the figures are partial" in said
    assert f"go on with: burnside resume {directory}" in said
    with checkpoints.Checkpoint.open(directory) as left:
        assert len(left.searches[0].sizes) > 3


@pytest.mark.skipif(sys.platform != "linux" or shutil.which("cc") is None, reason="needs Linux and a C compiler")
def test_killed_searches_go_on() -> None:
    """A tenth of what ``python -m tests.support.kills`` does: kills at writes, at random moments, and full disks."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "support.kills", "--share", "10"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)

    assert done.returncode == 0, done.stderr[-4000:]
    moments = dict(reversed(line.strip().split("  ", 1)) for line in done.stdout.splitlines())
    assert {"killed expanding", "killed writing a level", "killed writing the manifest"} <= set(moments)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_directory_that_cannot_be_written_ends_the_search(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a full disk does."""
    (tmp_path / "kept").mkdir(mode=0o500)
    result = run_here(capsys, "count", model, "--checkpoint", tmp_path / "kept")

    assert result.returncode == 4
    assert "no more could be kept: Permission denied" in result.stdout


def test_what_is_kept_goes_to_disk_as_well(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A set that had room in memory is read again with less of it, and the other way round."""
    path = tmp_path / "wide.seq"
    path.write_text("var x[0 .. 17]: 0 .. 4 = 0;\nrule flip(i: 0 .. 17) do { x[i] := 4 - x[i]; }\n")
    with every_level(monkeypatch) as moments:
        whole = kept(capsys, "count", path, "--symmetry", "none", "--checkpoint", tmp_path / "kept")
    short = ("--memory", "250K", "--store", "disk")
    for number in (3, 8, len(moments.manifests) - 1):
        again = moments.restore(number, tmp_path / "kept", tmp_path / f"at-{number}")
        report = kept(capsys, "resume", again, *short, "--threads", str(1 + number % 2))
        assert answer_of(report) == answer_of(whole)
        assert report["store"] == "disk"
    shutil.rmtree(tmp_path / "kept")

    with every_level(monkeypatch) as moments:
        disk = kept(capsys, "count", path, "--symmetry", "none", "--checkpoint", tmp_path / "kept", *short)
    assert disk["store"] == "disk"
    again = moments.restore(9, tmp_path / "kept", tmp_path / "at-9")
    assert answer_of(kept(capsys, "resume", again, "--store", "compact")) == answer_of(whole)
