"""Symmetries that are kept between runs are those that would be found, and nothing else is ever brought back."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from burnside import __version__
from burnside.claims.members import about_states
from burnside.claims.requirements import required_for_states
from burnside.claims.task import Task
from burnside.cli.main import main
from burnside.detect import kept, validate
from burnside.detect.detection import Detection
from burnside.detect.run import Symmetries
from burnside.frontends import seq
from burnside.source import Source

TEXT = """
    process P = 0 .. 3;
    var x[P]: 0 .. 2;
    var copy[P]: 0 .. 2;
    rule up(i: P) when x[i] < 2 do { x[i] := x[i] + 1; copy[i] := copy[i] + 1; }
    reachable full(i: P): x[i] == 2;
    invariant first: x[0] < 2 || x[1] < 3;
"""


@pytest.fixture(autouse=True)
def everything_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that it is worth keeping."""
    monkeypatch.setattr(kept, "_LONG", -1.0)


def task_of(text: str = TEXT) -> Task:
    """The task of a text."""
    (task,), _, _ = seq.load(Source("kept.seq", text), {})
    return task


def symmetries_of(task: Task, cache: Path | None, properties: bool = True) -> Detection:
    """The symmetries that keep all claims of a task, or none of them; found in the cache, if they are there."""
    members = about_states(task.members) if properties else ()
    return Symmetries(task.model, cache).keeping(required_for_states(task.model, members))


def same(one: Detection, other: Detection) -> bool:
    """Whether two detections say the same."""
    parts = [
        (
            d.symmetry.literals.points,
            d.symmetry.group.generators,
            d.symmetry.order,
            dict(d.symmetry.exchanges),
            d.equal,
            d.kinds,
            d.unseen,
            d.equal_cells,
            [g.description for g in d.generators],
            d.figures[:4],
        )
        for d in (one, other)
    ]
    return parts[0] == parts[1]


@pytest.mark.parametrize("properties", [True, False])
def test_what_is_kept_is_what_was_found(properties: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing of it is found again."""
    first = symmetries_of(task_of(), tmp_path, properties)
    monkeypatch.setattr(Symmetries, "_constrained", None)
    again = symmetries_of(task_of(), tmp_path, properties)

    assert not first.is_kept and again.is_kept
    assert same(first, again) and first.symmetry.order > 1


def test_the_values_on_the_way_are_there_for_whoever_asks(tmp_path: Path) -> None:
    """They are found anew, and are the same."""
    first, again = (symmetries_of(task_of(), tmp_path) for _ in range(2))

    assert again.is_kept
    assert again.encoding.graph == first.encoding.graph
    assert again.constraints.text() == first.constraints.text()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x[i] < 2 do", "x[i] < 1 do"),
        ("reachable full(i: P): x[i] == 2", "reachable full(i: P): x[i] == 1"),
        ("first: x[0] < 2", "first: x[1] < 2"),
        ("var x[P]: 0 .. 2", "var x[P]: 0 .. 3"),
        ("rule up", "rule down"),
        ("reachable full", "reachable whole"),
    ],
)
def test_another_model_or_claim_is_another_question(old: str, new: str, tmp_path: Path) -> None:
    """What differs in anything that could matter is not taken from the cache."""
    symmetries_of(task_of(), tmp_path)

    assert not symmetries_of(task_of(TEXT.replace(old, new, 1)), tmp_path).is_kept


def test_other_code_finds_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A version that finds other symmetries never meets those of an older one."""
    symmetries_of(task_of(), tmp_path)
    assert __version__ in kept._code()
    monkeypatch.setattr(kept, "_code", lambda: "another version")

    assert not symmetries_of(task_of(), tmp_path).is_kept


@pytest.mark.parametrize("damage", ["cut", "other generators", "written by others"])
def test_a_damaged_file_is_not_believed(damage: str, tmp_path: Path) -> None:
    """It is found again, and is right."""
    first = symmetries_of(task_of(), tmp_path)
    (path,) = tmp_path.rglob("*.json")
    content = json.loads(path.read_text())
    match damage:
        case "cut":
            path.write_text(path.read_text()[:-9])
        case "other generators":
            content["generators"] = content["generators"][:1]
            path.write_text(json.dumps(content))
        case _:
            path.chmod(0o666)
    again = symmetries_of(task_of(), tmp_path)

    assert not again.is_kept and same(first, again)


def test_what_was_rejected_or_not_seen_through_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug is found again in every run, and every run says what it could not see."""
    large = TEXT.replace("0 .. 2", "0 .. 5000").replace("x[i] < 2 do", "x[i] * x[i] * copy[i] < 2 do")
    assert symmetries_of(task_of(large), tmp_path).unseen
    assert not [*tmp_path.rglob("*.json")]

    found = symmetries_of(task_of(), None)
    spoilt = replace(found, rejected=(validate.Rejected(found.symmetry.group.generators[0], "a test"),))
    monkeypatch.setattr(Symmetries, "_detect", lambda *_: spoilt)
    symmetries_of(task_of(), tmp_path)
    assert not [*tmp_path.rglob("*.json")]


def test_a_cache_that_cannot_be_used_costs_no_symmetry(tmp_path: Path) -> None:
    """Nor is it an error: nothing is compiled."""
    (tmp_path / "file").touch()
    tmp_path.chmod(0o777)

    assert symmetries_of(task_of(), tmp_path).symmetry.order > 1
    assert symmetries_of(task_of(), tmp_path / "file").symmetry.order > 1


def test_commands_say_that_something_was_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In words and in JSON; the rest is the same."""
    path = tmp_path / "model.seq"
    path.write_text(TEXT)
    monkeypatch.setenv("BURNSIDE_CACHE", str(tmp_path / "cache"))
    found = []
    for _ in range(2):
        assert main(["detect", str(path), "--json"]) == 0
        found.append(json.loads(capsys.readouterr().out))
    assert [f.pop("kept") for f in found] == [False, True]
    assert found[0] == found[1]
    assert main(["detect", str(path)]) == 0
    assert "kept from an earlier run" in capsys.readouterr().out
