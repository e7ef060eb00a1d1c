"""What commands print with ``--json`` is what their schemas say, and the schemas say everything."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from markdown_pages import ROOT, generate

from burnside import schema
from burnside.cli.main import main
from burnside.schemas import COMMANDS

EXAMPLES = ROOT / "examples"
FAULTY = "var x: 0 .. 3 = 0;\nrule up do { x := x + 1; }\ninvariant low: x < 9;\n"
WRONG = "var x: 0 .. 3 = 0;\nrule up do { y := x + 1; }\n"
EMPTY = "var x: 0 .. 3;\ninit x > 3;\nrule up do { x := x; }\n"
WARNED = "alphabet { a, b }\nconfigurations = (a|b)+;\naction s = (a/b)+;\n"

# Commands without ``--json`` print one with ``--diagnostics json``.
ASKED = {"export": "--diagnostics json", "draw": "--diagnostics json", "report": "--diagnostics json"}

ANSWERS = [
    "check zhang2013/dining_philosophers.seq -D N=3",
    "check zhang2013/dining_philosophers.seq -D N=5 --symmetry unique --verify",
    "check zhang2013/peterson.seq -D N=3 --coverage",
    "check wahl2007/readers_writers.diagram --symmetry adaptive",
    "check liveness/semaphore.seq --fairness weak",
    "check classics/alternating_bit.csp",
    "check classics/alternating_bit.csp --coverage",
    "check jaghoori2005/dining_philosophers.rebeca",
    "check zhang2013/hanoi.seq --search dfs",
    "count tutorial/queue_lock.seq --symmetry unique --coverage",
    "count tutorial/queue_lock.seq --symmetry multi --threads 2",
    "count jaghoori2005/load_balancer_small.rebeca",
    "count zhang2013/token_circulation.seq --self-test",
    "detect zhang2013/hanoi.seq --property solved --explain",
    "detect jaghoori2005/dining_philosophers.rebeca",
    "simulate tutorial/queue_lock.seq",
    "simulate tutorial/broken_lock.seq --steps 200",
    "export tutorial/queue_lock.seq -o queue.aut",
    "export tutorial/queue_lock.seq --states 3 -o queue.aut",
    "draw tutorial/queue_lock.seq --states 3 -o queue.svg",
    "report tutorial/queue_lock.seq -o queue.html",
    "pattern check lin2016/herman.regular",
    "pattern check lin2016/resource_allocator.regular --pattern rotation@2",
    "pattern check lin2016/herman.regular --pattern reflection",
    "pattern find lin2016/herman.regular",
    "pattern find zhang2013/dining_philosophers.seq -D N=3..4 --system {lin2016/dining_philosophers.regular}",
    "pattern image lin2016/coffee_can.regular --pattern parity",
    "doctor",
    *(f"{command} wrong.seq" for command in ("check", "count", "detect", "simulate")),
    "export wrong.seq -o wrong.aut",
    "draw wrong.seq -o wrong.svg",
    "report wrong.seq -o wrong.html",
    "check missing.seq",
    "check faulty.seq",
    "count faulty.seq",
    "export faulty.seq -o faulty.aut",
    "simulate faulty.seq --steps 9",
    "simulate empty.seq",
    "check empty.seq",
    *(f"pattern {action} wrong.seq --pattern p" for action in ("check", "image")),
    "pattern find wrong.seq",
]


def command_of(line: str) -> str:
    """The command that a line is about."""
    words = line.split()
    return " ".join(words[:2]) if words[0] == "pattern" else words[0]


def arguments_of(line: str) -> list[str]:
    """The words of a line; models are those of the examples."""
    command = command_of(line)
    words = shlex.split(line) + ASKED.get(command, "--json").split()
    return [str(EXAMPLES / w.strip("{}")) if (EXAMPLES / w.strip("{}")).is_file() else w for w in words]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A directory with models that are wrong, each in its way."""
    for name, text in {"faulty": FAULTY, "wrong": WRONG, "empty": EMPTY}.items():
        (tmp_path / f"{name}.seq").write_text(text)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("line", ANSWERS)
def test_what_is_printed_is_what_the_schema_says(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Exactly one object, whatever the answer is."""
    if line.startswith("draw"):
        pytest.importorskip("pygraphviz")
    main(arguments_of(line))

    Draft202012Validator(schema(command_of(line))).validate(json.loads(capsys.readouterr().out))


def test_measured_tables_are_what_the_schema_says() -> None:
    """Those that the documentation shows have every kind of row."""
    results = json.loads(generate.RESULTS.read_text())

    Draft202012Validator(schema("bench")).validate(results)


@pytest.mark.parametrize("command", COMMANDS)
def test_schemas_are_schemas(command: str) -> None:
    """And those on the site are up to date. If this fails: run ``python docs/generate.py``."""
    found = schema(command)
    Draft202012Validator.check_schema(found)

    path = generate.SCHEMAS / f"{command.replace(' ', '-')}.json"
    assert path.read_text() == generate.schema_text(command)
    assert json.loads(path.read_text()) == found


def test_there_is_a_schema_for_every_file() -> None:
    """None is left of a command that has gone."""
    names = {path.stem for path in generate.SCHEMAS.glob("*.json")}

    assert names == {command.replace(" ", "-") for command in COMMANDS}


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """The schemas of objects within a schema."""
    if isinstance(value, dict):
        if value.get("type") == "object":
            yield value
        for part in value.values():
            yield from objects(part)
    elif isinstance(value, list):
        for part in value:
            yield from objects(part)


@pytest.mark.parametrize("command", COMMANDS)
def test_schemas_are_not_lax(command: str) -> None:
    """No object may have other keys; those whose keys are names say what their values are."""
    for found in objects(schema(command)):
        if "properties" in found:
            assert found["additionalProperties"] is False
        else:
            assert isinstance(found["additionalProperties"], dict)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("line", "spoil"),
    [
        ("check tutorial/queue_lock.seq", lambda o: o.update(colour=1)),
        ("check tutorial/queue_lock.seq", lambda o: o.pop("states")),
        ("check tutorial/queue_lock.seq", lambda o: o["properties"][0].update(verdict="perhaps")),
        ("check tutorial/queue_lock.seq", lambda o: o.update(states="many")),
        ("check tutorial/queue_lock.seq", lambda o: o.update(states=-1)),
        ("count wrong.seq", lambda o: o["diagnostics"].clear()),
        ("count wrong.seq", lambda o: o["diagnostics"][0].update(code="BUR000")),
    ],
)
def test_a_wrong_object_is_noticed(line: str, spoil: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """The tests above can fail."""
    main(arguments_of(line))
    found = json.loads(capsys.readouterr().out)
    assert Draft202012Validator(schema(command_of(line))).is_valid(found)
    spoil(found)

    assert not Draft202012Validator(schema(command_of(line))).is_valid(found)


def test_every_key_of_a_schema_is_documented() -> None:
    """In backquotes, on the page on JSON or on that on regular systems; rows of tables are left to the schema."""
    pages = "".join((ROOT / "docs" / "reference" / f"{name}.md").read_text() for name in ("json", "regular"))
    documented = {word for span in re.findall(r"`([^`]*)`", pages) for word in re.findall(r"\w+", span)}
    keys = {
        key for c in COMMANDS if c != "bench" for found in objects(schema(c)) for key in found.get("properties", ())
    }

    assert keys <= documented
