"""``--store``: how states are kept, what needs an index for each, and what happens when the disk is full."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.command import run_here

BITS = """\
var x[0 .. 17]: bool = false;
rule flip(i: 0 .. 17) do { x[i] := !x[i]; }
invariant few: (count i in 0 .. 17: x[i]) < 5;
"""

# The same with values that take three bits: a bit for every state that there could be would be far too many.
WIDE = BITS.replace("bool = false", "0 .. 4 = 0").replace("!x[i]", "4 - x[i]").replace("x[i]) < 5", "x[i] > 0) < 5")
SHORT = ("--memory", "400K")  # the compact set alone would take four times as much


@pytest.fixture
def bits(tmp_path: Path) -> Path:
    """All states of eighteen bits."""
    path = tmp_path / "bits.seq"
    path.write_text(BITS)
    return path


@pytest.fixture
def wide(tmp_path: Path) -> Path:
    """As many states, of 54 bits each."""
    path = tmp_path / "wide.seq"
    path.write_text(WIDE)
    return path


def test_both_stores_find_the_same(bits: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Figures are equal, and the report says which store it was."""
    reports = []
    for store in ("index", "compact"):
        result = run_here(capsys, "count", bits, "--symmetry", "none", "--store", store, "--json")
        report = json.loads(result.stdout)
        assert (result.returncode, report["store"]) == (0, store)
        reports.append([report[name] for name in ("states", "transitions", "deadlocks", "depth", "stopped")])

    assert reports[0] == reports[1] == [2**18, 18 * 2**18, 0, 18, "complete"]


def test_a_run_is_found_without_links(bits: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The property is violated by five steps, and these are shown."""
    result = run_here(capsys, "check", bits, "--symmetry", "none", "--store", "compact", "--partial-order", "off")

    assert result.returncode == 1
    assert "'few' is violated after 5 steps" in result.stdout


@pytest.mark.parametrize("count", [9_770, 9_800, 9_829])
def test_the_last_initial_states_may_ask_for_a_larger_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], count: int
) -> None:
    """The search goes over instead, and the compact set is not asked to grow for that."""
    path = tmp_path / "all.seq"
    path.write_text(f"var x: 0 .. {count - 1} = *;\nrule next do {{ x := (x + 1) % {count}; }}\n")
    result = run_here(capsys, "count", path, "--symmetry", "none", "--store", "compact", "--json")

    assert json.loads(result.stdout)["states"] == count


@pytest.mark.parametrize("threads", ["1", "2"])
def test_what_does_not_fit_in_memory_goes_to_disk(wide: Path, capsys: pytest.CaptureFixture[str], threads: str) -> None:
    """Figures are those of a search in memory; the compact store alone ends at the limit."""
    words = ["count", wide, "--symmetry", "none", "--threads", threads, *SHORT, "--json"]
    found = json.loads(run_here(capsys, *words, "--store", "disk").stdout)
    ended = run_here(capsys, *words, "--store", "compact")

    names = ("store", "states", "transitions", "deadlocks", "depth", "stopped")
    assert [found[name] for name in names] == ["disk", 2**18, 18 * 2**18, 0, 18, "complete"]
    assert ended.returncode == 4
    assert json.loads(ended.stdout)["stopped"] == "memory"


def test_a_run_is_found_by_levels_on_disk(wide: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As short as any, and every state of it is one of the model."""
    words = ["--symmetry", "none", "--partial-order", "off", "--store", "disk", *SHORT]
    result = run_here(capsys, "check", wide, *words)

    assert result.returncode == 1
    assert "'few' is violated after 5 steps" in result.stdout


def test_there_is_no_archive_while_memory_does(wide: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The report says which store the search ended with."""
    result = run_here(capsys, "count", wide, "--symmetry", "none", "--store", "disk", "--json")

    assert json.loads(result.stdout)["store"] == "compact"


def test_a_disk_that_is_full_of_archives_ends_the_search(wide: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With what was found by then, and nothing is left behind."""
    folder = wide.parent / "scratch"
    folder.mkdir()
    words = ["--symmetry", "none", "--store", "disk", *SHORT, "--disk", "2M", "--scratch", folder]
    result = run_here(capsys, "count", wide, *words)

    assert result.returncode == 4
    assert "stopped because there is no more room on the disk; the figures are partial" in result.stdout
    assert not list(folder.iterdir())


@pytest.mark.parametrize("store", ["compact", "disk"])
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--search", "dfs"], "the depth-first search needs an index for every state"),
        (["--symmetry", "adaptive"], "the adaptive search keeps states in its own way"),
        (["--coverage"], "what is covered is found by an index of every state"),
        (["--scratch", "nowhere"], "'nowhere' is not a directory"),
    ],
)
def test_what_does_not_go_together_is_refused(
    bits: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str, store: str
) -> None:
    """One sentence, and what to leave out."""
    result = run_here(capsys, "count", bits, "--store", store, *words)

    assert result.returncode == 3
    assert said in result.stderr
    assert "help: " in result.stderr


def test_a_full_disk_ends_the_search(bits: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With what was found by then."""
    words = ["--symmetry", "none", "--store", "compact", "--memory", "1M", "--disk", "64K"]
    result = run_here(capsys, "count", bits, *words)

    assert result.returncode == 4
    assert "stopped because there is no more room on the disk; the figures are partial" in result.stdout
