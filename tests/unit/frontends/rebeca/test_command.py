"""The command line on Rebeca models: options, exit codes, and what reports say of actors."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from support.command import run_here

ROOT = Path(__file__).parents[4]
EXAMPLES = ROOT / "examples" / "jaghoori2005"


@pytest.fixture
def burnside(capsys: pytest.CaptureFixture[str]) -> Callable[..., CompletedProcess[str]]:
    """Runs the command."""
    return lambda *arguments: run_here(capsys, *arguments)


def test_properties_beside_the_model_are_found(burnside):
    done = burnside("check", EXAMPLES / "dining_philosophers.rebeca", "--json")
    verdicts = {p["name"]: p["verdict"] for p in json.loads(done.stdout)["properties"]}

    assert done.returncode == 1
    assert verdicts["exclusion"] == "holds"
    assert verdicts["deadlockfree"] == "violated"


def test_properties_can_be_given(burnside, tmp_path):
    file = tmp_path / "other.property"
    file.write_text("property { Assertion { nobody: !phil0.eating; } }")
    done = burnside("check", EXAMPLES / "dining_philosophers.rebeca", "--properties", file, "--property", "nobody")

    assert done.returncode == 1
    assert "'nobody' is violated" in done.stdout
    assert "takes granted from fork1" in done.stdout


def test_other_languages_have_no_property_files(burnside, tmp_path):
    file = tmp_path / "other.property"
    file.write_text("property { }")
    done = burnside("check", ROOT / "examples" / "classics" / "filter_lock.seq", "--properties", file)

    assert done.returncode == 3
    assert "BUR902" in done.stderr


def test_too_many_created_rebecs_are_a_limit_with_a_trace(burnside):
    done = burnside("check", EXAMPLES / "workers.rebeca", "--max-rebecs", 2)

    assert done.returncode == 4
    assert "more than 2 rebecs of class 'Worker' are created" in done.stderr
    assert "creates Worker#2" in done.stdout


def test_an_overflow_is_a_fault_of_the_model(burnside, tmp_path):
    model = tmp_path / "flood.rebeca"
    model.write_text(
        "reactiveclass A(2) { msgsrv initial() { self.m(); self.m(); self.m(); } msgsrv m() { } } main { A a():(); }"
    )
    done = burnside("count", model)

    assert done.returncode == 3
    assert "'A:queue[a]' is full: it holds 2, m does not fit" in done.stderr


def test_detection_reports_both_groups(burnside):
    done = burnside("detect", EXAMPLES / "load_balancer_static.rebeca", "--json")
    found = json.loads(done.stdout)

    assert found["order"] == 72
    assert found["actors"]["order"] == 1
    assert len(found["actors"]["beyond"]) == len(found["generators"])


def test_definition_4_is_within_the_general_group(burnside):
    done = burnside("detect", EXAMPLES / "load_balancer_dynamic.rebeca", "--json")
    found = json.loads(done.stdout)

    assert found["order"] == found["actors"]["order"] == 72
    assert found["actors"]["lacking"] == []
    assert found["actors"]["beyond"] == []
    assert [len(orbit) for orbit in found["actors"]["orbits"]] == [6, 2, 1, 1, 1]


def test_a_property_costs_symmetry_of_actors(burnside, tmp_path):
    file = tmp_path / "one.property"
    file.write_text("property { Assertion { one: !phil0.eating; } }")
    done = burnside(
        "detect", EXAMPLES / "dining_philosophers.rebeca", "--properties", file, "--property", "one", "--json"
    )
    found = json.loads(done.stdout)

    assert found["order"] == 1
    assert found["actors"]["order"] == 3
    assert len(found["actors"]["lacking"]) == 1
